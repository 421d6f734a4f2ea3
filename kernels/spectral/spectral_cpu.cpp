// batched: folded weights, windows spread over the threads.
#include <cmath>
#include <vector>

#include "spectral/spectral_model.hpp"

namespace rafter::spectral_ladder::cpu {

namespace {

float gelu(float x) { return 0.5F * x * (1 + std::erf(x * sqrt_half)); }

void normalise(const float* from, std::int64_t n, float* to) {
  float sum = 0;
  for (std::int64_t i = 0; i < n; ++i) sum += from[i];
  const float mean = sum / static_cast<float>(n);
  float squares = 0;
  for (std::int64_t i = 0; i < n; ++i) squares += (from[i] - mean) * (from[i] - mean);
  const float scale = 1 / std::sqrt(squares / static_cast<float>(n) + norm_epsilon);
  for (std::int64_t i = 0; i < n; ++i) to[i] = (from[i] - mean) * scale;
}

/// out = bias + in . matrix [in][out].
void multiply(const float* in, std::int64_t n_in, const float* matrix, const float* bias, std::int64_t n_out,
              float* out) {
  for (std::int64_t o = 0; o < n_out; ++o) out[o] = bias == nullptr ? 0 : bias[o];
  for (std::int64_t i = 0; i < n_in; ++i) {
    for (std::int64_t o = 0; o < n_out; ++o) out[o] += in[i] * matrix[i * n_out + o];
  }
}

Packing packing(const FoldedWeights&) { return Packing::folded; }

}  // namespace

extern const SpectralRung batched{[](const Stream& stream, const SpectralArgs& args) {
  const SpectralShape shape = args.model->shape();
  const FoldedTensors w = folded_tensors_in(args.model->packed_floats(), shape);
#pragma omp parallel num_threads(stream.n_threads())
  {
    std::vector<float> normed(static_cast<std::size_t>(std::max(shape.mels, shape.latent)));
    std::vector<float> slices(static_cast<std::size_t>(shape.features()));
    std::vector<float> z(static_cast<std::size_t>(shape.latent));
    std::vector<float> y(static_cast<std::size_t>(shape.window()));
#pragma omp for schedule(static)
    for (std::int64_t i = 0; i < args.batch; ++i) {
      const float* x = args.x + i * shape.window();
      for (std::int64_t f = 0; f < shape.frames; ++f) {
        normalise(x + f * shape.mels, shape.mels, normed.data());
        multiply(normed.data(), shape.mels, w.encoder, w.encoder_bias, shape.slice, slices.data() + f * shape.slice);
      }
      for (float& value : slices) value = gelu(value);
      multiply(slices.data(), shape.features(), w.basis, nullptr, shape.latent, z.data());
      normalise(z.data(), shape.latent, normed.data());
      multiply(normed.data(), shape.latent, w.latent, w.latent_bias, shape.latent, z.data());
      for (float& value : z) value = gelu(value);
      float* out = args.y != nullptr ? args.y + i * shape.window() : y.data();
      multiply(z.data(), shape.latent, w.decoder, w.decoder_bias, shape.window(), out);
      if (args.scores == nullptr) continue;
      float sum = 0;
      for (std::int64_t k = 0; k < shape.window(); ++k) sum += (out[k] - x[k]) * (out[k] - x[k]);
      args.scores[i] = sum / static_cast<float>(shape.window());
    }
  }
}};

extern const SpectralOps ops{batched, packing};

}  // namespace rafter::spectral_ladder::cpu
