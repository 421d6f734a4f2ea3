// Models: checks of their weights, and packing for a device.
#include "spectral/spectral_model.hpp"

#include <atomic>
#include <string>

#include "library/core/arguments.hpp"
#include "library/core/dispatch.hpp"
#include "spectral/cpu/spectral_panels.hpp"
#include "spectral/spectral_pack.hpp"

namespace rafter {

const char* v1::name(SpectralPrecision precision) noexcept {
  switch (precision) {
    case SpectralPrecision::fp32: return "fp32";
    case SpectralPrecision::tf32: return "tf32";
    case SpectralPrecision::bf16: return "bf16";
  }
  return "";
}

namespace spectral_ladder {

namespace {

SpectralPrecision checked_precision(const Stream& stream, SpectralPrecision precision) {
  if (stream.device() == Device::cpu && precision != SpectralPrecision::fp32)
    throw Error(ErrorCode::unsupported,
                std::string("SpectralAutoencoder: the CPU supports fp32 only, not ") + name(precision),
                "SpectralAutoencoder", "precision");
  return precision;
}

std::uint64_t next_id() {
  static std::atomic<std::uint64_t> next = 1;
  return next++;
}

std::vector<std::byte> bytes_of(const std::vector<float>& values) {
  const auto bytes = std::as_bytes(std::span(values));
  return {bytes.begin(), bytes.end()};
}

std::vector<std::byte> pack(const SpectralWeights& weights, const FoldedWeights& folded, Packing packing,
                            SpectralPrecision precision) {
  switch (packing) {
    case Packing::tensors: return bytes_of(tensor_array(weights));
    case Packing::panels: return bytes_of(cpu::pack_panels(folded));
    case Packing::fragments: return pack_fragments(folded);
    case Packing::products: return pack_products(folded, precision);
  }
  return {};
}

FoldedWeights checked_and_folded(const SpectralWeights& weights) {
  require_weights("SpectralAutoencoder", weights);
  return fold(weights);
}

}  // namespace

const SpectralOps& ops_of(const Stream& stream) {
  if (stream.device() == Device::cpu) return cpu::ops;
  if constexpr (core::has_cuda) {
    if (stream.device() == Device::cuda) return cuda::ops;
  }
  if (stream.device() == Device::simt && &simt::ops != nullptr) return simt::ops;
  throw Error(
      ErrorCode::unsupported,
      "SpectralAutoencoder: this program has no implementation for device " + std::string(name(stream.device())),
      "SpectralAutoencoder", "stream");
}

void require_weights(const char* op, const SpectralWeights& weights) {
  const SpectralShape& shape = weights.shape;
  constexpr std::int64_t most = std::int64_t{1} << 20;
  const struct {
    const char* name;
    std::int64_t value;
  } extents[]{{"mels", shape.mels}, {"frames", shape.frames}, {"latent", shape.latent}, {"slice", shape.slice}};
  for (const auto& extent : extents) {
    if (extent.value < 1 || extent.value > most)
      core::refuse(op, "shape",
                   std::string("must have ") + extent.name + " from 1 to 2^20, has " + std::to_string(extent.value));
  }
  const char* const names[]{
      "encoder_norm_weight", "encoder_norm_bias", "encoder_weight", "encoder_bias", "basis",
      "latent_norm_weight",  "latent_norm_bias",  "latent_weight",  "latent_bias",  "decoder_weight",
      "decoder_bias"};
  std::size_t i = 0;
  for_each_tensor(shape, [&](auto tensor, auto, std::int64_t size) {
    core::require_size(op, names[i++], std::span(weights.*tensor), size);
  });
}

std::vector<float> tensor_array(const SpectralWeights& weights) {
  std::vector<float> array;
  for_each_tensor(weights.shape, [&](auto tensor, auto, std::int64_t) {
    array.insert(array.end(), (weights.*tensor).begin(), (weights.*tensor).end());
  });
  return array;
}

SpectralModel::SpectralModel(const Stream& stream, const SpectralWeights& weights, SpectralPrecision precision)
    : SpectralModel(stream, weights, checked_and_folded(weights), precision) {}

SpectralModel::SpectralModel(const Stream& stream, const SpectralWeights& weights, const FoldedWeights& folded,
                             SpectralPrecision precision)
    : shape_(weights.shape),
      precision_(checked_precision(stream, precision)),
      packing_(ops_of(stream).packing(folded)),
      id_(next_id()),
      packed_(stream, pack(weights, folded, packing_, precision)) {}

}  // namespace spectral_ladder
}  // namespace rafter
