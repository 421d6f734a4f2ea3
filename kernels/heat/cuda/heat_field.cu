// The operations of a heat solver on fields on a GPU besides stepping: shells of cells, and the summary.
#include <limits>

#include "heat/heat_field.hpp"
#include "library/core/cuda/launch.cuh"
#include "library/core/stream/scratch.hpp"

namespace rafter::heat_ladder::RAFTER_BACKEND {

inline constexpr int field_threads = 256;

struct CellIndex {
  std::int64_t z, y, x;

  template <class T>
  __device__ T& in(const GridView<T>& field) const {
    return field.data[field.index(z, y, x)];
  }
};

__device__ inline CellIndex cell_at(std::int64_t i, const GridShape& shape) {
  const std::int64_t row = i / shape.nx;
  return {row / shape.ny, row % shape.ny, i % shape.nx};
}

/// The cells closer than `width` to a face: whole planes first, then rows of the other planes, then the ends of rows.
struct Shell {
  GridShape shape;
  std::int64_t width;

  __host__ __device__ GridShape core() const {
    return {shape.nz - 2 * width, shape.ny - 2 * width, shape.nx - 2 * width};
  }
  __host__ __device__ std::int64_t n() const {
    const GridShape inner = core();
    return shape.nz * shape.ny * shape.nx - inner.nz * inner.ny * inner.nx;
  }

  /// Returns index i with the core skipped: the first `width` indices are before the core, the others after it.
  __device__ std::int64_t around(std::int64_t i, std::int64_t n_core) const { return i < width ? i : i + n_core; }

  __device__ CellIndex cell(std::int64_t i) const {
    const GridShape inner = core();
    const std::int64_t in_planes = 2 * width * shape.ny * shape.nx;
    if (i < in_planes) {
      CellIndex cell = cell_at(i, shape);
      cell.z = around(cell.z, inner.nz);
      return cell;
    }
    i -= in_planes;
    const std::int64_t in_rows = inner.nz * 2 * width * shape.nx;
    if (i < in_rows) {
      CellIndex cell = cell_at(i, {inner.nz, 2 * width, shape.nx});
      return {cell.z + width, around(cell.y, inner.ny), cell.x};
    }
    const CellIndex cell = cell_at(i - in_rows, {inner.nz, inner.ny, 2 * width});
    return {cell.z + width, cell.y + width, around(cell.x, inner.nx)};
  }
};

/// Returns the element that belongs to a thread of a block.
__device__ inline std::int64_t thread_index(unsigned block, unsigned thread) {
  return block * std::int64_t{field_threads} + thread;
}

template <class... Params>
void launch_over(std::int64_t n, void (*kernel)(Params...), const Stream& stream,
                 std::type_identity_t<Params>... args) {
  core::launch(kernel, ceil_div(n, field_threads), field_threads, 0, stream, args...);
}

// ---- Copies ----

template <class T>
__global__ void heat_copy_shell(Shell shell, GridView<const T> from, GridView<T> to) {
  const std::int64_t i = thread_index(blockIdx.x, threadIdx.x);
  if (i >= shell.n()) return;
  const CellIndex cell = shell.cell(i);
  cell.in(to) = cell.in(from);
}

template <class T>
void copy_frozen(const Stream& stream, const HeatGrid& grid, GridView<const T> from, GridView<T> to) {
  const Shell shell{grid.shape, grid.radius};
  launch_over(shell.n(), heat_copy_shell<T>, stream, shell, from, to);
}

template <class T>
__global__ void heat_copy(const T* from, T* to, std::int64_t n) {
  const std::int64_t i = thread_index(blockIdx.x, threadIdx.x);
  if (i < n) to[i] = from[i];
}

/// Copies rows, one warp per row.
template <class T>
__global__ void heat_copy_rows(GridView<const T> from, GridView<T> to) {
  const std::int64_t row = thread_index(blockIdx.x, threadIdx.x) / 32;
  const auto& [nz, ny, nx] = to.shape;
  if (row >= nz * ny) return;
  const T* in = from.row(row / ny, row % ny);
  T* out = to.row(row / ny, row % ny);
  for (std::int64_t x = threadIdx.x % 32; x < nx; x += 32) out[x] = in[x];
}

template <class T>
void copy_field(const Stream& stream, GridView<const T> from, GridView<T> to) {
  const std::int64_t n = to.shape.n_cells();
  if (from.is_contiguous() && to.is_contiguous()) return launch_over(n, heat_copy<T>, stream, from.data, to.data, n);
  launch_over(to.shape.nz * to.shape.ny * 32, heat_copy_rows<T>, stream, from, to);
}

// ---- Ghost cells ----

/// Returns the index of a ghost's value along one axis; both indices count from the first inner cell.
__device__ inline std::int64_t source_of(std::int64_t i, std::int64_t n, HeatBoundary boundary) {
  const std::int64_t period = boundary == HeatBoundary::periodic ? n : 2 * n;
  const std::int64_t at = ((i % period) + period) % period;
  return at < n ? at : period - 1 - at;
}

template <class T>
__global__ void heat_ghosts(Shell shell, HeatBoundary boundary, GridView<T> field) {
  const std::int64_t i = thread_index(blockIdx.x, threadIdx.x);
  if (i >= shell.n()) return;
  const GridShape inside = shell.core();
  const std::int64_t ghost = shell.width;
  const CellIndex to = shell.cell(i);
  const CellIndex from{source_of(to.z - ghost, inside.nz, boundary) + ghost,
                       source_of(to.y - ghost, inside.ny, boundary) + ghost,
                       source_of(to.x - ghost, inside.nx, boundary) + ghost};
  to.in(field) = from.in(field);
}

template <class T>
void fill_ghosts(const Stream& stream, std::int64_t ghost, HeatBoundary boundary, GridView<T> field) {
  const Shell shell{field.shape, ghost};
  launch_over(shell.n(), heat_ghosts<T>, stream, shell, boundary, field);
}

// ---- Summary ----

inline constexpr int summary_blocks = 1024;

struct Part {
  double total, min, max;

  __device__ void add(const Part& other) {
    total += other.total;
    min = fmin(min, other.min);
    max = fmax(max, other.max);
  }
};

__device__ inline Part no_part() {
  return {0, std::numeric_limits<double>::infinity(), -std::numeric_limits<double>::infinity()};
}

/// Returns the block's part in thread 0; other threads get unspecified values. Thread t writes shared[t], and each
/// barrier completes a level before the next one reads it. Collective: all threads of the block.
__device__ inline Part block_part(Part mine, Part* shared) {
  const int t = static_cast<int>(threadIdx.x);
  shared[t] = mine;
  for (int half = field_threads / 2; half > 0; half /= 2) {
    __syncthreads();  // this level is complete
    if (t < half) shared[t].add(shared[t + half]);
  }
  return shared[t];
}

template <class T>
__global__ void heat_parts(GridView<const T> field, Part* parts) {
  __shared__ Part shared[field_threads];
  Part mine = no_part();
  const std::int64_t n = field.shape.n_cells();
  const std::int64_t stride = std::int64_t{summary_blocks} * field_threads;
  for (std::int64_t i = thread_index(blockIdx.x, threadIdx.x); i < n; i += stride) {
    const auto value = static_cast<double>(cell_at(i, field.shape).in(field));
    mine.add({value, value, value});
  }
  const Part whole = block_part(mine, shared);
  if (threadIdx.x == 0) parts[blockIdx.x] = whole;
}

template <int = 0>
__global__ void heat_whole(Part* parts) {
  __shared__ Part shared[field_threads];
  Part mine = no_part();
  for (int i = static_cast<int>(threadIdx.x); i < summary_blocks; i += field_threads) mine.add(parts[i]);
  const Part whole = block_part(mine, shared);
  if (threadIdx.x == 0) parts[summary_blocks] = whole;
}

template <class T>
void summarize(const Stream& stream, GridView<const T> field, HeatSummary* result) {
  auto* parts = reinterpret_cast<Part*>(core::scratch(stream, (summary_blocks + 1) * sizeof(Part)));
  core::launch(heat_parts<T>, summary_blocks, field_threads, 0, stream, field, parts);
  core::launch(heat_whole<0>, 1, field_threads, 0, stream, parts);
  Part whole{};
  detail::copy_out(stream, &whole, parts + summary_blocks, sizeof whole);
  *result = {whole.total, whole.min, whole.max};
}

RAFTER_HEAT_FIELD_OPS_OF(float);
RAFTER_HEAT_FIELD_OPS_OF(double);

}  // namespace rafter::heat_ladder::RAFTER_BACKEND
