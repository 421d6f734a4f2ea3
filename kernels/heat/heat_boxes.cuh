// A stage on its own, for small grids: where a sweep of several stages would have its blocks take more planes before
// their first result than after it, and where memory does not bound a kernel per stage, since the L2 holds the grid.
//
// A block copies its tile of the grid with a rim into shared memory, one slab of planes after the other, and works on
// what has come. A thread has a vector of cells along x in several rows of several planes, whose sums are in registers:
// a row of a plane is read once for all sums that it is a neighbour of along z or y.
// Bound by shared memory: at radius 4, 9 vectors are read for the 25 multiply-adds of each.
#pragma once

#include "heat/heat_sweep.cuh"

namespace rafter::heat_ladder::RAFTER_BACKEND {

template <class Element, int Radius, int PlaneGroups = 8>
struct BoxPolicy {
  using T = Element;
  static constexpr int radius = Radius;
  static constexpr int width = core::Vector<T>::size;
  static constexpr int lanes = 16;  // threads along x
  static constexpr int rows = 4;    // of a thread
  static constexpr int row_groups = 4;
  static constexpr int planes = 2;  // of a thread
  static constexpr int plane_groups = PlaneGroups;
  static constexpr int threads = lanes * row_groups * plane_groups;

  static constexpr int tile_x = lanes * width;
  static constexpr int tile_y = rows * row_groups;
  static constexpr int tile_z = planes * plane_groups;
  static constexpr int first_x = radius / width * width;  // of the first tile: whole vectors
  static constexpr int rim_x = (radius + width - 1) / width * width;
  static constexpr int pitch = tile_x + 2 * rim_x;
  static constexpr int plane_rows = tile_y + 2 * radius;
  static constexpr int plane = pitch * plane_rows;

  static constexpr int slab_planes = 2;
  static constexpr int slab = slab_planes * plane;
  static constexpr int n_slabs = (tile_z + 2 * radius) / slab_planes;
  static constexpr int slab_bytes = slab * static_cast<int>(sizeof(T));
  static_assert(slab_bytes % 128 == 0);
  static constexpr int box_bytes = n_slabs * slab_bytes;
  static constexpr std::int64_t shared_bytes = box_bytes + n_slabs * std::int64_t{sizeof(core::BoxBarrier)};
  // The sums and the cells they are added to fill 128 registers.
  static constexpr int blocks_per_sm = std::min(static_cast<int>((227 << 10) / (shared_bytes + 1024)), 512 / threads);
};

/// A thread's cells in the grid and in its block's box.
template <class Policy>
struct BoxPlace {
  int tile_z, tile_y, tile_x;
  int z, y, x;     // the thread's first cell
  int in_box;      // and where it is in the box
  int first_slab;  // that the thread needs

  __device__ BoxPlace() {
    const int t = static_cast<int>(threadIdx.x);
    const int in_x = t % Policy::lanes * Policy::width;
    const int in_y = t / Policy::lanes % Policy::row_groups * Policy::rows;
    const int in_z = t / (Policy::lanes * Policy::row_groups) * Policy::planes;
    tile_z = Policy::radius + static_cast<int>(blockIdx.z) * Policy::tile_z;
    tile_y = Policy::radius + static_cast<int>(blockIdx.y) * Policy::tile_y;
    tile_x = Policy::first_x + static_cast<int>(blockIdx.x) * Policy::tile_x;
    z = tile_z + in_z;
    y = tile_y + in_y;
    x = tile_x + in_x;
    in_box = (Policy::radius + in_z) * Policy::plane + (Policy::radius + in_y) * Policy::pitch + Policy::rim_x + in_x;
    first_slab = in_z / Policy::slab_planes;
  }

  /// Which cells of the thread's rows are not frozen, as bits.
  __device__ unsigned free_cells(int nx) const {
    unsigned bits = 0;
#pragma unroll
    for (int c = 0; c < Policy::width; ++c) {
      if (x + c >= Policy::radius && x + c < nx - Policy::radius) bits |= 1u << c;
    }
    return bits;
  }
};

/// The box as it comes, slab by slab.
template <class Policy, bool Aligned>
class BoxStream;

/// Where rows are aligned, one thread starts all copies.
template <class Policy>
class BoxStream<Policy, true> {
 public:
  using T = typename Policy::T;
  using Source = core::BoxSource<T>;

  static Source source(const T* field, const GridShape& shape) {
    return core::box_source(field, shape.nz, shape.ny, shape.nx, Policy::slab_planes, Policy::plane_rows,
                            Policy::pitch);
  }

  __device__ BoxStream(T* box, const Source& from, const BoxPlace<Policy>& place, const GridShape&)
      : arrival(reinterpret_cast<core::BoxBarrier*>(reinterpret_cast<char*>(box) + Policy::box_bytes)) {
    if (threadIdx.x != 0) return;
    for (int i = 0; i < Policy::n_slabs; ++i) core::init_box_barrier(arrival[i]);
    core::publish_before_boxes();
    for (int i = 0; i < Policy::n_slabs; ++i) {
      core::start_box_copy(box + i * Policy::slab, from, place.tile_z - Policy::radius + i * Policy::slab_planes,
                           place.tile_y - Policy::radius, place.tile_x - Policy::rim_x, Policy::slab_bytes, arrival[i]);
    }
  }

  /// All threads call before the first wait_for().
  __device__ void begin() const { __syncthreads(); }
  __device__ void wait_for(int slab) const { core::wait_for_boxes(arrival[slab], 0); }

 private:
  core::BoxBarrier* arrival;  // [n_slabs]
};

/// Where they are not, threads copy one cell at a time, a warp for a row.
template <class Policy>
class BoxStream<Policy, false> {
 public:
  using T = typename Policy::T;
  using Source = const T*;

  static Source source(const T* field, const GridShape&) { return field; }

  __device__ BoxStream(T* box, const T* from, const BoxPlace<Policy>& place, const GridShape& shape) {
    constexpr int n_rows = (Policy::tile_z + 2 * Policy::radius) * Policy::plane_rows;
    const int first_x = place.tile_x - Policy::rim_x;
    for (int row = static_cast<int>(threadIdx.x) / 32; row < n_rows; row += Policy::threads / 32) {
      const int z = place.tile_z - Policy::radius + row / Policy::plane_rows;
      const int y = place.tile_y - Policy::radius + row % Policy::plane_rows;
      const T* of_row = from + ((z * shape.ny + y) * shape.nx + first_x);
      for (int i = static_cast<int>(threadIdx.x) % 32; i < Policy::pitch; i += 32) {
        T* to = box + row * Policy::pitch + i;
        const bool is_there = z < shape.nz && y < shape.ny && first_x + i >= 0 && first_x + i < shape.nx;
        is_there ? core::start_copy<sizeof(T)>(to, of_row + i) : static_cast<void>(*to = T{0});
      }
    }
    core::end_batch();
  }

  __device__ void begin() const {
    core::wait_for_batches<0>();
    __syncthreads();  // the box is there
  }
  __device__ void wait_for(int) const {}
};

/// The sums of a thread, one for each of its cells.
template <class Policy>
struct BoxSums {
  core::Vector<typename Policy::T> at[Policy::planes][Policy::rows] = {};
};

/// Adds the plane that is `Above` a thread's first one; `at` is the first cell of its rows there. The rows of its own
/// planes come with their neighbours along y and x.
template <int Above, class Policy, class Star>
__device__ void add_plane(BoxSums<Policy>& sums, const typename Policy::T* at, const Star& star) {
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

/// Adds all planes around a thread's cells, of which `at` is the first, each when its slab has come.
template <class Policy, int Above = -Policy::radius, class Stream, class Star>
__device__ void add_planes(BoxSums<Policy>& sums, const typename Policy::T* at, const Star& star, const Stream& stream,
                           int first_slab) {
  if constexpr (Above < Policy::planes + Policy::radius) {
    constexpr int plane = Above + Policy::radius;
    if constexpr (plane % Policy::slab_planes == 0) stream.wait_for(first_slab + plane / Policy::slab_planes);
    add_plane<Above>(sums, at + Above * Policy::plane, star);
    add_planes<Policy, Above + 1>(sums, at, star, stream, first_slab);
  }
}

/// to = base + star of `from`, on the cells that are not frozen; without a base it is `from`. `base` may be `to`.
template <class Policy, bool Aligned, bool HasBase>
__global__ void __launch_bounds__(Policy::threads, Policy::blocks_per_sm)
    heat_box_stage(GridShape shape, Star<typename Policy::T, Policy::radius> star,
                   const __grid_constant__ typename BoxStream<Policy, Aligned>::Source from,
                   const typename Policy::T* base, typename Policy::T* to) {
  using T = typename Policy::T;
  using Vector = core::Vector<T>;
  constexpr int radius = Policy::radius;
  core::wait_for_kernel_before();
  T* box = core::dynamic_shared<T>();
  const BoxPlace<Policy> place;
  const BoxStream<Policy, Aligned> stream(box, from, place, shape);
  const T* own = box + place.in_box;
  const int planes_there = static_cast<int>(shape.nz) - radius - place.z;  // of the thread's, and more
  const int rows_there = static_cast<int>(shape.ny) - radius - place.y;
  const unsigned free = place.free_cells(static_cast<int>(shape.nx));
  const bool whole = Aligned && free == (1u << Policy::width) - 1;
  const auto is_there = [&](int m, int j) { return free != 0 && m < planes_there && j < rows_there; };
  const std::int64_t n_plane = shape.ny * shape.nx;
  const std::int64_t first = place.z * n_plane + place.y * shape.nx + place.x;
  const auto cell = [&](int m, int j) { return first + m * n_plane + j * shape.nx; };

  // The base is on its way while the box comes. Nothing branches: a load behind a branch would wait for the one before
  // it. Where there is nothing to load, the field's first cells come.
  Vector before[Policy::planes][Policy::rows];
  const bool loads = whole && is_there(0, 0);
#pragma unroll
  for (int i = 0; HasBase && i < Policy::planes * Policy::rows; ++i) {
    const int m = min(i / Policy::rows, planes_there - 1);
    const int j = min(i % Policy::rows, rows_there - 1);
    before[i / Policy::rows][i % Policy::rows] = *reinterpret_cast<const Vector*>(base + (loads ? cell(m, j) : 0));
  }
  stream.begin();
  BoxSums<Policy> sums;
  add_planes(sums, own, star, stream, place.first_slab);
#pragma unroll
  for (int i = 0; i < Policy::planes * Policy::rows; ++i) {
    const int m = i / Policy::rows;
    const int j = i % Policy::rows;
    if (!is_there(m, j)) continue;
    const Vector& sum = sums.at[m][j];
    const T* in_box = own + m * Policy::plane + j * Policy::pitch;
    if (whole) {
      if constexpr (!HasBase) before[m][j] = *reinterpret_cast<const Vector*>(in_box);
      *reinterpret_cast<Vector*>(to + cell(m, j)) = scaled_sum(sum, T{1}, before[m][j].lane);
    } else {
#pragma unroll
      for (int c = 0; c < Policy::width; ++c) {
        if ((free >> c & 1) != 0) to[cell(m, j) + c] = sum.lane[c] + (HasBase ? base[cell(m, j) + c] : in_box[c]);
      }
    }
  }
}

// ---- the host's side ----

template <class Policy, bool Aligned>
void launch_box_stage(const Stream& stream, const HeatGrid& grid, double scale, const typename Policy::T* from,
                      const typename Policy::T* base, typename Policy::T* to) {
  const auto& [nz, ny, nx] = grid.shape;
  const auto n_tiles = [](std::int64_t n, int tile) { return static_cast<unsigned>(ceil_div(n, std::int64_t{tile})); };
  const dim3 blocks(n_tiles(nx - Policy::radius - Policy::first_x, Policy::tile_x),
                    n_tiles(ny - 2 * Policy::radius, Policy::tile_y), n_tiles(nz - 2 * Policy::radius, Policy::tile_z));
  const auto kernel = base == nullptr ? heat_box_stage<Policy, Aligned, false> : heat_box_stage<Policy, Aligned, true>;
  core::allow_shared(kernel, Policy::shared_bytes);
  core::launch_early(kernel, blocks, Policy::threads, Policy::shared_bytes, stream, grid.shape,
                     star_of<typename Policy::T, Policy::radius>(grid, scale),
                     BoxStream<Policy, Aligned>::source(from, grid.shape), base, to);
}

/// Half a step: to = the factor of `from`, by way of `work`. `to` may be `from`.
template <class Policy>
void launch_box_factor(const Stream& stream, const HeatGrid& grid, const RkFactor& factor,
                       const typename Policy::T* from, typename Policy::T* work, typename Policy::T* to) {
  using T = typename Policy::T;
  const auto stages = [&](auto aligned) {
    launch_box_stage<Policy, aligned()>(stream, grid, factor.inner, from, nullptr, work);
    launch_box_stage<Policy, aligned()>(stream, grid, factor.outer, work, from, to);
  };
  const std::int64_t nx = grid.shape.nx;
  core::can_copy_boxes<T>(from, nx) && core::can_copy_boxes<T>(work, nx) && core::can_copy_boxes<T>(to, nx)
      ? stages(std::true_type{})
      : stages(std::false_type{});
}

}  // namespace rafter::heat_ladder::RAFTER_BACKEND
