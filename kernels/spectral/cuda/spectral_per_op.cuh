// One kernel per operation, as PyTorch runs the module: LayerNorm, products in tiles of 16 x 16, bias with the product,
// GELU, and the basis normalised in every call. In float64 it computes the answers that all rungs are compared with.
#pragma once

#include "library/core/cuda/tile_product.cuh"
#include "spectral/cuda/spectral_layers.cuh"

namespace rafter::spectral_ladder::RAFTER_BACKEND {

inline constexpr int per_op_threads = 256;

/// Computes out = (in - mean) / sqrt(variance + epsilon) * scale + shift, one warp per row.
template <class In, class T>
__global__ void layer_norm(const In* in, std::int64_t rows, std::int64_t columns, const float* scale,
                           const float* shift, T* out) {
  const std::int64_t row = (std::int64_t{blockIdx.x} * per_op_threads + threadIdx.x) / 32;
  if (row >= rows) return;
  in += row * columns;
  out += row * columns;
  const int lane = static_cast<int>(threadIdx.x) % 32;
  const auto [mean, factor] = moments_of<T>(in, columns);
  for (std::int64_t c = lane; c < columns; c += 32)
    out[c] = (static_cast<T>(in[c]) - mean) * factor * static_cast<T>(scale[c]) + static_cast<T>(shift[c]);
}

/// Divides each row by its length, one warp per row.
template <class T>
__global__ void to_length_1(const float* in, std::int64_t rows, std::int64_t columns, T* out) {
  const std::int64_t row = (std::int64_t{blockIdx.x} * per_op_threads + threadIdx.x) / 32;
  if (row >= rows) return;
  in += row * columns;
  out += row * columns;
  const int lane = static_cast<int>(threadIdx.x) % 32;
  T squares = 0;
  for (std::int64_t c = lane; c < columns; c += 32) squares += static_cast<T>(in[c]) * static_cast<T>(in[c]);
  const T root = sqrt(sum_of_lanes(squares)), least = static_cast<T>(length_epsilon);
  const T length = root < least ? least : root;  // NaN stays
  for (std::int64_t c = lane; c < columns; c += 32) out[c] = static_cast<T>(in[c]) / length;
}

template <class T>
__global__ void gelu_all(T* values, std::int64_t n) {
  const std::int64_t i = std::int64_t{blockIdx.x} * per_op_threads + threadIdx.x;
  if (i >= n) return;
  const T x = values[i];
  values[i] = x / 2 * (1 + erf(x * static_cast<T>(0.70710678118654752440)));
}

/// Computes the mean squared errors, one warp per window.
template <class T>
__global__ void mean_squared_errors(const float* x, const T* y, std::int64_t batch, std::int64_t window, T* scores) {
  const std::int64_t row = (std::int64_t{blockIdx.x} * per_op_threads + threadIdx.x) / 32;
  if (row >= batch) return;
  const int lane = static_cast<int>(threadIdx.x) % 32;
  T sum = 0;
  for (std::int64_t c = lane; c < window; c += 32) {
    const T error = y[row * window + c] - static_cast<T>(x[row * window + c]);
    sum += error * error;
  }
  sum = sum_of_lanes(sum);
  if (lane == 0) scores[row] = sum / static_cast<T>(window);
}

/// Returns the number of elements of T between the kernels.
inline std::int64_t per_op_work(const SpectralShape& shape, std::int64_t batch) {
  return batch * (shape.window() + 2 * shape.features() + 2 * shape.latent) + shape.latent * shape.features();
}

struct PerOpProblem {
  const float* x;
  std::int64_t batch;
  SpectralShape shape;
  SpectralTensors tensors;
  core::Stages stages{};
};

/// Computes y, and scores unless null; `work` has per_op_work() elements.
template <class T>
void run_per_op(const Stream& stream, const PerOpProblem& problem, T* work, T* y, T* scores) {
  const auto& [x, batch, shape, w, stages] = problem;
  const auto take = [&](std::int64_t n) { return std::exchange(work, work + n); };
  const auto rows_of_warps = [](std::int64_t rows) { return ceil_div(rows * 32, per_op_threads); };
  const auto activate = [&](T* values, std::int64_t n) {
    core::launch(gelu_all<T>, ceil_div(n, per_op_threads), per_op_threads, 0, stream, values, n);
  };
  const std::int64_t n_spectra = batch * shape.frames, n_features = shape.features();
  T* normed = take(batch * shape.window());
  T* slices = take(batch * n_features);
  T* basis = take(shape.latent * n_features);
  T* z = take(batch * shape.latent);
  T* normed_z = take(batch * shape.latent);
  T* rebuilt = take(batch * n_features);

  stages.begin("encoder norm");
  core::launch(layer_norm<float, T>, rows_of_warps(n_spectra), per_op_threads, 0, stream, x, n_spectra, shape.mels,
               w.encoder_norm_weight, w.encoder_norm_bias, normed);
  stages.begin("encoder");
  core::launch_product<core::Right::transposed>(stream, normed, w.encoder_weight, w.encoder_bias, n_spectra,
                                                shape.slice, shape.mels, slices);
  stages.begin("encoder gelu");
  activate(slices, batch * n_features);
  stages.begin("basis norm");
  core::launch(to_length_1<T>, rows_of_warps(shape.latent), per_op_threads, 0, stream, w.basis, shape.latent,
               n_features, basis);
  stages.begin("basis");
  core::launch_product<core::Right::transposed>(stream, slices, basis, nullptr, batch, shape.latent, n_features, z);
  stages.begin("latent norm");
  core::launch(layer_norm<T, T>, rows_of_warps(batch), per_op_threads, 0, stream, z, batch, shape.latent,
               w.latent_norm_weight, w.latent_norm_bias, normed_z);
  stages.begin("latent");
  core::launch_product<core::Right::transposed>(stream, normed_z, w.latent_weight, w.latent_bias, batch, shape.latent,
                                                shape.latent, z);
  stages.begin("latent gelu");
  activate(z, batch * shape.latent);
  stages.begin("rebuild");
  core::launch_product<core::Right::plain>(stream, z, basis, nullptr, batch, n_features, shape.latent, rebuilt);
  stages.begin("decoder");
  core::launch_product<core::Right::transposed>(stream, rebuilt, w.decoder_weight, w.decoder_bias, n_spectra,
                                                shape.mels, shape.slice, y);
  if (scores == nullptr) return;
  stages.begin("scores");
  core::launch(mean_squared_errors<T>, rows_of_warps(batch), per_op_threads, 0, stream, x, y, batch, shape.window(),
               scores);
}

}  // namespace rafter::spectral_ladder::RAFTER_BACKEND
