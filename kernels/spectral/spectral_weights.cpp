// Model files: the tensors of a model, read and written.
#include <algorithm>
#include <array>
#include <string>
#include <vector>

#include "base/messages.hpp"
#include "library/core/error_origin.hpp"
#include "library/safetensors/file.hpp"
#include "library/safetensors/model_reader.hpp"
#include "rafter/error.hpp"
#include "rafter/spectral.hpp"

namespace rafter {

namespace {

using base::show_shape;
using safetensors::Tensor;
using Extents = std::vector<std::int64_t>;

struct Parameter {
  const char* name;  // in files
  std::vector<float> SpectralWeights::*values;
  const char* axes;
  Extents (*extents)(const SpectralShape&);
};

Extents of_mels(const SpectralShape& s) { return {s.mels}; }
Extents of_slice(const SpectralShape& s) { return {s.slice}; }
Extents of_latent(const SpectralShape& s) { return {s.latent}; }

constexpr const char* encoder_name = "slice_encoder.1.weight";
constexpr const char* latent_name = "bottleneck_mlp.1.weight";
constexpr const char* basis_name = "global_basis";
constexpr const char* unused_name = "global_decoder.weight";

using Weights = SpectralWeights;
constexpr std::array<Parameter, 11> parameters{{
    {"slice_encoder.0.weight", &Weights::encoder_norm_weight, "(mels)", of_mels},
    {"slice_encoder.0.bias", &Weights::encoder_norm_bias, "(mels)", of_mels},
    {encoder_name, &Weights::encoder_weight, "(slice, mels)",
     [](const SpectralShape& s) {
       return Extents{s.slice, s.mels};
     }},
    {"slice_encoder.1.bias", &Weights::encoder_bias, "(slice)", of_slice},
    {basis_name, &Weights::basis, "(latent, frames * slice)",
     [](const SpectralShape& s) {
       return Extents{s.latent, s.features()};
     }},
    {"bottleneck_mlp.0.weight", &Weights::latent_norm_weight, "(latent)", of_latent},
    {"bottleneck_mlp.0.bias", &Weights::latent_norm_bias, "(latent)", of_latent},
    {latent_name, &Weights::latent_weight, "(latent, latent)",
     [](const SpectralShape& s) {
       return Extents{s.latent, s.latent};
     }},
    {"bottleneck_mlp.1.bias", &Weights::latent_bias, "(latent)", of_latent},
    {"slice_decoder.0.weight", &Weights::decoder_weight, "(mels, slice)",
     [](const SpectralShape& s) {
       return Extents{s.mels, s.slice};
     }},
    {"slice_decoder.0.bias", &Weights::decoder_bias, "(mels)", of_mels},
}};

/// Returns a file's extents; every tensor is then compared with them.
SpectralShape shape_of_model(const safetensors::ModelReader& reader) {
  const Tensor& encoder = reader.at(encoder_name);
  const Tensor& latent = reader.at(latent_name);
  const Tensor& basis = reader.at(basis_name);
  reader.require_axes(encoder, {2}, "two axes, (slice, mels)");
  reader.require_axes(latent, {2}, "two axes, (latent, latent)");
  reader.require_axes(basis, {2, 3}, "two axes, (latent, frames * slice), or three, (latent, frames, slice)");
  SpectralShape shape;
  shape.slice = encoder.shape[0];
  shape.mels = encoder.shape[1];
  shape.latent = latent.shape[0];
  if (basis.shape.size() == 2 && basis.shape[1] % shape.slice != 0) {
    reader.file().refuse(basis, "has the shape " + show_shape(basis.shape) +
                                    "; expected (latent, frames * slice), and the slice is " +
                                    std::to_string(shape.slice) + ", by " + encoder_name);
  }
  shape.frames = basis.shape.size() == 2 ? basis.shape[1] / shape.slice : basis.shape[1];
  return shape;
}

SpectralWeights weights_of(safetensors::File file) {
  const safetensors::ModelReader reader(std::move(file));
  std::vector<std::string> names(parameters.size());
  std::transform(parameters.begin(), parameters.end(), names.begin(), [](const Parameter& p) { return p.name; });
  reader.require_names("SpectralShapeAutoencoder", names, {unused_name});

  SpectralWeights weights;
  const SpectralShape& shape = weights.shape = shape_of_model(reader);
  const std::string why = ", as mels is " + std::to_string(shape.mels) + " and slice " + std::to_string(shape.slice) +
                          " by " + encoder_name + ", and latent " + std::to_string(shape.latent) + " by " + latent_name;
  for (const Parameter& parameter : parameters) {
    const Tensor& tensor = reader.at(parameter.name);
    const bool has_frames = parameter.values == &Weights::basis && tensor.shape.size() == 3;
    const Extents expected = has_frames ? Extents{shape.latent, shape.frames, shape.slice} : parameter.extents(shape);
    reader.require_shape(tensor, expected, parameter.axes + why);
    weights.*parameter.values = reader.values(tensor);
  }
  return weights;
}

}  // namespace

SpectralWeights v1::read_spectral_weights(const std::string& path) {
  return core::in_op("read_spectral_weights", "path",
                     [&] { return weights_of(safetensors::File(std::filesystem::path(path))); });
}

SpectralWeights v1::parse_spectral_weights(std::span<const std::byte> file, const std::string& name) {
  return core::in_op("parse_spectral_weights", "file", [&] { return weights_of(safetensors::File(file, name)); });
}

void v1::write_spectral_weights(const std::string& path, const SpectralWeights& weights) {
  std::vector<Tensor> tensors;
  for (const Parameter& parameter : parameters) {
    const std::vector<float>& values = weights.*parameter.values;
    const Extents extents = parameter.extents(weights.shape);
    std::int64_t n_values = 1;
    bool counts = true;
    for (const std::int64_t extent : extents)
      counts = counts && extent > 0 && !__builtin_mul_overflow(n_values, extent, &n_values);
    if (!counts || std::ssize(values) != n_values) {
      throw Error(ErrorCode::bad_argument,
                  std::string("write_spectral_weights: ") + parameter.name + " should have " + show_shape(extents) +
                      " values, " + parameter.axes + ", has " + std::to_string(values.size()),
                  "write_spectral_weights", parameter.name);
    }
    tensors.push_back({parameter.name, "F32", extents, std::as_bytes(std::span(values))});
  }
  core::in_op("write_spectral_weights", "path", [&] { safetensors::write_file(path, std::move(tensors)); });
}

}  // namespace rafter
