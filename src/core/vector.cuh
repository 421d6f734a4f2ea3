// 16-byte accesses: the widest one instruction loads, and what it takes to reach the memory roof.
#pragma once

#include <cstdint>

#include "core/device_build.cuh"

namespace rafter::core {
inline namespace RAFTER_BACKEND {

template <class T>
struct alignas(16) Vector {
  static constexpr int size = 16 / static_cast<int>(sizeof(T));
  T lane[size];

  __device__ T sum() const {
    T total = lane[0];
#pragma unroll
    for (int i = 1; i < size; ++i) total += lane[i];
    return total;
  }
};

/// Stores to global memory where the condition holds, without a branch: in the midst of arithmetic one costs more than
/// the store.
template <class T>
__device__ void store_if(bool condition, T* at, const Vector<T>& value) {
#ifdef RAFTER_SIMT
  if (condition) *reinterpret_cast<Vector<T>*>(at) = value;
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

/// How `n` elements at a pointer fall apart: `head` single ones, `body` aligned vectors, `tail` single ones.
struct VectorSplit {
  int head;
  std::int64_t body;
  int tail;
};

template <class T>
__device__ VectorSplit split_in_vectors(const T* at, std::int64_t n) {
  constexpr int width = Vector<T>::size;
  const auto misaligned = static_cast<int>(reinterpret_cast<std::uintptr_t>(at) / sizeof(T) % width);
  const auto head = static_cast<int>(min(n, static_cast<std::int64_t>((width - misaligned) % width)));
  return {head, (n - head) / width, static_cast<int>((n - head) % width)};
}

}  // namespace RAFTER_BACKEND
}  // namespace rafter::core
