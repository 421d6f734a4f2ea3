// The sweep: several RK stages of a step fused into one pass over the grid (temporal blocking with overlapped tiles).
//
// A block owns a tile of columns and streams it through z. Each stage has a ring of planes in shared memory that it
// reads; warps are specialised by stage:
//
//     global --TMA--> ring 0 --stage 0--> ring 1 --stage 1--> ring 2 --stage 2--> ... --last stage--> global
//
// In iteration z, for stage s (lag = radius + 1):
//
//     actor                      reads                                   writes
//     copying stage's thread 0   -                                       issues the TMA copy of plane z + ahead
//     stage s                    plane z - s * lag of ring s             plane z - s * lag - radius of ring s + 1
//     second stage of a factor   also the factor's input, radius back    (or of the result, for the last stage)
//
// A thread holds a vector of cells along x in several rows. Neighbours along x and y come from shared memory. Along z
// the stencil is applied in scatter form: a plane that arrives is accumulated into the 2 * radius partial planes that
// the thread keeps in registers; the multiply-adds also shift them by one plane, so no plane is read twice.
//
// The halo. The tile is what stage 0 completes; with its halo it is a plane of ring 0. Each later stage completes a
// radius less on every side (shrink_x, shrink_y), so adjacent tiles overlap:
//
//     |<-halo->|<----------------- tile: stage 0 ----------------->|<-halo->|
//              |<-shrink->|<------- result: last stage ------->|<-shrink->|
//
// Cells outside of what a stage can complete are computed and never used; so are the outputs before the first complete
// planes.
//
// Invariants:
//  - One __syncthreads() per iteration is enough: every stage reads planes that were written in earlier iterations,
//    and a ring has one plane more than its oldest reader is behind (SweepPolicy::kept), so no slot is written while
//    it is read.
//  - A TMA copy into a slot of ring 0 is issued after the barrier that follows the slot's last read; its last reader
//    fences the async proxy before that barrier.
//  - Only the copying stage waits for the mbarrier of a plane; the others see the plane after the same
//    __syncthreads().
//  - No deadlock: no block waits for another, in any order of execution.
//
// Bound by issue: 6 * Radius + 1 multiply-adds per cell and stage are four of five instructions.
#pragma once

#include <algorithm>
#include <limits>

#include "heat/cuda/heat_planes.cuh"

namespace rafter::heat_ladder::RAFTER_BACKEND {

/// The stencils of a sweep's stages, for the factors of a step that it computes.
template <class Policy>
struct SweepStencils {
  Stencil<typename Policy::T, Policy::radius> stage[Policy::stages];
};

/// A thread's partial sums along z: before plane p arrives, those of planes p - radius to p + radius - 1.
template <class Policy, int Rows>
struct PartialPlanes {
  core::Vector<typename Policy::T> plane[2 * Policy::radius][Rows];
};

template <class T, int N>
__device__ core::Vector<T> scaled_sum(const core::Vector<T>& sum, T weight, const T (&value)[N], int first = 0) {
  core::Vector<T> result;
#pragma unroll
  for (int c = 0; c < core::Vector<T>::size; ++c) result.lane[c] = fma(weight, value[first + c], sum.lane[c]);
  return result;
}

/// Adds a row's centres and their neighbours along x; `at` is the thread's first cell. Without a halo the sums at the
/// ends of the tile are wrong; they are outside of the results. Collective: all lanes of a warp.
template <class Policy, bool HasHalo, class Stencil, class Vector>
__device__ Vector add_along_x(Vector sum, const Vector& own, const typename Policy::T* at, const Stencil& stencil) {
  using T = typename Policy::T;
  constexpr int width = Policy::width;
  constexpr int halo = Policy::radius == 1 ? 1 : Policy::halo_x;
  T cell[2 * halo + width];
#pragma unroll
  for (int c = 0; c < width; ++c) cell[halo + c] = own.lane[c];
  if constexpr (Policy::radius == 1) {  // one cell on each side, which an adjacent lane has
    [[maybe_unused]] const int lane = static_cast<int>(threadIdx.x) % Policy::lanes;
    cell[0] = __shfl_up_sync(~0u, own.lane[width - 1], 1);
    cell[width + 1] = __shfl_down_sync(~0u, own.lane[0], 1);
    if (HasHalo && lane == 0) cell[0] = at[-1];
    if (HasHalo && lane == Policy::lanes - 1) cell[width + 1] = at[width];
  } else {
#pragma unroll
    for (int v = 0; v < halo; v += width) {
      const Vector left = *reinterpret_cast<const Vector*>(at - halo + v);
      const Vector right = *reinterpret_cast<const Vector*>(at + width + v);
#pragma unroll
      for (int c = 0; c < width; ++c) {
        cell[v + c] = left.lane[c];
        cell[halo + width + v + c] = right.lane[c];
      }
    }
  }
  sum = scaled_sum(sum, stencil.centre, cell, halo);
#pragma unroll
  for (int k = 1; k <= Policy::radius; ++k) {
    sum = scaled_sum(sum, stencil.x[k - 1], cell, halo - k);
    sum = scaled_sum(sum, stencil.x[k - 1], cell, halo + k);
  }
  return sum;
}

/// Adds a plane to all partial planes, row by row, and calls finish(j, sum) for each row of the plane that is now
/// complete. `at` is the first cell in it of a thread with `Rows` rows. Collective: all lanes of a warp.
template <class Policy, int Rows, bool HasHalo, class Stencil, class Finish>
__device__ void accumulate_plane(PartialPlanes<Policy, Rows>& partial, const typename Policy::T* at,
                                 const Stencil& stencil, const Finish& finish) {
  using Vector = core::Vector<typename Policy::T>;
  constexpr int radius = Policy::radius;
  auto& plane = partial.plane;
#pragma unroll
  for (int y = -radius; y < Rows + radius; ++y) {
    const auto* here = at + y * Policy::pitch;
    const Vector row = *reinterpret_cast<const Vector*>(here);
#pragma unroll
    for (int j = 0; j < Rows; ++j) {  // a row's partial sums have shifted once its own row has been added
      const int distance = y < j ? j - y : y - j;
      Vector& sum = plane[y < j ? radius : radius - 1][j];
      if (distance > 0 && distance <= radius) sum = scaled_sum(sum, stencil.y[distance - 1], row.lane);
    }
    if (y < 0 || y >= Rows) continue;
    finish(y, scaled_sum(plane[0][y], stencil.z[radius - 1], row.lane));
#pragma unroll
    for (int i = 1; i < 2 * radius; ++i) {
      const int distance = i < radius ? radius - i : i - radius;
      plane[i - 1][y] = distance == 0 ? add_along_x<Policy, HasHalo>(plane[i][y], row, here, stencil)
                                      : scaled_sum(plane[i][y], stencil.z[distance == 0 ? 0 : distance - 1], row.lane);
    }
    plane[2 * radius - 1][y] = scaled_sum(Vector{}, stencil.z[radius - 1], row.lane);
  }
}

/// The place of a thread's cells in the grid, and bit masks of those that are free to change and of those that are
/// results.
template <class Policy, bool Aligned>
struct ThreadPlace {
  using T = typename Policy::T;
  using Vector = core::Vector<T>;
  static constexpr unsigned row_bits = (1u << Policy::width) - 1;

  int in_plane;  // index of the thread's first cell in a plane in shared memory
  int at;        // and in a plane of the grid
  int n_row;     // elements from row to row there
  unsigned free = 0;
  unsigned result = 0;

  __device__ ThreadPlace(const SweepGrid& grid, const TilePlace& tile, int stage, int thread)
      : n_row(static_cast<int>(grid.row)) {
    const GridShape& shape = grid.shape;
    constexpr int radius = Policy::radius;
    const int t = Policy::in_stage(thread);
    const int in_x = t % Policy::lanes * Policy::width;
    const int in_y = Policy::first_row(stage) + t / Policy::lanes * Policy::rows_of(stage);
    in_plane = (radius + in_y) * Policy::pitch + Policy::halo_x + in_x;
    const std::int64_t x = tile.x + in_x;
    const std::int64_t y = tile.y + in_y;
    at = static_cast<int>(y * grid.row + x);
    const bool in_columns = in_x >= Policy::shrink_x && in_x < Policy::tile_x - Policy::shrink_x;
    for (int j = 0; j < Policy::rows_of(stage); ++j) {
      const bool in_rows = in_y + j >= Policy::shrink_y && in_y + j < Policy::tile_y - Policy::shrink_y;
      for (int c = 0; c < Policy::width; ++c) {
        const unsigned bit = 1u << (j * Policy::width + c);
        const bool is_free =
            x + c >= radius && x + c < shape.nx - radius && y + j >= radius && y + j < shape.ny - radius;
        if (is_free) free |= bit;
        if (is_free && in_columns && in_rows) result |= bit;
      }
    }
  }

  /// Returns `yes` for the cells of row j in `bits`, `no` for the others.
  __device__ static Vector select(unsigned bits, int j, const Vector& yes, const Vector& no) {
    Vector value = yes;
#pragma unroll
    for (int c = 0; c < Policy::width; ++c) {
      if ((bits >> (j * Policy::width + c) & 1) == 0) value.lane[c] = no.lane[c];
    }
    return value;
  }

  /// Returns row j of a plane of a field, if a cell of it is in `bits`; otherwise zero.
  __device__ Vector load(unsigned bits, const T* plane, int j) const {
    const T* row = plane + (at + j * n_row);
    Vector value{};
    if constexpr (Aligned) {
      if ((bits >> (j * Policy::width) & row_bits) != 0) value = *reinterpret_cast<const Vector*>(row);
    } else {
#pragma unroll
      for (int c = 0; c < Policy::width; ++c) {
        if ((bits >> (j * Policy::width + c) & 1) != 0) value.lane[c] = row[c];
      }
    }
    return value;
  }

  /// Stores row j of a plane. A frozen cell adjacent to one in `bits` may be stored, too, unchanged.
  __device__ void store(unsigned bits, T* plane, int j, const Vector& value) const {
    T* row = plane + (at + j * n_row);
    if constexpr (Aligned) {
      ptx::store_if((bits >> (j * Policy::width) & row_bits) != 0, reinterpret_cast<Vector*>(row), value);
    } else {
#pragma unroll
      for (int c = 0; c < Policy::width; ++c) {
        if ((bits >> (j * Policy::width + c) & 1) != 0) row[c] = value.lane[c];
      }
    }
  }
};

/// The loop of a thread of a stage over the planes: each plane that it reads completes another one, for the next stage
/// or as a result. Planes are counted as the first stage reads them.
template <int Stage, class Policy, bool Aligned>
class StageLoop {
 public:
  using T = typename Policy::T;
  using Vector = core::Vector<T>;
  using Input = PlaneStream<Policy, Aligned>;

  __device__ StageLoop(const SweepGrid& grid, const Rings<Policy>& rings, const SweepStencils<Policy>& weights, T* to,
                       int thread)
      : place(grid, rings.tile, Stage, thread),
        stencil(weights.stage[Stage]),
        z(rings.template first<Stage>() + behind),
        first_result(rings.tile.first_plane + behind + Policy::radius),
        end(rings.tile.end_plane + Policy::radius + (Policy::stages - 1) * Policy::lag),
        first_free(2 * Policy::radius + behind),
        end_free(rings.nz + behind),
        taken(rings, z - behind),
        input(rings, z - behind - Policy::radius),
        completed(rings, z - behind - Policy::radius),
        n_plane(grid.plane),
        result(to + (z - behind - Policy::radius) * n_plane) {}

  /// Processes all planes. Collective: all threads of the block call it, each for its stage.
  __device__ void run(Input& stream, int first_of_all) {
    for (int i = first_of_all; i < z; ++i) stream.template wait_for<Stage>(i);
#pragma unroll 1
    for (; z < end; ++z) {
      stream.template wait_for<Stage>(z);
      process_plane();
      taken.move_on();
      input.move_on();
      completed.move_on();
      result += n_plane;
    }
  }

 private:
  static constexpr int behind = Stage * Policy::lag;
  static constexpr bool is_last = Stage + 1 == Policy::stages;
  static constexpr int rows = Policy::rows_of(Stage);

  /// Processes a plane. One code path for all tiles, though few have frozen cells: with a second path for the others,
  /// 208^3 took a third longer (H200), probably because the instruction caches had to hold both.
  __device__ void process_plane() {
    const unsigned free = z >= first_free && z < end_free ? place.free : 0;
    const unsigned stored = z >= first_result ? place.result : 0;
    const T* before = input.plane() + place.in_plane;
    T* next = completed.plane() + place.in_plane;
    const auto finish = [&](int j, const Vector& sum) {
      constexpr bool has_input = Policy::has_input(Stage);  // the sum includes it; otherwise it is always needed
      const bool is_needed = !has_input || (free >> (j * Policy::width) & place.row_bits) != place.row_bits;
      Vector old{};
      if (is_needed) old = *reinterpret_cast<const Vector*>(before + j * Policy::pitch);
      const Vector complete = place.select(free, j, has_input ? sum : scaled_sum(sum, T{1}, old.lane), old);
      if constexpr (is_last) {
        place.store(stored, result, j, complete);
      } else {
        *reinterpret_cast<Vector*>(next + j * Policy::pitch) = complete;
      }
    };
    accumulate_plane<Policy, rows, Stage == 0>(partial, taken.plane() + place.in_plane, stencil, finish);
  }

  const ThreadPlace<Policy, Aligned> place;
  const Stencil<T, Policy::radius>& stencil;
  int z;
  const int first_result;
  const int end;
  const int first_free;  // with which a free plane is completed
  const int end_free;
  RingCursor<Policy, Stage> taken;
  RingCursor<Policy, Stage / 2 * 2> input;
  RingCursor<Policy, is_last ? Stage : Stage + 1> completed;
  const std::int64_t n_plane;
  T* result;  // the plane that is completed, if this is the last stage
  PartialPlanes<Policy, rows> partial = {};
};

/// Runs the loop of a thread's stage.
template <int Stage, class Policy, bool Aligned>
__device__ void run_stage(int thread, const SweepGrid& grid, const Rings<Policy>& rings,
                          const SweepStencils<Policy>& weights, PlaneStream<Policy, Aligned>& input,
                          typename Policy::T* to) {
  if constexpr (Stage + 1 < Policy::stages) {
    if (Policy::stage_of(thread) > Stage) return run_stage<Stage + 1>(thread, grid, rings, weights, input, to);
  }
  StageLoop<Stage, Policy, Aligned>(grid, rings, weights, to, thread).run(input, rings.template first<0>());
}

template <class Policy, bool Aligned>
__global__ void __launch_bounds__(Policy::threads, Policy::blocks_per_sm)
    heat_sweep(SweepGrid grid, SweepStencils<Policy> weights,
               const __grid_constant__ typename PlaneStream<Policy, Aligned>::Source from, typename Policy::T* to) {
  using T = typename Policy::T;
  const TilePlace tile = place_of_tile<Policy>(grid, static_cast<int>(blockIdx.x));
  const Rings<Policy> rings{core::dynamic_shared<T>(), tile, static_cast<int>(grid.shape.nz)};
  PlaneStream<Policy, Aligned> input(rings, from, grid);
  run_stage<0>(static_cast<int>(threadIdx.x), grid, rings, weights, input, to);
}

// ---- Host ----

/// Returns the columns of a launch: as many whole columns as divide evenly among the resident blocks; the others are
/// cut so that their parts end together: into equal parts that are all resident at once, or into more parts of
/// decreasing length.
template <class Policy>
SweepGrid sweep_grid(const Stream& stream, const GridView<typename Policy::T>& to) {
  const GridShape& shape = to.shape;
  // Iterations to fill the pipeline.
  constexpr double fill = 2 * Policy::radius + Policy::shrink_z + (Policy::stages - 1) * Policy::lag;
  const std::int64_t n_tiles_x = ceil_div(shape.nx - Policy::radius - Policy::first_x, Policy::result_x);
  const std::int64_t n_columns = n_tiles_x * ceil_div(shape.ny - 2 * Policy::radius, Policy::result_y);
  const std::int64_t n_planes = shape.nz - 2 * Policy::radius;
  const std::int64_t resident = std::int64_t{stream.n_multiprocessors()} * Policy::blocks_per_sm;
  const std::int64_t n_cut = n_columns % resident;
  SweepGrid tiles{shape,
                  to.row_stride,
                  to.plane_stride,
                  static_cast<int>(n_planes),
                  static_cast<int>(n_tiles_x),
                  static_cast<int>(n_columns),
                  static_cast<int>(n_columns - n_cut),
                  1,
                  false};
  double best_time = std::numeric_limits<double>::max();
  for (int parts = 1; parts <= std::clamp<std::int64_t>(n_planes - Policy::shrink_z, 1, 64); ++parts) {
    const bool tapers = n_cut * parts > resident;
    const auto work = static_cast<double>(n_planes - Policy::shrink_z);
    const double last = work * 2 / (parts * (parts + 1.0)) + fill;
    const double time =
        tapers ? static_cast<double>(n_cut) * (work + parts * fill) / static_cast<double>(resident) + last / 2
               : work / parts + fill;
    if (time < best_time) {
      best_time = time;
      tiles.n_parts = parts;
      tiles.tapers = tapers;
    }
  }
  return tiles;
}

template <class Policy>
SweepStencils<Policy> sweep_stencils(const HeatGrid& grid, int first_factor) {
  SweepStencils<Policy> weights{};
  for (int stage = 0; stage < Policy::stages; ++stage) {
    const RkFactor& factor = rk_factors[static_cast<std::size_t>(first_factor + stage / 2)];
    weights.stage[stage] =
        stencil_of<typename Policy::T, Policy::radius>(grid, stage % 2 == 0 ? factor.inner : factor.outer);
    if (Policy::has_input(stage)) weights.stage[stage].centre += 1;
  }
  return weights;
}

/// Launches kernel(tiles, args...) with one block per column of tiles of the results, or per part of it.
template <class Policy, class... Params>
void launch_tiles(void (*kernel)(SweepGrid, Params...), const Stream& stream, const GridView<typename Policy::T>& to,
                  std::type_identity_t<Params>... args) {
  static_assert(Policy::valid());
  if (to.plane_extent() > std::numeric_limits<int>::max())
    throw Error(ErrorCode::unsupported, "the tiled kernels need planes of fewer than 2^31 elements");
  const SweepGrid tiles = sweep_grid<Policy>(stream, to);
  const std::int64_t n_cut = tiles.n_columns - tiles.n_whole;
  const std::int64_t n_blocks = tiles.n_whole + n_cut * tiles.n_parts;
  core::allow_shared(kernel, Policy::shared_bytes);
  core::launch(kernel, n_blocks, Policy::threads, Policy::shared_bytes, stream, tiles, args...);
}

template <class Policy, bool Aligned>
void launch_sweep_as(const Stream& stream, const HeatGrid& grid, int first_factor,
                     const GridView<const typename Policy::T>& from, const GridView<typename Policy::T>& to) {
  launch_tiles<Policy>(heat_sweep<Policy, Aligned>, stream, to, sweep_stencils<Policy>(grid, first_factor),
                       PlaneStream<Policy, Aligned>::source(from), to.data);
}

/// Computes the factors starting with `first_factor`.
template <class Policy>
void launch_sweep(const Stream& stream, const HeatGrid& grid, int first_factor,
                  const GridView<const typename Policy::T>& from, const GridView<typename Policy::T>& to) {
  with_copies<typename Policy::T>(grid, {from, to}, [&](auto copies) {
    launch_sweep_as<Policy, copies.aligned>(stream, grid, first_factor, from, to);
  });
}

}  // namespace rafter::heat_ladder::RAFTER_BACKEND
