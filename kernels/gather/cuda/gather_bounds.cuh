// Shared by all CUDA gathers: their view of the arrays, and the simple rungs' treatment of a bad index.
#pragma once

#include "gather/gather_rung.hpp"
#include "library/core/cuda/launch.cuh"

namespace rafter::gather_ladder::RAFTER_BACKEND {

template <class T, class I>
struct GatherView {
  const T* table;  // [n_table]
  std::int64_t n_table;
  const I* indices;  // [n]
  std::int64_t n;
  T* out;  // [n]
};

template <class T, class I>
GatherView<T, I> view_of(const GatherArgs<T, I>& args) {
  return {args.table.data(), std::ssize(args.table), args.indices.data(), std::ssize(args.indices), args.out.data()};
}

/// Returns a signed word as the type that the atomics take; -1 is then the largest value.
inline __device__ unsigned long long* atomic_word(std::int64_t* word) {
  return reinterpret_cast<unsigned long long*>(word);
}

/// Applies the policy for the bad index `index` to out[i]. Every bad index of a report takes two atomics, all on the
/// same two words.
template <class T, class I>
__device__ void handle_bad(const GatherView<T, I>& args, std::int64_t i, I index, OutOfRange::Kind kind,
                           BadIndices* bad) {
  switch (kind) {
    case OutOfRange::Kind::report:
      atomicAdd(atomic_word(&bad->count), 1ull);
      atomicMin(atomic_word(&bad->first), static_cast<unsigned long long>(i));
      break;
    case OutOfRange::Kind::clamp: args.out[i] = args.table[index < 0 ? 0 : args.n_table - 1]; break;
    case OutOfRange::Kind::zero: args.out[i] = T{0}; break;
    case OutOfRange::Kind::trust: break;  // cannot happen
  }
}

template <int = 0>  // a template, so that several files of one program may include it
__global__ void reset_report(BadIndices* bad) {
  *bad = {0, -1};
}

inline void start_report(const Stream& stream, OutOfRange out_of_range) {
  if (out_of_range.kind() == OutOfRange::Kind::report)
    core::launch(reset_report<0>, 1, 1, 0, stream, out_of_range.bad());
}

}  // namespace rafter::gather_ladder::RAFTER_BACKEND
