// The functions that -fsanitize=thread calls before every load and store. Linked instead of TSan's runtime, they give
// the checkers each access: its address, and its place in the code as the return address.
#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <string>
#include <utility>

#include "executor/check/memory_checker.hpp"
#include "executor/check/streams/stream_checker.hpp"
#include "executor/check/worker_checks.hpp"
#include "executor/engine/workers/watchdog.hpp"
#include "executor/engine/workers/worker.hpp"
#include "executor/process/observer.hpp"
#include "executor/process/options.hpp"

namespace {

using namespace rafter::simt;

// A plain run executes blocks on several OS threads. A volatile store must release the thread's earlier writes, and a
// volatile load must acquire them, as programs expect on GPUs; CPUs other than x86-64 need fences for this. The hook
// runs before the access, so the fence after a volatile load is executed by the hook of the next access.
void order_volatile(bool writes, AccessMode mode) {
  static thread_local bool has_read = false;
  if (std::exchange(has_read, mode == AccessMode::volatile_ && !writes)) __atomic_thread_fence(__ATOMIC_ACQUIRE);
  if (writes && mode == AccessMode::volatile_) __atomic_thread_fence(__ATOMIC_RELEASE);
}

[[gnu::noinline]] void hook_access(void* address, std::uint32_t bytes, bool writes, AccessMode mode, bool is_range,
                                   const void* place) {
  Observer* observer = observing();
  const Access access{static_cast<std::byte*>(address), bytes, writes, !writes, mode, is_range, place};
  if (!rafter_simt_now.inside) {
    if (observer) observer->host_access(access);
    return;
  }
  if (options().in_step) {
    this_worker()->step(place);
  } else if (mode == AccessMode::volatile_ && !writes && --rafter_simt_now.credit < 0) {
    this_worker()->yield(place);  // a loop that polls a volatile variable must let its writer run
  }
  if (observer) {
    observer->access(access);
  } else {
    if (mode == AccessMode::volatile_) this_worker()->lockstep_watch().access(*this_worker(), address, writes, place);
    order_volatile(writes, mode);
  }
  if (watchdog_calls.load(std::memory_order_relaxed)) answer_watchdog(place);
}

// The hook of plain accesses. Nearly all accesses of a checked run end here, on the fast path.
template <std::uint32_t bytes, bool writes>
[[gnu::always_inline]] inline void hook_plain_access(void* address, const void* place) {
  WorkerChecks* checks = checks_here;
  if (!checks && !rafter_simt_now.inside && !host_filter.must_check(address)) return;
  if (!checks || watchdog_calls.load(std::memory_order_relaxed) ||
      !checks->check_fast<bytes, writes>(static_cast<std::byte*>(address), place)) [[unlikely]] {
    hook_access(address, bytes, writes, AccessMode::plain, false, place);
  }
}

}  // namespace

#define RAFTER_PLAIN_HOOK(name, bytes, writes)                                          \
  extern "C" __attribute__((visibility("default"))) void __tsan_##name(void* address) { \
    hook_plain_access<bytes, writes>(address, __builtin_return_address(0));             \
  }
#define RAFTER_HOOK(name, ...)                                                          \
  extern "C" __attribute__((visibility("default"))) void __tsan_##name(void* address) { \
    hook_access(address, __VA_ARGS__, __builtin_return_address(0));                     \
  }
#define RAFTER_HOOKS(bytes)                                                              \
  RAFTER_PLAIN_HOOK(read##bytes, bytes, false)                                           \
  RAFTER_PLAIN_HOOK(write##bytes, bytes, true)                                           \
  RAFTER_HOOK(unaligned_read##bytes, bytes, false, AccessMode::plain, true)              \
  RAFTER_HOOK(unaligned_write##bytes, bytes, true, AccessMode::plain, true)              \
  RAFTER_HOOK(volatile_read##bytes, bytes, false, AccessMode::volatile_, false)          \
  RAFTER_HOOK(volatile_write##bytes, bytes, true, AccessMode::volatile_, false)          \
  RAFTER_HOOK(unaligned_volatile_read##bytes, bytes, false, AccessMode::volatile_, true) \
  RAFTER_HOOK(unaligned_volatile_write##bytes, bytes, true, AccessMode::volatile_, true)
RAFTER_HOOKS(1)
RAFTER_HOOKS(2)
RAFTER_HOOKS(4)
RAFTER_HOOKS(8)
RAFTER_HOOKS(16)

#define RAFTER_SIMT_EXPORT extern "C" __attribute__((visibility("default")))

RAFTER_SIMT_EXPORT void __tsan_read_range(void* address, std::size_t bytes) {
  hook_access(address, static_cast<std::uint32_t>(bytes), false, AccessMode::plain, true, __builtin_return_address(0));
}
RAFTER_SIMT_EXPORT void __tsan_write_range(void* address, std::size_t bytes) {
  hook_access(address, static_cast<std::uint32_t>(bytes), true, AccessMode::plain, true, __builtin_return_address(0));
}
RAFTER_SIMT_EXPORT void __tsan_init() {}

// -fsanitize-coverage=trace-pc calls this at the start of every basic block.
RAFTER_SIMT_EXPORT void __sanitizer_cov_trace_pc() {
  Observer* observer = observing();
  if (observer && rafter_simt_now.inside) observer->basic_block_entered(__builtin_return_address(0));
}
RAFTER_SIMT_EXPORT void __tsan_func_entry(void*) {}
RAFTER_SIMT_EXPORT void __tsan_func_exit() {}
// Constructors and destructors set the pointer to the virtual function table.
RAFTER_SIMT_EXPORT void __tsan_vptr_update(void* address, void*) {
  hook_access(address, sizeof(void*), true, AccessMode::plain, false, __builtin_return_address(0));
}
RAFTER_SIMT_EXPORT void __tsan_vptr_read(void* address) {
  hook_access(address, sizeof(void*), false, AccessMode::plain, false, __builtin_return_address(0));
}

// memcpy and related functions (rafter_simt/memory/memory_functions.hpp). The size of an Access has 32 bits.
namespace {

template <class F>
void in_pieces(std::size_t bytes, F&& f) {
  constexpr std::size_t most = 1 << 30;
  for (std::size_t at = 0; at < bytes; at += most) f(at, static_cast<std::uint32_t>(std::min(most, bytes - at)));
}

void hook_range(const void* address, std::size_t bytes, bool writes, const void* place) {
  auto* first = static_cast<std::byte*>(const_cast<void*>(address));
  in_pieces(bytes, [&](std::size_t at, std::uint32_t n) {
    hook_access(first + at, n, writes, AccessMode::plain, true, place);
  });
}

}  // namespace

RAFTER_SIMT_EXPORT std::size_t rafter_simt_copies(const void* to, const void* from, std::size_t bytes) {
  hook_range(from, bytes, false, __builtin_return_address(0));
  hook_range(to, bytes, true, __builtin_return_address(0));
  Observer* observer = observing();
  if (observer && rafter_simt_now.inside && bytes > 0) observer->copied(const_cast<void*>(to), from, bytes);
  return bytes;
}
RAFTER_SIMT_EXPORT std::size_t rafter_simt_fills(const void* to, std::size_t bytes) {
  hook_range(to, bytes, true, __builtin_return_address(0));
  return bytes;
}
RAFTER_SIMT_EXPORT std::size_t rafter_simt_compares(const void* a, const void* b, std::size_t bytes) {
  for (const void* side : {a, b}) hook_range(side, bytes, false, __builtin_return_address(0));
  return bytes;
}

// -fsanitize=object-size calls this before an access outside of an object of known size: arrays
// on a thread's stack and constant tables, also when accessed through pointers.
namespace {

struct TypeMismatch {  // g++'s layout
  struct {
    const char* file;
    std::uint32_t line, column;
  } place;
  const void* type;
  unsigned char log_alignment;
  unsigned char kind;  // 0: load, 1: store; others are ignored
};

}  // namespace

RAFTER_SIMT_EXPORT void __ubsan_handle_type_mismatch_v1(const TypeMismatch* what, void* address) {
  Observer* observer = observing();
  if (!observer || !rafter_simt_now.inside || what->kind > 1) return;
  const bool writes = what->kind == 1;
  observer->outside_object(
      {static_cast<std::byte*>(address), 0, writes, !writes, AccessMode::plain, false, __builtin_return_address(0)});
}

// -fsanitize=bounds-strict (--bounds=members) calls this before an index outside of an array's type, which may still be
// inside of a larger array or a structure.
namespace {

struct TypeDescription {  // g++'s layout
  std::uint16_t kind;     // 0: an integer
  std::uint16_t info;     // of an integer: whether it is signed, and the logarithm of its bits
  char name[1];
};
struct OutOfBounds {
  struct {
    const char* file;
    std::uint32_t line, column;
  } place;
  const TypeDescription* array;
  const TypeDescription* index;
};

}  // namespace

RAFTER_SIMT_EXPORT void __ubsan_handle_out_of_bounds(const OutOfBounds* what, std::uintptr_t index) {
  if (!observing() || !rafter_simt_now.inside) return;
  auto number = static_cast<std::int64_t>(index);
  const unsigned bits = what->index->kind == 0 ? 1u << (what->index->info >> 1) : 64;
  if (bits < 64 && (what->index->info & 1)) number = number << (64 - bits) >> (64 - bits);
  report_outside_type(std::to_string(number), what->array->name, __builtin_return_address(0));
}

// std::atomic and cuda::atomic: the hook executes the operation and reports it as an atomic access.
namespace {

void before(const volatile void* address, int bytes, rafter_simt::Use use, int order, const void* place) {
  if (order >= __ATOMIC_RELEASE) rafter_simt_fence(rafter_simt::Scope::device);
  if (rafter_simt_now.inside && !observing()) this_worker()->lockstep_watch().synchronised(*this_worker());
  rafter_simt_atomic(address, bytes, rafter_simt::Scope::device, use, place);
}
void after(const volatile void* address, rafter_simt::Effect effect, int order) {
  rafter_simt_atomic_done(address, effect);
  const bool acquires = order != __ATOMIC_RELAXED && order != __ATOMIC_RELEASE;
  if (acquires) rafter_simt_acquired(address, rafter_simt::Scope::device);
}

}  // namespace

#define RAFTER_ATOMIC_UPDATE(bits, T, name)                                                    \
  RAFTER_SIMT_EXPORT T __tsan_atomic##bits##_##name(volatile T* address, T value, int order) { \
    before(address, sizeof(T), rafter_simt::Use::updates, order, __builtin_return_address(0)); \
    const T old = __atomic_##name(address, value, __ATOMIC_SEQ_CST);                           \
    after(address, rafter_simt::Effect::stored, order);                                        \
    return old;                                                                                \
  }
#define RAFTER_ATOMICS(bits, T)                                                                                      \
  RAFTER_SIMT_EXPORT T __tsan_atomic##bits##_load(const volatile T* address, int order) {                            \
    before(address, sizeof(T), rafter_simt::Use::reads, __ATOMIC_RELAXED, __builtin_return_address(0));              \
    const T value = __atomic_load_n(address, __ATOMIC_SEQ_CST);                                                      \
    after(address, rafter_simt::Effect::none, order);                                                                \
    return value;                                                                                                    \
  }                                                                                                                  \
  RAFTER_SIMT_EXPORT void __tsan_atomic##bits##_store(volatile T* address, T value, int order) {                     \
    before(address, sizeof(T), rafter_simt::Use::writes, order, __builtin_return_address(0));                        \
    __atomic_store_n(address, value, __ATOMIC_SEQ_CST);                                                              \
    after(address, rafter_simt::Effect::stored, order);                                                              \
  }                                                                                                                  \
  RAFTER_SIMT_EXPORT T __tsan_atomic##bits##_exchange(volatile T* address, T value, int order) {                     \
    before(address, sizeof(T), rafter_simt::Use::updates, order, __builtin_return_address(0));                       \
    const T old = __atomic_exchange_n(address, value, __ATOMIC_SEQ_CST);                                             \
    after(address, rafter_simt::Effect::stored, order);                                                              \
    return old;                                                                                                      \
  }                                                                                                                  \
  RAFTER_SIMT_EXPORT bool __tsan_atomic##bits##_compare_exchange_strong(volatile T* address, T* expected, T desired, \
                                                                        int order, int) {                            \
    before(address, sizeof(T), rafter_simt::Use::updates, order, __builtin_return_address(0));                       \
    const bool stored =                                                                                              \
        __atomic_compare_exchange_n(address, expected, desired, false, __ATOMIC_SEQ_CST, __ATOMIC_SEQ_CST);          \
    after(address, stored ? rafter_simt::Effect::swapped : rafter_simt::Effect::none, order);                        \
    return stored;                                                                                                   \
  }                                                                                                                  \
  RAFTER_SIMT_EXPORT bool __tsan_atomic##bits##_compare_exchange_weak(volatile T* address, T* expected, T desired,   \
                                                                      int order, int failure_order) {                \
    return __tsan_atomic##bits##_compare_exchange_strong(address, expected, desired, order, failure_order);          \
  }                                                                                                                  \
  RAFTER_ATOMIC_UPDATE(bits, T, fetch_add)                                                                           \
  RAFTER_ATOMIC_UPDATE(bits, T, fetch_sub)                                                                           \
  RAFTER_ATOMIC_UPDATE(bits, T, fetch_and)                                                                           \
  RAFTER_ATOMIC_UPDATE(bits, T, fetch_or)                                                                            \
  RAFTER_ATOMIC_UPDATE(bits, T, fetch_xor)                                                                           \
  RAFTER_ATOMIC_UPDATE(bits, T, fetch_nand)
RAFTER_ATOMICS(8, std::uint8_t)
RAFTER_ATOMICS(16, std::uint16_t)
RAFTER_ATOMICS(32, std::uint32_t)
RAFTER_ATOMICS(64, std::uint64_t)

RAFTER_SIMT_EXPORT void __tsan_atomic_thread_fence(int) { rafter_simt_fence(rafter_simt::Scope::device); }
RAFTER_SIMT_EXPORT void __tsan_atomic_signal_fence(int) {}
