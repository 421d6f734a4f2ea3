// Warp operations: shuffles, votes, matches, reductions.
#pragma once

#include <cstring>
#include <type_traits>

#include "rafter_simt/builtins.hpp"
#include "rafter_simt/launch/lane_switch.hpp"

// A function in which lanes converge is inlined into the kernel: a call would have to save all registers, because the
// switch to the next lane clobbers them.
#define RAFTER_SIMT_CONVERGENT __attribute__((always_inline)) inline

extern "C" RAFTER_SIMT_TLS __thread unsigned rafter_simt_has_bad_source;

namespace rafter_simt {

/// Called at each use of a variable that a shuffle initialised. The load is no access of the thread, so it has no hook.
RAFTER_SIMT_CONVERGENT void uses(int variable) {
  unsigned has_bad_source;
#if defined(__x86_64__)
  asm volatile("movl %1, %0" : "=r"(has_bad_source) : "m"(rafter_simt_has_bad_source) : "memory");
#else
  asm volatile("ldr %w0, %1" : "=r"(has_bad_source) : "m"(rafter_simt_has_bad_source) : "memory");
#endif
  if (__builtin_expect(has_bad_source != 0, 0)) rafter_simt_uses(variable);
}

/// Performs the running lane's part of a warp operation. A checked build always calls the runtime.
RAFTER_SIMT_CONVERGENT std::uint64_t converge(WarpOp op, unsigned mask, std::uint64_t value, int argument, int width) {
#ifndef RAFTER_SIMT_CHECKED
  if (Now& now = reload_now(); __builtin_expect(now.warp != nullptr, 1)) {
    const Now& again = perform(arrive(now, *now.warp, op, mask, value, {argument, width}), now);
    return again.warp->results[again.lane];
  }
#endif
  return rafter_simt_warp(op, mask, value, argument, width);
}

template <class T>
std::uint64_t to_bits(const T& value) {
  static_assert(sizeof(T) <= 8, "shuffles support values of at most 8 bytes");
  // A 4-byte value has a word of its own: reading it as part of eight bytes just after it was written would be slow.
  std::conditional_t<sizeof(T) == 4, std::uint32_t, std::uint64_t> bits = 0;
  __builtin_memcpy(&bits, &value, sizeof(T));
  return bits;
}

template <class T>
T from_bits(std::uint64_t bits) {
  T value;
  __builtin_memcpy(static_cast<void*>(&value), &bits, sizeof(T));
  return value;
}

template <class T>
RAFTER_SIMT_CONVERGENT T shuffle(WarpOp op, unsigned mask, const T& value, int argument, int width,
                                 int* in_range = nullptr) {
  const T result = from_bits<T>(converge(op, mask, to_bits(value), argument, width));
  if (in_range) *in_range = rafter_simt_warp_flag();
  return result;
}

RAFTER_SIMT_CONVERGENT unsigned vote(WarpOp op, unsigned mask, int predicate) {
  return static_cast<unsigned>(converge(op, mask, predicate != 0, 0, 32));
}

template <class T>
RAFTER_SIMT_CONVERGENT T reduce(WarpOp of_signed, WarpOp of_unsigned, unsigned mask, T value) {
  const WarpOp op = std::is_signed<T>::value ? of_signed : of_unsigned;
  return static_cast<T>(converge(op, mask, static_cast<std::uint64_t>(value), 0, 32));
}

}  // namespace rafter_simt

template <class T>
RAFTER_SIMT_CONVERGENT T __shfl_sync(unsigned mask, T value, int source, int width = 32) {
  return rafter_simt::shuffle(rafter_simt::WarpOp::shuffle_index, mask, value, source, width);
}
template <class T>
RAFTER_SIMT_CONVERGENT T __shfl_up_sync(unsigned mask, T value, unsigned delta, int width = 32) {
  return rafter_simt::shuffle(rafter_simt::WarpOp::shuffle_up, mask, value, static_cast<int>(delta), width);
}
template <class T>
RAFTER_SIMT_CONVERGENT T __shfl_down_sync(unsigned mask, T value, unsigned delta, int width = 32) {
  return rafter_simt::shuffle(rafter_simt::WarpOp::shuffle_down, mask, value, static_cast<int>(delta), width);
}
template <class T>
RAFTER_SIMT_CONVERGENT T __shfl_xor_sync(unsigned mask, T value, int lane_mask, int width = 32) {
  return rafter_simt::shuffle(rafter_simt::WarpOp::shuffle_xor, mask, value, lane_mask, width);
}

RAFTER_SIMT_CONVERGENT void __syncwarp(unsigned mask = 0xffffffff) {
  rafter_simt::converge(rafter_simt::WarpOp::sync, mask, 0, 0, 32);
}
inline unsigned __activemask(int line = __builtin_LINE()) { return rafter_simt_active_mask(line); }
RAFTER_SIMT_CONVERGENT unsigned __ballot_sync(unsigned mask, int predicate) {
  return rafter_simt::vote(rafter_simt::WarpOp::ballot, mask, predicate);
}
RAFTER_SIMT_CONVERGENT int __all_sync(unsigned mask, int predicate) {
  return static_cast<int>(rafter_simt::vote(rafter_simt::WarpOp::all, mask, predicate));
}
RAFTER_SIMT_CONVERGENT int __any_sync(unsigned mask, int predicate) {
  return static_cast<int>(rafter_simt::vote(rafter_simt::WarpOp::any, mask, predicate));
}
RAFTER_SIMT_CONVERGENT int __uni_sync(unsigned mask, int predicate) {
  return static_cast<int>(rafter_simt::vote(rafter_simt::WarpOp::uniform, mask, predicate));
}

template <class T>
RAFTER_SIMT_CONVERGENT unsigned __match_any_sync(unsigned mask, T value) {
  return static_cast<unsigned>(
      rafter_simt::converge(rafter_simt::WarpOp::match_any, mask, rafter_simt::to_bits(value), 0, 32));
}
template <class T>
RAFTER_SIMT_CONVERGENT unsigned __match_all_sync(unsigned mask, T value, int* all_equal) {
  const auto equal = static_cast<unsigned>(
      rafter_simt::converge(rafter_simt::WarpOp::match_all, mask, rafter_simt::to_bits(value), 0, 32));
  *all_equal = rafter_simt_warp_flag();
  return equal;
}

// Reductions are defined for int and unsigned.
#define RAFTER_SIMT_REDUCE(name, of_signed, of_unsigned)                                                       \
  RAFTER_SIMT_CONVERGENT int name(unsigned mask, int value) {                                                  \
    return rafter_simt::reduce(rafter_simt::WarpOp::of_signed, rafter_simt::WarpOp::of_unsigned, mask, value); \
  }                                                                                                            \
  RAFTER_SIMT_CONVERGENT unsigned name(unsigned mask, unsigned value) {                                        \
    return rafter_simt::reduce(rafter_simt::WarpOp::of_signed, rafter_simt::WarpOp::of_unsigned, mask, value); \
  }
RAFTER_SIMT_REDUCE(__reduce_add_sync, add_signed, add_unsigned)
RAFTER_SIMT_REDUCE(__reduce_min_sync, min_signed, min_unsigned)
RAFTER_SIMT_REDUCE(__reduce_max_sync, max_signed, max_unsigned)
RAFTER_SIMT_REDUCE(__reduce_and_sync, bit_and, bit_and)
RAFTER_SIMT_REDUCE(__reduce_or_sync, bit_or, bit_or)
RAFTER_SIMT_REDUCE(__reduce_xor_sync, bit_xor, bit_xor)
#undef RAFTER_SIMT_REDUCE
#undef RAFTER_SIMT_CONVERGENT
