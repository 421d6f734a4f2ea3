// The loops under the CPU heat steps, compiled once per instruction-set level.
//
// A row is `radius` frozen cells, n_cells free ones and `radius` frozen ones again. A lifted row is split into as many
// pieces as a vector has lanes: lane l of vector i is free cell l * n_vectors + i, so that the neighbours of a vector
// along x are the vectors before and after it. `radius` more vectors on either side hold what is beyond the pieces'
// ends: other lanes' cells, and the frozen ones.
#pragma once

#include <cstdint>

#include "library/core/cpu/isa.hpp"

namespace rafter::heat_ladder::cpu {

inline constexpr int stage_planes = 4;  // planes that a stage computes together: twelve are read for four written
inline constexpr int stage_radius = 4;  // at most

template <class T>
struct StageWeights {
  T centre;
  T x[stage_radius];  // at distance 1, 2, ...
  T y[stage_radius];
  T z[stage_radius];
};

/// The arguments of a stage: out = base + the stencil of `in`, on rows of n_cells cells in n_planes planes. Pointers
/// are to the first free cell (or vector 0) of the first row in each plane; the stencil reads `radius` cells (or
/// vectors), rows and planes around, and nothing beyond. `out` overlaps nothing.
template <class T>
struct StageArgs {
  StageWeights<T> stencil;
  const T* in[stage_planes + 2 * stage_radius];  // from `radius` planes before the first to `radius` after the last
  const T* base[stage_planes];
  T* out[stage_planes];
  std::int64_t n_planes;  // at most stage_planes
  std::int64_t n_rows;
  std::int64_t n_cells;
  std::int64_t pitch;  // elements from row to row, for all arrays
};

/// The cells beyond a lifted row's ends as copies of its own cells: positions of elements, from vector 0 on.
struct RowGhosts {
  int n = 0;
  std::int64_t to[2 * stage_radius + 16];  // and as many as follow the last cell in its vectors
  std::int64_t from[2 * stage_radius + 16];
};

/// The loops for one element type, each for one thread. The order of a cell's additions does not depend on the cells
/// computed with it.
template <class T>
struct StageLoops {
  int lanes;
  void (*contiguous[stage_radius])(const StageArgs<T>& args);  // by radius; rows in their natural order
  void (*lifted[stage_radius])(const StageArgs<T>& args);  // by radius; leaves the vectors beyond the ends to close()
  /// Sets the vectors beyond a lifted row's ends; frozen cells are copied from the row `before`, where they are the
  /// same.
  void (*close)(const T* before, T* row, std::int64_t n_cells, int radius);
  /// Sets the vectors beyond a lifted row's ends from its own cells.
  void (*wrap)(const RowGhosts& ghosts, T* row, std::int64_t n_cells, int radius);
  /// Returns the position of a cell in a lifted row.
  std::int64_t (*place)(std::int64_t cell, std::int64_t n_vectors);
  /// Lifts a row; `from` is its first free cell. With radius 0 it leaves the vectors beyond the ends to wrap().
  void (*lift)(const T* from, T* row, std::int64_t n_cells, int radius);
  /// Lowers free cells [begin, end) of a lifted row; `to` is the destination of cell `begin`.
  void (*lower)(const T* row, T* to, std::int64_t n_cells, std::int64_t begin, std::int64_t end);
};

/// The loops for rows with pieces of at least `radius` cells; those of vectors half as wide, for narrower rows; and for
/// even narrower ones those of a single lane, where lifting is copying.
struct HeatLoops {
  StageLoops<float> f32, half_f32, narrow_f32;
  StageLoops<double> f64, half_f64, narrow_f64;

  const StageLoops<float>& of(const float*) const { return f32; }
  const StageLoops<double>& of(const double*) const { return f64; }
  const StageLoops<float>& half(const float*) const { return half_f32; }
  const StageLoops<double>& half(const double*) const { return half_f64; }
  const StageLoops<float>& narrow(const float*) const { return narrow_f32; }
  const StageLoops<double>& narrow(const double*) const { return narrow_f64; }
};

RAFTER_DECLARE_ISA_TABLE(HeatLoops, heat_loops)

}  // namespace rafter::heat_ladder::cpu
