// Barriers, fences and time.
#pragma once

#include "rafter_simt/builtins.hpp"

inline void __syncthreads(int line = __builtin_LINE()) { rafter_simt_sync_threads(line); }
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
inline unsigned long long __globaltimer() { return rafter_simt_global_timer(); }

[[noreturn]] inline void __trap() { rafter_simt_trap(); }
inline void __brkpt() {}
inline void __prof_trigger(int) {}
