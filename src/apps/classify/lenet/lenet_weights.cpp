// Reads and writes LeNet's weight files, and checks every layer's size.
#include <algorithm>
#include <array>
#include <bit>
#include <cmath>
#include <string>
#include <vector>

#include "apps/classify/lenet/lenet.hpp"
#include "base/mapped_file.hpp"
#include "base/new_file.hpp"
#include "rafter/error.hpp"

namespace rafter::classify {

namespace {

static_assert(std::endian::native == std::endian::little);
static_assert(std::is_trivially_copyable_v<LenetWeights> && sizeof(LenetWeights) == 45186 * sizeof(float));

struct FileLayer {
  const char* what;
  std::int32_t n_values;
};
constexpr std::array<FileLayer, 10> file_layers{{
    {"convolution 1 -> 4, 7 x 7", 200},
    {"ReLU", 0},
    {"max pool 2 x 2", 0},
    {"convolution 4 -> 16, 7 x 7", 3152},
    {"ReLU", 0},
    {"max pool 4 x 4", 0},
    {"fully connected 1296 -> 32", 41504},
    {"ReLU", 0},
    {"fully connected 32 -> 10", 330},
    {"softmax", 0},
}};

constexpr std::size_t file_bytes = sizeof(std::int32_t) * (1 + file_layers.size()) + sizeof(LenetWeights);

/// A parser of a file in memory, with its current position.
class WeightFile {
 public:
  WeightFile(std::span<const std::byte> bytes, const std::string& name) : bytes_(bytes), name_(name) {}

  LenetWeights parse() {
    const auto n_layers = static_cast<std::int32_t>(file_layers.size());
    if (const std::int32_t found = integer("the number of layers"); found != n_layers)
      refuse(at_ - 4, "has " + std::to_string(found) + " layers", "expected " + std::to_string(n_layers));
    LenetWeights weights;
    auto* to = reinterpret_cast<float*>(&weights);  // its arrays are contiguous
    for (std::size_t layer = 0; layer < file_layers.size(); ++layer) {
      read_layer(layer, to);
      to += file_layers[layer].n_values;
    }
    if (at_ < bytes_.size()) refuse(at_, "has more data", "expected the end of the file after ten layers");
    return weights;
  }

 private:
  void read_layer(std::size_t layer, float* to) {
    const auto& [what, n_values] = file_layers[layer];
    const std::string named = "layer " + std::to_string(layer + 1) + " (" + what + ")";
    if (const std::int32_t found = integer("the number of values of " + named); found != n_values)
      refuse(at_ - 4, "has " + std::to_string(found) + " values for " + named, "expected " + std::to_string(n_values));
    const std::span values(to, static_cast<std::size_t>(n_values));
    read(std::as_writable_bytes(values), named);
    const auto bad = std::find_if_not(values.begin(), values.end(), [](float value) { return std::isfinite(value); });
    if (bad == values.end()) return;
    const auto index = static_cast<std::size_t>(bad - values.begin());
    refuse(at_ - (values.size() - index) * sizeof(float),
           "has " + std::to_string(*bad) + " as value " + std::to_string(index) + " of " + named,
           "expected a finite number");
  }

  std::int32_t integer(const std::string& what) {
    std::int32_t value;
    read(std::as_writable_bytes(std::span(&value, 1)), what);
    return value;
  }

  void read(std::span<std::byte> to, const std::string& what) {
    if (bytes_.size() - at_ < to.size()) {
      refuse(bytes_.size(), "is cut short",
             "expected more of " + what + ", and " + std::to_string(file_bytes) + " bytes in total");
    }
    std::copy_n(bytes_.begin() + static_cast<std::ptrdiff_t>(at_), to.size(), to.begin());
    at_ += to.size();
  }

  [[noreturn]] void refuse(std::size_t at, const std::string& complaint, const std::string& expected) const {
    throw Error(ErrorCode::bad_argument,
                "'" + name_ + "' " + complaint + " at byte " + std::to_string(at) + ": " + expected);
  }

  std::span<const std::byte> bytes_;
  const std::string& name_;
  std::size_t at_ = 0;
};

}  // namespace

LenetWeights parse_lenet_weights(std::span<const std::byte> file, const std::string& name) {
  return WeightFile(file, name).parse();
}

LenetWeights read_lenet_weights(const std::string& path) {
  const base::MappedFile file(path);
  return parse_lenet_weights(file.bytes(), path);
}

void write_lenet_weights(const std::string& path, const LenetWeights& weights) {
  std::string text;
  const auto add = [&](const void* from, std::size_t bytes) { text.append(static_cast<const char*>(from), bytes); };
  const auto n_layers = static_cast<std::int32_t>(file_layers.size());
  add(&n_layers, sizeof n_layers);
  const auto* from = reinterpret_cast<const std::byte*>(&weights);
  for (const FileLayer& layer : file_layers) {
    const std::size_t bytes = static_cast<std::size_t>(layer.n_values) * sizeof(float);
    add(&layer.n_values, sizeof layer.n_values);
    add(from, bytes);
    from += bytes;
  }
  const std::string_view parts[] = {text};
  base::NewFile file(path);
  file.write(parts);
  file.commit();
}

}  // namespace rafter::classify
