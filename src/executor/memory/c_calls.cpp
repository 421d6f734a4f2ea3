// Memory functions for programs that use the executor and a GPU together, where CUDA's own names may be those of the
// GPU.
#include <cstring>
#include <string>

#include "executor/memory/memory.hpp"
#include "executor/process/observer.hpp"

using namespace rafter::simt;

namespace {

/// All calls of this interface are synchronous, so earlier launches have completed.
void wait_for_all() {
  if (StreamObserver* observer = observing_streams()) observer->host_waited_for_all();
}

}  // namespace

#define RAFTER_SIMT_EXPORT extern "C" __attribute__((visibility("default")))

RAFTER_SIMT_EXPORT void* rafter_simt_allocate(std::size_t bytes) {
  return memory().allocate(MemoryKind::device, bytes, __builtin_return_address(0));
}

RAFTER_SIMT_EXPORT void rafter_simt_release(void* address) {
  memory().release(address, MemoryKind::device, __builtin_return_address(0));
}

RAFTER_SIMT_EXPORT void rafter_simt_copy(void* to, const void* from, std::size_t bytes) {
  wait_for_all();
  memory().copied(to, from, bytes, __builtin_return_address(0));
  std::memcpy(to, from, bytes);
}

RAFTER_SIMT_EXPORT void rafter_simt_fill(void* to, int byte, std::size_t bytes) {
  wait_for_all();
  memory().filled(to, bytes, __builtin_return_address(0));
  std::memset(to, byte, bytes);
}

RAFTER_SIMT_EXPORT std::size_t rafter_simt_free_bytes() { return memory().free_bytes(); }

/// Returns whether a kernel may access this byte: memory that is allocated or registered now.
RAFTER_SIMT_EXPORT bool rafter_simt_can_access(const void* address) {
  const Allocation* const found = memory().find(address);
  return (found != nullptr && found->live) || memory().is_registered(address);
}

/// Marks part of an allocation as out of bounds.
RAFTER_SIMT_EXPORT void rafter_simt_forbid(void* address, std::size_t bytes) {
  if (Observer* observer = observing()) observer->forbidden(address, bytes);
}

/// The next launches must not read these bytes, which they have to write, before they have written them.
RAFTER_SIMT_EXPORT void rafter_simt_forget_output(void* address, std::size_t bytes) {
  if (Observer* observer = observing()) observer->output_forgotten(address, bytes);
}

/// Whether this array is an argument of the next launches.
RAFTER_SIMT_EXPORT void rafter_simt_set_argument(void* address, std::size_t bytes, bool is_argument) {
  if (Observer* observer = observing()) observer->argument_set(address, bytes, is_argument);
}

/// The next launches must not read values that earlier ones left in module variables.
RAFTER_SIMT_EXPORT void rafter_simt_forget_state() {
  if (Observer* observer = observing()) observer->state_forgotten();
}

/// Earlier launches may leave values in this variable. Returns null, or, if there is no such variable, the names of
/// those there are, one per line, which the caller frees.
RAFTER_SIMT_EXPORT char* rafter_simt_keep_state(const char* variable) {
  std::string lines;
  if (Observer* observer = observing()) {
    for (const std::string& known : observer->state_kept(variable)) lines += known + "\n";
  }
  return lines.empty() ? nullptr : strdup(lines.c_str());
}
