// Context switches between the lanes of a warp in a plain run. A lane that is neither the first nor the last to arrive
// at a warp operation stores its operand, makes the next lane the running one and switches to its stack. All of that is
// inlined into the kernel, so that there is no call and the compiler saves only live registers. The runtime handles the
// other cases: the first and the last lane to arrive, and lanes that diverge or have not started.
#pragma once

#include "rafter_simt/abi.hpp"

namespace rafter::simt {
struct Fiber;
}

namespace rafter_simt {

enum class Waiting : std::uint64_t { nothing, barrier, warp, active_mask, grid, cluster, mbarrier };

struct alignas(64) Thread {
  Context context;                       // where it continues, while it is suspended
  rafter::simt::Fiber* fiber = nullptr;  // the fiber it is or was last suspended on; null before that
  ThreadNumber number{};
  const void* place = nullptr;         // the call it waits in
  Waiting waiting = Waiting::nothing;  // for what, while it is suspended
};

/// The identity of a meeting: its lanes and its operation. The two are compared as one number.
struct alignas(8) MeetingKey {
  unsigned mask = 0;  // 0: no meeting
  WarpOp op{};

  __attribute__((always_inline)) bool operator==(const MeetingKey& other) const {
    return __builtin_bit_cast(std::uint64_t, *this) == __builtin_bit_cast(std::uint64_t, other);
  }
};

/// A meeting: the lanes of one mask that have arrived at one warp operation.
struct Meeting {
  MeetingKey key;
  unsigned arrived = 0;         // 0: it is complete; it stays in place because the next is usually the same
  unsigned needed = 0;          // the live lanes of the mask
  const void* place = nullptr;  // of the first to arrive
};

/// A lane's argument besides its value, stored as one number.
struct WarpArgument {
  std::uint64_t bits = 0;

  WarpArgument() = default;
  WarpArgument(int value, int width)
      : bits(static_cast<unsigned>(value) | std::uint64_t{static_cast<unsigned>(width)} << 32) {}
  int value() const { return static_cast<int>(bits); }
  int width() const { return static_cast<int>(bits >> 32); }
};

struct WarpState {
  std::uint64_t results[32];   // the result of each lane's last meeting
  Thread* threads = nullptr;   // of its first lane
  unsigned live = 0;           // lanes that exist and have not exited
  unsigned ready = 0;          // lanes that can run: not started, or not waiting
  Meeting meetings[33];        // those in progress come first, followed by one without a mask
  std::uint64_t values[32]{};  // each lane's operand
  WarpArgument arguments[32];

  void bring(std::size_t lane, std::uint64_t value, WarpArgument argument) {
    values[lane] = value;
    arguments[lane] = argument;
  }
};

/// The lane that continues instead of a lane that waits.
struct NextLane {
  Thread* thread;  // null: the first ready lane has not started, or no lane is ready
  unsigned lane, still_ready;
};
__attribute__((always_inline)) inline NextLane next_lane(const WarpState& warp) {
  const unsigned ready = warp.ready;
  if (__builtin_expect(ready == 0, 0)) return {nullptr, 0, 0};
  const auto lane = static_cast<unsigned>(__builtin_ctz(ready));
  Thread& next = warp.threads[lane];
  return {next.fiber ? &next : nullptr, lane, ready & (ready - 1)};
}

/// Makes the next lane the running one instead of `self`.
__attribute__((always_inline)) inline ContextSwitch switch_lane(Now& now, WarpState& warp, Thread& self,
                                                                const NextLane& next) {
  const ThreadNumber number = next.thread->number;
  static_cast<ThreadNumber&>(now) = number;
  now.lane = next.lane;
  warp.ready = next.still_ready;
  return {&self.context, &next.thread->context};
}

#ifndef RAFTER_SIMT_RUNTIME

/// Returns rafter_simt_now, with the address computed again. The compiler would otherwise keep the address on the
/// stack, and each lane would have to wait for its own stack before it could look for the next lane.
__attribute__((always_inline)) inline Now& reload_now() {
  Now* now;
#if defined(__x86_64__)
  asm volatile("movq %%fs:0, %0\n\taddq rafter_simt_now@gottpoff(%%rip), %0" : "=r"(now) : : "cc");
#else
  void* offset;
  asm volatile(
      "mrs %0, tpidr_el0\n\t"
      "adrp %1, :gottprel:rafter_simt_now\n\t"
      "ldr %1, [%1, :gottprel_lo12:rafter_simt_now]\n\t"
      "add %0, %0, %1"
      : "=&r"(now), "=&r"(offset));
#endif
  return *now;
}

/// Performs the switch; returns when the running thread continues. The switching thread passes the address of
/// rafter_simt_now.
__attribute__((always_inline)) inline Now& perform(ContextSwitch change, Now& here) {
  Now* now = &here;
  if (__builtin_expect(change.to != nullptr, 1))
    now = static_cast<Now*>(switch_context(*change.from, *change.to, &here));
  now->switching = 0;
  return *now;
}

/// Returns the address of the calling code, like a return address. It is a barrier for the compiler: code before it
/// still sees the thread's own built-in variables, and code after it is not interrupted.
__attribute__((always_inline)) inline const void* current_address() {
  const void* here;
#if defined(__x86_64__)
  asm volatile("leaq 0(%%rip), %0" : "=r"(here) : : "memory");
#else
  asm volatile("adr %0, . + 4" : "=r"(here) : : "memory");
#endif
  return here;
}

/// Arrives at a warp operation of the lanes of a mask. The result is in the warp's `results` when the thread continues.
/// From the first read of the warp until the switch returns, the watchdog leaves the thread alone: it would let other
/// lanes run, and the values read would be stale.
__attribute__((always_inline)) inline ContextSwitch arrive(Now& now, WarpState& warp, WarpOp op, unsigned mask,
                                                           std::uint64_t value, WarpArgument argument) {
  now.switching = 1;
  const void* const place = current_address();
  const std::size_t lane = now.lane;
  const unsigned bit = 1u << lane;
  Meeting& first = warp.meetings[0];
  const unsigned arrived = first.arrived | bit;
  const bool is_meant = (__builtin_constant_p(mask) && mask == ~0u) || (mask & bit) != 0;
  const bool joins = is_meant && first.key == MeetingKey{mask, op} && arrived != first.needed;
  Thread* const threads = warp.threads;
  const NextLane next = __builtin_expect(joins, 1) ? next_lane(warp) : NextLane{nullptr, 0, 0};
  if (__builtin_expect(!next.thread, 0))
    return rafter_simt_warp_arrive(op, mask, value, argument.value(), argument.width());
  Thread& self = threads[lane];
  self.place = place;
  self.waiting = Waiting::warp;
  first.arrived = arrived;
  warp.bring(lane, value, argument);
  return switch_lane(now, warp, self, next);
}

#endif

}  // namespace rafter_simt
