// All stages of all steps in one launch, for grids that the L2 holds: a sweep of several stages would have its blocks
// take more planes before their first result than after it, and a kernel for each stage would wait for its last block.
//
// Columns of 64 x 24 cells (of floats) are cut into slabs of two planes, numbered column after column. In each stage a
// block has a share of successive slabs. One warp brings slabs with their rims into a ring in shared memory, as soon as
// the stage before is done with them, and notes beside them who completes what. Groups of three warps take turns to
// complete a slab from those around it, and say so. Nobody waits for a whole stage.
//
// A thread has a vector of cells along x in several rows of both planes, whose sums are in registers: a row of a plane
// is read once for all sums that it is a neighbour of along z or y.
//
// That a slab and the columns around it are done is all that is needed: a stage writes the field that the stage before
// read, and who read a slab there has said that he is done.
#pragma once

#include "core/hand_over.cuh"
#include "heat/heat_sweep.cuh"

namespace rafter::heat_ladder::RAFTER_BACKEND {

/// Who completes which slab, for which stage.
struct alignas(16) SlabJob {
  static constexpr int nobodys = -1;
  static constexpr int the_end = -2;

  int group;
  int stage;
  int column;
  int slab;
};

template <class Element, int Radius>
struct SlabPolicy {
  using T = Element;
  static constexpr int radius = Radius;
  static constexpr int width = core::Vector<T>::size;
  static constexpr int lanes = 16;  // threads along x
  static constexpr int rows = 4;    // of a thread
  static constexpr int row_groups = 6;
  static constexpr int planes = 2;  // of a slab
  static constexpr int group_threads = lanes * row_groups;
  static constexpr int group_warps = group_threads / 32;
  static constexpr int groups = 5;  // and one warp that brings slabs: 16 warps have 128 registers a thread
  static constexpr int threads = groups * group_threads + 32;

  static constexpr int tile_x = lanes * width;
  static constexpr int tile_y = rows * row_groups;
  static constexpr int first_x = radius / width * width;  // of the first tile: whole vectors
  static constexpr int rim_x = (radius + width - 1) / width * width;
  static constexpr int reach = (radius + planes - 1) / planes;  // slabs below and above that a slab needs
  static_assert(2 * reach + 1 <= groups);                       // a group needs other slabs for its next one

  static constexpr int pitch = tile_x + 2 * rim_x;
  static constexpr int plane_rows = tile_y + 2 * radius;
  static constexpr int plane = pitch * plane_rows;
  static constexpr int slab = planes * plane;
  static constexpr int slab_bytes = slab * static_cast<int>(sizeof(T));
  static_assert(slab_bytes % 128 == 0);
  static constexpr int ring = std::min(16, (225 << 10) / slab_bytes);  // slabs
  static constexpr std::int64_t shared_bytes =
      ring * (slab_bytes + 2 * std::int64_t{sizeof(core::BoxBarrier)} + std::int64_t{sizeof(SlabJob)});
};

/// The columns of slabs.
struct SlabGrid {
  GridShape shape;
  int n_tiles_x;
  int n_tiles_y;
  int per_column;  // slabs

  __device__ int n_slabs() const { return n_tiles_x * n_tiles_y * per_column; }
};

/// The stages of a launch: the even ones write `work`, the odd ones `out`, and add `out` (the first one `in`).
template <class T>
struct SlabStages {
  int n;
  T scale[4];  // of a step, from the first one on
  const T* in;
  T* work;
  T* out;
};

/// Slabs `first` to `end` - 1 of a column.
struct SlabRun {
  int column;
  int first;
  int end;
};

/// What a block completes in a stage, run by run. From stage to stage the shares move on by half of one: what a block
/// needs first was completed in the midst of the stage before, and not at its end.
class SlabShare {
 public:
  __device__ SlabShare(const SlabGrid& slabs, int stage) : grid(slabs) {
    const std::int64_t n = grid.n_slabs();
    const auto first = static_cast<int>(n * blockIdx.x / gridDim.x);
    left = static_cast<int>(n * (blockIdx.x + 1) / gridDim.x) - first;
    at = static_cast<int>((first + n / gridDim.x / 2 * stage) % n);
  }

  __device__ bool next(SlabRun& run) {
    if (left == 0) return false;
    run.column = at / grid.per_column;
    run.first = at % grid.per_column;
    run.end = min(run.first + left, grid.per_column);
    left -= run.end - run.first;
    at += run.end - run.first;
    if (at == grid.n_slabs()) at = 0;
    return true;
  }

 private:
  const SlabGrid& grid;
  int left;
  int at;
};

/// How far every slab is.
template <class Policy>
struct SlabProgress {
  int* done;  // [n_slabs], zero before the launch: warps that have written their part of a stage, of all stages

  /// A warp has written its part of a slab.
  __device__ void publish(int slab) const {
    __syncwarp();
    if (threadIdx.x % 32 == 0) core::add_after_all(&done[slab], 1);
  }

  /// A warp waits until `slab` of a column can be brought for a stage: it and the columns around it have come so far.
  /// Returns how many can be brought of those from there to `end`, as far as it looks.
  __device__ int wait_for(const SlabGrid& grid, int column, int slab, int end, int stage) const {
    constexpr int n_around = 9;  // with its own
    const int lane = static_cast<int>(threadIdx.x) % 32;
    const int mine = slab + lane / n_around;
    const int which = lane % n_around;
    const int x = column % grid.n_tiles_x + which % 3 - 1;
    const int y = column / grid.n_tiles_x + which / 3 - 1;
    const bool is_there = mine >= 0 && mine < min(end, grid.per_column) && x >= 0 && x < grid.n_tiles_x && y >= 0 &&
                          y < grid.n_tiles_y && lane < 32 / n_around * n_around;
    const int at = is_there ? (y * grid.n_tiles_x + x) * grid.per_column + mine : 0;
    const auto look = [&] { return !is_there || core::load_before_all(&done[at]) >= stage * Policy::group_warps; };
    bool is_ready = look();
    while (lane < n_around && !is_ready) {
#ifdef RAFTER_SIMT
      __nanosleep(1);  // lets others run
#endif
      is_ready = look();
    }
    const unsigned waits = __ballot_sync(~0u, !is_ready);
    __syncwarp();  // what all lanes saw comes before
    core::order_before_boxes();
    return min((waits == 0 ? 32 : __ffs(static_cast<int>(waits)) - 1) / n_around, end - slab);
  }
};

/// The ring of slabs in shared memory. Slabs are counted as they come.
template <class Policy>
struct SlabRing {
  using T = typename Policy::T;
  T* slabs;
  SlabJob* jobs;            // [ring]: for whom a slab is the lowest that he needs
  core::BoxBarrier* full;   // [ring]
  core::BoxBarrier* empty;  // [ring]

  __device__ explicit SlabRing(T* shared)
      : slabs(shared),
        jobs(reinterpret_cast<SlabJob*>(reinterpret_cast<char*>(shared) + Policy::ring * Policy::slab_bytes)),
        full(reinterpret_cast<core::BoxBarrier*>(jobs + Policy::ring)),
        empty(full + Policy::ring) {}

  __device__ void init(int n_bringers) const {
    if (threadIdx.x == 0) {
      for (int i = 0; i < Policy::ring; ++i) {
        core::init_box_barrier(full[i], n_bringers);
        core::init_box_barrier(empty[i], Policy::groups * Policy::group_warps);
      }
      core::publish_before_boxes();
    }
    __syncthreads();
  }

  __device__ static int place(int count) { return static_cast<int>(static_cast<unsigned>(count) % Policy::ring); }
  __device__ static int round(int count) { return static_cast<int>(static_cast<unsigned>(count) / Policy::ring % 2); }

  __device__ T* slab(int count) const { return slabs + place(count) * Policy::slab; }
  __device__ SlabJob& job(int count) const { return jobs[place(count)]; }
  __device__ core::BoxBarrier& arrival(int count) const { return full[place(count)]; }
  __device__ void wait_until_there(int count) const { core::wait_for_boxes(full[place(count)], round(count)); }
  __device__ void wait_until_free(int count) const {
    if (count >= Policy::ring) core::wait_for_boxes(empty[place(count)], 1 - round(count));
  }

  /// A warp does not need the slab any more. All warps say so of all slabs, also of those that they did not need: so
  /// nobody is more than a round behind, which is as far as barriers tell.
  __device__ void release(int count) const {
    core::finish_reads_before_boxes();
    __syncwarp();
    if (threadIdx.x % 32 == 0) core::arrive(empty[place(count)], 1);
  }
};

/// How a slab with its rim comes: where rows are aligned, by a box copy that one lane starts; elsewhere cell by cell.
template <class Policy, bool Aligned>
struct SlabSource;

template <class Policy>
struct SlabSource<Policy, true> {
  using T = typename Policy::T;
  static constexpr int n_bringers = 1;
  core::BoxSource<T> boxes;

  static SlabSource of(const T* field, const GridShape& shape) {
    return {core::box_source(field, shape.nz, shape.ny, shape.nx, Policy::planes, Policy::plane_rows, Policy::pitch)};
  }
  __device__ void bring(const SlabRing<Policy>& ring, int count, int z, int y, int x, const GridShape&) const {
    if (threadIdx.x % 32 != 0) return;
    core::expect_boxes(ring.arrival(count), Policy::slab_bytes);
    core::start_box_copy(ring.slab(count), boxes, z, y, x, ring.arrival(count));
  }
};

template <class Policy>
struct SlabSource<Policy, false> {
  using T = typename Policy::T;
  static constexpr int n_bringers = 2 * 32;  // zeros, and copies
  const T* field;

  static SlabSource of(const T* field, const GridShape&) { return {field}; }
  __device__ void bring(const SlabRing<Policy>& ring, int count, int z, int y, int x, const GridShape& shape) const {
    T* to = ring.slab(count);
    for (int row = 0; row < Policy::planes * Policy::plane_rows; ++row, to += Policy::pitch) {
      const std::int64_t its_z = z + row / Policy::plane_rows;
      const std::int64_t its_y = y + row % Policy::plane_rows;
      const bool row_is_there = its_z >= 0 && its_z < shape.nz && its_y < shape.ny;
      const std::int64_t from = (its_z * shape.ny + its_y) * shape.nx + x;
      for (int i = static_cast<int>(threadIdx.x) % 32; i < Policy::pitch; i += 32) {
        const bool is_there = row_is_there && x + i >= 0 && x + i < shape.nx;
        is_there ? core::start_copy<sizeof(T)>(to + i, field + from + i) : static_cast<void>(to[i] = T{0});
      }
    }
    core::arrive(ring.arrival(count), 1);
    core::arrive_when_copied(ring.arrival(count));
  }
};

/// The three fields as stages read them.
template <class Policy, bool Aligned>
struct SlabSources {
  SlabSource<Policy, Aligned> in, work, out;
};

/// One warp brings all slabs that the block needs, in the order in which it needs them.
template <class Policy, bool Aligned>
__device__ void bring_slabs(const SlabRing<Policy>& ring, const SlabGrid& grid,
                            const SlabSources<Policy, Aligned>& sources, int n_stages,
                            const SlabProgress<Policy>& progress) {
  const bool writes_jobs = threadIdx.x % 32 == 0;
  int count = 0;
  int group = 0;  // whose turn it is
  for (int stage = 0; stage < n_stages; ++stage) {
    const auto& from = stage == 0 ? sources.in : stage % 2 == 1 ? sources.work : sources.out;
    SlabShare share(grid, stage);
    for (SlabRun run; share.next(run);) {
      const int x = Policy::first_x + run.column % grid.n_tiles_x * Policy::tile_x - Policy::rim_x;
      const int y = run.column / grid.n_tiles_x * Policy::tile_y;
      const int end = run.end + Policy::reach;
      for (int slab = run.first - Policy::reach; slab < end;) {
        for (int n = progress.wait_for(grid, run.column, slab, end, stage); n > 0; --n, ++slab, ++count) {
          ring.wait_until_free(count);
          const bool is_lowest = slab + Policy::reach < run.end;
          if (writes_jobs)
            ring.job(count) = {is_lowest ? group : SlabJob::nobodys, stage, run.column, slab + Policy::reach};
          if (is_lowest) group = group + 1 == Policy::groups ? 0 : group + 1;
          from.bring(ring, count, Policy::radius + slab * Policy::planes, y, x, grid.shape);
        }
      }
    }
  }
  ring.wait_until_free(count);
  if (!writes_jobs) return;
  ring.job(count) = {SlabJob::the_end, 0, 0, 0};
  core::arrive(ring.arrival(count), SlabSource<Policy, Aligned>::n_bringers);
}

/// The sums of a thread, one for each of its cells.
template <class Policy>
struct SlabSums {
  core::Vector<typename Policy::T> at[Policy::planes][Policy::rows] = {};
};

/// Adds the plane that is `Above` a thread's first one; `at` is the first cell of its rows there. The rows of its own
/// planes come with their neighbours along y and x.
template <int Above, class Policy, class Star>
__device__ void add_plane(SlabSums<Policy>& sums, const typename Policy::T* at, const Star& star) {
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
        if (distance > 0 && distance <= Policy::radius) sum = scaled_sum(sum, star.y[distance - 1], row.lane);
      }
    }
    if (y < 0 || y >= Policy::rows) continue;
#pragma unroll
    for (int m = 0; m < Policy::planes; ++m) {
      const int distance = m < Above ? Above - m : m - Above;
      Vector& sum = sums.at[m][y];
      if (distance > 0 && distance <= Policy::radius) sum = scaled_sum(sum, star.z[distance - 1], row.lane);
      if (distance == 0) sum = add_along_x<Policy, true>(sum, row, here, star);
    }
  }
}

/// Adds the slab that is `Above` the thread's own, and all from there on, each when it has come; `own` is the count of
/// the thread's own. All but that one are free again afterwards. after_own() is called when it has been added.
template <class Policy, int Above = -Policy::reach, class Star, class AfterOwn>
__device__ void add_slabs(SlabSums<Policy>& sums, const SlabRing<Policy>& ring, int own, int in_plane, const Star& star,
                          const AfterOwn& after_own) {
  if constexpr (Above <= Policy::reach) {
    constexpr int plane = Above * Policy::planes;
    ring.wait_until_there(own + Above);
    const auto* at = ring.slab(own + Above) + in_plane;
    if constexpr (plane >= -Policy::radius) add_plane<plane>(sums, at, star);
    if constexpr (plane + 1 < Policy::planes + Policy::radius) add_plane<plane + 1>(sums, at + Policy::plane, star);
    if constexpr (Above == 0) {
      after_own();
    } else {
      ring.release(own + Above);
    }
    add_slabs<Policy, Above + 1>(sums, ring, own, in_plane, star, after_own);
  }
}

/// A thread's cells in a column.
template <class Policy, bool Aligned>
struct SlabPlace {
  int in_plane;  // its first cell in a plane in shared memory
  int y, x;      // and in the grid
  int rows_there;
  unsigned free = 0;  // the cells of a row that are not frozen, as bits
  bool whole;         // all of them

  __device__ SlabPlace(const SlabGrid& grid, int column) {
    const int t = static_cast<int>(threadIdx.x) % Policy::group_threads;
    const int in_x = t % Policy::lanes * Policy::width;
    const int in_y = t / Policy::lanes * Policy::rows;
    in_plane = (Policy::radius + in_y) * Policy::pitch + Policy::rim_x + in_x;
    y = Policy::radius + column / grid.n_tiles_x * Policy::tile_y + in_y;
    x = Policy::first_x + column % grid.n_tiles_x * Policy::tile_x + in_x;
    rows_there = static_cast<int>(grid.shape.ny) - Policy::radius - y;
    for (int c = 0; c < Policy::width; ++c) {
      if (x + c >= Policy::radius && x + c < grid.shape.nx - Policy::radius) free |= 1u << c;
    }
    whole = Aligned && free == (1u << Policy::width) - 1;
  }
};

/// to = base + scale * star of what is in the ring, on the cells of a slab that are not frozen; without a base it is
/// what is in the ring. `own` is the slab's count there. The base was written before the slab came.
template <class Policy, bool Aligned, class Star>
__device__ void complete_slab(const SlabRing<Policy>& ring, int own, const SlabJob& job, const SlabGrid& grid,
                              const Star& star, const SlabStages<typename Policy::T>& stages) {
  using T = typename Policy::T;
  using Vector = core::Vector<T>;
  const GridShape& shape = grid.shape;
  const SlabPlace<Policy, Aligned> place(grid, job.column);
  const int z = Policy::radius + job.slab * Policy::planes;
  const bool is_inner = job.stage % 2 == 0;
  const T* base = is_inner ? nullptr : job.stage == 1 ? stages.in : stages.out;
  const auto n_row = static_cast<int>(shape.nx);
  const int n_plane = static_cast<int>(shape.ny) * n_row;
  const int first = z * n_plane + place.y * n_row + place.x;
  const auto cell = [&](int m, int j) { return first + m * n_plane + j * n_row; };
  const int planes_there = static_cast<int>(shape.nz) - Policy::radius - z;
  const auto is_there = [&](int m, int j) { return place.free != 0 && m < planes_there && j < place.rows_there; };

  // The base is on its way while the last slabs are added. Nothing branches: a load behind a branch would wait for the
  // one before it. Where there is nothing to load, the field's first cells come.
  Vector before[Policy::planes][Policy::rows];
  const auto load_base = [&] {
    if (!Aligned || base == nullptr) return;
    const bool loads = place.whole && place.rows_there > 0;
#pragma unroll
    for (int i = 0; i < Policy::planes * Policy::rows; ++i) {
      const int m = min(i / Policy::rows, planes_there - 1);
      const int j = min(i % Policy::rows, place.rows_there - 1);
      before[i / Policy::rows][i % Policy::rows] =
          core::load_as_all_see_it(reinterpret_cast<const Vector*>(base + (loads ? cell(m, j) : 0)));
    }
  };
  SlabSums<Policy> sums;
  add_slabs(sums, ring, own, place.in_plane, star, load_base);
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
        const T its_base = base != nullptr ? core::load_as_all_see_it(base + cell(m, j) + c) : centre[c];
        to[cell(m, j) + c] = fma(scale, sum.lane[c], its_base);
      }
    }
  }
  ring.release(own);
}

template <class Policy, bool Aligned>
__global__ void __launch_bounds__(Policy::threads, 1)
    heat_slabs(const __grid_constant__ SlabGrid grid, Star<typename Policy::T, Policy::radius> star,
               const __grid_constant__ SlabStages<typename Policy::T> stages,
               const __grid_constant__ SlabSources<Policy, Aligned> sources, SlabProgress<Policy> progress) {
  using T = typename Policy::T;
  const SlabRing<Policy> ring(core::dynamic_shared<T>());
  ring.init(SlabSource<Policy, Aligned>::n_bringers);
  const int group = static_cast<int>(threadIdx.x) / Policy::group_threads;
  if (group == Policy::groups) return bring_slabs<Policy, Aligned>(ring, grid, sources, stages.n, progress);
  for (int lowest = 0;;) {
    ring.wait_until_there(lowest);
    const SlabJob job = ring.job(lowest);
    if (job.group == SlabJob::the_end) return;
    if (job.group == group) {
      complete_slab<Policy, Aligned>(ring, lowest + Policy::reach, job, grid, star, stages);
      progress.publish(job.column * grid.per_column + job.slab);
      lowest += 2 * Policy::reach + 1;
    } else {
      ring.release(lowest++);
    }
  }
}

// ---- the host's side ----

/// Whether this GPU has what it takes.
template <class Policy>
bool can_hand_over_slabs() {
  return core::has_box_barriers() && core::shared_bytes_per_sm() > Policy::shared_bytes;
}

template <class Policy, bool Aligned>
void launch_slabs_as(const Stream& stream, const HeatGrid& grid, int first_factor, int n_factors,
                     const typename Policy::T* in, typename Policy::T* work, typename Policy::T* out) {
  using T = typename Policy::T;
  const auto& [nz, ny, nx] = grid.shape;
  const auto n_tiles = [](std::int64_t n, int tile) { return static_cast<int>(ceil_div(n, std::int64_t{tile})); };
  const SlabGrid slabs{grid.shape, n_tiles(nx - Policy::radius - Policy::first_x, Policy::tile_x),
                       n_tiles(ny - 2 * Policy::radius, Policy::tile_y),
                       n_tiles(nz - 2 * Policy::radius, Policy::planes)};
  const std::int64_t n_slabs = std::int64_t{slabs.n_tiles_x} * slabs.n_tiles_y * slabs.per_column;
  SlabStages<T> stages{2 * n_factors, {}, in, work, out};
  for (int i = 0; i < 4; ++i) {
    const RkFactor& factor = rk_factors[static_cast<std::size_t>((first_factor + i / 2) % 2)];
    stages.scale[i] = static_cast<T>(i % 2 == 0 ? factor.inner : factor.outer);
  }
  const auto source = [&](const T* field) { return SlabSource<Policy, Aligned>::of(field, grid.shape); };
  const std::int64_t progress_bytes = n_slabs * std::int64_t{sizeof(int)};
  auto* done = reinterpret_cast<int*>(stream.scratch(progress_bytes));
  core::clear(stream, done, progress_bytes);
  const auto kernel = heat_slabs<Policy, Aligned>;
  core::allow_shared(kernel, Policy::shared_bytes);
  core::launch_together(kernel, std::min<std::int64_t>(stream.n_multiprocessors(), n_slabs), Policy::threads,
                        Policy::shared_bytes, stream, slabs, star_of<T, Policy::radius>(grid, 1), stages,
                        SlabSources<Policy, Aligned>{source(in), source(work), source(out)},
                        SlabProgress<Policy>{done});
}

/// So many halves of steps, from `in` to `out` by way of `work`. `out` may be `in`.
template <class Policy>
void launch_slabs(const Stream& stream, const HeatGrid& grid, int first_factor, int n_factors,
                  const typename Policy::T* in, typename Policy::T* work, typename Policy::T* out) {
  using T = typename Policy::T;
  const std::int64_t nx = grid.shape.nx;
  core::can_copy_boxes<T>(in, nx) && core::can_copy_boxes<T>(work, nx) && core::can_copy_boxes<T>(out, nx)
      ? launch_slabs_as<Policy, true>(stream, grid, first_factor, n_factors, in, work, out)
      : launch_slabs_as<Policy, false>(stream, grid, first_factor, n_factors, in, work, out);
}

}  // namespace rafter::heat_ladder::RAFTER_BACKEND
