// Winograd's F(2x2,3x3) in one kernel: transformed tiles in shared memory, sums of products in registers. The maths is
// in conv_winograd_transforms.hpp.
//
//   block    64 maps x 32 tiles of 2 x 2 outputs, all channels in chunks of 8
//   warp     2 of the 16 products of a tile; a thread 8 maps x 8 tiles of both: 128 sums
//
//   chunk i  start to load kernels and inputs of i + 1 | products of i | transform inputs of i + 1 | sync
//
// A separate launch transforms the kernels once and stores them in the order in which blocks read them. Each thread
// loads one patch of 4 x 4 inputs per chunk: the warp's number is the channel, the lane the tile. Bound by the fp32
// units: two 16-byte loads for maps and two for tiles from shared memory feed 64 multiply-adds.
//
// At the end, a tile's 16 sums are in 8 warps. They are exchanged through shared memory, and every thread transforms
// those of 8 maps for its lane's tile.
//
// Races: the barrier of chunk i orders the writes of chunk i before its reads, and the reads of chunk i - 1 before the
// writes of chunk i + 1 to the same buffer. Sums overwrite both buffers: a barrier orders the last chunk's reads before
// them, another one orders the sums before the output transform.
#pragma once

#include "conv/conv_winograd_transforms.hpp"
#include "conv/cuda/conv_activate.cuh"
#include "library/core/cuda/dynamic_shared.cuh"
#include "library/core/cuda/launch.cuh"
#include "library/core/stream/scratch.hpp"
#include "library/ptx/async_copy.cuh"

namespace rafter::conv_ladder::RAFTER_BACKEND {

/// The compile-time policy. NOTES.md has the measurements (H200, "Winograd, fp32"): 512 threads or fewer unrolled
/// channels are not faster.
struct Winograd {
  static constexpr int threads = 256;
  static constexpr int maps = 64;   // of a block
  static constexpr int tiles = 32;  // of a block
  static constexpr int chunk = 8;   // channels at a time
  static constexpr int products = 16;
  static constexpr int kernel_floats = products * chunk * maps;  // of a chunk: [product][channel][map]
  static constexpr int input_floats = products * chunk * tiles;  // of a chunk: [product][channel][tile]
  static constexpr int stage_floats = kernel_floats + input_floats;
  static constexpr int sums_pitch = tiles + 4;  // 16-byte stores of 8 lanes hit all banks
  static constexpr int sums_floats = products * maps * sums_pitch;
  static constexpr int shared_bytes = 4 * (sums_floats > 2 * stage_floats ? sums_floats : 2 * stage_floats);
};

/// The division of a convolution into tiles of 2 x 2 outputs.
struct WinogradPlan {
  int tile_rows, tile_cols;  // of an image
  int n_tiles;               // of all images
  int n_map_blocks;
  int n_chunks;
  int out_height, out_width;  // before pooling
  bool stores_pairs;          // whether two adjacent outputs are stored as one vector

  constexpr std::int64_t kernel_floats() const {
    return std::int64_t{n_map_blocks} * n_chunks * Winograd::kernel_floats;
  }
};

/// Transforms all kernels to [block of maps][chunk][product][channel][map], zeros past the last map and channel.
template <class T>
__global__ void winograd_kernels(ConvArgs<T> args, WinogradPlan plan, float* to) {
  const std::int64_t i = blockIdx.x * std::int64_t{blockDim.x} + threadIdx.x;
  constexpr int pairs = Winograd::chunk * Winograd::maps;
  if (i >= plan.kernel_floats() / Winograd::products) return;
  const auto chunk = static_cast<int>(i / pairs % plan.n_chunks);
  const std::int64_t m = i / pairs / plan.n_chunks * Winograd::maps + i % Winograd::maps;
  const int c = chunk * Winograd::chunk + static_cast<int>(i % pairs) / Winograd::maps;
  float g[3][3] = {};
  if (m < args.shape.maps && c < args.shape.channels) {
    const T* from = args.kernels + (m * args.shape.channels + c) * 9;
#pragma unroll
    for (int k = 0; k < 9; ++k) g[k / 3][k % 3] = core::widen(from[k]);
  }
  float transformed[4][4];
  winograd_kernel(g, transformed);
  to += i / pairs * Winograd::kernel_floats + i % pairs;
#pragma unroll
  for (int k = 0; k < Winograd::products; ++k) to[k * pairs] = transformed[k / 4][k % 4];
}

/// The position of a tile.
struct WinogradTile {
  std::int64_t image;
  int row, col;  // the tile's first output

  __device__ WinogradTile(const WinogradPlan& plan, int index) {
    const int per_image = plan.tile_rows * plan.tile_cols;
    const int at = index % per_image;
    image = index / per_image;
    row = at / plan.tile_cols * 2;
    col = at % plan.tile_cols * 2;
  }
};

/// A thread's patch of 4 x 4 inputs, chunk after chunk: its position, and a mask of the elements inside the image.
template <class T>
class WinogradPatch {
 public:
  __device__ WinogradPatch(const ConvArgs<T>& args, const WinogradPlan& plan, int tile, int channel)
      : width_(static_cast<int>(args.shape.width)),
        left_(static_cast<int>(args.shape.channels) - channel),
        step_(Winograd::chunk * args.shape.height * args.shape.width) {
    const WinogradTile at(plan, min(tile, plan.n_tiles - 1));
    const int y = at.row - static_cast<int>(args.shape.pad_height);
    const int x = at.col - static_cast<int>(args.shape.pad_width);
    from_ = args.in + ((at.image * args.shape.channels + channel) * args.shape.height + y) * width_ + x;
#pragma unroll
    for (int k = 0; k < 16; ++k) {
      const int row = y + k / 4;
      const int col = x + k % 4;
      if (row >= 0 && row < args.shape.height && col >= 0 && col < width_) inside_ |= 1u << k;
    }
  }

  /// Loads the patch and advances to the next chunk.
  __device__ __forceinline__ void load(float (&patch)[4][4]) {
    const unsigned inside = left_ > 0 ? inside_ : 0;
    const T* row = from_;
#pragma unroll
    for (int k = 0; k < 16; ++k) {
      if (k > 0 && k % 4 == 0) row += width_;
      patch[k / 4][k % 4] = (inside >> k & 1) != 0 ? core::widen(row[k % 4]) : 0.f;
    }
    from_ += step_;
    left_ -= Winograd::chunk;
  }

 private:
  const T* from_;
  unsigned inside_ = 0;  // one bit per element
  int width_;
  int left_;  // channels from the current one on
  std::int64_t step_;
};

/// Starts to copy a chunk's kernels, which are stored in the order in which they are read. Both pointers point at the
/// thread's first element. Collective: all threads of the block.
__device__ __forceinline__ void stage_winograd_kernels(const float* from, float* to) {
  constexpr int step = 4 * Winograd::threads;
#pragma unroll
  for (int i = 0; i < Winograd::kernel_floats; i += step) ptx::copy_async<16>(to + i, from + i);
  ptx::copy_async_commit();
}

/// Transforms a thread's patch and stores it at `to`, the thread's element [channel][tile] of product 0.
__device__ __forceinline__ void stage_winograd_inputs(const float (&patch)[4][4], float* to) {
  float transformed[4][4];
  winograd_input(patch, transformed);
#pragma unroll
  for (int k = 0; k < Winograd::products; ++k) to[k * Winograd::chunk * Winograd::tiles] = transformed[k / 4][k % 4];
}

/// A thread's factors of one of its two products in one channel: 8 maps and 8 tiles, each as two groups of 4.
struct WinogradFactors {
  float kernels[8];
  float inputs[8];

  __device__ __forceinline__ void load(const float* kernel, const float* input) {
    load_eight<Winograd::maps / 2>(kernel, kernels);
    load_eight<Winograd::tiles / 2>(input, inputs);
  }
  template <int Apart>
  static __device__ __forceinline__ void load_eight(const float* from, float (&to)[8]) {
    const float4 first = *reinterpret_cast<const float4*>(from);
    const float4 second = *reinterpret_cast<const float4*>(from + Apart);
    to[0] = first.x, to[1] = first.y, to[2] = first.z, to[3] = first.w;
    to[4] = second.x, to[5] = second.y, to[6] = second.z, to[7] = second.w;
  }
};

/// Adds a thread's share of a chunk's products. The next factors are loaded before the current ones are multiplied, so
/// two warps per scheduler hide the latency.
__device__ __forceinline__ void add_winograd_chunk(const float* kernels, const float* inputs, float (&sums)[2][8][8]) {
  WinogradFactors factors[2];
  factors[0].load(kernels, inputs);
#pragma unroll
  for (int c = 0; c < Winograd::chunk; ++c) {
#pragma unroll
    for (int e = 0; e < 2; ++e) {
      const int next = e == 0 ? Winograd::chunk + c : c + 1;
      const bool is_last = e == 1 && c + 1 == Winograd::chunk;
      if (!is_last) factors[1 - e].load(kernels + next * Winograd::maps, inputs + next * Winograd::tiles);
#pragma unroll
      for (int m = 0; m < 8; ++m) {
#pragma unroll
        for (int t = 0; t < 8; ++t) sums[e][m][t] += factors[e].kernels[m] * factors[e].inputs[t];
      }
    }
  }
}

/// Applies pooling, bias and ReLU to a tile's 2 x 2 outputs and stores them.
template <class T>
__device__ __forceinline__ void store_winograd_tile(const ConvArgs<T>& args, const WinogradPlan& plan,
                                                    const WinogradTile& at, int map, const float (&outputs)[2][2]) {
  const float bias = bias_of(args, map);
  const bool has_row = at.row + 1 < plan.out_height;
  const bool has_col = at.col + 1 < plan.out_width;
  const std::int64_t plane = at.image * args.shape.maps + map;
  if (args.pool.size == 2) {
    const auto height = static_cast<int>(args.pool.out(plan.out_height));
    const auto width = static_cast<int>(args.pool.out(plan.out_width));
    if (at.row / 2 >= height || at.col / 2 >= width) return;
    float largest = outputs[0][0];
    if (has_col) largest = fmaxf(largest, outputs[0][1]);
    if (has_row) largest = fmaxf(largest, outputs[1][0]);
    if (has_row && has_col) largest = fmaxf(largest, outputs[1][1]);
    const T rounded = finished(args, largest, bias);
    args.out[(plane * height + at.row / 2) * width + at.col / 2] = rounded;
    return;
  }
  struct alignas(2 * sizeof(T)) Pair {
    T elements[2];
  };
  T* to = args.out + (plane * plan.out_height + at.row) * plan.out_width + at.col;
#pragma unroll
  for (int i = 0; i < 2; ++i, to += plan.out_width) {
    if (i == 1 && !has_row) return;
    const float line[2] = {activated(args, outputs[i][0], bias), activated(args, outputs[i][1], bias)};
    Pair pair;
    core::round_lanes<T>(line, pair.elements);
    if (plan.stores_pairs) {
      *reinterpret_cast<Pair*>(to) = pair;
    } else {
      to[0] = pair.elements[0];
      if (has_col) to[1] = pair.elements[1];
    }
  }
}

template <class T>
__global__ void __launch_bounds__(Winograd::threads, 1)
    conv_winograd(ConvArgs<T> args, WinogradPlan plan, const float* kernels) {
  float* shared = core::dynamic_shared<float>();
  const int warp = static_cast<int>(threadIdx.x) / 32;
  const int lane = static_cast<int>(threadIdx.x) % 32;
  const int map_block = static_cast<int>(blockIdx.x) % plan.n_map_blocks;
  const int tile = static_cast<int>(blockIdx.x) / plan.n_map_blocks * Winograd::tiles + lane;
  const int map = lane / 4 * 4;         // the first 4 of the thread's maps; the other 4 are at + 32
  const int first_tile = lane % 4 * 4;  // the first 4 of the thread's tiles; the other 4 are at + 16
  const int product = 2 * warp;

  kernels += std::int64_t{map_block} * plan.n_chunks * Winograd::kernel_floats + threadIdx.x * 4;
  WinogradPatch<T> next(args, plan, tile, warp);
  float patch[4][4];
  stage_winograd_kernels(kernels, shared + threadIdx.x * 4);
  next.load(patch);
  stage_winograd_inputs(patch, shared + Winograd::kernel_floats + threadIdx.x);

  float sums[2][8][8] = {};
  for (int chunk = 0; chunk < plan.n_chunks; ++chunk) {
    const float* now = shared + chunk % 2 * Winograd::stage_floats;
    float* later = shared + (1 - chunk % 2) * Winograd::stage_floats;
    ptx::copy_async_wait<0>();
    __syncthreads();  // this chunk is complete, and all threads have read the previous one
    const bool has_next = chunk + 1 < plan.n_chunks;
    if (has_next) {
      kernels += Winograd::kernel_floats;
      stage_winograd_kernels(kernels, later + threadIdx.x * 4);
      next.load(patch);
    }
    add_winograd_chunk(now + product * Winograd::chunk * Winograd::maps + map,
                       now + Winograd::kernel_floats + product * Winograd::chunk * Winograd::tiles + first_tile, sums);
    if (has_next) stage_winograd_inputs(patch, later + Winograd::kernel_floats + threadIdx.x);
  }

  __syncthreads();  // all threads have read the last chunk before sums overwrite it
#pragma unroll
  for (int e = 0; e < 2; ++e) {
#pragma unroll
    for (int m = 0; m < 8; ++m) {
      float* to =
          shared + ((product + e) * Winograd::maps + map + m / 4 * 32 + m % 4) * Winograd::sums_pitch + first_tile;
      *reinterpret_cast<float4*>(to) = {sums[e][m][0], sums[e][m][1], sums[e][m][2], sums[e][m][3]};
      *reinterpret_cast<float4*>(to + 16) = {sums[e][m][4], sums[e][m][5], sums[e][m][6], sums[e][m][7]};
    }
  }
  __syncthreads();  // all sums are written
  if (tile >= plan.n_tiles) return;
  const WinogradTile at(plan, tile);
#pragma unroll 2
  for (int m = warp; m < Winograd::maps; m += Winograd::threads / 32) {
    const int of_all = map_block * Winograd::maps + m;
    if (of_all >= args.shape.maps) return;
    float transformed[4][4];
#pragma unroll
    for (int k = 0; k < Winograd::products; ++k)
      transformed[k / 4][k % 4] = shared[(k * Winograd::maps + m) * Winograd::sums_pitch + lane];
    float outputs[2][2];
    winograd_output(transformed, outputs);
    store_winograd_tile(args, plan, at, of_all, outputs);
  }
}

/// Whether Winograd's kernel supports the convolution and its pooling.
template <class T>
bool can_winograd(const ConvArgs<T>& args) {
  const ConvShape& shape = args.shape;
  const bool pools = args.pool.size == 2 && args.pool.stride == 2;
  const std::int64_t tiles = shape.batch * ceil_div(shape.out_height(), 2) * ceil_div(shape.out_width(), 2);
  return args.winograd && args.precision == ConvPrecision::fp32 && shape.kernel_height == 3 &&
         shape.kernel_width == 3 && (pools || args.pool.is_none()) && tiles < 0x7fffff00;
}

/// Throws Error (unsupported) unless this is a plain convolution that Winograd's kernel supports.
template <class T>
void require_winograd(const ConvArgs<T>& args) {
  require_plain(args, ConvPrecision::fp32);
  if (!can_winograd(args)) throw Error(ErrorCode::unsupported, "Winograd's F(2x2,3x3) needs 3 x 3 kernels");
}

template <class T>
WinogradPlan winograd_plan(const ConvArgs<T>& args) {
  const ConvShape& shape = args.shape;
  WinogradPlan plan{};
  plan.out_height = static_cast<int>(shape.out_height());
  plan.out_width = static_cast<int>(shape.out_width());
  plan.tile_rows = (plan.out_height + 1) / 2;
  plan.tile_cols = (plan.out_width + 1) / 2;
  plan.n_tiles = static_cast<int>(shape.batch) * plan.tile_rows * plan.tile_cols;
  plan.n_map_blocks = static_cast<int>(ceil_div(shape.maps, Winograd::maps));
  plan.n_chunks = static_cast<int>(ceil_div(shape.channels, Winograd::chunk));
  plan.stores_pairs = plan.out_width % 2 == 0 && reinterpret_cast<std::uintptr_t>(args.out) % (2 * sizeof(T)) == 0;
  return plan;
}

/// Runs a convolution that can_winograd() accepts. Takes scratch memory for the transformed kernels.
template <class T>
void run_winograd(const Stream& stream, const ConvArgs<T>& args) {
  if (args.out_elements() == 0) return;
  const WinogradPlan plan = winograd_plan(args);
  auto* kernels = reinterpret_cast<float*>(core::scratch(stream, 4 * plan.kernel_floats()));
  constexpr int threads = 128;
  core::launch(winograd_kernels<T>, ceil_div(plan.kernel_floats() / Winograd::products, threads), threads, 0, stream,
               args, plan, kernels);
  core::allow_shared(conv_winograd<T>, Winograd::shared_bytes);
  core::launch(conv_winograd<T>, ceil_div(plan.n_tiles, Winograd::tiles) * plan.n_map_blocks, Winograd::threads,
               Winograd::shared_bytes, stream, args, plan, kernels);
}

}  // namespace rafter::conv_ladder::RAFTER_BACKEND
