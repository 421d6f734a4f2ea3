// The parts of the tiled kernels: the policy of a sweep, the place of a block's tile, the rings of planes in shared
// memory, and the stream of planes into the first ring.
#pragma once

#include <algorithm>

#include "heat/cuda/heat_copies.cuh"
#include "library/core/cuda/dynamic_shared.cuh"
#include "library/core/cuda/launch.cuh"
#include "library/core/cuda/vector.cuh"
#include "library/ptx/async_copy.cuh"
#include "library/ptx/memory_order.cuh"
#include "library/ptx/tma.cuh"

namespace rafter::heat_ladder::RAFTER_BACKEND {

template <class Element, int Radius, int Stages, int Rows = (Radius > 3 ? 5 : 6), int ThreadRows = 8, int Ahead = 2>
struct SweepPolicy {
  using T = Element;
  static constexpr int radius = Radius;
  static constexpr int stages = Stages;
  static constexpr int width = core::Vector<T>::size;
  static constexpr int lanes = 16;                // threads along x
  static constexpr int thread_rows = ThreadRows;  // along y
  static constexpr int rows = Rows;               // per thread: their partial planes fill its registers
  static constexpr int ahead = Ahead;             // planes in flight while one is processed

  // Consecutive warps belong to consecutive stages. Warps are assigned to the four schedulers round-robin, so a
  // scheduler has warps of one stage only, and its instruction cache needs no other loop.
  static constexpr int stage_of(int thread) { return thread / 32 % stages; }
  static constexpr int in_stage(int thread) { return thread / (32 * stages) * 32 + thread % 32; }

  static constexpr int stage_threads = lanes * thread_rows;
  static_assert(stage_threads % 32 == 0);
  static constexpr int threads = stage_threads * stages;
  static constexpr int tile_x = lanes * width;
  static constexpr int tile_y = thread_rows * rows;
  static constexpr int halo_x = (radius + width - 1) / width * width;  // whole vectors
  static constexpr int pitch = tile_x + 2 * halo_x;
  static constexpr int plane_rows = tile_y + 2 * radius;
  // Cells of a plane in shared memory, rounded up to runs of 128 bytes.
  static constexpr int plane = (pitch * plane_rows + 8 * width - 1) / (8 * width) * (8 * width);
  static constexpr int shrink_x = (radius * (stages - 1) + width - 1) / width * width;  // on each side, per tile
  static constexpr int shrink_y = radius * (stages - 1);
  static constexpr int shrink_z = radius * (stages - 1);  // below the results, except those of the grid's first planes
  static constexpr int result_x = tile_x - 2 * shrink_x;
  static constexpr int result_y = tile_y - 2 * shrink_y;
  static constexpr int first_x = radius / width * width;  // of the results: whole vectors

  /// The rows of a thread of a stage, and the tile's row where its first thread starts: without halos that are already
  /// lost.
  static constexpr int rows_of(int stage) { return (tile_y - 2 * radius * stage + thread_rows - 1) / thread_rows; }
  static constexpr int first_row(int stage) {
    const int spare = tile_y - thread_rows * rows_of(stage);
    return radius * stage < spare ? radius * stage : spare;
  }

  /// The stage whose threads issue the copies: the last one, if it has less work.
  static constexpr int copying_stage = rows_of(stages - 1) < rows ? stages - 1 : 0;

  // The number of planes kept of each stage's input. A stage reads what the previous one completed an iteration ago. To
  // the results of the two stages of a factor, the factor's input is added, which is radius and radius + lag planes
  // back.
  static constexpr int lag = radius + 1;  // planes from one stage to the next
  static constexpr int kept(int stage) {
    const int for_factor = stages == 1 ? 0 : lag + radius;
    return stage == 0 ? ahead + 1 + for_factor : stage % 2 == 1 ? 2 : 2 + for_factor;
  }
  /// The last stage that reads a plane of a ring: a factor's input is read by its second stage, too.
  static constexpr int last_reader(int stage) { return std::min(stage / 2 * 2 + 1, stages - 1); }
  /// Whether the factor's input is added as part of the centre's weight: with radius 1 so few terms follow it that the
  /// rounding is as good.
  static constexpr bool has_input(int stage) { return radius == 1 && stage % 2 == 0; }

  static constexpr int kept_before(int stage) { return stage == 0 ? 0 : kept_before(stage - 1) + kept(stage - 1); }
  static constexpr int ring_bytes = kept_before(stages) * plane * static_cast<int>(sizeof(T));
  static constexpr std::int64_t shared_bytes = ring_bytes + ahead * std::int64_t{sizeof(ptx::Mbarrier)};
  static constexpr int blocks_per_sm = 2 * shared_bytes <= 220 << 10 ? 2 : 1;
  static constexpr bool valid() { return result_x > 0 && result_y > 0 && rows * width <= 32; }
};

/// The columns of tiles of a launch: a block processes one of the first columns from end to end, or a part of one of
/// the last.
struct SweepGrid {
  GridShape shape;
  std::int64_t row;    // elements from row to row of the results
  std::int64_t plane;  // and from plane to plane
  int n_free_planes;
  int n_tiles_x;
  int n_columns;
  int n_whole;  // columns that are not cut
  int n_parts;  // of each of the others, along z
  bool tapers;  // the parts have lengths n_parts, ..., 2, 1, so that the last blocks end together

  /// Returns the number of planes of a column before a part of it. Nothing is lost below the first part, so it has
  /// shrink_z planes more.
  __device__ int planes_before(int part, int shrink_z) const {
    if (part == 0) return 0;
    const auto share = [&](std::int64_t p) { return tapers ? p * (2 * n_parts + 1 - p) : p; };
    return shrink_z + static_cast<int>((n_free_planes - shrink_z) * share(part) / share(n_parts));
  }
};

/// The position of a block's tile: the first cell that its first stage completes, and the planes of its results.
struct TilePlace {
  std::int64_t x;
  std::int64_t y;
  int first_plane;
  int end_plane;
};

template <class Policy>
__device__ TilePlace place_of_tile(const SweepGrid& grid, int block) {
  const int n_cut = grid.n_columns - grid.n_whole;
  const int in_cut = block - grid.n_whole;
  const bool whole = in_cut < 0;
  const int column = whole ? block : grid.n_whole + in_cut % n_cut;
  const int part = whole ? 0 : in_cut / n_cut;
  const auto first_plane_of = [&](int p) {
    const int before = whole ? p * grid.n_free_planes : grid.planes_before(p, Policy::shrink_z);
    return Policy::radius + before;
  };
  return {Policy::first_x - Policy::shrink_x + std::int64_t{column % grid.n_tiles_x} * Policy::result_x,
          Policy::radius - Policy::shrink_y + std::int64_t{column / grid.n_tiles_x} * Policy::result_y,
          first_plane_of(part), first_plane_of(part + 1)};
}

/// The rings of planes in shared memory, and the planes that pass through them.
template <class Policy>
struct Rings {
  using T = typename Policy::T;
  T* shared;
  TilePlace tile;
  int nz;

  /// Returns the first plane that a stage reads: those of the result, and a halo for each stage in between.
  template <int Stage>
  __device__ int first() const {
    return max(tile.first_plane - (Policy::stages - Stage) * Policy::radius, 0);
  }
  template <int Stage>
  __device__ int end() const {
    return min(tile.end_plane + (Policy::stages - Stage) * Policy::radius, nz);
  }

  /// Returns plane z of a stage's input; planes before the first have a slot, too.
  template <int Stage>
  __device__ T* plane(int z) const {
    constexpr int n = Policy::kept(Stage);
    const int slot = static_cast<int>(static_cast<unsigned>(z + 64 * n) % unsigned{n});
    return shared + (Policy::kept_before(Stage) + slot) * Policy::plane;
  }

  /// Sets all planes to zero: cells outside of the grid are zero and stay so. Collective: all threads of the block.
  __device__ void clear() const {
    constexpr int n_vectors = Policy::kept_before(Policy::stages) * Policy::plane / Policy::width;
    auto* vectors = reinterpret_cast<core::Vector<T>*>(shared);
    for (int i = static_cast<int>(threadIdx.x); i < n_vectors; i += Policy::threads) vectors[i] = {};
  }
};

/// The plane of a stage's input that the current iteration uses.
template <class Policy, int Stage>
class RingCursor {
 public:
  using T = typename Policy::T;
  __device__ RingCursor(const Rings<Policy>& rings, int z)
      : ring(rings.template plane<Stage>(0)), at(static_cast<int>(rings.template plane<Stage>(z) - ring)) {}

  __device__ T* plane() const { return ring + at; }
  __device__ void move_on() { at = at == (Policy::kept(Stage) - 1) * Policy::plane ? 0 : at + Policy::plane; }

 private:
  T* ring;
  int at;
};

/// The input as it arrives, plane by plane, with its halo.
template <class Policy, bool Aligned>
class PlaneStream;

/// The stream with aligned rows: one thread issues the TMA copy of a plane. The constructor and wait_for() are
/// collective: all threads of the block.
template <class Policy>
class PlaneStream<Policy, true> {
 public:
  using T = typename Policy::T;
  using Source = ptx::TensorMap<T, 3>;

  static Source source(const GridView<const T>& field) {
    return tensor_map_of(field, {Policy::pitch, Policy::plane_rows, 1});
  }

  __device__ PlaneStream(const Rings<Policy>& r, const Source& field, const SweepGrid&)
      : rings(r),
        from(field),
        coming(r, r.template first<0>()),
        arrival(reinterpret_cast<ptx::Mbarrier*>(reinterpret_cast<char*>(r.shared) + Policy::ring_bytes)) {
    rings.clear();
    if (threadIdx.x == 0) {
      for (int i = 0; i < Policy::ahead; ++i) ptx::mbarrier_init(arrival[i], 1);
    }
    ptx::fence_mbarrier_init();
    ptx::fence_proxy_async_shared();
    __syncthreads();  // the rings are clear and the mbarriers initialised before copies arrive
    for (int i = 0; i < Policy::ahead; ++i) start(rings.template first<0>() + i);
  }

  /// Waits until plane z is complete and all threads have finished the previous iteration; then issues a later plane.
  /// All stages call it; the copying stage waits for the mbarrier. The barrier also frees the slot of the next copy:
  /// its last reader has fenced the async proxy.
  template <int Stage>
  __device__ void wait_for(int z) {
    const auto count = static_cast<unsigned>(z - rings.template first<0>());
    if (Stage == Policy::copying_stage && z < rings.template end<0>())
      ptx::mbarrier_wait(arrival[count % Policy::ahead], count / Policy::ahead % 2);
    if (Stage == Policy::last_reader(0)) ptx::fence_proxy_async_shared();
    __syncthreads();  // plane z is complete, and so is the previous iteration
    if (Stage == Policy::copying_stage) start(z + Policy::ahead);
  }

 private:
  /// Issues the copy of plane z, if there is one. Collective: all threads of the copying stage.
  __device__ void start(int z) {
    if (threadIdx.x == 32 * Policy::copying_stage && z < rings.template end<0>()) {
      constexpr int bytes = Policy::pitch * Policy::plane_rows * static_cast<int>(sizeof(T));
      const auto count = static_cast<unsigned>(z - rings.template first<0>());
      ptx::Mbarrier& its_arrival = arrival[count % Policy::ahead];
      ptx::mbarrier_arrive_expect_tx(its_arrival, bytes);
      const ptx::TileAt<3> at{static_cast<int>(rings.tile.x) - Policy::halo_x,
                              static_cast<int>(rings.tile.y) - Policy::radius, z};
      ptx::tma_load(coming.plane(), from, at, its_arrival);
    }
    coming.move_on();
  }

  const Rings<Policy>& rings;
  const Source& from;
  RingCursor<Policy, 0> coming;
  ptx::Mbarrier* arrival;  // [ahead], used for the planes in turn
};

/// The stream with unaligned rows: threads copy one cell at a time, one warp per row. The constructor and wait_for()
/// are collective: all threads of the block.
template <class Policy>
class PlaneStream<Policy, false> {
 public:
  using T = typename Policy::T;
  using Source = GridView<const T>;

  static Source source(const GridView<const T>& field) { return field; }

  __device__ PlaneStream(const Rings<Policy>& r, const Source& field, const SweepGrid& grid)
      : rings(r), from(field.data), n_plane(field.plane_stride), n_row(field.row_stride) {
    const std::int64_t x = rings.tile.x - Policy::halo_x;
    const std::int64_t y = rings.tile.y - Policy::radius;
    corner = y * n_row + x;
    first_x = static_cast<int>(max(-x, std::int64_t{0}));
    first_y = static_cast<int>(max(-y, std::int64_t{0}));
    end_x = static_cast<int>(min(grid.shape.nx - x, std::int64_t{Policy::pitch}));
    end_y = static_cast<int>(min(grid.shape.ny - y, std::int64_t{Policy::plane_rows}));
    rings.clear();
    __syncthreads();  // the rings are clear before copies arrive
    for (int i = 0; i < Policy::ahead; ++i) start(rings.template first<0>() + i);
  }

  template <int Stage>
  __device__ void wait_for(int z) {
    ptx::copy_async_wait<Policy::ahead - 1>();
    __syncthreads();  // the cells of plane z have arrived, and the previous iteration is complete
    start(z + Policy::ahead);
  }

 private:
  /// Copies plane z, if there is one. Collective: all threads of the block.
  __device__ void start(int z) const {
    if (z < rings.template end<0>()) {
      const T* plane = from + z * n_plane + corner;
      T* to = rings.template plane<0>(z);
      for (int y = first_y + static_cast<int>(threadIdx.x) / 32; y < end_y; y += Policy::threads / 32) {
        for (int x = first_x + static_cast<int>(threadIdx.x) % 32; x < end_x; x += 32)
          ptx::copy_async<sizeof(T)>(to + y * Policy::pitch + x, plane + y * n_row + x);
      }
    }
    ptx::copy_async_commit();
  }

  const Rings<Policy>& rings;
  const T* from;
  std::int64_t n_plane;  // elements from plane to plane of the field
  std::int64_t n_row;    // and from row to row
  std::int64_t corner;   // of the tile with its halo, in a plane; may be outside of the field
  int first_x, end_x;    // columns and rows of the tile with its halo that are in the grid
  int first_y, end_y;
};

}  // namespace rafter::heat_ladder::RAFTER_BACKEND
