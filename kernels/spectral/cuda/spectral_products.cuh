// c[rows][columns] = a[rows][inputs] . b[columns][inputs]^T on tensor cores by wgmma, with a fused epilogue.
//
// A block computes a tile of 128 rows and Columns columns: two warpgroups of 64 rows each, and a third whose first
// thread issues the copies. Tiles of 128 bytes of inputs pass through a ring of stages in shared memory (TMA, with the
// swizzle that wgmma reads):
//
//   mbarrier       completes when                                  expected by     waited for by
//   full[stage]    the copies' bytes have arrived                  the producer    both warpgroups
//   empty[stage]   the products of all eight warps have read it    eight warps     the producer, before the next copy
//
// In float32, operands have two planes, the factors' upper 11 bits and the rest, and a step is three products: upper
// upper, rest upper, upper rest. Tensor cores truncate their sums, so in float32 the sums are added to registers, with
// rounding, every 4 steps.
//
// Bound by the tensor cores, and for few inputs by the epilogue.
#pragma once

#include <type_traits>

#include "library/core/cuda/dynamic_shared.cuh"
#include "library/ptx/convert.cuh"
#include "library/ptx/fragment.cuh"
#include "library/ptx/matrix.cuh"
#include "library/ptx/memory_order.cuh"
#include "library/ptx/tma.cuh"
#include "library/ptx/wgmma.cuh"
#include "spectral/cuda/spectral_layers.cuh"
#include "spectral/spectral_pack.hpp"

namespace rafter::spectral_ladder::RAFTER_BACKEND {

/// An operand that a kernel writes.
struct OperandView {
  std::byte* data;
  OperandLayout layout;
};

/// The element type of an operand's planes in memory.
template <class T>
using OperandElement = std::conditional_t<std::is_same_v<T, ptx::tf32>, float, __nv_bfloat16>;

template <class T>
__device__ OperandElement<T>* operand_row(const OperandView& to, std::int64_t row) {
  return reinterpret_cast<OperandElement<T>*>(to.data + row * to.layout.pitch());
}

/// Stores a number into an operand; in float32 its rest goes to the plane `rest` bytes further on.
__device__ inline void put_operand(float* at, std::int64_t rest, float value) {
  const unsigned upper = ptx::to_tf32(value);
  *reinterpret_cast<unsigned*>(at) = upper;
  if (rest != 0)
    *reinterpret_cast<unsigned*>(reinterpret_cast<std::byte*>(at) + rest) =
        ptx::to_tf32(value - __uint_as_float(upper));
}
__device__ inline void put_operand(__nv_bfloat16* at, std::int64_t, float value) { *at = __float2bfloat16_rn(value); }

/// Stores two adjacent numbers, aligned to their size.
__device__ inline void put_operands(float* at, std::int64_t rest, float first, float second) {
  const uint2 upper{ptx::to_tf32(first), ptx::to_tf32(second)};
  *reinterpret_cast<uint2*>(at) = upper;
  if (rest != 0)
    *reinterpret_cast<uint2*>(reinterpret_cast<std::byte*>(at) + rest) = {
        ptx::to_tf32(first - __uint_as_float(upper.x)), ptx::to_tf32(second - __uint_as_float(upper.y))};
}
__device__ inline void put_operands(__nv_bfloat16* at, std::int64_t, float first, float second) {
  *reinterpret_cast<unsigned*>(at) = ptx::pair_from_floats<Bfloat16>(first, second);
}

/// The operation on the sums.
enum class Epilogue {
  gelu,     // GELU(sum + bias) to an operand, whose rows consist of `frames` rows of sums
  partial,  // the sum of a range of inputs, and the bias, to the range's floats
  linear,   // sum + bias to floats
};

struct ProductArgs {
  std::int64_t rows = 0, columns = 0;
  int n_steps = 0;          // stages of inputs
  int steps_per_range = 0;  // split-K: stages per block; blockIdx.z is its range
  int n_passes = 1;         // 3 in float32, else 1
  Epilogue epilogue = Epilogue::linear;
  const float* bias = nullptr;  // [columns], or null
  OperandView operand{};
  std::int64_t frames = 1;  // rows of sums per row of the operand
  float* floats = nullptr;  // [ranges][rows][columns]
};

template <class T, int Columns>
struct ProductTile {
  using Element = OperandElement<T>;
  static constexpr int rows = 128;
  static constexpr int columns = Columns;
  static constexpr int inputs = 128 / static_cast<int>(sizeof(Element));  // per stage
  static constexpr int a_bytes = rows * 128;
  static constexpr int b_bytes = Columns * 128;
  static constexpr int stage_bytes = a_bytes + b_bytes;
  static constexpr int stages = (192 << 10) / stage_bytes;
  static constexpr int threads = 3 * 128;
  static constexpr int shared_bytes = stages * stage_bytes + 1024;  // stages start at multiples of 1024
  using Map = ptx::TensorMap<Element, 3>;                           // inputs, rows, planes
};

/// The ring of stages, shared by the producer and the consumers.
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

/// The part of a product that a block computes: its tile, and the steps of its range.
struct ProductPart {
  int first_row, first_column;
  int first_step, end_step;
};

/// Issues all copies. Called by one thread.
template <class Tile>
__device__ void produce(const ProductRing<Tile>& ring, const typename Tile::Map& a, const typename Tile::Map& b,
                        const ProductArgs& args, const ProductPart& part) {
  int count = 0;
  for (int step = part.first_step; step < part.end_step; ++step) {
    for (int pass = 0; pass < args.n_passes; ++pass, ++count) {
      ptx::Mbarrier& full = ring.full[ring.place(count)];
      if (count >= Tile::stages) ptx::mbarrier_wait(ring.empty[ring.place(count)], 1 - ring.round(count));
      ptx::mbarrier_arrive_expect_tx(full, Tile::stage_bytes);
      const int input = step * Tile::inputs;
      ptx::tma_load(ring.a(count), a, {input, part.first_row, pass == 1 ? 1 : 0}, full);
      ptx::tma_load(ring.b(count), b, {input, part.first_column, pass == 2 ? 1 : 0}, full);
    }
  }
}

/// A warpgroup's 64 rows. All member functions are collective: all threads of the warpgroup.
template <class T, class Tile>
class ProductGroup {
  static constexpr int n = Tile::columns / 2;  // sums per thread

 public:
  __device__ ProductGroup(const ProductRing<Tile>& ring, int group) : ring_(ring), group_(group) {}

  /// Computes the sums of the products of all steps.
  __device__ void multiply(int n_counts, float (&sums)[n]) const {
#pragma unroll
    for (float& sum : sums) sum = 0;  // the result of a range without inputs
    ptx::wgmma_fence(sums);
    for (int count = 0; count < n_counts; ++count) {
      start(count, false, sums);
      ptx::wgmma_wait<1>(sums);
      if (count > 0) release(count - 1);
    }
    ptx::wgmma_wait<0>(sums);
  }

  /// Computes the sums with `counts_at_once` steps on tensor cores at a time, added up in registers.
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

  /// Releases a stage: the products that read it are complete. Collective: all lanes of a warp.
  __device__ void release(int count) const {
    if (threadIdx.x % 32 == 0) ptx::mbarrier_arrive(ring_.empty[ring_.place(count)]);
  }

  const ProductRing<Tile>& ring_;
  int group_;
};

/// Stores a row of sums: two adjacent columns of each tile of 8 columns from `column` on, of the thread's first row or,
/// with Half 1, of its second. The values of 8 pairs are computed before the first is stored: one at a time, each would
/// wait for its own latency.
template <int Half, int N, class Value, class Put>
__device__ __forceinline__ void put_row(const float (&sums)[N], std::int64_t column, std::int64_t columns,
                                        const Value& value, const Put& put) {
  constexpr int at_once = 8;
#pragma unroll
  for (int first = 0; first < N / 4; first += at_once) {
    float values[at_once][2];
    for (int i = 0; i < at_once; ++i) {
#pragma unroll
      for (int offset = 0; offset < 2; ++offset) {
        const int tile = first + i;
        values[i][offset] = value(tile * 8 + offset, sums[ptx::WgmmaAccumulator::element(tile, Half, offset)]);
      }
    }
#pragma unroll
    for (int i = 0; i < at_once; ++i) {
      const std::int64_t c = column + (first + i) * 8;
      if (c < columns) put(c, values[i][0], values[i][1]);
    }
  }
}

/// Applies the epilogue to row `row`. `bias` has the thread's columns, in shared memory; `range` is the block's range
/// of inputs.
template <class T, int Half, int N>
__device__ void finish_row(const ProductArgs& args, std::int64_t range, std::int64_t row, std::int64_t column,
                           const float* bias, const float (&sums)[N]) {
  if (row >= args.rows) return;
  const bool are_even = args.columns % 2 == 0;
  if (args.epilogue == Epilogue::gelu) {
    const auto window = static_cast<unsigned>(row) / static_cast<unsigned>(args.frames);
    auto* to = operand_row<T>(args.operand, window) + (row - std::int64_t{window} * args.frames) * args.columns;
    const std::int64_t rest = args.operand.layout.n_planes == 2 ? args.operand.layout.plane() : 0;
    put_row<Half>(
        sums, column, args.columns, [&](int at, float sum) { return gelu(sum + bias[at]); },
        [&](std::int64_t c, float first, float second) {
          if (are_even) return put_operands(to + c, rest, first, second);
          put_operand(to + c, rest, first);
          if (c + 1 < args.columns) put_operand(to + c + 1, rest, second);
        });
  } else {
    float* to = args.floats + ((args.epilogue == Epilogue::partial ? range : 0) * args.rows + row) * args.columns;
    const bool are_paired = are_even && reinterpret_cast<std::uintptr_t>(args.floats) % 8 == 0;
    put_row<Half>(
        sums, column, args.columns, [&](int at, float sum) { return sum + bias[at]; },
        [&](std::int64_t c, float first, float second) {
          if (are_paired) {
            *reinterpret_cast<float2*>(to + c) = {first, second};
          } else {
            to[c] = first;
            if (c + 1 < args.columns) to[c + 1] = second;
          }
        });
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
  __shared__ float bias[Columns];
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
  for (int i = static_cast<int>(threadIdx.x); i < Columns; i += Tile::threads) {
    const std::int64_t c = std::int64_t{blockIdx.x} * Columns + i;
    bias[i] = args.bias != nullptr && c < args.columns ? __ldg(args.bias + c) : 0;
  }
  __syncthreads();  // the mbarriers and the bias are initialised

  using Accumulator = ptx::WgmmaAccumulator;
  const int range = static_cast<int>(blockIdx.z);
  const int first = range * args.steps_per_range;
  const int end = min(first + args.steps_per_range, args.n_steps);
  const int group = static_cast<int>(threadIdx.x) / 128;
  if (group == 2) {
    const ProductPart part = {static_cast<int>(blockIdx.y) * Tile::rows, static_cast<int>(blockIdx.x) * Tile::columns,
                              first, end};
    if (threadIdx.x % 128 == 0) produce<Tile>(ring, a, b, args, part);
    return;
  }
  const int thread = static_cast<int>(threadIdx.x) % 128;
  const std::int64_t first_row = std::int64_t{blockIdx.y} * Tile::rows + group * Accumulator::rows;
  const std::int64_t column = std::int64_t{blockIdx.x} * Tile::columns + Accumulator::column(thread, 0);
  const ProductGroup<T, Tile> consumer(ring, group);
  float sums[Columns / 2];
  if constexpr (Exact) {
    consumer.multiply_exactly((end - first) * args.n_passes, 4 * args.n_passes, sums);
  } else {
    consumer.multiply(end - first, sums);
  }
  const float* own_bias = bias + Accumulator::column(thread, 0);
  const auto row_of = [&](int half) { return first_row + Accumulator::row(thread, Accumulator::element(0, half, 0)); };
  finish_row<T, 0>(args, range, row_of(0), column, own_bias, sums);
  finish_row<T, 1>(args, range, row_of(1), column, own_bias, sums);
}

/// Returns the tensor map for copies of tiles of `tile_rows` rows from an operand.
template <class Element>
ptx::TensorMap<Element, 3> operand_map(const std::byte* data, const OperandLayout& layout, int tile_rows) {
  return ptx::make_tensor_map<Element, 3>(reinterpret_cast<const Element*>(data),
                                          {.extent = {layout.columns, layout.rows, layout.n_planes},
                                           .tile = {128 / static_cast<int>(sizeof(Element)), tile_rows, 1},
                                           .stride = {0, layout.pitch(), layout.plane()},
                                           .swizzle = ptx::Swizzle::bytes_128});
}

/// Launches a . b^T with the inputs in `n_ranges` parts.
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
  // With few inputs the epilogue takes longer than the products, and smaller tiles spread it over more blocks. H200,
  // batch 2048, tf32: medium 119 -> 78 us, large 208 -> 149 us (NOTES.md).
  const bool has_few_inputs = a.layout.columns * a.layout.element_bytes <= 8 * 128;
  if (b.layout.rows <= 128 || has_few_inputs) return launch.template operator()<128, false>();
  launch.template operator()<256, false>();
}

}  // namespace rafter::spectral_ladder::RAFTER_BACKEND
