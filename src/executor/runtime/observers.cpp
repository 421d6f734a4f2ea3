#include "executor/runtime/observers.hpp"

#include <unistd.h>

#include <cstdio>
#include <exception>

#include "executor/api/memory/symbols.hpp"
#include "executor/check/check_observer.hpp"
#include "executor/process/options.hpp"

namespace rafter::simt {

Observer* current_observer = nullptr;

namespace {

CheckObserver* checker = nullptr;
CountObserver* count_observer = nullptr;

// Runs before any code of the program. Observers are never destroyed: code that runs after main uses them.
__attribute__((constructor)) void choose_at_start() {
  try {
    choose_observer();
  } catch (const std::exception& error) {
    std::fprintf(stderr, "rafter: cannot start the executor: %s\n", error.what());
    _exit(2);
  }
}

}  // namespace

void choose_observer() {
  if (options().mode == Mode::check && !checker) checker = new CheckObserver;
  if (options().mode == Mode::count && !count_observer) count_observer = new CountObserver;
  current_observer = options().mode == Mode::check   ? static_cast<Observer*>(checker)
                     : options().mode == Mode::count ? static_cast<Observer*>(count_observer)
                                                     : nullptr;
}

CountObserver* counting() { return options().mode == Mode::count ? count_observer : nullptr; }

}  // namespace rafter::simt

using namespace rafter::simt;

extern "C" __attribute__((visibility("default"))) void rafter_simt_register_variables(
    const rafter_simt::VariableRanges* ranges) {
  const auto& [begin, end] = ranges->managed;
  if (begin != end) symbols().remember(begin, static_cast<std::size_t>(end - begin), SymbolKind::managed);
  if (options().mode == Mode::check) checker->set_variables(*ranges);
  if (options().mode == Mode::count) count_observer->set_variables(*ranges);
}
