// Packs a folded model for the CPU's loops.
#include "spectral/cpu/spectral_panels.hpp"

#include <algorithm>
#include <array>

namespace rafter::spectral_ladder::cpu {

namespace {

using Numbers = std::vector<float> FoldedWeights::*;

/// A product of the forward pass: inputs come in runs that are `pitch` apart.
struct Product {
  Panels SpectralPanels::*panels;
  Numbers matrix;
  Numbers bias;  // or null
  std::int64_t n_runs, run, pitch;
  std::int64_t n_out;

  std::int64_t n_in() const { return n_runs * pitch; }
  std::int64_t matrix_floats() const { return n_in() * round_up_to_panels(n_out); }
  std::int64_t floats() const { return matrix_floats() + round_up_to_panels(n_out); }
};

/// The products in their order in the array.
std::array<Product, 4> products_of(const SpectralShape& shape) {
  using P = SpectralPanels;
  using W = FoldedWeights;
  const auto [mels, frames, latent, slice] = shape;
  return {{{&P::encoder, &W::encoder, &W::encoder_bias, 1, mels, mels, slice},
           {&P::basis, &W::basis, nullptr, frames, slice, round_up_to_panels(slice), latent},
           {&P::latent, &W::latent, &W::latent_bias, 1, latent, latent, latent},
           {&P::decoder, &W::decoder, &W::decoder_bias, 1, latent, latent, shape.window()}}};
}

void put(const Product& product, const FoldedWeights& folded, float* array) {
  const float* from = (folded.*product.matrix).data();  // [run][in][out]
  for (std::int64_t row = 0; row < product.n_runs * product.run; ++row) {
    const std::int64_t in = row / product.run * product.pitch + row % product.run;
    for (std::int64_t out = 0; out < product.n_out; ++out)
      array[core::panel_index(product.n_in(), in, out)] = from[row * product.n_out + out];
  }
  if (product.bias == nullptr) return;
  const std::vector<float>& bias = folded.*product.bias;
  std::copy(bias.begin(), bias.end(), array + product.matrix_floats());
}

}  // namespace

std::vector<float> pack_panels(const FoldedWeights& folded) {
  std::vector<float> array;
  for (const Product& product : products_of(folded.shape)) {
    const std::size_t begin = array.size();
    array.resize(begin + static_cast<std::size_t>(product.floats()));
    put(product, folded, array.data() + begin);
  }
  return array;
}

SpectralPanels panels_in(const float* array, const SpectralShape& shape) {
  SpectralPanels panels{};
  for (const Product& product : products_of(shape)) {
    panels.*product.panels = {array, array + product.matrix_floats(), product.n_in(), product.n_out};
    array += product.floats();
  }
  return panels;
}

}  // namespace rafter::spectral_ladder::cpu
