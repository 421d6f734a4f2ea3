// The original configuration in one kernel. Weights are in registers from the first instruction on, and a window's
// numbers leave them only where another warp needs them.
//
// A block has 8 windows at a time, the columns of every mma.m16n8k8; matrices of weights are its rows. Warp 2 f + h:
//
//            its numbers                      from                       to
//   slices   frame f, slices 32 h .. + 31     the spectra, LayerNorm     its own columns, through 1 KB of its own
//   z        all latents, of its 32 slices    those                      `parts`: summed by the warp of each window
//   latent   one window, all latents          `parts`                    `latents`
//   y        outputs 32 (2 f + h) .. + 31     `latents`                  memory, or squared errors
//
// Two barriers of the block for 8 windows: when all parts are there, and all latents. In float32, a product is three
// of tf32: each factor is the sum of its upper 11 bits and a rest, and rest times rest is left out (2^-22 of a
// product).
//
// Inputs of a product may come in any order if the weights' come in the same. So a lane keeps what it has loaded: the
// four lanes of a column hold n / 4 numbers in a row each, and lane t's next two are slots t and t + 4 of a step
// (FragmentLayout).
#pragma once

#include "core/dynamic_shared.cuh"
#include "core/tiles.cuh"
#include "ptx/matrix.cuh"
#include "spectral/cuda/spectral_layers.cuh"
#include "spectral/spectral_pack.hpp"

namespace rafter::spectral_ladder::RAFTER_BACKEND {

struct Fused {
  using Layout = FragmentLayout;
  static constexpr int windows = 8;  // of a block at a time
  static constexpr int n_warps = Layout::n_warps;
  static constexpr int threads = 32 * n_warps;
  static constexpr int window = Layout::frames * Layout::mels;
  static constexpr int row = Layout::latent + 4;  // of 32 numbers in shared memory, so that columns lie in all banks
};

struct FusedArgs {
  const float* x;  // [batch][window]
  const float* weights;
  std::int64_t batch;
  float* y;         // or null
  float* scores;    // or null
  bool is_aligned;  // x, to 16 bytes
};

/// What a block's warps give each other.
struct FusedShared {
  float columns[Fused::n_warps][Fused::windows][Fused::row];  // a warp's own: slices of a window side by side
  float parts[Fused::n_warps][Fused::windows][Fused::row];    // of z
  float latents[Fused::windows][Fused::row];
  float normed[Fused::windows][Fused::row];                                // a warp's own
  float latent_layer[Fused::Layout::size - Fused::Layout::latent_weight];  // and all biases, as they are packed
  float errors[Fused::n_warps][Fused::windows];
};

/// A factor as tensor cores take it: rounded, or in two parts.
template <bool Exact>
struct Factor {
  unsigned upper;
  unsigned rest;
  __device__ explicit Factor(float value) {
    if constexpr (Exact) {
      upper = __float_as_uint(value) & 0xffffe000U;
      rest = __float_as_uint(value - __uint_as_float(upper));
    } else {
      upper = ptx::to_tf32(value);
      rest = 0;
    }
  }
};

/// sums += 16 rows of weights times two slots of a column.
template <bool Exact>
__device__ __forceinline__ void add_product(float (&sums)[4], const float4& weights, float first, float second) {
  const Factor<Exact> w[4]{Factor<Exact>(weights.x), Factor<Exact>(weights.y), Factor<Exact>(weights.z),
                           Factor<Exact>(weights.w)};
  const Factor<Exact> b[2]{Factor<Exact>(first), Factor<Exact>(second)};
  const unsigned upper[4]{w[0].upper, w[1].upper, w[2].upper, w[3].upper};
  const unsigned columns[2]{b[0].upper, b[1].upper};
  if constexpr (Exact) {
    const unsigned rest[4]{w[0].rest, w[1].rest, w[2].rest, w[3].rest};
    const unsigned column_rests[2]{b[0].rest, b[1].rest};
    ptx::mma_m16n8k8_tf32(sums, rest, columns);
    ptx::mma_m16n8k8_tf32(sums, upper, column_rests);
  }
  ptx::mma_m16n8k8_tf32(sums, upper, columns);
}

/// This lane's part of two tiles of 16 rows, for as many steps.
template <int Steps>
struct Fragments {
  float4 of[2][Steps];

  __device__ void load(const float* from) {
#pragma unroll
    for (int i = 0; i < 2 * Steps; ++i)
      of[i / Steps][i % Steps] =
          __ldg(reinterpret_cast<const float4*>(from + i * FragmentLayout::fragment) + threadIdx.x % 32);
  }

  /// sums[tile] = these times columns, of which this lane holds 2 Steps numbers.
  template <bool Exact>
  __device__ void multiply(const float (&column)[2 * Steps], float (&sums)[2][4]) const {
#pragma unroll
    for (int tile = 0; tile < 2; ++tile) {
#pragma unroll
      for (int i = 0; i < 4; ++i) sums[tile][i] = 0;
    }
#pragma unroll
    for (int step = 0; step < Steps; ++step) {
#pragma unroll
      for (int tile = 0; tile < 2; ++tile)
        add_product<Exact>(sums[tile], of[tile][step], column[2 * step], column[2 * step + 1]);
    }
  }
};

/// One warp of the kernel, and what its lane holds for the whole launch.
template <bool Exact>
class FusedWarp {
  using Layout = FragmentLayout;

 public:
  __device__ FusedWarp(const FusedArgs& args, FusedShared& shared)
      : args_(args),
        shared_(shared),
        warp_(static_cast<int>(threadIdx.x) / 32),
        lane_(static_cast<int>(threadIdx.x) % 32) {
    encoder_.load(args.weights + Layout::encoder + warp_ % 2 * 2 * Layout::encoder_steps * Layout::fragment);
    basis_.load(args.weights + Layout::basis + warp_ * 2 * Layout::latent_steps * Layout::fragment);
    decoder_.load(args.weights + Layout::decoder + warp_ * 2 * Layout::latent_steps * Layout::fragment);
  }

  /// The window of this lane's column, from its first mel of frame f on: 16 numbers, zeros past the last window.
  __device__ void load(std::int64_t first, float (&spectrum)[16]) const {
    const bool is_there = first + g() < args_.batch;
    const float* from = args_.x + (first + g()) * Fused::window + warp_ / 2 * Layout::mels + t() * 16;
#pragma unroll
    for (int i = 0; i < 4; ++i) {
      float4 four{};
      if (is_there && args_.is_aligned) four = __ldg(reinterpret_cast<const float4*>(from) + i);
      if (is_there && !args_.is_aligned) four = {from[4 * i], from[4 * i + 1], from[4 * i + 2], from[4 * i + 3]};
      spectrum[4 * i] = four.x;
      spectrum[4 * i + 1] = four.y;
      spectrum[4 * i + 2] = four.z;
      spectrum[4 * i + 3] = four.w;
    }
  }

  /// From spectra to this warp's part of z.
  __device__ void encode(float (&spectrum)[16]) const {
    normalise(spectrum);
    float sums[2][4];
    encoder_.template multiply<Exact>(spectrum, sums);
#pragma unroll
    for (int i = 0; i < 8; ++i)
      sums[i / 4][i % 4] = gelu(sums[i / 4][i % 4] + bias(Layout::encoder_bias, warp_ % 2, i));
    float column[8];
    exchange(sums, column);
    basis_.template multiply<Exact>(column, sums);
    put(shared_.parts[warp_], sums);
  }

  /// The latent layer of window `warp`, a latent a lane.
  __device__ void run_latent() const {
    if (warp_ >= Fused::windows) return;
    float z = 0;
#pragma unroll
    for (int part = 0; part < Fused::n_warps; ++part) z += shared_.parts[part][warp_][lane_];
    const float mean = sum_of_lanes(z) * (1.F / Layout::latent);
    const float centred = z - mean;
    const float variance = sum_of_lanes(centred * centred) * (1.F / Layout::latent);
    float* normed = shared_.normed[warp_];
    normed[lane_] = centred * rsqrtf(variance + norm_epsilon);
    __syncwarp();  // all of the window are there
    float sums[4]{shared_.latent_layer[Layout::latent_bias - Layout::latent_weight + lane_], 0, 0, 0};
#pragma unroll
    for (int in = 0; in < Layout::latent; ++in)
      sums[in % 4] += normed[in] * shared_.latent_layer[in * Layout::latent + lane_];
    shared_.latents[warp_][lane_] = gelu((sums[0] + sums[1]) + (sums[2] + sums[3]));
    __syncwarp();  // all have read it before it is written again
  }

  /// This warp's outputs, to memory and to `errors`.
  __device__ void decode(std::int64_t first) const {
    float column[8];
    take(shared_.latents, column);
    float sums[2][4];
    decoder_.template multiply<Exact>(column, sums);
    float errors[2]{};
#pragma unroll
    for (int i = 0; i < 8; ++i) {
      const std::int64_t window = first + 2 * t() + i % 2;
      if (window >= args_.batch) continue;
      const float value = sums[i / 4][i % 4] + bias(Layout::decoder_bias, warp_, i);
      const std::int64_t at = window * Fused::window + warp_ * 32 + i / 2 * 8 + g();
      if (args_.y != nullptr) args_.y[at] = value;
      if (args_.scores != nullptr) {
        const float error = value - __ldg(args_.x + at);
        errors[i % 2] += error * error;
      }
    }
    if (args_.scores == nullptr) return;
#pragma unroll
    for (int i = 0; i < 2; ++i) {
      const float sum = sum_of_lanes<4>(errors[i]);
      if (g() == 0) shared_.errors[warp_][2 * t() + i] = sum;
    }
  }

  /// One thread a window, once all errors are there.
  __device__ void put_score(std::int64_t first) const {
    const int window = static_cast<int>(threadIdx.x);
    if (window >= Fused::windows || first + window >= args_.batch) return;
    float sum = 0;
    for (const auto& of_warp : shared_.errors) sum += of_warp[window];
    args_.scores[first + window] = sum * (1.F / Fused::window);
  }

 private:
  __device__ int g() const { return lane_ / 4; }
  __device__ int t() const { return lane_ % 4; }

  /// Of sum `i` of 32 rows in two tiles, the `group`-th 32 of a layer.
  __device__ float bias(int layer, int group, int i) const {
    return shared_.latent_layer[layer - Layout::latent_weight + group * 32 + i / 2 * 8 + g()];
  }

  /// LayerNorm over the 64 mels that four lanes hold.
  __device__ static void normalise(float (&spectrum)[16]) {
    const auto sum_of_column = [](float value) { return sum_of_lanes<1, 4>(value) * (1.F / Layout::mels); };
    float sum = 0;
#pragma unroll
    for (const float value : spectrum) sum += value;
    const float mean = sum_of_column(sum);
    float squares = 0;
#pragma unroll
    for (float& value : spectrum) {
      value -= mean;
      squares += value * value;
    }
    const float scale = rsqrtf(sum_of_column(squares) + norm_epsilon);
#pragma unroll
    for (float& value : spectrum) value *= scale;
  }

  /// Two tiles of sums as rows of windows.
  __device__ void put(float (&to)[Fused::windows][Fused::row], const float (&sums)[2][4]) const {
#pragma unroll
    for (int i = 0; i < 8; ++i) to[2 * t() + i % 2][g() + i / 2 * 8] = sums[i / 4][i % 4];
  }

  /// What this lane holds of its window's 32 numbers: 8 in a row.
  __device__ void take(const float (&from)[Fused::windows][Fused::row], float (&column)[8]) const {
    const auto* row = reinterpret_cast<const float4*>(from[g()] + t() * 8);
#pragma unroll
    for (int i = 0; i < 2; ++i) {
      const float4 four = row[i];
      column[4 * i] = four.x;
      column[4 * i + 1] = four.y;
      column[4 * i + 2] = four.z;
      column[4 * i + 3] = four.w;
    }
  }

  /// From rows of a product's results to columns of the next one's inputs, within the warp.
  __device__ void exchange(const float (&sums)[2][4], float (&column)[8]) const {
    __syncwarp();  // what was there has been read
    put(shared_.columns[warp_], sums);
    __syncwarp();  // all are there
    take(shared_.columns[warp_], column);
  }

  const FusedArgs& args_;
  FusedShared& shared_;
  int warp_;
  int lane_;
  Fragments<Layout::encoder_steps> encoder_;
  Fragments<Layout::latent_steps> basis_;
  Fragments<Layout::latent_steps> decoder_;
};

/// Blocks stay; each has every gridDim.x-th group of 8 windows, and loads the next one's spectra early.
template <bool Exact>
__global__ void __launch_bounds__(Fused::threads, 1) run_fused(const __grid_constant__ FusedArgs args) {
  __shared__ __align__(16) FusedShared shared;
  const FusedWarp<Exact> warp(args, shared);
  for (int i = static_cast<int>(threadIdx.x); i < FragmentLayout::size - FragmentLayout::latent_weight;
       i += Fused::threads)
    shared.latent_layer[i] = __ldg(args.weights + FragmentLayout::latent_weight + i);
  const std::int64_t step = std::int64_t{gridDim.x} * Fused::windows;
  float spectrum[16];
  std::int64_t first = std::int64_t{blockIdx.x} * Fused::windows;
  warp.load(first, spectrum);
  __syncthreads();  // the latent layer and the biases are there
  for (; first < args.batch; first += step) {
    warp.encode(spectrum);
    warp.load(first + step, spectrum);
    __syncthreads();  // the parts of z are there
    warp.run_latent();
    __syncthreads();  // all latents are there
    warp.decode(first);
    if (args.scores == nullptr) continue;
    __syncthreads();  // the errors are there
    warp.put_score(first);
  }
}

/// Enqueues it for a batch.
inline void launch_fused(const Stream& stream, const SpectralArgs& args) {
  const SpectralModel& model = *args.model;
  const FusedArgs fused{args.x, model.packed_floats(), args.batch,
                        args.y, args.scores,           reinterpret_cast<std::uintptr_t>(args.x) % 16 == 0};
  const auto launch = [&](auto kernel) {
    const std::int64_t groups = ceil_div(args.batch, Fused::windows);
    const std::int64_t blocks = std::min(groups, core::resident_blocks(kernel, Fused::threads, 0));
    core::launch(kernel, blocks, Fused::threads, 0, stream, fused);
  };
  if (model.precision() == SpectralPrecision::fp32) return launch(run_fused<true>);
  launch(run_fused<false>);
}

}  // namespace rafter::spectral_ladder::RAFTER_BACKEND
