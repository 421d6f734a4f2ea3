// How planes come into shared memory, by what a GPU and the rows of a field have: TMA copies, or cell by cell.
#pragma once

#include <algorithm>
#include <cstdint>
#include <initializer_list>

#include "core/policy.cuh"
#include "heat/heat_rung.hpp"
#include "ptx/tensor_map.cuh"

namespace rafter::heat_ladder::RAFTER_BACKEND {

/// One thread starts the copy of a plane or a slab, whose rows are aligned.
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

/// Calls `launch(copies)` with the best copies that can be had with these fields, whose rows have `row` elements.
template <class T, class Launch>
void with_copies(std::int64_t row, std::initializer_list<const T*> fields, Launch&& launch) {
  const bool are_aligned =
      std::all_of(fields.begin(), fields.end(), [&](const T* field) { return ptx::is_tma_aligned(field, row); });
  core::select_policy(PlaneCopies{}, are_aligned ? core::capability() : CellCopies::capability, launch);
}

inline bool has_tma() { return core::capability() >= TmaCopies::capability; }

template <class T>
bool can_copy_by_tma(const HeatGrid& grid, std::initializer_list<const T*> fields) {
  bool can = false;
  with_copies<T>(grid.memory().nx, fields, [&](auto copies) { can = copies.aligned; });
  return can;
}

}  // namespace rafter::heat_ladder::RAFTER_BACKEND
