// The sweep: several stages of a step in one pass over the grid. A block walks a tile of columns through the planes. An
// input plane comes into a ring in shared memory; the threads of the first stage take it, and put the plane that
// becomes complete with it into the next ring, for the threads of the second stage, and so on; what the last stage
// completes goes to the result. All stages of an iteration work on planes of earlier ones: one barrier per plane is
// enough.
//
// A thread has a vector of cells along x in several rows. Neighbours along x and y come from shared memory; along z a
// plane is added, when it comes, to all planes it is a neighbour of, which wait in registers: their multiply-adds move
// them up by one, too.
//
// Every stage needs a rim around what it completes. The tile is what the first stage completes; its rim is in the ring;
// each later stage completes a rim less. What lies outside is worked on, too, and never used; nor is what comes out
// before the first planes that count have come in.
// Bound by issue: 6 * Radius + 1 multiply-adds per cell and stage are four of five instructions.
#pragma once

#include <algorithm>
#include <limits>

#include "heat/heat_planes.cuh"

namespace rafter::heat_ladder::RAFTER_BACKEND {

/// The factors of a step that a sweep does, as the weights of its stages.
template <class Policy>
struct SweepWeights {
  Star<typename Policy::T, Policy::radius> stage[Policy::stages];
};

/// A thread's planes that wait for neighbours: before plane p comes, p - radius to p + radius - 1.
template <class Policy>
struct Waiting {
  core::Vector<typename Policy::T> plane[2 * Policy::radius][Policy::rows];
};

template <class T, int N>
__device__ core::Vector<T> scaled_sum(const core::Vector<T>& sum, T weight, const T (&value)[N], int first = 0) {
  core::Vector<T> result;
#pragma unroll
  for (int c = 0; c < core::Vector<T>::size; ++c) result.lane[c] = fma(weight, value[first + c], sum.lane[c]);
  return result;
}

/// The sum with a row's centres and their neighbours along x; `at` is the thread's first cell. Without a rim the sums
/// at the ends of the tile are wrong, which lie outside of what counts.
template <class Policy, bool HasRim, class Star, class Vector>
__device__ Vector add_along_x(Vector sum, const Vector& own, const typename Policy::T* at, const Star& star) {
  using T = typename Policy::T;
  constexpr int width = Policy::width;
  constexpr int rim = Policy::radius == 1 ? 1 : Policy::rim_x;
  T cell[2 * rim + width];
#pragma unroll
  for (int c = 0; c < width; ++c) cell[rim + c] = own.lane[c];
  if constexpr (Policy::radius == 1) {  // one cell on each side, which a neighbour has
    [[maybe_unused]] const int lane = static_cast<int>(threadIdx.x) % Policy::lanes;
    cell[0] = __shfl_up_sync(~0u, own.lane[width - 1], 1);
    cell[width + 1] = __shfl_down_sync(~0u, own.lane[0], 1);
    if (HasRim && lane == 0) cell[0] = at[-1];
    if (HasRim && lane == Policy::lanes - 1) cell[width + 1] = at[width];
  } else {
#pragma unroll
    for (int v = 0; v < rim; v += width) {
      const Vector left = *reinterpret_cast<const Vector*>(at - rim + v);
      const Vector right = *reinterpret_cast<const Vector*>(at + width + v);
#pragma unroll
      for (int c = 0; c < width; ++c) {
        cell[v + c] = left.lane[c];
        cell[rim + width + v + c] = right.lane[c];
      }
    }
  }
  sum = scaled_sum(sum, star.centre, cell, rim);
#pragma unroll
  for (int k = 1; k <= Policy::radius; ++k) {
    sum = scaled_sum(sum, star.x[k - 1], cell, rim - k);
    sum = scaled_sum(sum, star.x[k - 1], cell, rim + k);
  }
  return sum;
}

/// A plane comes, `at` being the first cell in it of a thread with `Rows` rows: row after row it is added to all planes
/// that wait, and finish(j, sum) is called for each row of the one that is now complete.
template <class Policy, int Rows, bool HasRim, class Star, class Finish>
__device__ void take_plane(Waiting<Policy>& waiting, const typename Policy::T* at, const Star& star,
                           const Finish& finish) {
  using Vector = core::Vector<typename Policy::T>;
  constexpr int radius = Policy::radius;
  auto& plane = waiting.plane;
#pragma unroll
  for (int y = -radius; y < Rows + radius; ++y) {
    const auto* here = at + y * Policy::pitch;
    const Vector row = *reinterpret_cast<const Vector*>(here);
#pragma unroll
    for (int j = 0; j < Rows; ++j) {  // a row has moved up when its own has come
      const int distance = y < j ? j - y : y - j;
      Vector& sum = plane[y < j ? radius : radius - 1][j];
      if (distance > 0 && distance <= radius) sum = scaled_sum(sum, star.y[distance - 1], row.lane);
    }
    if (y < 0 || y >= Rows) continue;
    finish(y, scaled_sum(plane[0][y], star.z[radius - 1], row.lane));
#pragma unroll
    for (int i = 1; i < 2 * radius; ++i) {
      const int distance = i < radius ? radius - i : i - radius;
      plane[i - 1][y] = distance == 0 ? add_along_x<Policy, HasRim>(plane[i][y], row, here, star)
                                      : scaled_sum(plane[i][y], star.z[distance == 0 ? 0 : distance - 1], row.lane);
    }
    plane[2 * radius - 1][y] = scaled_sum(Vector{}, star.z[radius - 1], row.lane);
  }
}

/// Where a thread's cells are in the grid, and which of them are free to change and are results. Bits are of cells.
template <class Policy, bool Aligned>
struct ThreadPlace {
  using T = typename Policy::T;
  using Vector = core::Vector<T>;
  static constexpr unsigned row_bits = (1u << Policy::width) - 1;

  int in_plane;  // the thread's first cell in a plane in shared memory
  int at;        // and in a plane of the grid
  int n_row;     // cells of a row of the grid
  unsigned free = 0;
  unsigned result = 0;
  bool whole;  // all of the tile is free to change

  __device__ ThreadPlace(const SweepGrid& grid, const TilePlace& tile, int stage) : n_row(static_cast<int>(grid.row)) {
    const GridShape& shape = grid.shape;
    constexpr int radius = Policy::radius;
    const int t = static_cast<int>(threadIdx.x) % Policy::stage_threads;
    const int in_x = t % Policy::lanes * Policy::width;
    const int in_y = Policy::first_row(stage) + t / Policy::lanes * Policy::rows_of(stage);
    in_plane = (radius + in_y) * Policy::pitch + Policy::rim_x + in_x;
    const std::int64_t x = tile.x + in_x;
    const std::int64_t y = tile.y + in_y;
    at = static_cast<int>(y * grid.row + x);
    whole = tile.x >= radius && tile.x + Policy::tile_x <= shape.nx - radius && tile.y >= radius &&
            tile.y + Policy::tile_y <= shape.ny - radius;
    const bool in_columns = in_x >= Policy::lost_x && in_x < Policy::tile_x - Policy::lost_x;
    for (int j = 0; j < Policy::rows_of(stage); ++j) {
      const bool in_rows = in_y + j >= Policy::lost_y && in_y + j < Policy::tile_y - Policy::lost_y;
      for (int c = 0; c < Policy::width; ++c) {
        const unsigned bit = 1u << (j * Policy::width + c);
        const bool is_free =
            x + c >= radius && x + c < shape.nx - radius && y + j >= radius && y + j < shape.ny - radius;
        if (is_free) free |= bit;
        if (is_free && in_columns && in_rows) result |= bit;
      }
    }
  }

  /// `yes` where a cell of row j is among `bits`, `no` elsewhere.
  __device__ static Vector chosen(unsigned bits, int j, const Vector& yes, const Vector& no) {
    Vector value = yes;
#pragma unroll
    for (int c = 0; c < Policy::width; ++c) {
      if ((bits >> (j * Policy::width + c) & 1) == 0) value.lane[c] = no.lane[c];
    }
    return value;
  }

  /// Row j of a plane of a field, where a cell is among `bits`; zero elsewhere.
  __device__ Vector load(unsigned bits, const T* plane, int j) const {
    const T* row = plane + (at + j * n_row);
    Vector value{};
    if (Aligned && (bits >> (j * Policy::width) & row_bits) == row_bits) {
      value = *reinterpret_cast<const Vector*>(row);
    } else {
#pragma unroll
      for (int c = 0; c < Policy::width; ++c) {
        if ((bits >> (j * Policy::width + c) & 1) != 0) value.lane[c] = row[c];
      }
    }
    return value;
  }

  /// Puts it there. In a tile that is `Whole` the cells of a row are all among `bits`, or none is.
  template <bool Whole>
  __device__ void store(unsigned bits, T* plane, int j, const Vector& value) const {
    T* row = plane + (at + j * n_row);
    const unsigned stored = bits >> (j * Policy::width) & row_bits;
    if (Aligned && (Whole ? stored != 0 : stored == row_bits)) {
      *reinterpret_cast<Vector*>(row) = value;
    } else if (!Aligned || !Whole) {
#pragma unroll
      for (int c = 0; c < Policy::width; ++c) {
        if ((stored >> c & 1) != 0) row[c] = value.lane[c];
      }
    }
  }
};

/// What the threads of a stage do with plane z: complete another one, for the next stage or as a result. In a tile that
/// is `Whole`, and in a plane that is not frozen, nothing needs to be kept from changing.
template <int Stage, bool Whole, class Policy, bool Aligned>
__device__ void run_stage(Waiting<Policy>& waiting, const Rings<Policy>& rings,
                          const ThreadPlace<Policy, Aligned>& place, const SweepWeights<Policy>& weights, int z,
                          bool frozen, typename Policy::T* to) {
  using Vector = core::Vector<typename Policy::T>;
  constexpr bool is_last = Stage + 1 == Policy::stages;
  constexpr bool has_input = Policy::has_input(Stage);  // the sums have the factor's input
  const int done = z - Policy::radius;
  const bool is_result = done >= rings.tile.first_plane && done < rings.tile.end_plane;
  const unsigned free = frozen ? 0 : place.free;
  const unsigned stored = is_result ? place.result : 0;
  const auto* input = rings.template plane<Stage / 2 * 2>(done) + place.in_plane;
  auto* next = rings.template plane < is_last ? Stage : Stage + 1 > (done) + place.in_plane;
  take_plane<Policy, Policy::rows_of(Stage), Stage == 0>(
      waiting, rings.template plane<Stage>(z) + place.in_plane, weights.stage[Stage], [&](int j, const Vector& sum) {
        Vector complete = sum;
        if constexpr (!has_input || !Whole) {
          const Vector before = *reinterpret_cast<const Vector*>(input + j * Policy::pitch);
          if constexpr (!has_input) complete = scaled_sum(sum, typename Policy::T{1}, before.lane);
          if constexpr (!Whole && !is_last) complete = place.chosen(free, j, complete, before);
        }
        if constexpr (is_last) {
          place.template store<Whole>(stored, to, j, complete);
        } else {
          *reinterpret_cast<Vector*>(next + j * Policy::pitch) = complete;
        }
      });
}

/// As stage `stage` of all.
template <int Stage = 0, class Policy, bool Aligned>
__device__ void run_its_stage(int stage, Waiting<Policy>& waiting, const Rings<Policy>& rings,
                              const ThreadPlace<Policy, Aligned>& place, const SweepWeights<Policy>& weights, int z,
                              std::int64_t n_plane, typename Policy::T* to) {
  if constexpr (Stage + 1 < Policy::stages) {
    if (stage > Stage) return run_its_stage<Stage + 1>(stage, waiting, rings, place, weights, z, n_plane, to);
  }
  const int its_z = z - Stage * Policy::lag;
  const int done = its_z - Policy::radius;
  const bool frozen = done < Policy::radius || done >= rings.nz - Policy::radius;
  if (place.whole && !frozen) {
    run_stage<Stage, true>(waiting, rings, place, weights, its_z, frozen, to + done * n_plane);
  } else {
    run_stage<Stage, false>(waiting, rings, place, weights, its_z, frozen, to + done * n_plane);
  }
}

template <class Policy, bool Aligned>
__global__ void __launch_bounds__(Policy::threads, Policy::blocks_per_sm)
    heat_sweep(SweepGrid grid, SweepWeights<Policy> weights,
               const __grid_constant__ typename PlaneStream<Policy, Aligned>::Source from, typename Policy::T* to) {
  using T = typename Policy::T;
  const TilePlace tile = place_of_tile<Policy>(grid, static_cast<int>(blockIdx.x));
  const int stage = static_cast<int>(threadIdx.x) / Policy::stage_threads;
  const ThreadPlace<Policy, Aligned> place(grid, tile, stage);
  const Rings<Policy> rings{core::dynamic_shared<T>(), tile, static_cast<int>(grid.shape.nz)};
  PlaneStream<Policy, Aligned> input(rings, from, grid.shape);
  const int end = tile.end_plane + Policy::radius + (Policy::stages - 1) * Policy::lag;
  const std::int64_t n_plane = grid.shape.ny * grid.row;
  const int starts = max(tile.first_plane - (Policy::stages - stage) * Policy::radius, 0) + stage * Policy::lag;
  Waiting<Policy> waiting = {};
#pragma unroll 1
  for (int z = rings.template first<0>(); z < end; ++z) {
    input.wait_for(z);
    if (z >= starts) run_its_stage(stage, waiting, rings, place, weights, z, n_plane, to);
  }
}

// ---- the host's side ----

/// As many whole columns as all resident blocks can have alike; the others are cut so that their parts end together.
template <class Policy>
SweepGrid sweep_grid(const Stream& stream, const HeatGrid& grid) {
  const GridShape& shape = grid.shape;
  constexpr std::int64_t fill = 2 * Policy::radius + Policy::lost_z + (Policy::stages - 1) * Policy::lag;  // iterations
  const std::int64_t n_tiles_x = ceil_div(shape.nx - Policy::radius - Policy::first_x, Policy::result_x);
  const std::int64_t n_columns = n_tiles_x * ceil_div(shape.ny - 2 * Policy::radius, Policy::result_y);
  const std::int64_t n_planes = shape.nz - 2 * Policy::radius;
  const std::int64_t resident = std::int64_t{stream.n_multiprocessors()} * Policy::blocks_per_sm;
  const std::int64_t n_cut = n_columns % resident;
  std::int64_t best_parts = 1;
  std::int64_t best_time = std::numeric_limits<std::int64_t>::max();
  for (std::int64_t parts = 1; parts <= std::clamp<std::int64_t>(n_planes - Policy::lost_z, 1, 64); ++parts) {
    const std::int64_t time = ceil_div(n_cut * parts, resident) * (ceil_div(n_planes - Policy::lost_z, parts) + fill);
    if (time < best_time) {
      best_time = time;
      best_parts = parts;
    }
  }
  return {shape,
          grid.memory().nx,
          static_cast<int>(n_tiles_x),
          static_cast<int>(n_columns),
          static_cast<int>(n_columns - n_cut),
          static_cast<int>(best_parts)};
}

template <class Policy>
SweepWeights<Policy> sweep_weights(const HeatGrid& grid, int first_factor) {
  SweepWeights<Policy> weights{};
  for (int stage = 0; stage < Policy::stages; ++stage) {
    const RkFactor& factor = rk_factors[static_cast<std::size_t>(first_factor + stage / 2)];
    weights.stage[stage] =
        star_of<typename Policy::T, Policy::radius>(grid, stage % 2 == 0 ? factor.inner : factor.outer);
    if (Policy::has_input(stage)) weights.stage[stage].centre += 1;
  }
  return weights;
}

/// Launches kernel(tiles, args...) with a block for each column of tiles, or for a part of it.
template <class Policy, class... Params>
void launch_tiles(void (*kernel)(SweepGrid, Params...), const Stream& stream, const HeatGrid& grid,
                  std::type_identity_t<Params>... args) {
  static_assert(Policy::valid());
  if (grid.memory().ny * grid.memory().nx > std::numeric_limits<int>::max())
    throw Error(ErrorCode::unsupported, "tiles are for planes of fewer than 2^31 cells");
  const SweepGrid tiles = sweep_grid<Policy>(stream, grid);
  const std::int64_t n_cut = tiles.n_columns - tiles.n_whole;
  const std::int64_t n_blocks = tiles.n_whole + n_cut * tiles.n_parts;
  core::allow_shared(kernel, Policy::shared_bytes);
  core::launch(kernel, n_blocks, Policy::threads, Policy::shared_bytes, stream, tiles, args...);
}

template <class Policy, bool Aligned>
void launch_sweep_as(const Stream& stream, const HeatGrid& grid, int first_factor, const typename Policy::T* from,
                     typename Policy::T* to) {
  launch_tiles<Policy>(heat_sweep<Policy, Aligned>, stream, grid, sweep_weights<Policy>(grid, first_factor),
                       PlaneStream<Policy, Aligned>::source(from, grid.memory()), to);
}

/// Does the factors from `first_factor` on.
template <class Policy>
void launch_sweep(const Stream& stream, const HeatGrid& grid, int first_factor, const typename Policy::T* from,
                  typename Policy::T* to) {
  const std::int64_t row = grid.memory().nx;
  const bool aligned = core::can_copy_boxes(from, row) && core::can_copy_boxes(to, row);
  aligned ? launch_sweep_as<Policy, true>(stream, grid, first_factor, from, to)
          : launch_sweep_as<Policy, false>(stream, grid, first_factor, from, to);
}

}  // namespace rafter::heat_ladder::RAFTER_BACKEND
