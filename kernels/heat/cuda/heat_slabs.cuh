// The parts of the launch of all stages: the policy of slabs, the blocks' shares, the progress of slabs, and their ring
// in shared memory.
#pragma once

#include "heat/cuda/heat_planes.cuh"
#include "library/ptx/memory_order.cuh"

namespace rafter::heat_ladder::RAFTER_BACKEND {

/// The group that completes a slab, and for which stage.
struct alignas(16) SlabJob {
  static constexpr int no_group = -1;
  static constexpr int end_of_jobs = -2;

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
  static constexpr int rows = 4;    // per thread
  static constexpr int row_groups = 6;
  static constexpr int planes = 2;  // per slab
  static constexpr int group_threads = lanes * row_groups;
  static constexpr int group_warps = group_threads / 32;
  static constexpr int groups = 5;  // and one producer warp: 16 warps have 128 registers per thread
  static constexpr int threads = groups * group_threads + 32;

  static constexpr int tile_x = lanes * width;
  static constexpr int tile_y = rows * row_groups;
  static constexpr int first_x = radius / width * width;  // of the first tile: whole vectors
  static constexpr int halo_x = (radius + width - 1) / width * width;
  static constexpr int reach = (radius + planes - 1) / planes;  // slabs below and above that a slab depends on
  static_assert(2 * reach + 1 <= groups);                       // a group needs other slabs for its next one

  static constexpr int pitch = tile_x + 2 * halo_x;
  static constexpr int plane_rows = tile_y + 2 * radius;
  static constexpr int plane = pitch * plane_rows;
  static constexpr int slab = planes * plane;
  static constexpr int slab_bytes = slab * static_cast<int>(sizeof(T));
  static_assert(slab_bytes % 128 == 0);
  static constexpr int ring = std::min(16, (225 << 10) / slab_bytes);  // slabs
  static constexpr std::int64_t shared_bytes =
      ring * (slab_bytes + 2 * std::int64_t{sizeof(ptx::Mbarrier)} + std::int64_t{sizeof(SlabJob)});
};

/// The columns of slabs.
struct SlabGrid {
  GridShape shape;
  int row;    // elements from row to row, for all fields
  int plane;  // and from plane to plane
  int n_tiles_x;
  int n_tiles_y;
  int per_column;  // slabs

  __device__ int n_slabs() const { return n_tiles_x * n_tiles_y * per_column; }
};

/// Slabs [first, end) of a column.
struct SlabRun {
  int column;
  int first;
  int end;

  /// Whether a slab is only needed by others, for its cells as neighbours along z.
  __device__ bool is_z_halo(int slab) const { return slab < first || slab >= end; }
};

/// The slabs that a block completes in a stage, run by run. From stage to stage the shares shift by five eighths of a
/// share, so that what a block needs first was completed in the middle of the previous stage, not at its end. H200:
/// NOTES.md, "one launch".
class SlabShare {
 public:
  __device__ SlabShare(const SlabGrid& slabs, int stage, unsigned block, unsigned n_blocks) : grid(slabs) {
    const std::int64_t n = grid.n_slabs();
    const auto first = static_cast<int>(n * block / n_blocks);
    left = static_cast<int>(n * (block + 1) / n_blocks) - first;
    at = static_cast<int>((first + 5 * n / n_blocks / 8 * stage) % n);
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

/// The progress of every slab.
template <class Policy>
struct SlabProgress {
  int* done;  // [n_slabs], zero before the launch: number of warps that have written their part, over all stages

  /// Publishes that a warp has written its part of a slab. Collective: all lanes of a warp.
  __device__ void publish(int slab) const {
    __syncwarp();
    if (threadIdx.x % 32 == 0) ptx::red_release(&done[slab], 1);
  }

  /// Waits until `slab`, of a run or of its halos along z, can be copied for a stage: it has finished the previous
  /// stage, and, if it belongs to the run, so have the columns around it. Returns how many of the slabs from there to
  /// `end` can be copied, as far as it polls. Collective: all lanes of a warp.
  __device__ int wait_for(const SlabGrid& grid, const SlabRun& run, int slab, int end, int stage) const {
    constexpr int n_around = 9;  // with its own, which is in the middle
    const int lane = static_cast<int>(threadIdx.x) % 32;
    const int mine = slab + lane / n_around;
    const int which = lane % n_around;
    const int x = run.column % grid.n_tiles_x + which % 3 - 1;
    const int y = run.column / grid.n_tiles_x + which / 3 - 1;
    const bool is_there = mine >= 0 && mine < min(end, grid.per_column) && x >= 0 && x < grid.n_tiles_x && y >= 0 &&
                          y < grid.n_tiles_y && lane < 32 / n_around * n_around;
    const bool matters = is_there && (which == n_around / 2 || !run.is_z_halo(mine));
    const int at = matters ? (y * grid.n_tiles_x + x) * grid.per_column + mine : 0;
    const auto poll = [&] { return !matters || ptx::load_acquire(&done[at]) >= stage * Policy::group_warps; };
    bool is_ready = poll();
    while (lane < n_around && !is_ready) {
#ifdef RAFTER_SIMT
      __nanosleep(1);  // lets other warps run
#endif
      is_ready = poll();
    }
    const unsigned waits = __ballot_sync(~0u, !is_ready);
    __syncwarp();  // what all lanes acquired is ordered before the fence
    ptx::fence_proxy_async_global();
    return min((waits == 0 ? 32 : __ffs(static_cast<int>(waits)) - 1) / n_around, end - slab);
  }
};

/// The ring of slabs in shared memory. Slabs are counted in the order of their copies; slab `count` is in slot count %
/// ring.
template <class Policy>
struct SlabRing {
  using T = typename Policy::T;
  T* slabs;
  SlabJob* jobs;         // the group whose lowest slab this is
  ptx::Mbarrier* full;   // [ring]
  ptx::Mbarrier* empty;  // [ring]

  __device__ explicit SlabRing(T* shared)
      : slabs(shared),
        jobs(reinterpret_cast<SlabJob*>(reinterpret_cast<char*>(shared) + Policy::ring * Policy::slab_bytes)),
        full(reinterpret_cast<ptx::Mbarrier*>(jobs + Policy::ring)),
        empty(full + Policy::ring) {}

  /// Initialises the mbarriers. Collective: all threads of the block.
  __device__ void init() const {
    if (threadIdx.x == 0) {
      for (int i = 0; i < Policy::ring; ++i) {
        ptx::mbarrier_init(full[i], 1);
        ptx::mbarrier_init(empty[i], Policy::groups * Policy::group_warps);
      }
      ptx::fence_mbarrier_init();
      ptx::fence_proxy_async_shared();
    }
    __syncthreads();  // the mbarriers are initialised
  }

  __device__ static int place(int count) { return static_cast<int>(static_cast<unsigned>(count) % Policy::ring); }
  __device__ static int round(int count) { return static_cast<int>(static_cast<unsigned>(count) / Policy::ring % 2); }

  __device__ T* slab(int count) const { return slabs + place(count) * Policy::slab; }
  __device__ SlabJob& job(int count) const { return jobs[place(count)]; }
  /// Returns the job. Lane 0 reads it and broadcasts it, because lane 0 also releases the slot. Collective: all lanes
  /// of a warp.
  __device__ SlabJob job_of_warp(int count) const {
    SlabJob job{};
    if (threadIdx.x % 32 == 0) job = jobs[place(count)];
    const auto from_first = [](int value) { return __shfl_sync(~0u, value, 0); };
    return {from_first(job.group), from_first(job.stage), from_first(job.column), from_first(job.slab)};
  }

  /// Issues the copy of a slab, with its halo if that is used. Called by one lane.
  __device__ void load(int count, const ptx::TensorMap<T, 3>& from, int z, int y, int x, bool has_halo) const {
    const ptx::UnusedHalo unused = has_halo ? ptx::UnusedHalo{} : ptx::UnusedHalo{Policy::halo_x, Policy::radius};
    ptx::mbarrier_arrive_expect_tx(full[place(count)], Policy::slab_bytes);
    ptx::tma_load(slabs + place(count) * Policy::slab, from, {x, y, z}, full[place(count)], unused);
  }
  __device__ void signal_end(int count) const { ptx::mbarrier_arrive(full[place(count)], 1); }
  __device__ void consumer_wait(int count) const { ptx::mbarrier_wait(full[place(count)], round(count)); }
  __device__ void producer_acquire(int count) const {
    if (count >= Policy::ring) ptx::mbarrier_wait(empty[place(count)], 1 - round(count));
  }

  /// Releases a slab for this warp: its reads are ordered before the arrival. All warps release all slabs, also those
  /// that they did not need, so that no warp is more than one mbarrier phase behind. Collective: all lanes of a warp.
  __device__ void consumer_release(int count) const {
    ptx::fence_proxy_async_shared();
    __syncwarp();
    if (threadIdx.x % 32 == 0) ptx::mbarrier_arrive(empty[place(count)], 1);
  }
};

}  // namespace rafter::heat_ladder::RAFTER_BACKEND
