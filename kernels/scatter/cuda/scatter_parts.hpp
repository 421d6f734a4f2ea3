// The parts of the CUDA scatter that are compiled in files of their own.
#pragma once

#include "scatter/cuda/scatter_view.cuh"

namespace rafter::scatter_ladder::RAFTER_BACKEND {

/// Returns the scratch of a reduction by `n` sorted keys; `pair_bytes` is the size of a key and a value.
std::int64_t sorted_bytes(std::int64_t n, std::int64_t pair_bytes);

template <class T, class Key>
struct PartArgs {
  ScatterView<T, Key> view;  // its results hold the identity
  Reduction reduction;
  std::span<std::byte> scratch;
};
using PartRung = core::RungOf<PartArgs, ScatterTypes, ScatterKeyTypes>;

/// The reductions by sorted keys, and by many unsorted ones of elements whose sums have 4 bytes; without counts and
/// arguments.
extern const PartRung sorted_by_tiles;
extern const PartRung binned_by_chunks;

}  // namespace rafter::scatter_ladder::RAFTER_BACKEND
