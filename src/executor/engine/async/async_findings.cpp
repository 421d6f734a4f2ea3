#include "executor/engine/async/async_findings.hpp"

#include <utility>

#include "executor/engine/side.hpp"
#include "executor/engine/workers/worker.hpp"
#include "executor/process/findings.hpp"
#include "executor/process/observer.hpp"
#include "executor/process/options.hpp"

namespace rafter::simt {
namespace {

void add(Kind kind, Side side, std::string detail) {
  findings().add({kind, Space::none, kernel_here(), {std::move(side)}, std::nullopt, std::move(detail)});
}

// Where it lies.
std::string describe(const Mbarrier& barrier) {
  const Observer* observer = observing();
  const auto target = observer ? observer->shared_variable(this_worker()->in_place(barrier.at)) : std::nullopt;
  if (!target) return "the mbarrier";
  return "the mbarrier at offset " + std::to_string(target->offset) + " of " + target->what;
}

}  // namespace

std::string stuck_mbarriers(const Block& block) {
  std::string text;
  block.async.for_mbarriers([&](const Mbarrier& barrier) {
    if (barrier.n_waiting() == 0) return;
    text += "\n    " + describe(barrier) + ", which " + std::to_string(barrier.n_waiting()) +
            " threads wait for: phase " + std::to_string(barrier.phase) + " has " +
            std::to_string(barrier.count - barrier.pending) + " of " + std::to_string(barrier.count) + " arrivals";
    if (barrier.bytes_missing > 0)
      text += " and lacks " + std::to_string(barrier.bytes_missing) + " of the bytes it expects";
  });
  return text;
}

void report_mbarrier(Kind kind, const Mbarrier& barrier, const char* action, const void* place,
                     const std::string& detail) {
  add(kind, side_here(action, place), describe(barrier) + ": " + detail);
}

void report_no_mbarrier(const void* place) {
  add(Kind::uninitialised, side_here("uses an mbarrier", place), "nobody has initialised an mbarrier there");
}

void report_in_flight(const Block& block, unsigned thread, const void* place, const char* detail) {
  add(Kind::copy_in_flight, {"starts a copy", place, 0, block.index, block.thread_index(thread)}, detail);
}

void report_bad_copy(const void* place, const std::string& detail) {
  add(Kind::misaligned, side_here("starts a copy", place), detail);
}

void report_wgmma(const void* place, const char* action, const char* detail) {
  add(Kind::wgmma, side_here(action, place), detail);
}

void report_too_old(const char* what, const void* place) {
  const int capability = options().capability;
  add(Kind::trap, side_here("is stopped", place),
      std::string(what) + " need compute capability 9.0; this device has " + std::to_string(capability / 10) + "." +
          std::to_string(capability % 10));
}

}  // namespace rafter::simt
