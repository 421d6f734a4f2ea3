// The copies of planes into shared memory, by the capability of the GPU and the alignment of the field's rows: TMA
// copies, or single cells.
#pragma once

#include <algorithm>
#include <array>
#include <cstdint>
#include <initializer_list>

#include "heat/heat_rung.hpp"
#include "library/core/cuda/policy.cuh"
#include "library/core/cuda/vector.cuh"
#include "library/ptx/tensor_map.cuh"

namespace rafter::heat_ladder::RAFTER_BACKEND {

/// One thread issues the copy of a plane or a slab, whose rows are aligned.
struct TmaCopies {
  static constexpr int capability = 90;
  static constexpr bool aligned = true;
};
/// Threads copy one cell at a time.
struct CellCopies {
  static constexpr int capability = 80;
  static constexpr bool aligned = false;
};
using PlaneCopies = core::PolicyList<TmaCopies, CellCopies>;

/// Whether fields, their rows and their planes start at the alignment that TMA copies and vectors need.
template <class T>
bool are_aligned(std::initializer_list<GridView<const T>> fields) {
  return std::all_of(fields.begin(), fields.end(), [](const GridView<const T>& field) {
    return ptx::is_tma_aligned(field.data, field.row_stride) && ptx::is_tma_aligned(field.data, field.plane_stride);
  });
}

/// Whether the vectors of all free cells may be stored whole: the last one of a row ends within it, or the gap after
/// the row belongs to the library.
template <class T>
bool takes_whole_vectors(const HeatGrid& grid) {
  constexpr std::int64_t width = core::Vector<T>::size;
  const std::int64_t nx = grid.shape.nx;
  return grid.gaps == Gaps::own || ceil_div(nx - grid.radius, width) * width <= nx;
}

/// Calls `launch(copies)` with the best kind of copies for a sweep of these fields.
template <class T, class Launch>
void with_copies(const HeatGrid& grid, std::initializer_list<GridView<const T>> fields, Launch&& launch) {
  const bool by_tma = are_aligned<T>(fields) && takes_whole_vectors<T>(grid);
  core::select_policy(PlaneCopies{}, by_tma ? core::capability() : CellCopies::capability, launch);
}

inline bool has_tma() { return core::capability() >= TmaCopies::capability; }

template <class T>
bool can_sweep_by_tma(const HeatGrid& grid, std::initializer_list<GridView<const T>> fields) {
  bool can = false;
  with_copies<T>(grid, fields, [&](auto copies) { can = copies.aligned; });
  return can;
}

/// Returns the tensor map for TMA copies of such tiles (x first) from a field. Beyond the ends of its rows they read
/// zeros, regardless of the memory there.
template <class T>
ptx::TensorMap<T, 3> tensor_map_of(const GridView<const T>& field, const std::array<int, 3>& tile) {
  constexpr std::int64_t bytes = sizeof(T);
  const auto& [nz, ny, nx] = field.shape;
  return ptx::make_tensor_map<T, 3>(
      field.data, {{nx, ny, nz}, tile, {bytes, field.row_stride * bytes, field.plane_stride * bytes}});
}

}  // namespace rafter::heat_ladder::RAFTER_BACKEND
