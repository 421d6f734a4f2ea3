// Accesses of 4, 8 or 16 bytes with cache hints.
#pragma once

#include <cstring>

#include "library/ptx/target.cuh"

namespace rafter::ptx {
inline namespace RAFTER_BACKEND {

/// The vector type that hardware loads and stores as `Bytes` bytes.
template <int Bytes>
struct MachineWord;
template <>
struct MachineWord<4> {
  using type = int;
};
template <>
struct MachineWord<8> {
  using type = int2;
};
template <>
struct MachineWord<16> {
  using type = int4;
};

/// Loads data that are used once (ld.cs), so that caches evict them first. `at` is aligned to its size, here and below.
template <class T>
__device__ T load_streaming(const T* at) {
  using Word = typename MachineWord<sizeof(T)>::type;
  const Word word = __ldcs(reinterpret_cast<const Word*>(at));
  T value;
  memcpy(&value, &word, sizeof value);
  return value;
}

template <class T>
__device__ void store_streaming(T* at, const T& value) {
  using Word = typename MachineWord<sizeof(T)>::type;
  Word word;
  memcpy(&word, &value, sizeof word);
  __stcs(reinterpret_cast<Word*>(at), word);
}

/// Loads from the L2 (ld.cg), bypassing the L1 cache: for data that other multiprocessors write during the launch.
template <class T>
__device__ T load_cg(const T* at) {
  using Word = typename MachineWord<sizeof(T)>::type;
  const Word word = __ldcg(reinterpret_cast<const Word*>(at));
  T value;
  memcpy(&value, &word, sizeof value);
  return value;
}

/// The eviction priority of lines in the L2.
enum class Evict : int { first, last };

/// A cache policy; created once, used by many accesses.
struct CachePolicy {
  unsigned long long value;
};

template <Evict When>
__device__ __forceinline__ CachePolicy cache_policy() {
  CachePolicy policy{};
#ifndef RAFTER_SIMT
  if constexpr (When == Evict::first) {
    asm("createpolicy.fractional.L2::evict_first.b64 %0, 1.0;" : "=l"(policy.value));
  } else {
    asm("createpolicy.fractional.L2::evict_last.b64 %0, 1.0;" : "=l"(policy.value));
  }
#endif
  return policy;
}

/// Loads 16 bytes of global memory with a policy.
template <class T>
__device__ T load_hinted(const T* at, [[maybe_unused]] CachePolicy policy) {
  static_assert(sizeof(T) == 16);
#ifdef RAFTER_SIMT
  return *at;
#else
  int4 word;
  asm volatile("ld.global.L2::cache_hint.v4.s32 {%0, %1, %2, %3}, [%4], %5;"
               : "=r"(word.x), "=r"(word.y), "=r"(word.z), "=r"(word.w)
               : "l"(__cvta_generic_to_global(at)), "l"(policy.value)
               : "memory");
  T value;
  memcpy(&value, &word, sizeof value);
  return value;
#endif
}

template <class T>
__device__ void store_hinted(T* at, const T& value, [[maybe_unused]] CachePolicy policy) {
  static_assert(sizeof(T) == 16);
#ifdef RAFTER_SIMT
  *at = value;
#else
  int4 word;
  memcpy(&word, &value, sizeof word);
  asm volatile("st.global.L2::cache_hint.v4.s32 [%0], {%1, %2, %3, %4}, %5;" ::"l"(__cvta_generic_to_global(at)),
               "r"(word.x), "r"(word.y), "r"(word.z), "r"(word.w), "l"(policy.value)
               : "memory");
#endif
}

/// Prefetches the line at `at` into the L2. Any address of global memory is valid. Does not wait.
__device__ __forceinline__ void prefetch_l2([[maybe_unused]] const void* at) {
#ifndef RAFTER_SIMT
  asm volatile("prefetch.global.L2 [%0];" ::"l"(at));
#endif
}

/// Prefetches `bytes` from `at` into the L2; both are multiples of 16. Does nothing before compute capability 9.0.
__device__ __forceinline__ void prefetch_l2([[maybe_unused]] const void* at, [[maybe_unused]] int bytes) {
#if !defined(RAFTER_SIMT) && (!defined(__CUDA_ARCH__) || __CUDA_ARCH__ >= 900)
  asm volatile("cp.async.bulk.prefetch.L2.global [%0], %1;" ::"l"(__cvta_generic_to_global(at)), "r"(bytes));
#endif
}

/// Stores 16 bytes to global memory if the condition holds, by a predicated instruction. Between arithmetic
/// instructions a branch costs more than the store.
template <class T>
__device__ void store_if(bool condition, T* at, const T& value) {
  static_assert(sizeof(T) == 16);
#ifdef RAFTER_SIMT
  if (condition) *at = value;
#else
  const int4 word = *reinterpret_cast<const int4*>(&value);
  asm volatile(
      "{\n"
      ".reg .pred holds;\n"
      "setp.ne.s32 holds, %0, 0;\n"
      "@holds st.global.v4.s32 [%1], {%2, %3, %4, %5};\n"
      "}\n" ::"r"(static_cast<int>(condition)),
      "l"(__cvta_generic_to_global(at)), "r"(word.x), "r"(word.y), "r"(word.z), "r"(word.w)
      : "memory");
#endif
}

}  // namespace RAFTER_BACKEND
}  // namespace rafter::ptx
