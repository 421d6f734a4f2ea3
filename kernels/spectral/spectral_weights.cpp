// Model files: which tensors a model has, read and written.
#include <algorithm>
#include <array>
#include <cmath>
#include <cstring>
#include <string>
#include <vector>

#include "base/safetensors.hpp"
#include "base/show_shape.hpp"
#include "base/suggest.hpp"
#include "rafter/error.hpp"
#include "rafter/half.hpp"
#include "rafter/spectral.hpp"

namespace rafter {

namespace {

using base::SafetensorsFile;
using base::show_shape;
using base::Tensor;
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

/// The model of a file: its extents first, then every tensor is held against them.
class ModelReader {
 public:
  explicit ModelReader(const SafetensorsFile& file) : file_(file) { require_names(); }

  SpectralWeights read() {
    SpectralWeights weights;
    weights.shape = shape_of_model();
    for (const Parameter& parameter : parameters) {
      const Tensor& tensor = *find(parameter.name);
      require_shape(tensor, parameter, weights.shape);
      weights.*parameter.values = values_of(tensor);
    }
    return weights;
  }

 private:
  const Tensor* find(const std::string& name) const {
    const auto& all = file_.tensors();
    const auto found = std::find_if(all.begin(), all.end(), [&](const Tensor& tensor) { return tensor.name == name; });
    return found == all.end() ? nullptr : &*found;
  }

  /// All parameters, and nothing else but what is not used.
  void require_names() const {
    std::vector<std::string> known, missing;
    for (const Parameter& parameter : parameters) {
      known.emplace_back(parameter.name);
      if (find(parameter.name) == nullptr) missing.emplace_back(parameter.name);
    }
    std::string complaint;
    if (!missing.empty()) complaint = "it has no " + base::joined(missing, ", ");
    const auto& all = file_.tensors();
    const auto stranger = std::find_if(all.begin(), all.end(), [&](const Tensor& tensor) {
      return tensor.name != unused_name && std::find(known.begin(), known.end(), tensor.name) == known.end();
    });
    if (stranger != all.end()) {
      const std::string name = base::shown(stranger->name);
      const auto near = base::near_names(name, missing.empty() ? known : missing);
      if (!complaint.empty()) complaint += "; ";
      complaint += "'" + name + "' is no tensor of it";
      if (!near.empty()) complaint += ": did you mean '" + base::joined(near, "' or '") + "'?";
    }
    if (!complaint.empty()) file_.refuse("is no SpectralShapeAutoencoder: " + complaint);
  }

  SpectralShape shape_of_model() const {
    const Tensor& encoder = *find(encoder_name);
    const Tensor& latent = *find(latent_name);
    const Tensor& basis = *find(basis_name);
    require_axes(encoder, {2}, "two axes, (slice, mels)");
    require_axes(latent, {2}, "two axes, (latent, latent)");
    require_axes(basis, {2, 3}, "two axes, (latent, frames * slice), or three, (latent, frames, slice)");
    SpectralShape shape;
    shape.slice = encoder.shape[0];
    shape.mels = encoder.shape[1];
    shape.latent = latent.shape[0];
    if (basis.shape.size() == 2 && basis.shape[1] % shape.slice != 0) {
      file_.refuse(basis, "has the shape " + show_shape(basis.shape) +
                              "; expected (latent, frames * slice), and the slice is " + std::to_string(shape.slice) +
                              ", by " + encoder_name);
    }
    shape.frames = basis.shape.size() == 2 ? basis.shape[1] / shape.slice : basis.shape[1];
    return shape;
  }

  void require_axes(const Tensor& tensor, const std::vector<std::size_t>& n_axes, const char* expected) const {
    const auto is_empty = [](std::int64_t extent) { return extent == 0; };
    const bool fits = std::find(n_axes.begin(), n_axes.end(), tensor.shape.size()) != n_axes.end();
    if (!fits) file_.refuse(tensor, "has the shape " + shape_text(tensor) + "; expected " + expected);
    if (std::any_of(tensor.shape.begin(), tensor.shape.end(), is_empty))
      file_.refuse(tensor, "is empty: " + shape_text(tensor));
  }

  void require_shape(const Tensor& tensor, const Parameter& parameter, const SpectralShape& shape) const {
    const bool has_frames = parameter.values == &Weights::basis && tensor.shape.size() == 3;
    const Extents expected = has_frames ? Extents{shape.latent, shape.frames, shape.slice} : parameter.extents(shape);
    if (tensor.shape == expected) return;
    file_.refuse(tensor, "has the shape " + shape_text(tensor) + "; expected " + show_shape(expected) + ", " +
                             parameter.axes + ", as mels is " + std::to_string(shape.mels) + " and slice " +
                             std::to_string(shape.slice) + " by " + encoder_name + ", and latent " +
                             std::to_string(shape.latent) + " by " + latent_name);
  }

  static std::string shape_text(const Tensor& tensor) { return base::shown(show_shape(tensor.shape)); }

  std::vector<float> values_of(const Tensor& tensor) const {
    if (tensor.dtype == "F32") return finite(tensor, widened<float>(tensor));
    if (tensor.dtype == "F16") return finite(tensor, widened<Half>(tensor));
    if (tensor.dtype == "BF16") return finite(tensor, widened<Bfloat16>(tensor));
    file_.refuse(tensor, "has elements of type " + tensor.dtype + "; expected F32, F16 or BF16");
  }

  template <class T>
  static std::vector<float> widened(const Tensor& tensor) {
    std::vector<T> stored(tensor.bytes.size() / sizeof(T));
    if (!stored.empty()) std::memcpy(static_cast<void*>(stored.data()), tensor.bytes.data(), tensor.bytes.size());
    if constexpr (std::is_same_v<T, float>) {
      return stored;
    } else {
      std::vector<float> values(stored.size());
      std::transform(stored.begin(), stored.end(), values.begin(), [](T value) { return static_cast<float>(value); });
      return values;
    }
  }

  std::vector<float> finite(const Tensor& tensor, std::vector<float> values) const {
    const auto bad = std::find_if_not(values.begin(), values.end(), [](float value) { return std::isfinite(value); });
    if (bad != values.end()) {
      file_.refuse(tensor, "has " + std::to_string(*bad) + " as value " + std::to_string(bad - values.begin()) +
                               ": expected a finite number");
    }
    return values;
  }

  const SafetensorsFile& file_;
};

}  // namespace

SpectralWeights read_spectral_weights(const std::string& path) {
  return ModelReader(SafetensorsFile(std::filesystem::path(path))).read();
}

SpectralWeights parse_spectral_weights(std::span<const std::byte> file, const std::string& name) {
  return ModelReader(SafetensorsFile(file, name)).read();
}

void write_spectral_weights(const std::string& path, const SpectralWeights& weights) {
  std::vector<Tensor> tensors;
  for (const Parameter& parameter : parameters) {
    const std::vector<float>& values = weights.*parameter.values;
    const Extents extents = parameter.extents(weights.shape);
    std::int64_t n_values = 1;
    bool counts = true;
    for (const std::int64_t extent : extents)
      counts = counts && extent > 0 && !__builtin_mul_overflow(n_values, extent, &n_values);
    if (!counts || std::ssize(values) != n_values) {
      throw Error(ErrorCode::bad_argument, std::string("write_spectral_weights: ") + parameter.name + " should have " +
                                               show_shape(extents) + " values, " + parameter.axes + ", has " +
                                               std::to_string(values.size()));
    }
    tensors.push_back({parameter.name, "F32", extents, std::as_bytes(std::span(values))});
  }
  base::write_safetensors(path, std::move(tensors));
}

}  // namespace rafter
