// Barriers, fences and time.
#pragma once

#include "rafter_simt/builtins.hpp"
#include "rafter_simt/launch/lane_switch.hpp"

namespace rafter_simt {

/// Encodes a barrier's call site: its line (20 bits), and the iterations of the enclosing loops, the innermost first.
template <class... Iterations>
constexpr int place_of(int line, Iterations... iterations) {
  unsigned all = 0;
  ((all = all * 31 + iterations), ...);
  return (line & 0xfffff) | static_cast<int>(all % 2047) << 20;
}

}  // namespace rafter_simt

// The rewriter inserts these into loops with a block barrier. Only a checked build counts iterations.
#ifdef RAFTER_SIMT_CHECKED
#define RAFTER_SIMT_COUNT_ITERATIONS(name) \
  if (unsigned name = 0; false) {          \
  } else
#define RAFTER_SIMT_NEXT_ITERATION(name) ++name;
#define RAFTER_SIMT_AT_ITERATION(...) ::rafter_simt::place_of(__builtin_LINE(), __VA_ARGS__)
#define RAFTER_SIMT_AT_TOKEN(token, ...) ::rafter_simt::place_of((token) | ::rafter_simt::in_kernel_text, ##__VA_ARGS__)
#else
#define RAFTER_SIMT_COUNT_ITERATIONS(name)
#define RAFTER_SIMT_NEXT_ITERATION(name)
#define RAFTER_SIMT_AT_ITERATION(...) __builtin_LINE()
#endif

inline void __syncthreads(int line = __builtin_LINE()) {
#ifndef RAFTER_SIMT_CHECKED
  if (rafter_simt_now.warp) {
    rafter_simt::perform(rafter_simt_sync_threads_arrive(line), rafter_simt::reload_now());
    return;
  }
#endif
  rafter_simt_sync_threads(line);
}
inline int __syncthreads_count(int predicate, int line = __builtin_LINE()) {
  return rafter_simt_barrier(0, 0, rafter_simt::BarrierKind::count, predicate, line);
}
inline int __syncthreads_and(int predicate, int line = __builtin_LINE()) {
  return rafter_simt_barrier(0, 0, rafter_simt::BarrierKind::all, predicate, line);
}
inline int __syncthreads_or(int predicate, int line = __builtin_LINE()) {
  return rafter_simt_barrier(0, 0, rafter_simt::BarrierKind::any, predicate, line);
}
inline void __barrier_sync(unsigned id, int line = __builtin_LINE()) {
  rafter_simt_barrier(static_cast<int>(id), 0, rafter_simt::BarrierKind::plain, 0, line);
}
inline void __barrier_sync_count(unsigned id, unsigned n_threads, int line = __builtin_LINE()) {
  rafter_simt_barrier(static_cast<int>(id), static_cast<int>(n_threads), rafter_simt::BarrierKind::plain, 0, line);
}

inline void __threadfence_block() { rafter_simt_fence(rafter_simt::Scope::block); }
inline void __threadfence() { rafter_simt_fence(rafter_simt::Scope::device); }
inline void __threadfence_system() { rafter_simt_fence(rafter_simt::Scope::system); }

inline void __nanosleep(unsigned nanoseconds) { rafter_simt_yield(nanoseconds); }
inline long long clock64() { return static_cast<long long>(rafter_simt_global_timer()); }
template <class = void>  // a program's own function of that name takes precedence
inline unsigned long long __globaltimer() {
  return rafter_simt_global_timer();
}

[[noreturn]] inline void __trap() { rafter_simt_trap(); }
inline void __brkpt() {}
inline void __prof_trigger(int) {}
