// Fuzzes the readers of untrusted files: weights, models, IDX and .npy images, labels. For any bytes a reader returns
// their contents or throws rafter::Error. The first byte of an input selects the reader.
#include <algorithm>
#include <cmath>
#include <cstdint>
#include <cstdlib>
#include <cstring>
#include <string>

#include "apps/classify/images.hpp"
#include "apps/classify/lenet/lenet.hpp"
#include "base/npy.hpp"
#include "forcefield/model/forcefield_weights.hpp"
#include "library/safetensors/file.hpp"
#include "rafter/error.hpp"
#include "rafter/spectral.hpp"

namespace {

using namespace rafter;

void require(bool holds) {
  if (!holds) std::abort();
}

std::string good_weights() {
  std::string file("\x0a\0\0\0", 4);
  for (const std::int32_t count : {200, 0, 0, 3152, 0, 0, 41504, 0, 330, 0}) {
    file.append(reinterpret_cast<const char*>(&count), sizeof count);
    file.append(static_cast<std::size_t>(count) * sizeof(float), '\0');
  }
  return file;
}

/// Returns a safetensors file whose header is the text up to the first newline, preceded by its length.
std::string with_safetensors_start(const std::string& text) {
  const std::uint64_t length = std::min(text.size(), text.find('\n'));
  std::string start(sizeof length, '\0');
  std::memcpy(start.data(), &length, sizeof length);
  return start + text;
}

/// A file of tensors of ones.
class OnesFile {
 public:
  void add(const std::string& name, int n_rows, int n_columns = 0) {
    const std::size_t n_bytes = static_cast<std::size_t>(n_rows * std::max(1, n_columns)) * sizeof(float);
    header_ += (header_.empty() ? "{\"" : ",\"") + name + R"(":{"dtype":"F32","shape":[)" + std::to_string(n_rows) +
               (n_columns > 0 ? "," + std::to_string(n_columns) : "") + R"(],"data_offsets":[)" +
               std::to_string(data_.size()) + "," + std::to_string(data_.size() + n_bytes) + "]}";
    for (std::size_t i = 0; i < n_bytes; i += sizeof(float)) data_ += std::string("\0\0\x80\x3f", sizeof(float));
  }
  void add_linear(const std::string& name, int n_out, int n_in) {
    add(name + ".weight", n_out, n_in);
    add(name + ".bias", n_out);
  }
  std::string text() const { return with_safetensors_start(header_ + "}") + data_; }

 private:
  std::string header_, data_;
};

/// Returns a model with one mel, frame, slice and latent value.
std::string good_model() {
  OnesFile file;
  for (const char* norm : {"slice_encoder.0.", "bottleneck_mlp.0."}) {
    file.add(norm + std::string("weight"), 1);
    file.add(norm + std::string("bias"), 1);
  }
  for (const char* linear : {"slice_encoder.1", "bottleneck_mlp.1", "slice_decoder.0"}) file.add_linear(linear, 1, 1);
  file.add("global_basis", 1, 1);
  return file.text();
}

/// Returns a force field with one element, feature, layer and radial function.
std::string good_student() {
  OnesFile file;
  file.add("embedding.weight", 1, 1);
  file.add("rbf.centers", 1);
  file.add("rbf.widths", 1);
  file.add_linear("interactions.0.message.rbf_to_scalar.0", 1, 1);
  file.add_linear("interactions.0.message.rbf_to_scalar.2", 3, 1);
  file.add_linear("interactions.0.update.update_mlp.0", 1, 2);
  file.add_linear("interactions.0.update.update_mlp.2", 3, 1);
  file.add("interactions.0.update.mixing_matrix", 3, 3);
  for (const char* linear : {"energy_head.0", "energy_head.2", "energy_head.4"}) file.add_linear(linear, 1, 1);
  return file.text();
}

std::string good_painn() {
  OnesFile file;
  file.add("representation.embedding.weight", 1, 1);
  file.add("representation.radial_basis.offsets", 1);
  file.add("representation.radial_basis.widths", 1);
  file.add("representation.cutoff_fn.cutoff", 1);
  file.add_linear("representation.filter_net", 3, 1);
  file.add_linear("representation.interactions.0.interatomic_context_net.0", 1, 1);
  file.add_linear("representation.interactions.0.interatomic_context_net.1", 3, 1);
  file.add_linear("representation.mixing.0.intraatomic_context_net.0", 1, 2);
  file.add_linear("representation.mixing.0.intraatomic_context_net.1", 3, 1);
  file.add("representation.mixing.0.mu_channel_mix.weight", 2, 1);
  for (const char* linear : {"output_modules.0.outnet.0", "output_modules.0.outnet.1"}) file.add_linear(linear, 1, 1);
  return file.text();
}

/// Returns a mutated valid file, because inputs of few bytes would rarely pass the first check. Each five bytes replace
/// one byte (position and value; half of them in the first `n_first`); up to four remaining bytes determine where the
/// file is truncated or extended.
std::string changed(std::string file, std::size_t n_first, const std::uint8_t* data, std::size_t size) {
  for (; size > 4; data += 5, size -= 5) {
    std::uint32_t at = 0;
    std::memcpy(&at, data, 4);
    file[at % 2 == 0 ? at / 2 % n_first : at / 2 % file.size()] = static_cast<char>(data[4]);
  }
  std::uint32_t length = 0;
  std::memcpy(&length, data, size);
  if (size > 0) file.resize(length % (file.size() + 8));
  return file;
}

/// Returns a .npy file whose header is the text up to the first newline, preceded by its length.
std::string with_npy_start(const std::string& text) {
  const std::size_t length = std::min(text.size(), text.find('\n')) & 0xffff;
  return std::string(base::npy_magic) + std::string("\1\0", 2) + static_cast<char>(length & 255) +
         static_cast<char>(length >> 8) + text;
}

void read_weights(const std::string& file) {
  const classify::LenetWeights weights = classify::parse_lenet_weights(std::as_bytes(std::span(file)), "w");
  require(file.size() == 180788);
  require(std::memcmp(&weights.conv1, file.data() + 8, sizeof weights.conv1) == 0);
  for (const float weight : weights.fc1) require(std::isfinite(weight));
}

void read_tensors(const std::string& file) {
  const auto bytes = std::as_bytes(std::span(file));
  std::uint64_t length = 0;
  const safetensors::File found(bytes, "m");
  std::memcpy(&length, file.data(), sizeof length);
  const std::byte* at = bytes.data() + sizeof length + length;
  for (const safetensors::Tensor& tensor : found.tensors()) {
    require(tensor.bytes.data() == at);
    at += tensor.bytes.size();
  }
  require(at == bytes.data() + bytes.size());
}

void read_model(const std::string& file) {
  const SpectralWeights model = parse_spectral_weights(std::as_bytes(std::span(file)), "m");
  const SpectralShape& s = model.shape;
  require(s.mels > 0 && s.frames > 0 && s.latent > 0 && s.slice > 0);
  require(std::ssize(model.basis) == s.latent * s.features() && std::ssize(model.encoder_weight) == s.slice * s.mels);
  require(std::ssize(model.decoder_weight) == s.mels * s.slice && std::ssize(model.latent_bias) == s.latent);
  for (const float weight : model.basis) require(std::isfinite(weight));
}

void read_force_field(const std::string& file) {
  const ForceFieldWeights model = parse_forcefield_weights(std::as_bytes(std::span(file)), "m");
  try {
    forcefield_ladder::require_forcefield_weights("read_force_field", model);
  } catch (const Error&) {
    require(false);
  }
  for (const float weight : model.embedding) require(std::isfinite(weight));
}

void read_images(const std::string& file) {
  const classify::Images images = classify::parse_images(file, "x");
  const std::size_t n_pixels = std::visit([](const auto& pixels) { return pixels.size(); }, images.pixels);
  require(n_pixels == static_cast<std::size_t>(images.n * classify::Lenet::image_pixels));
  require(n_pixels < file.size());
}

void read_labels(const std::string& file) {
  for (const std::int32_t label : classify::parse_labels(file, "y"))
    require(label >= 0 && label < classify::Lenet::n_classes);
}

}  // namespace

/// Checks that the files are valid before mutation: an Error here ends the process.
extern "C" int LLVMFuzzerInitialize(int*, char***) {
  read_weights(good_weights());
  read_model(good_model());
  read_force_field(good_student());
  read_force_field(good_painn());
  return 0;
}

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  if (size == 0) return 0;
  const std::string rest(reinterpret_cast<const char*>(data + 1), size - 1);
  try {
    static const std::string weights = good_weights(), model = good_model();
    static const std::string student = good_student(), painn = good_painn();
    switch (data[0] % 13) {
      case 0: read_weights(changed(weights, 16, data + 1, size - 1)); break;  // slow, so rarely
      case 1: read_labels(rest); break;
      case 2:
      case 3: read_labels(with_npy_start(rest)); break;
      case 4: read_images(rest); break;
      case 5: read_tensors(rest); break;
      case 6:
      case 7: read_tensors(with_safetensors_start(rest)); break;
      case 8: read_model(changed(model, 100, data + 1, size - 1)); break;
      case 9: read_force_field(changed(student, 100, data + 1, size - 1)); break;
      case 10: read_force_field(changed(painn, 100, data + 1, size - 1)); break;
      default: read_images(with_npy_start(rest));
    }
  } catch (const Error&) {
  }
  return 0;
}
