// The C functions of the engine that compiled kernels call.
#include <cassert>
#include <chrono>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <string>
#include <utility>

#include "executor/engine/current_thread.hpp"
#include "executor/engine/failure.hpp"
#include "executor/engine/sync_findings.hpp"
#include "executor/engine/workers/worker.hpp"
#include "executor/memory/host_blocks.hpp"
#include "executor/memory/memory.hpp"
#include "executor/process/findings.hpp"
#include "executor/process/observer.hpp"
#include "executor/process/options.hpp"

using namespace rafter::simt;

#define RAFTER_SIMT_EXPORT extern "C" __attribute__((visibility("default")))
#define RAFTER_SIMT_HERE __builtin_return_address(0)

extern "C" {
__attribute__((visibility("default"))) __thread rafter_simt::Now rafter_simt_now;
extern __attribute__((visibility("default"), alias("rafter_simt_now"))) __thread uint3 threadIdx;
__attribute__((visibility("default"))) __thread uint3 blockIdx;
__attribute__((visibility("default"))) __thread rafter_simt::Extents blockDim;
__attribute__((visibility("default"))) __thread rafter_simt::Extents gridDim;
__attribute__((visibility("default"))) __thread rafter_simt::ArgumentList* rafter_simt_listing;
__attribute__((visibility("default"))) __thread unsigned rafter_simt_has_bad_source;
}

RAFTER_SIMT_EXPORT bool rafter_simt_next_thread() { return this_worker()->next_thread(); }
RAFTER_SIMT_EXPORT unsigned rafter_simt_next_blocks(uint3* block, bool several) {
  return this_worker()->next_blocks_of_loop(*block, several);
}

RAFTER_SIMT_EXPORT void rafter_simt_sync_threads(int line) {
  if (!is_inside()) return;
  if (Observer* observer = observing()) observer->barrier(RAFTER_SIMT_HERE);
  this_worker()->sync_threads(line, RAFTER_SIMT_HERE);
}

RAFTER_SIMT_EXPORT ContextSwitch rafter_simt_sync_threads_arrive(int line) {
  return Worker::sync_threads_arrive(*static_cast<Warp*>(rafter_simt_now.warp), line, RAFTER_SIMT_HERE);
}

RAFTER_SIMT_EXPORT int rafter_simt_barrier(int id, int expected, rafter_simt::BarrierKind kind, int predicate,
                                           int line) {
  if (!is_inside()) return predicate != 0;
  if (id < 0 || id >= static_cast<int>(n_named_barriers)) {
    report_unsupported("a barrier number other than 0 to 15", RAFTER_SIMT_HERE);
    this_worker()->abandon(launch_failure);
  }
  if (Observer* observer = observing()) observer->barrier(RAFTER_SIMT_HERE);
  return this_worker()->barrier({id, expected, kind, predicate, line, RAFTER_SIMT_HERE});
}

/// Waits for a tile of more than 32 threads of cooperative_groups (rafter_simt/groups/thread_group.hpp).
RAFTER_SIMT_EXPORT int rafter_simt_tile_barrier(unsigned size, rafter_simt::BarrierKind kind, int predicate) {
  if (!is_inside()) return predicate != 0;
  if (Observer* observer = observing()) observer->barrier(RAFTER_SIMT_HERE);
  constexpr unsigned largest = 1024;
  const unsigned n_threads = blockDim.x * blockDim.y * blockDim.z, tile = rafter_simt_now.linear / size;
  // Behind the barriers of all smaller sizes: 16 for 64 threads, 8 for 128, ...
  const unsigned id = n_named_barriers + 2 * (largest / 64) - 2 * (largest / size) + tile;
  const unsigned expected = std::min(size, n_threads - tile * size);
  return this_worker()->barrier(
      {static_cast<int>(id), static_cast<int>(expected), kind, predicate, 0, RAFTER_SIMT_HERE});
}

RAFTER_SIMT_EXPORT void rafter_simt_barrier_arrive(int id, int expected) {
  if (is_inside()) {
    this_worker()->barrier_arrive({id, expected, rafter_simt::BarrierKind::plain, 0, 0, RAFTER_SIMT_HERE});
  }
}

RAFTER_SIMT_EXPORT void rafter_simt_grid_barrier() {
  if (is_inside()) this_worker()->grid_barrier(RAFTER_SIMT_HERE);
}

namespace {
thread_local int shuffled_variable = 0;  // that the running thread's next shuffle initialises; 0: none
}

RAFTER_SIMT_EXPORT void rafter_simt_shuffles_into(int variable) { shuffled_variable = variable; }

RAFTER_SIMT_EXPORT std::uint64_t rafter_simt_warp(WarpOp op, unsigned mask, std::uint64_t value, int argument,
                                                  int width) {
  if (!is_inside()) return value;
  if (shuffled_variable != 0) [[unlikely]]
    this_worker()->warp_here().shuffle_into(rafter_simt_now.linear % 32, std::exchange(shuffled_variable, 0));
  return this_worker()->warp({op, mask, value, argument, width, RAFTER_SIMT_HERE});
}

RAFTER_SIMT_EXPORT ContextSwitch rafter_simt_warp_arrive(WarpOp op, unsigned mask, std::uint64_t value, int argument,
                                                         int width) {
  return this_worker()->warp_arrive({op, mask, value, argument, width, RAFTER_SIMT_HERE});
}

RAFTER_SIMT_EXPORT int rafter_simt_warp_flag() { return is_inside() ? this_worker()->warp_flag() : 1; }

RAFTER_SIMT_EXPORT void rafter_simt_warp_exchange(unsigned mask, const void* mine, std::size_t bytes, void* all) {
  if (is_inside()) this_worker()->warp_exchange(mask, mine, bytes, all, RAFTER_SIMT_HERE);
}

RAFTER_SIMT_EXPORT unsigned rafter_simt_active_mask(int line) {
  return is_inside() ? this_worker()->active_mask(line, RAFTER_SIMT_HERE) : 1;
}

RAFTER_SIMT_EXPORT void rafter_simt_departs(int at, int loop_begin, int loop_end, const char* others) {
  if (!is_inside()) return;
  this_worker()->departs({at, loop_begin, loop_end, others, false, RAFTER_SIMT_HERE});
}

RAFTER_SIMT_EXPORT void rafter_simt_reaches_end() {
  if (!is_inside()) return;
  rafter_simt::Departure at_end;
  at_end.at = 1;
  at_end.is_end = true;
  at_end.place = RAFTER_SIMT_HERE;
  this_worker()->departs(at_end);
}

RAFTER_SIMT_EXPORT void rafter_simt_uses(int variable) {
  if (is_inside()) this_worker()->warp_here().use(rafter_simt_now.linear % 32, variable);
}

RAFTER_SIMT_EXPORT void rafter_simt_read_only(const void* address, std::size_t bytes) {
  Observer* observer = observing();
  if (!is_inside() || !observer) return;
  auto* const at = static_cast<std::byte*>(const_cast<void*>(address));
  observer->read_only({at, static_cast<std::uint32_t>(bytes), false, true, AccessMode::plain, false, RAFTER_SIMT_HERE});
}

RAFTER_SIMT_EXPORT void rafter_simt_matrix(const void* address, std::size_t stride_bytes) {
  Observer* observer = observing();
  if (is_inside() && observer) observer->matrix(address, stride_bytes, RAFTER_SIMT_HERE);
}

RAFTER_SIMT_EXPORT void rafter_simt_fence(rafter_simt::Scope scope) {
  if (!is_inside()) return;
  __atomic_thread_fence(__ATOMIC_SEQ_CST);  // blocks run on several OS threads
  if (Observer* observer = observing()) {
    observer->fence(scope);
  } else {
    this_worker()->lockstep_watch().synchronised(*this_worker());
  }
  if (--rafter_simt_now.credit < 0) this_worker()->yield(RAFTER_SIMT_HERE);
}

namespace {

void host_atomic(const volatile void* address, int bytes, rafter_simt::Use use, const void* place) {
  Observer* observer = observing();
  auto* at = static_cast<std::byte*>(const_cast<void*>(address));
  const auto n = static_cast<std::uint32_t>(bytes);
  const bool writes = use != rafter_simt::Use::reads;
  if (observer) observer->host_access({at, n, writes, true, AccessMode::atomic, false, place});
}

}  // namespace

RAFTER_SIMT_EXPORT void rafter_simt_atomic(const volatile void* address, int bytes, rafter_simt::Scope scope,
                                           rafter_simt::Use use, const void* place) {
  if (!is_inside()) return host_atomic(address, bytes, use, place);
  // Yields first: the access then sees the value that other threads left.
  if (!observing() || --rafter_simt_now.credit < 0) this_worker()->yield(place);
  if (Observer* observer = observing()) {
    const AccessMode mode = scope == rafter_simt::Scope::block ? AccessMode::block_atomic : AccessMode::atomic;
    auto* at = static_cast<std::byte*>(const_cast<void*>(address));
    const bool writes = use != rafter_simt::Use::reads, reads = use != rafter_simt::Use::writes;
    observer->access({at, static_cast<std::uint32_t>(bytes), writes, reads, mode, false, place});
    if (writes) this_worker()->remember_value(at, static_cast<std::size_t>(bytes));
  }
}

RAFTER_SIMT_EXPORT void rafter_simt_atomic_done(const volatile void* address, rafter_simt::Effect effect) {
  if (!is_inside()) return;
  if (Observer* observer = observing()) {
    observer->atomic_done(address, effect);
    this_worker()->count_change(const_cast<const void*>(address));
  }
}

RAFTER_SIMT_EXPORT void rafter_simt_acquired(const volatile void* address, rafter_simt::Scope scope) {
  if (!is_inside()) return;
  if (Observer* observer = observing()) observer->acquired(address, scope);
}

RAFTER_SIMT_EXPORT void rafter_simt_yield(unsigned) {
  if (!is_inside()) return;
  if (!observing()) this_worker()->lockstep_watch().sleeps(*this_worker());
  this_worker()->yield(RAFTER_SIMT_HERE);
}

RAFTER_SIMT_EXPORT void rafter_simt_trap() {
  if (!is_inside()) std::abort();
  findings().add({Kind::trap, Space::none, current_kernel(), {current_side("calls __trap", RAFTER_SIMT_HERE)}, {}, ""});
  this_worker()->abandon(launch_failure);
}

RAFTER_SIMT_EXPORT void rafter_simt_unsupported(const char* what) {
  report_unsupported(what, RAFTER_SIMT_HERE);
  if (is_inside()) this_worker()->abandon(launch_failure);
  std::fprintf(stderr, "rafter: %s is not supported by the executor\n", what);
  std::exit(2);
}

RAFTER_SIMT_EXPORT std::uint64_t rafter_simt_global_timer() {
  const auto now = std::chrono::steady_clock::now().time_since_epoch();
  return static_cast<std::uint64_t>(std::chrono::duration_cast<std::chrono::nanoseconds>(now).count());
}

RAFTER_SIMT_EXPORT void* rafter_simt_device_malloc(std::size_t bytes) {
  if (is_inside()) this_worker()->abort_speculation();
  return memory().allocate(MemoryKind::device, bytes, RAFTER_SIMT_HERE);
}

RAFTER_SIMT_EXPORT void rafter_simt_device_free(void* address) {
  if (is_inside()) this_worker()->abort_speculation();
  if (address) memory().release(address, MemoryKind::device, RAFTER_SIMT_HERE);
}

// In host code assert() ends the program as usual. In a kernel it ends the launch, with CUDA's message.
RAFTER_SIMT_EXPORT void __assert_fail(const char* condition, const char* file, unsigned line,
                                      const char* function) noexcept {
  if (!is_inside()) {
    std::fprintf(stderr, "%s:%u: %s: Assertion `%s' failed.\n", file, line, function, condition);
    std::abort();
  }
  this_worker()->abort_speculation();
  const Block& block = this_worker()->block();
  const uint3 b = block.index, t = block.thread_index(rafter_simt_now.linear);
  std::fflush(stdout);
  std::fprintf(stderr, "%s:%u: %s: block: [%u,%u,%u], thread: [%u,%u,%u] Assertion `%s` failed.\n", file, line,
               function, b.x, b.y, b.z, t.x, t.y, t.z, condition);
  findings().add({Kind::assertion,
                  Space::none,
                  current_kernel(),
                  {current_side("asserts", RAFTER_SIMT_HERE)},
                  {},
                  std::string("assert(") + condition + ") failed"});
  this_worker()->abandon(device_assert);
}

namespace {

void* host_allocated(void* address, std::size_t bytes, const void* place) {
  if (options().mode == Mode::check) host_blocks().add(address, bytes, place);
  return address;
}

/// Tells the stream observer that host memory which the program pinned is freed: a stream may still use it.
void host_frees(const void* address, const void* place) {
  if (options().mode == Mode::check) host_blocks().remove(address);
  StreamObserver* observer = memory().has_registered() ? observing_streams() : nullptr;
  if (!observer) return;
  if (const std::size_t bytes = memory().registered_bytes(address); bytes > 0)
    observer->host_memory_gone(address, bytes, "frees it", place);
}

}  // namespace

// The linker redirects a program's malloc, free, new and delete here (--wrap), because in a kernel they use the
// device's heap.
#define RAFTER_SIMT_WRAP_ALLOCATE(symbol, host)                                    \
  RAFTER_SIMT_EXPORT void* __wrap_##symbol(std::size_t bytes) {                    \
    if (!is_inside()) return host_allocated(host(bytes), bytes, RAFTER_SIMT_HERE); \
    this_worker()->abort_speculation();                                            \
    return memory().allocate(MemoryKind::device, bytes, RAFTER_SIMT_HERE);         \
  }
#define RAFTER_SIMT_WRAP_FREE(symbol, host, ...)                          \
  RAFTER_SIMT_EXPORT void __wrap_##symbol(void* address, ##__VA_ARGS__) { \
    if (is_inside()) this_worker()->abort_speculation();                  \
    if (address && memory().holds(address)) {                             \
      memory().release(address, MemoryKind::device, RAFTER_SIMT_HERE);    \
    } else {                                                              \
      host_frees(address, RAFTER_SIMT_HERE);                              \
      host(address);                                                      \
    }                                                                     \
  }
RAFTER_SIMT_WRAP_ALLOCATE(malloc, std::malloc)
RAFTER_SIMT_WRAP_ALLOCATE(_Znwm, ::operator new)
RAFTER_SIMT_WRAP_ALLOCATE(_Znam, ::operator new[])
RAFTER_SIMT_WRAP_FREE(free, std::free)
RAFTER_SIMT_WRAP_FREE(_ZdlPv, ::operator delete)
RAFTER_SIMT_WRAP_FREE(_ZdaPv, ::operator delete[])
RAFTER_SIMT_WRAP_FREE(_ZdlPvm, ::operator delete, std::size_t)
RAFTER_SIMT_WRAP_FREE(_ZdaPvm, ::operator delete[], std::size_t)
