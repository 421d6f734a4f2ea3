// 16-byte vectors: the widest access of one instruction, which is needed to reach the memory roof.
#pragma once

#include <cstdint>

#include "library/core/cuda/convert.cuh"

namespace rafter::core {
inline namespace RAFTER_BACKEND {

template <class T>
struct alignas(16) Vector {
  static constexpr int size = 16 / static_cast<int>(sizeof(T));
  T lane[size];

  __device__ auto sum() const { return sum_in<decltype(widen(lane[0]))>(); }

  /// Returns the sum of the lanes, added in Sum.
  template <class Sum>
  __device__ Sum sum_in() const {
    auto total = static_cast<Sum>(widen(lane[0]));
#pragma unroll
    for (int i = 1; i < size; ++i) total += static_cast<Sum>(widen(lane[i]));
    return total;
  }
};

/// The division of `n` elements at a pointer into `head` single ones, `body` aligned vectors and `tail` single ones.
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
