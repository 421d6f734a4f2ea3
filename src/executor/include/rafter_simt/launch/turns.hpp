// How the lanes of a warp take turns in a plain run. A lane that comes neither first nor last to what they do together
// leaves its part of it, makes the next lane the running one and switches to its stack. All of that stands in the
// kernel itself, so that nothing is called and the compiler keeps what is in use, no more. Whatever is not like that
// (the first and the last to come, lanes that diverge or have not started) is the runtime's.
#pragma once

#include "rafter_simt/abi.hpp"

namespace rafter::simt {
struct Fiber;
}

namespace rafter_simt {

enum class Waiting : std::uint64_t { nothing, barrier, warp, active_mask, grid, cluster, mbarrier };

struct alignas(64) Thread {
  Context context;                       // where it goes on, while it is suspended
  rafter::simt::Fiber* fiber = nullptr;  // what it is suspended on, or was the last time; nothing until then
  ThreadNumber number{};
  const void* place = nullptr;         // the call it waits in
  Waiting waiting = Waiting::nothing;  // for what, while it is suspended
};

/// What a meeting is: of which lanes, for what. The two are asked for together, as one number.
struct alignas(8) MeetingOf {
  unsigned mask = 0;  // 0: there is none
  WarpOp op{};

  __attribute__((always_inline)) bool operator==(const MeetingOf& other) const {
    return __builtin_bit_cast(std::uint64_t, *this) == __builtin_bit_cast(std::uint64_t, other);
  }
};

/// Lanes of one mask on their way into one operation.
struct Meeting {
  MeetingOf of;
  unsigned arrived = 0;         // nobody: it is over, and stands there because the next is as a rule the same again
  unsigned needed = 0;          // those of the mask that live
  const void* place = nullptr;  // of the first to arrive
};

/// What a lane brings to its meeting besides its value. As one number, which is stored at once.
struct WarpArgument {
  std::uint64_t bits = 0;

  WarpArgument() = default;
  WarpArgument(int value, int width)
      : bits(static_cast<unsigned>(value) | std::uint64_t{static_cast<unsigned>(width)} << 32) {}
  int value() const { return static_cast<int>(bits); }
  int width() const { return static_cast<int>(bits >> 32); }
};

struct WarpTurns {
  std::uint64_t results[32];   // what each lane's last meeting gave it
  Thread* threads = nullptr;   // its first lane's
  unsigned live = 0;           // lanes that exist and have not exited
  unsigned ready = 0;          // lanes that can run: not started, or nothing left to wait for
  Meeting meetings[33];        // those under way come first; behind the last of them stands one without a mask
  std::uint64_t values[32]{};  // what each lane brings to its meeting
  WarpArgument arguments[32];

  void bring(std::size_t lane, std::uint64_t value, WarpArgument argument) {
    values[lane] = value;
    arguments[lane] = argument;
  }
};

/// Who goes on in the place of a lane that waits.
struct NextLane {
  Thread* thread;  // nobody: the first lane that is ready has not started, or none is
  unsigned lane, still_ready;
};
__attribute__((always_inline)) inline NextLane next_lane(const WarpTurns& warp) {
  const unsigned ready = warp.ready;
  if (__builtin_expect(ready == 0, 0)) return {nullptr, 0, 0};
  const auto lane = static_cast<unsigned>(__builtin_ctz(ready));
  Thread& next = warp.threads[lane];
  return {next.fiber ? &next : nullptr, lane, ready & (ready - 1)};
}

/// Makes it the running one in the place of `self`.
__attribute__((always_inline)) inline Turn hand_over(Now& now, WarpTurns& warp, Thread& self, const NextLane& next) {
  const ThreadNumber number = next.thread->number;
  static_cast<ThreadNumber&>(now) = number;
  now.lane = next.lane;
  warp.ready = next.still_ready;
  return {&self.context, &next.thread->context};
}

#ifndef RAFTER_SIMT_RUNTIME

/// rafter_simt_now, found anew. The compiler would keep its address on the stack, and then each lane, to find the next
/// one, had to wait until its own stack is there; so that is under way already.
__attribute__((always_inline)) inline Now& now_anew() {
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

/// Comes back when it is the running thread's turn again. Whoever switches brings the address of rafter_simt_now.
__attribute__((always_inline)) inline Now& take(Turn turn, Now& here) {
  Now* now = &here;
  if (__builtin_expect(turn.to != nullptr, 1)) now = static_cast<Now*>(switch_context(*turn.from, *turn.to, &here));
  now->handing_over = 0;
  return *now;
}

/// Where the code is that calls it, as a return address. Nothing moves across it: what comes before it still has the
/// thread's own built-ins, and what comes after it is not interrupted.
__attribute__((always_inline)) inline const void* place_here() {
  const void* here;
#if defined(__x86_64__)
  asm volatile("leaq 0(%%rip), %0" : "=r"(here) : : "memory");
#else
  asm volatile("adr %0, . + 4" : "=r"(here) : : "memory");
#endif
  return here;
}

/// Arrives at what the lanes of a mask do together, for a thread of that warp. The result is in the warp's `results`
/// when its turn has come. From the first look at the warp until `take` has its turn back, the watchdog leaves the
/// thread alone: it would let other lanes run, and what was read of the warp would no longer be so.
__attribute__((always_inline)) inline Turn arrive(Now& now, WarpTurns& warp, WarpOp op, unsigned mask,
                                                  std::uint64_t value, WarpArgument argument) {
  now.handing_over = 1;
  const void* const place = place_here();
  const std::size_t lane = now.lane;
  const unsigned bit = 1u << lane;
  Meeting& first = warp.meetings[0];
  const unsigned arrived = first.arrived | bit;
  const bool is_meant = (__builtin_constant_p(mask) && mask == ~0u) || (mask & bit) != 0;
  const bool joins = is_meant && first.of == MeetingOf{mask, op} && arrived != first.needed;
  Thread* const threads = warp.threads;
  const NextLane next = __builtin_expect(joins, 1) ? next_lane(warp) : NextLane{nullptr, 0, 0};
  if (__builtin_expect(!next.thread, 0))
    return rafter_simt_warp_arrive(op, mask, value, argument.value(), argument.width());
  Thread& self = threads[lane];
  self.place = place;
  self.waiting = Waiting::warp;
  first.arrived = arrived;
  warp.bring(lane, value, argument);
  return hand_over(now, warp, self, next);
}

#endif

}  // namespace rafter_simt
