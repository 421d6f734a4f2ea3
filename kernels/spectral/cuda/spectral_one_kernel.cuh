// Any configuration in one kernel, from the tensors in PyTorch's layout: one block per window, with its activations in
// shared memory; weights are read through the caches, and the basis is normalised while it is read. A barrier separates
// each step's writes of shared memory from the next step's reads, and the last reads of an array from its reuse.
#pragma once

#include "library/core/cuda/dynamic_shared.cuh"
#include "library/core/cuda/stage_ticks.cuh"
#include "spectral/cuda/spectral_layers.cuh"
#include "spectral/spectral_model.hpp"

namespace rafter::spectral_ladder::RAFTER_BACKEND {

struct OneKernel {
  static constexpr int threads = 256;
  static constexpr int warps = threads / 32;
  enum Stage { encoder_norm, encoder, basis, latent_norm, latent, rebuild, decoder };
  static core::StageCounters begin(const core::Stages& stages) {
    return stages.begin_fused({"encoder norm", "encoder", "basis", "latent norm", "latent", "rebuild", "decoder"});
  }
};

struct OneKernelArgs {
  const float* x;
  SpectralShape shape;
  SpectralTensors tensors;
  float* y;
  float* scores;
  core::StageCounters counters;
};

/// The block's arrays in dynamic shared memory.
struct WindowArrays {
  float* spectra;  // [frames][mels]
  float* slices;   // [frames][slice], later the rebuilt slices
  float* z;        // [latent]
  float* normed;   // [latent]
  float* inverse;  // [latent], 1 / the lengths of the basis vectors

  __host__ __device__ static std::int64_t floats(const SpectralShape& shape) {
    return shape.window() + shape.features() + 3 * shape.latent;
  }
  __device__ WindowArrays(float* memory, const SpectralShape& shape)
      : spectra(memory),
        slices(spectra + shape.window()),
        z(slices + shape.features()),
        normed(z + shape.latent),
        inverse(normed + shape.latent) {}
};

/// Applies LayerNorm to `n` numbers; `to` may be `from`. Collective: all lanes of a warp.
__device__ inline void normalise(const float* from, std::int64_t n, const float* scale, const float* shift, float* to) {
  const int lane = static_cast<int>(threadIdx.x) % 32;
  const auto [mean, factor] = moments_of<float>(from, n);
  for (std::int64_t i = lane; i < n; i += 32) to[i] = (from[i] - mean) * factor * scale[i] + shift[i];
}

/// Returns the product of a row of weights and `n` numbers, in every lane. Collective: all lanes of a warp.
__device__ inline float product_of_row(const float* row, const float* numbers, std::int64_t n) {
  float sum = 0;
  for (std::int64_t i = threadIdx.x % 32; i < n; i += 32) sum += __ldg(row + i) * numbers[i];
  return sum_of_lanes(sum);
}

static __global__ void __launch_bounds__(OneKernel::threads)
    run_one_kernel(const __grid_constant__ OneKernelArgs args) {
  const auto [mels, frames, latent, slice] = args.shape;
  const SpectralTensors& w = args.tensors;
  const std::int64_t n_features = args.shape.features(), n_window = args.shape.window();
  const WindowArrays arrays(core::dynamic_shared<float>(), args.shape);
  const int warp = static_cast<int>(threadIdx.x) / 32, lane = static_cast<int>(threadIdx.x) % 32;
  const float* x = args.x + blockIdx.x * n_window;
  core::StageTicks ticks(args.counters);

  ticks.begin(OneKernel::encoder_norm);
  for (std::int64_t f = warp; f < frames; f += OneKernel::warps)
    normalise(x + f * mels, mels, w.encoder_norm_weight, w.encoder_norm_bias, arrays.spectra + f * mels);
  __syncthreads();  // all spectra are complete
  ticks.begin(OneKernel::encoder);
  for (std::int64_t i = warp; i < n_features; i += OneKernel::warps) {
    const std::int64_t f = i / slice, s = i % slice;
    const float sum = product_of_row(w.encoder_weight + s * mels, arrays.spectra + f * mels, mels);
    if (lane == 0) arrays.slices[i] = gelu(sum + w.encoder_bias[s]);
  }
  __syncthreads();  // all slices are complete
  ticks.begin(OneKernel::basis);
  for (std::int64_t l = warp; l < latent; l += OneKernel::warps) {
    const float* row = w.basis + l * n_features;
    float squares = 0;
    for (std::int64_t i = lane; i < n_features; i += 32) squares += row[i] * row[i];
    const float root = sqrtf(sum_of_lanes(squares));
    const float inverse = 1 / (root < length_epsilon ? length_epsilon : root);
    const float sum = product_of_row(row, arrays.slices, n_features);
    if (lane == 0) {
      arrays.inverse[l] = inverse;
      arrays.z[l] = sum * inverse;
    }
  }
  __syncthreads();  // z is complete
  ticks.begin(OneKernel::latent_norm);
  if (warp == 0) normalise(arrays.z, latent, w.latent_norm_weight, w.latent_norm_bias, arrays.normed);
  __syncthreads();  // the normalised z is complete
  ticks.begin(OneKernel::latent);
  for (std::int64_t l = warp; l < latent; l += OneKernel::warps) {
    const float sum = product_of_row(w.latent_weight + l * latent, arrays.normed, latent);
    if (lane == 0) arrays.z[l] = gelu(sum + w.latent_bias[l]) * arrays.inverse[l];
  }
  __syncthreads();  // the latent layer is complete
  ticks.begin(OneKernel::rebuild);
  for (std::int64_t i = threadIdx.x; i < n_features; i += OneKernel::threads) {
    float sum = 0;
    for (std::int64_t l = 0; l < latent; ++l) sum += arrays.z[l] * __ldg(w.basis + l * n_features + i);
    arrays.slices[i] = sum;
  }
  __syncthreads();  // all slices are rebuilt
  ticks.begin(OneKernel::decoder);
  float errors = 0;
  for (std::int64_t i = warp; i < n_window; i += OneKernel::warps) {
    const std::int64_t f = i / mels, m = i % mels;
    const float value =
        product_of_row(w.decoder_weight + m * slice, arrays.slices + f * slice, slice) + w.decoder_bias[m];
    if (lane == 0 && args.y != nullptr) args.y[blockIdx.x * n_window + i] = value;
    errors += (value - x[i]) * (value - x[i]);
  }
  ticks.end();
  if (args.scores == nullptr) return;
  if (lane == 0) arrays.spectra[warp] = errors;
  __syncthreads();  // all warps' errors are complete
  if (threadIdx.x != 0) return;
  float sum = 0;
  for (int i = 0; i < OneKernel::warps; ++i) sum += arrays.spectra[i];
  args.scores[blockIdx.x] = sum / static_cast<float>(n_window);
}

inline void launch_one_kernel(const Stream& stream, const SpectralArgs& args) {
  const SpectralShape& shape = args.model->shape();
  const std::int64_t floats = std::max<std::int64_t>(WindowArrays::floats(shape), OneKernel::warps);
  const std::int64_t bytes = floats * std::int64_t{sizeof(float)};
  core::allow_shared(run_one_kernel, bytes);
  core::launch(run_one_kernel, args.batch, OneKernel::threads, bytes, stream,
               {args.x, shape, args.tensors, args.y, args.scores, OneKernel::begin(args.stages)});
}

}  // namespace rafter::spectral_ladder::RAFTER_BACKEND
