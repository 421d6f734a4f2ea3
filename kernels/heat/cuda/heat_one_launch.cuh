// All stages of all steps in one cooperative launch, for grids that fit in the L2: a fused sweep would fill its
// pipeline for longer than it streams, and a kernel per stage would wait for its last block.
//
// Columns of 64 x 24 cells (of floats) are cut into slabs of two planes, numbered column by column. In each stage a
// block owns a share of consecutive slabs. Inside a block one producer warp and five consumer groups of three warps
// share a ring of slabs in shared memory (a producer/consumer pipeline on two mbarriers per slot):
//
//     actor            waits for                           action                           then signals
//     producer warp    done[] of the slab and its eight    a TMA copy of the slab and its   full[slot], by bytes
//                      neighbour columns (load_acquire),   halo into the slot; a SlabJob
//                      and empty[slot]                     next to it: the group to work
//     consumer group   full[slot] of the 2 * reach + 1     the stencil of its slab, from    empty[slot] of each,
//                      slabs around its own                the ring to the stage's field    done[slab] (red_release)
//     other groups     full[slot]                          nothing                          empty[slot]
//
// No block waits for a whole stage: blocks run ahead of each other as far as the data allow.
//
// A thread holds a vector of cells along x in several rows of both planes and their sums in registers: a row of a plane
// is read once for all sums within its radius along z or y.
//
// Invariants:
//  - done[slab] counts the consumer warps that have written their part of it, over all stages. A slab may be read for
//    stage s when done >= s * group_warps, for itself and its neighbour columns: their values of stage s - 1 are
//    written. Stage s overwrites the field that stage s - 1 read (two fields alternate). That does not race: every
//    reader of the slab has incremented done[] after its last read.
//  - red.release by the writer, load_acquire by the producer's lanes, __syncwarp(), then a proxy fence, then TMA: the
//    copy sees what other blocks wrote through the generic proxy.
//  - A slot of the ring is reused after all consumer warps have arrived at empty[slot]. Every consumer warp releases
//    every slot of every round, also those it does not need, so no warp is more than one mbarrier phase behind.
//  - No deadlock: the launch is cooperative, so all blocks are resident; within a stage dependencies go to the
//    previous stage only; a group needs 2 * reach + 1 slots and the ring has more.
#pragma once

#include "heat/cuda/heat_slabs.cuh"
#include "heat/cuda/heat_sweep.cuh"
#include "library/core/stream/scratch.hpp"

namespace rafter::heat_ladder::RAFTER_BACKEND {

/// The stages of a launch: the even ones write `work`, the odd ones write `out` and add `out` (the first one `in`).
template <class T>
struct SlabStages {
  int n;
  T scale[4];  // of a step's stages, starting with the first one
  const T* in;
  T* work;
  T* out;
};

/// The three fields as sources of the stages.
template <class T>
struct SlabSources {
  ptx::TensorMap<T, 3> in, work, out;
};

/// Copies all slabs that the block needs into the ring, in the order of their use. Collective: all lanes of one warp.
template <class Policy>
__device__ void produce_slabs(const SlabRing<Policy>& ring, const SlabGrid& grid,
                              const SlabSources<typename Policy::T>& sources, int n_stages,
                              const SlabProgress<Policy>& progress) {
  const bool is_first_lane = threadIdx.x % 32 == 0;
  int count = 0;
  int group = 0;  // the group that gets the next slab
  for (int stage = 0; stage < n_stages; ++stage) {
    const auto& from = stage == 0 ? sources.in : stage % 2 == 1 ? sources.work : sources.out;
    SlabShare share(grid, stage, blockIdx.x, gridDim.x);
    for (SlabRun run; share.next(run);) {
      const int x = Policy::first_x + run.column % grid.n_tiles_x * Policy::tile_x - Policy::halo_x;
      const int y = run.column / grid.n_tiles_x * Policy::tile_y;
      const int end = run.end + Policy::reach;
      for (int slab = run.first - Policy::reach; slab < end;) {
        for (int n = progress.wait_for(grid, run, slab, end, stage); n > 0; --n, ++slab, ++count) {
          ring.producer_acquire(count);
          const bool is_lowest = slab + Policy::reach < run.end;
          if (is_first_lane) {
            ring.job(count) = {is_lowest ? group : SlabJob::no_group, stage, run.column, slab + Policy::reach};
            ring.load(count, from, Policy::radius + slab * Policy::planes, y, x, !run.is_z_halo(slab));
          }
          if (is_lowest) group = group + 1 == Policy::groups ? 0 : group + 1;
        }
      }
    }
  }
  ring.producer_acquire(count);
  if (!is_first_lane) return;
  ring.job(count) = {SlabJob::end_of_jobs, 0, 0, 0};
  ring.signal_end(count);
}

/// The sums of a thread, one for each of its cells.
template <class Policy>
struct SlabSums {
  core::Vector<typename Policy::T> at[Policy::planes][Policy::rows] = {};
};

/// Adds the plane that is `Above` a thread's first one; `at` is the first cell of its rows there. Its own planes also
/// contribute along y and x. Collective: all lanes of a warp.
template <int Above, class Policy, class Stencil>
__device__ void add_plane(SlabSums<Policy>& sums, const typename Policy::T* at, const Stencil& stencil) {
  using Vector = core::Vector<typename Policy::T>;
  constexpr bool is_own = Above >= 0 && Above < Policy::planes;
  constexpr int around = is_own ? Policy::radius : 0;
#pragma unroll
  for (int y = -around; y < Policy::rows + around; ++y) {
    const auto* here = at + y * Policy::pitch;
    const Vector row = *reinterpret_cast<const Vector*>(here);
    if constexpr (is_own) {
#pragma unroll
      for (int j = 0; j < Policy::rows; ++j) {
        const int distance = y < j ? j - y : y - j;
        Vector& sum = sums.at[Above][j];
        if (distance > 0 && distance <= Policy::radius) sum = scaled_sum(sum, stencil.y[distance - 1], row.lane);
      }
    }
    if (y < 0 || y >= Policy::rows) continue;
#pragma unroll
    for (int m = 0; m < Policy::planes; ++m) {
      const int distance = m < Above ? Above - m : m - Above;
      Vector& sum = sums.at[m][y];
      if (distance > 0 && distance <= Policy::radius) sum = scaled_sum(sum, stencil.z[distance - 1], row.lane);
      if (distance == 0) sum = add_along_x<Policy, true>(sum, row, here, stencil);
    }
  }
}

/// Adds the slab that is `Above` the thread's own, and all further ones, each when it has arrived; `own` is the count
/// of the thread's own slab. All but that one are released afterwards. Calls after_own() when it has been added.
/// Collective: all lanes of a warp.
template <class Policy, int Above = -Policy::reach, class Stencil, class AfterOwn>
__device__ void add_slabs(SlabSums<Policy>& sums, const SlabRing<Policy>& ring, int own, int in_plane,
                          const Stencil& stencil, const AfterOwn& after_own) {
  if constexpr (Above <= Policy::reach) {
    constexpr int plane = Above * Policy::planes;
    ring.consumer_wait(own + Above);
    const auto* at = ring.slab(own + Above) + in_plane;
    if constexpr (plane >= -Policy::radius) add_plane<plane>(sums, at, stencil);
    if constexpr (plane + 1 < Policy::planes + Policy::radius) add_plane<plane + 1>(sums, at + Policy::plane, stencil);
    if constexpr (Above == 0) {
      after_own();
    } else {
      ring.consumer_release(own + Above);
    }
    add_slabs<Policy, Above + 1>(sums, ring, own, in_plane, stencil, after_own);
  }
}

/// The cells of a consumer thread in a column.
template <class Policy>
struct SlabPlace {
  int in_plane;  // index of its first cell in a plane in shared memory
  int y, x;      // of that cell in the grid
  int rows_there;
  unsigned free = 0;  // bit mask of the cells of a row that are not frozen
  bool whole;         // whether all of them are free

  __device__ SlabPlace(const SlabGrid& grid, int column, int thread) {
    const int t = thread % Policy::group_threads;
    const int in_x = t % Policy::lanes * Policy::width;
    const int in_y = t / Policy::lanes * Policy::rows;
    in_plane = (Policy::radius + in_y) * Policy::pitch + Policy::halo_x + in_x;
    y = Policy::radius + column / grid.n_tiles_x * Policy::tile_y + in_y;
    x = Policy::first_x + column % grid.n_tiles_x * Policy::tile_x + in_x;
    rows_there = static_cast<int>(grid.shape.ny) - Policy::radius - y;
    for (int c = 0; c < Policy::width; ++c) {
      if (x + c >= Policy::radius && x + c < grid.shape.nx - Policy::radius) free |= 1u << c;
    }
    whole = free == (1u << Policy::width) - 1;
  }
};

/// Computes to = base + scale * stencil of what is in the ring, on the free cells of a slab; without a base, the base
/// is what is in the ring. `own` is the slab's count there. The base was written before the slab arrived. Collective:
/// all threads of a group.
template <class Policy, class Stencil>
__device__ void complete_slab(const SlabRing<Policy>& ring, int own, const SlabJob& job, const SlabGrid& grid,
                              const Stencil& stencil, const SlabStages<typename Policy::T>& stages) {
  using T = typename Policy::T;
  using Vector = core::Vector<T>;
  const GridShape& shape = grid.shape;
  const SlabPlace<Policy> place(grid, job.column, static_cast<int>(threadIdx.x));
  const int z = Policy::radius + job.slab * Policy::planes;
  const bool is_inner = job.stage % 2 == 0;
  const T* base = is_inner ? nullptr : job.stage == 1 ? stages.in : stages.out;
  const int n_row = grid.row;
  const int n_plane = grid.plane;
  const int first = z * n_plane + place.y * n_row + place.x;
  const auto cell = [&](int m, int j) { return first + m * n_plane + j * n_row; };
  const int planes_there = static_cast<int>(shape.nz) - Policy::radius - z;
  const auto is_there = [&](int m, int j) { return place.free != 0 && m < planes_there && j < place.rows_there; };

  // The loads of the base are in flight while the last slabs are added. There are no branches: a load behind a branch
  // would wait for the previous one. Where there is nothing to load, the field's first cells are loaded.
  Vector before[Policy::planes][Policy::rows];
  const auto load_base = [&] {
    if (base == nullptr) return;
    const bool loads = place.whole && place.rows_there > 0;
#pragma unroll
    for (int i = 0; i < Policy::planes * Policy::rows; ++i) {
      const int m = min(i / Policy::rows, planes_there - 1);
      const int j = min(i % Policy::rows, place.rows_there - 1);
      before[i / Policy::rows][i % Policy::rows] =
          ptx::load_cg(reinterpret_cast<const Vector*>(base + (loads ? cell(m, j) : 0)));
    }
  };
  SlabSums<Policy> sums;
  add_slabs(sums, ring, own, place.in_plane, stencil, load_base);
  const T* in_ring = ring.slab(own) + place.in_plane;
  const T scale = stages.scale[job.stage % 4];
  T* to = is_inner ? stages.work : stages.out;
#pragma unroll
  for (int i = 0; i < Policy::planes * Policy::rows; ++i) {
    const int m = i / Policy::rows;
    const int j = i % Policy::rows;
    if (!is_there(m, j)) continue;
    const Vector& sum = sums.at[m][j];
    const T* centre = in_ring + m * Policy::plane + j * Policy::pitch;
    if (place.whole) {
      if (base == nullptr) before[m][j] = *reinterpret_cast<const Vector*>(centre);
      *reinterpret_cast<Vector*>(to + cell(m, j)) = scaled_sum(before[m][j], scale, sum.lane);
    } else {
#pragma unroll
      for (int c = 0; c < Policy::width; ++c) {
        if ((place.free >> c & 1) == 0) continue;
        const T its_base = base != nullptr ? ptx::load_cg(base + cell(m, j) + c) : centre[c];
        to[cell(m, j) + c] = fma(scale, sum.lane[c], its_base);
      }
    }
  }
  ring.consumer_release(own);
}

template <class Policy>
__global__ void __launch_bounds__(Policy::threads, 1)
    heat_slabs(const __grid_constant__ SlabGrid grid, Stencil<typename Policy::T, Policy::radius> stencil,
               const __grid_constant__ SlabStages<typename Policy::T> stages,
               const __grid_constant__ SlabSources<typename Policy::T> sources, SlabProgress<Policy> progress) {
  using T = typename Policy::T;
  const SlabRing<Policy> ring(core::dynamic_shared<T>());
  ring.init();
  const int group = static_cast<int>(threadIdx.x) / Policy::group_threads;
  if (group == Policy::groups) return produce_slabs(ring, grid, sources, stages.n, progress);
  for (int lowest = 0;;) {
    ring.consumer_wait(lowest);
    const SlabJob job = ring.job_of_warp(lowest);
    if (job.group == SlabJob::end_of_jobs) return;
    if (job.group == group) {
      complete_slab(ring, lowest + Policy::reach, job, grid, stencil, stages);
      progress.publish(job.column * grid.per_column + job.slab);
      lowest += 2 * Policy::reach + 1;
    } else {
      ring.consumer_release(lowest++);
    }
  }
}

// ---- Host ----

/// Whether this GPU has the required features.
template <class Policy>
bool can_launch_slabs() {
  return has_tma() && core::shared_bytes_per_sm() > Policy::shared_bytes;
}

template <class Policy>
SlabGrid slab_grid(const GridView<const typename Policy::T>& field) {
  const auto& [nz, ny, nx] = field.shape;
  const auto n_tiles = [](std::int64_t n, int tile) { return static_cast<int>(ceil_div(n, std::int64_t{tile})); };
  return {field.shape,
          static_cast<int>(field.row_stride),
          static_cast<int>(field.plane_stride),
          n_tiles(nx - Policy::radius - Policy::first_x, Policy::tile_x),
          n_tiles(ny - 2 * Policy::radius, Policy::tile_y),
          n_tiles(nz - 2 * Policy::radius, Policy::planes)};
}

/// Returns the bytes that a launch takes of the stream's scratch.
inline std::int64_t bytes_of_progress(const SlabGrid& slabs) {
  return std::int64_t{slabs.n_tiles_x} * slabs.n_tiles_y * slabs.per_column * std::int64_t{sizeof(int)};
}

/// Launches n_factors halves of steps, from `in` to `out` through `work`: fields with TMA alignment and equal strides.
/// `out` may be `in`.
template <class Policy>
void launch_slabs(const Stream& stream, const HeatGrid& grid, int first_factor, int n_factors,
                  const GridView<const typename Policy::T>& in, const GridView<typename Policy::T>& work,
                  const GridView<typename Policy::T>& out) {
  using T = typename Policy::T;
  const SlabGrid slabs = slab_grid<Policy>(in);
  SlabStages<T> stages{2 * n_factors, {}, in.data, work.data, out.data};
  for (int i = 0; i < 4; ++i) {
    const RkFactor& factor = rk_factors[static_cast<std::size_t>((first_factor + i / 2) % 2)];
    stages.scale[i] = static_cast<T>(i % 2 == 0 ? factor.inner : factor.outer);
  }
  const auto source = [](const GridView<const T>& field) {
    return tensor_map_of(field, {Policy::pitch, Policy::plane_rows, Policy::planes});
  };
  const std::int64_t progress_bytes = bytes_of_progress(slabs);
  auto* done = reinterpret_cast<int*>(core::scratch(stream, progress_bytes));
  core::clear(stream, done, progress_bytes);
  const auto kernel = heat_slabs<Policy>;
  core::allow_shared(kernel, Policy::shared_bytes);
  core::launch_cooperative(kernel, std::min<std::int64_t>(stream.n_multiprocessors(), progress_bytes / sizeof(int)),
                           Policy::threads, Policy::shared_bytes, stream, slabs, stencil_of<T, Policy::radius>(grid, 1),
                           stages, SlabSources<T>{source(in), source(work), source(out)}, SlabProgress<Policy>{done});
}

}  // namespace rafter::heat_ladder::RAFTER_BACKEND
