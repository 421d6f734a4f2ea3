// Any configuration on tensor cores: one kernel per LayerNorm and per product, with memory in between.
//
//   kernel         input                                    output
//   normalise      x [batch frames][mels]                   operand
//   product, GELU  encoder                                  operand [batch][features]
//   product        basis, split-K: ranges of inputs         one part of z per range
//   normalise      the sum of the parts [batch][latent]     operand
//   product, GELU  latent                                   operand
//   product        decoder (basis and decoder folded)       y
//
// Ranges, tiles of inputs and orders of sums depend on the configuration only: the result of a window does not depend
// on its batch.
#pragma once

#include "library/core/cuda/policy.cuh"
#include "library/core/stream/scratch.hpp"
#include "spectral/cuda/spectral_products.cuh"
#include "spectral/spectral_tunables.hpp"

namespace rafter::spectral_ladder::RAFTER_BACKEND {

inline constexpr int norm_threads = 256;

/// Row `row` of the sum of `n_parts` matrices [rows][columns].
struct SummedRow {
  const float* at;
  std::int64_t part;  // elements from part to part
  int n_parts;

  __device__ float operator[](std::int64_t column) const {
    float sum = at[column];
    for (int i = 1; i < n_parts; ++i) sum += at[i * part + column];
    return sum;
  }
};

/// Applies LayerNorm without scale and shift to each row, one warp per row.
template <class T>
__global__ void __launch_bounds__(norm_threads)
    normalise_rows(const float* from, std::int64_t rows, std::int64_t columns, int n_parts, OperandView to) {
  const std::int64_t row = std::int64_t{blockIdx.x} * (norm_threads / 32) + threadIdx.x / 32;
  if (row >= rows) return;
  const SummedRow values{from + row * columns, rows * columns, n_parts};
  const int lane = static_cast<int>(threadIdx.x) % 32;
  const auto [mean, scale] = moments_of<float>(values, columns);
  auto* out = operand_row<T>(to, row);
  const std::int64_t rest = to.layout.n_planes == 2 ? to.layout.plane() : 0;
  for (std::int64_t c = lane; c < columns; c += 32) put_operand(out + c, rest, (values[c] - mean) * scale);
}

/// Computes the mean squared error of each window, one warp per window.
static __global__ void __launch_bounds__(norm_threads)
    score_windows(const float* x, const float* y, std::int64_t batch, std::int64_t window, float* scores) {
  const std::int64_t row = std::int64_t{blockIdx.x} * (norm_threads / 32) + threadIdx.x / 32;
  if (row >= batch) return;
  const int lane = static_cast<int>(threadIdx.x) % 32;
  float sum = 0;
  for (std::int64_t c = lane; c < window; c += 32) {
    const float error = y[row * window + c] - x[row * window + c];
    sum += error * error;
  }
  sum = sum_of_lanes(sum);
  if (lane == 0) scores[row] = sum / static_cast<float>(window);
}

inline std::int64_t blocks_of_rows(std::int64_t rows) { return ceil_div(rows, norm_threads / 32); }

/// The arrays between the kernels, in scratch, for n windows.
struct PassesScratch {
  OperandView spectra, slices, normed, latents;
  float* parts;
  float* y;  // where the caller does not want y
  std::int64_t bytes;

  PassesScratch(std::byte* memory, const SpectralShape& shape, SpectralPrecision precision, int n_ranges,
                std::int64_t n)
      : bytes(0) {
    const auto take = [&](std::int64_t size) {
      std::byte* at = memory + bytes;
      bytes += ceil_div(size, 256) * 256;
      return at;
    };
    const auto operand = [&](std::int64_t rows, std::int64_t columns) {
      const OperandLayout layout = operand_of(precision, rows, columns);
      return OperandView{take(layout.bytes()), layout};
    };
    const auto floats = [&](std::int64_t count) {
      return reinterpret_cast<float*>(take(count * static_cast<std::int64_t>(sizeof(float))));
    };
    spectra = operand(n * shape.frames, shape.mels);
    slices = operand(n, shape.features());
    normed = operand(n, shape.latent);
    latents = operand(n, shape.latent);
    parts = floats(n_ranges * n * shape.latent);
    y = floats(n * shape.window());
  }
};

/// Returns the number of windows per pass: as many as the scratch holds. Where it may still grow (not during a
/// capture), enough is taken to keep products large.
inline std::int64_t windows_at_a_time(const Stream& stream, const SpectralModel& model, int n_ranges,
                                      std::int64_t batch) {
  constexpr std::int64_t enough = std::int64_t{512} << 20;
  const bool may_grow = core::scratch_limit(stream) > stream.scratch_bytes();
  const std::int64_t limit = may_grow ? std::max(core::scratch_limit(stream), enough) : core::scratch_limit(stream);
  const std::int64_t per_window = PassesScratch(nullptr, model.shape(), model.precision(), n_ranges, 128).bytes / 128;
  const std::int64_t most = std::max<std::int64_t>(limit / per_window / 128 * 128, 128);
  if (batch <= most) return batch;
  const std::int64_t n_passes = ceil_div(batch, most);
  return ceil_div(ceil_div(batch, n_passes), 128) * 128;
}

template <class T>
void run_passes(const Stream& stream, const SpectralArgs& args) {
  const SpectralModel& model = *args.model;
  const SpectralShape& shape = model.shape();
  const ProductsLayout layout = products_layout(shape, model.precision());
  auto* packed = const_cast<std::byte*>(model.packed());  // operands are read only here
  const auto floats = [&](std::int64_t at) { return reinterpret_cast<const float*>(packed + at); };
  const int n_ranges = core::tuned(basis_ranges);
  const std::int64_t at_a_time = windows_at_a_time(stream, model, n_ranges, args.batch);
  for (std::int64_t first = 0; first < args.batch; first += at_a_time) {
    const std::int64_t n = std::min(at_a_time, args.batch - first);
    const std::int64_t bytes = PassesScratch(nullptr, shape, model.precision(), n_ranges, n).bytes;
    const PassesScratch scratch(core::scratch(stream, bytes), shape, model.precision(), n_ranges, n);
    const float* x = args.x + first * shape.window();
    float* y = args.y != nullptr ? args.y + first * shape.window() : scratch.y;

    const std::int64_t n_spectra = n * shape.frames;
    args.stages.begin("encoder norm");
    core::launch(normalise_rows<T>, blocks_of_rows(n_spectra), norm_threads, 0, stream, x, n_spectra, shape.mels, 1,
                 scratch.spectra);
    args.stages.begin("encoder");
    launch_product<T>(stream, scratch.spectra, {packed + layout.encoder_at, layout.encoder}, 1,
                      {.epilogue = Epilogue::gelu,
                       .bias = floats(layout.encoder_bias_at),
                       .operand = scratch.slices,
                       .frames = shape.frames});
    args.stages.begin("basis");
    launch_product<T>(stream, scratch.slices, {packed + layout.basis_at, layout.basis}, n_ranges,
                      {.epilogue = Epilogue::partial, .floats = scratch.parts});
    args.stages.begin("latent norm");
    core::launch(normalise_rows<T>, blocks_of_rows(n), norm_threads, 0, stream, scratch.parts, n, shape.latent,
                 n_ranges, scratch.normed);
    args.stages.begin("latent");
    launch_product<T>(
        stream, scratch.normed, {packed + layout.latent_at, layout.latent}, 1,
        {.epilogue = Epilogue::gelu, .bias = floats(layout.latent_bias_at), .operand = scratch.latents, .frames = 1});
    args.stages.begin("decoder");
    launch_product<T>(stream, scratch.latents, {packed + layout.decoder_at, layout.decoder}, 1,
                      {.epilogue = Epilogue::linear, .bias = floats(layout.decoder_bias_at), .floats = y});
    if (args.scores == nullptr) continue;
    args.stages.begin("scores");
    core::launch(score_windows, blocks_of_rows(n), norm_threads, 0, stream, x, y, n, shape.window(),
                 args.scores + first);
  }
}

inline void launch_passes(const Stream& stream, const SpectralArgs& args) {
  if (args.model->precision() == SpectralPrecision::bf16) return run_passes<__nv_bfloat16>(stream, args);
  run_passes<ptx::tf32>(stream, args);
}

}  // namespace rafter::spectral_ladder::RAFTER_BACKEND
