// The parts of the CUDA scatter that are built in files of their own.
#pragma once

#include "scatter/cuda/scatter_view.cuh"

namespace rafter::scatter_ladder::RAFTER_BACKEND {

/// The scratch of a reduction by `n` sorted keys, of so many bytes with a value.
std::int64_t sorted_bytes(std::int64_t n, std::int64_t pair_bytes);

template <class T, class Key>
struct PartArgs {
  ScatterView<T, Key> view;  // whose results hold the identity
  Reduction reduction;
  std::span<std::byte> scratch;
};
using PartRung = core::RungOf<PartArgs, ScatterTypes, ScatterKeyTypes>;

/// The reductions by sorted keys, and by many unsorted ones of elements whose sums have 4 bytes; no counts, no
/// arguments.
extern const PartRung sorted_by_tiles;
extern const PartRung binned_by_chunks;

}  // namespace rafter::scatter_ladder::RAFTER_BACKEND
