// c[rows][columns] = a[rows][inputs] . b[columns][inputs]^T on tensor cores by wgmma, and what follows it.
//
// A block has a tile of 128 rows and Columns columns: two warpgroups of 64 rows each, and a third whose first thread
// starts the copies. Tiles of 128 bytes of inputs pass through a ring of stages (TMA, swizzled as wgmma reads them):
//
//   full[stage]    the copies' bytes have come                    the producer expects them, the consumers wait
//   empty[stage]   the products of all eight warps have read it   they arrive, the producer waits
//
// In float32, operands have two planes, the factors' upper 11 bits and their rest, and a step is three: upper upper,
// rest upper, upper rest. Tensor cores truncate their sums; there they go to registers every 4 steps, by additions
// that round.
#pragma once

#include <type_traits>

#include "core/dynamic_shared.cuh"
#include "ptx/matrix.cuh"
#include "ptx/memory_order.cuh"
#include "ptx/tma.cuh"
#include "ptx/wgmma.cuh"
#include "spectral/cuda/spectral_layers.cuh"
#include "spectral/spectral_pack.hpp"

namespace rafter::spectral_ladder::RAFTER_BACKEND {

/// An operand where a kernel writes it.
struct OperandView {
  std::byte* data;
  OperandLayout layout;
};

/// Puts a number into an operand; in float32 what it leaves over, too.
template <class T>
__device__ void put_operand(const OperandView& to, std::int64_t row, std::int64_t column, float value) {
  std::byte* at = to.data + row * to.layout.pitch() + column * to.layout.element_bytes;
  if constexpr (std::is_same_v<T, ptx::tf32>) {
    const unsigned upper = ptx::to_tf32(value);
    *reinterpret_cast<unsigned*>(at) = upper;
    if (to.layout.n_planes == 2)
      *reinterpret_cast<unsigned*>(at + to.layout.plane()) = ptx::to_tf32(value - __uint_as_float(upper));
  } else {
    *reinterpret_cast<__nv_bfloat16*>(at) = __float2bfloat16_rn(value);
  }
}

/// What becomes of the sums.
enum class Epilogue {
  gelu,     // GELU(sum + bias) to an operand, whose rows are `frames` rows of sums
  partial,  // the sum of a range of inputs to floats
  linear,   // sum + bias to floats
};

struct ProductArgs {
  std::int64_t rows, columns;
  int n_steps;          // stages of inputs
  int steps_per_range;  // of which a block has so many: blockIdx.z is its range
  int n_passes;         // 3 in float32, else 1
  Epilogue epilogue;
  const float* bias;  // [columns]
  OperandView operand;
  std::int64_t frames;  // rows of sums in a row of the operand
  float* floats;        // [ranges][rows][columns]
};

template <class T, int Columns>
struct ProductTile {
  using Element = std::conditional_t<std::is_same_v<T, ptx::tf32>, float, __nv_bfloat16>;
  static constexpr int rows = 128;
  static constexpr int columns = Columns;
  static constexpr int inputs = 128 / static_cast<int>(sizeof(Element));  // of a stage
  static constexpr int a_bytes = rows * 128;
  static constexpr int b_bytes = Columns * 128;
  static constexpr int stage_bytes = a_bytes + b_bytes;
  static constexpr int stages = (192 << 10) / stage_bytes;
  static constexpr int threads = 3 * 128;
  static constexpr int shared_bytes = stages * stage_bytes + 1024;  // stages begin at multiples of 1024
  using Map = ptx::TensorMap<Element, 3>;                           // inputs, rows, planes
};

/// The ring, as both sides see it.
template <class Tile>
struct ProductRing {
  std::byte* stages;
  ptx::Mbarrier* full;
  ptx::Mbarrier* empty;

  __device__ auto* a(int count) const { return at(count); }
  __device__ auto* b(int count) const { return at(count) + Tile::a_bytes / sizeof(typename Tile::Element); }
  __device__ static int place(int count) { return count % Tile::stages; }
  __device__ static int round(int count) { return count / Tile::stages % 2; }

 private:
  __device__ typename Tile::Element* at(int count) const {
    return reinterpret_cast<typename Tile::Element*>(stages + place(count) * Tile::stage_bytes);
  }
};

/// One thread starts all copies.
template <class Tile>
__device__ void produce(const ProductRing<Tile>& ring, const typename Tile::Map& a, const typename Tile::Map& b,
                        const ProductArgs& args, int first_step, int end_step) {
  int count = 0;
  for (int step = first_step; step < end_step; ++step) {
    for (int pass = 0; pass < args.n_passes; ++pass, ++count) {
      ptx::Mbarrier& full = ring.full[ring.place(count)];
      if (count >= Tile::stages) ptx::mbarrier_wait(ring.empty[ring.place(count)], 1 - ring.round(count));
      ptx::mbarrier_arrive_expect_tx(full, Tile::stage_bytes);
      const int input = step * Tile::inputs;
      ptx::tma_load(ring.a(count), a, {input, static_cast<int>(blockIdx.y) * Tile::rows, pass == 1 ? 1 : 0}, full);
      ptx::tma_load(ring.b(count), b, {input, static_cast<int>(blockIdx.x) * Tile::columns, pass == 2 ? 1 : 0}, full);
    }
  }
}

/// A warpgroup's 64 rows.
template <class T, class Tile>
class ProductGroup {
  static constexpr int n = Tile::columns / 2;  // sums of a thread

 public:
  __device__ ProductGroup(const ProductRing<Tile>& ring, int group) : ring_(ring), group_(group) {}

  /// sums = the products of all steps.
  __device__ void multiply(int n_counts, float (&sums)[n]) const {
#pragma unroll
    for (float& sum : sums) sum = 0;  // what a range without inputs leaves
    ptx::wgmma_fence(sums);
    for (int count = 0; count < n_counts; ++count) {
      start(count, false, sums);
      ptx::wgmma_wait<1>(sums);
      if (count > 0) release(count - 1);
    }
    ptx::wgmma_wait<0>(sums);
  }

  /// The same, with sums of `counts_at_once` steps on tensor cores and the rest in registers.
  __device__ void multiply_exactly(int n_counts, int counts_at_once, float (&sums)[n]) const {
#pragma unroll
    for (float& sum : sums) sum = 0;
    for (int first = 0; first < n_counts; first += counts_at_once) {
      const int end = min(first + counts_at_once, n_counts);
      float now[n];
      ptx::wgmma_fence(now);
      for (int count = first; count < end; ++count) {
        start(count, count == first, now);
        ptx::wgmma_wait<1>(now);
        if (count > first) release(count - 1);
      }
      ptx::wgmma_wait<0>(now);
      if (end < n_counts) release(end - 1);
#pragma unroll
      for (int i = 0; i < n; ++i) sums[i] += now[i];
    }
  }

 private:
  __device__ void start(int count, bool is_first, float (&sums)[n]) const {
    ptx::mbarrier_wait(ring_.full[ring_.place(count)], ring_.round(count));
    constexpr int stride = 8 * 128;  // 8 rows of a swizzled tile
    const auto a = ptx::matrix_descriptor(reinterpret_cast<const std::byte*>(ring_.a(count)) + group_ * 64 * 128,
                                          ptx::Swizzle::bytes_128, 0, stride);
    const auto b = ptx::matrix_descriptor(ring_.b(count), ptx::Swizzle::bytes_128, 0, stride);
    ptx::wgmma_fence(sums);
#pragma unroll
    for (int k = 0; k < 128; k += 32) {
      const auto accumulate = is_first && k == 0 ? ptx::Accumulate::no : ptx::Accumulate::yes;
      ptx::wgmma<Tile::columns, T>(sums, ptx::advanced(a, k), ptx::advanced(b, k), accumulate);
    }
    ptx::wgmma_commit();
  }

  __device__ void release(int count) const {
    if (threadIdx.x % 32 == 0) ptx::mbarrier_arrive(ring_.empty[ring_.place(count)]);
  }

  const ProductRing<Tile>& ring_;
  int group_;
};

/// Where a thread's sums belong: rows `row` and `row` + 8, two columns side by side of each eight.
template <class T, int N>
__device__ void finish(const ProductArgs& args, std::int64_t row, std::int64_t column, const float (&sums)[N]) {
#pragma unroll
  for (int i = 0; i < N; ++i) {
    const std::int64_t r = row + i / 2 % 2 * 8, c = column + i / 4 * 8 + i % 2;
    if (r >= args.rows || c >= args.columns) continue;
    if (args.epilogue == Epilogue::gelu) {
      const std::int64_t window = r / args.frames;
      put_operand<T>(args.operand, window, (r - window * args.frames) * args.columns + c,
                     gelu(sums[i] + __ldg(args.bias + c)));
    } else if (args.epilogue == Epilogue::partial) {
      args.floats[(std::int64_t{blockIdx.z} * args.rows + r) * args.columns + c] = sums[i];
    } else {
      args.floats[r * args.columns + c] = sums[i] + __ldg(args.bias + c);
    }
  }
}

template <class T, int Columns, bool Exact>
__global__ void __launch_bounds__(ProductTile<T, Columns>::threads, 1)
    multiply(const __grid_constant__ typename ProductTile<T, Columns>::Map a,
             const __grid_constant__ typename ProductTile<T, Columns>::Map b,
             const __grid_constant__ ProductArgs args) {
  using Tile = ProductTile<T, Columns>;
  __shared__ ptx::Mbarrier full[Tile::stages];
  __shared__ ptx::Mbarrier empty[Tile::stages];
  auto* shared = core::dynamic_shared<std::byte>();
  shared += (1024 - reinterpret_cast<std::uintptr_t>(shared) % 1024) % 1024;
  const ProductRing<Tile> ring{shared, full, empty};
  if (threadIdx.x == 0) {
    for (int stage = 0; stage < Tile::stages; ++stage) {
      ptx::mbarrier_init(full[stage], 1);
      ptx::mbarrier_init(empty[stage], 2 * 4);
    }
    ptx::fence_mbarrier_init();
    ptx::fence_proxy_async_shared();
  }
  __syncthreads();  // the mbarriers are there

  const int first = static_cast<int>(blockIdx.z) * args.steps_per_range;
  const int end = min(first + args.steps_per_range, args.n_steps);
  const int group = static_cast<int>(threadIdx.x) / 128;
  if (group == 2) {
    if (threadIdx.x % 128 == 0) produce<Tile>(ring, a, b, args, first, end);
    return;
  }
  const int thread = static_cast<int>(threadIdx.x) % 128;
  const std::int64_t row = std::int64_t{blockIdx.y} * Tile::rows + group * 64 + thread / 32 * 16 + thread % 32 / 4;
  const std::int64_t column = std::int64_t{blockIdx.x} * Tile::columns + thread % 4 * 2;
  const ProductGroup<T, Tile> consumer(ring, group);
  float sums[Columns / 2];
  if constexpr (Exact) {
    consumer.multiply_exactly((end - first) * args.n_passes, 4 * args.n_passes, sums);
  } else {
    consumer.multiply(end - first, sums);
  }
  finish<T>(args, row, column, sums);
}

/// An operand as TMA copies tiles of so many rows from it.
template <class Element>
ptx::TensorMap<Element, 3> operand_map(const std::byte* data, const OperandLayout& layout, int tile_rows) {
  return ptx::make_tensor_map<Element, 3>(reinterpret_cast<const Element*>(data),
                                          {.extent = {layout.columns, layout.rows, layout.n_planes},
                                           .tile = {128 / static_cast<int>(sizeof(Element)), tile_rows, 1},
                                           .stride = {0, layout.pitch(), layout.plane()},
                                           .swizzle = ptx::Swizzle::bytes_128});
}

/// Enqueues a . b^T; inputs in `n_ranges` parts.
template <class T>
void launch_product(const Stream& stream, const OperandView& a, const OperandView& b, int n_ranges, ProductArgs args) {
  const auto launch = [&]<int Columns, bool Exact>() {
    using Tile = ProductTile<T, Columns>;
    using Element = typename Tile::Element;
    args.rows = a.layout.rows;
    args.columns = b.layout.rows;
    args.n_steps = static_cast<int>(ceil_div(a.layout.columns, Tile::inputs));
    args.steps_per_range = static_cast<int>(ceil_div(args.n_steps, n_ranges));
    args.n_passes = a.layout.n_planes == 2 ? 3 : 1;
    const auto kernel = multiply<T, Columns, Exact>;
    core::allow_shared(kernel, Tile::shared_bytes);
    const dim3 grid(static_cast<unsigned>(ceil_div(args.columns, Columns)),
                    static_cast<unsigned>(ceil_div(args.rows, Tile::rows)), static_cast<unsigned>(n_ranges));
    core::launch(kernel, grid, Tile::threads, Tile::shared_bytes, stream,
                 operand_map<Element>(a.data, a.layout, Tile::rows), operand_map<Element>(b.data, b.layout, Columns),
                 args);
  };
  if constexpr (std::is_same_v<T, ptx::tf32>) {
    if (a.layout.n_planes == 2) return launch.template operator()<128, true>();
  }
  if (b.layout.rows <= 128) return launch.template operator()<128, false>();
  launch.template operator()<256, false>();
}

}  // namespace rafter::spectral_ladder::RAFTER_BACKEND
