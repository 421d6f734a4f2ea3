// libFuzzer on the readers of strangers' files: weights, IDX and .npy images, labels. Whatever the bytes, a reader
// returns what they say or throws rafter::Error; the first byte of an input says which reader.
#include <algorithm>
#include <cmath>
#include <cstdint>
#include <cstdlib>
#include <cstring>
#include <string>

#include "base/npy.hpp"
#include "classify/images.hpp"
#include "rafter/error.hpp"
#include "rafter/lenet.hpp"

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

/// A good weight file, changed: an input of so few bytes would seldom get past the first count. Five bytes replace one
/// (where, by what); what is left, up to four, says where the file is cut, or grows.
std::string changed_weights(const std::uint8_t* data, std::size_t size) {
  static const std::string good = good_weights();
  std::string file = good;
  for (; size > 4; data += 5, size -= 5) {
    std::uint32_t at = 0;
    std::memcpy(&at, data, 4);
    file[at % 2 == 0 ? at / 2 % 16 : at / 2 % file.size()] = static_cast<char>(data[4]);
  }
  std::uint32_t length = 0;
  std::memcpy(&length, data, size);
  if (size > 0) file.resize(length % (file.size() + 8));
  return file;
}

/// A .npy file whose header is the text up to the first newline, with the length that it has.
std::string with_npy_start(const std::string& text) {
  const std::size_t length = std::min(text.size(), text.find('\n')) & 0xffff;
  return std::string(base::npy_magic) + std::string("\1\0", 2) + static_cast<char>(length & 255) +
         static_cast<char>(length >> 8) + text;
}

void read_weights(const std::string& file) {
  const LenetWeights weights = parse_lenet_weights(std::as_bytes(std::span(file)), "w");
  require(file.size() == 180788);
  require(std::memcmp(&weights.conv1, file.data() + 8, sizeof weights.conv1) == 0);
  for (const float weight : weights.fc1) require(std::isfinite(weight));
}

void read_images(const std::string& file) {
  const classify::Images images = classify::parse_images(file, "x");
  const std::size_t n_pixels = std::visit([](const auto& pixels) { return pixels.size(); }, images.pixels);
  require(n_pixels == static_cast<std::size_t>(images.n * Lenet::image_pixels));
  require(n_pixels < file.size());
}

void read_labels(const std::string& file) {
  for (const std::int32_t label : classify::parse_labels(file, "y")) require(label >= 0 && label < Lenet::n_classes);
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  if (size == 0) return 0;
  const std::string rest(reinterpret_cast<const char*>(data + 1), size - 1);
  try {
    switch (data[0] % 8) {
      case 0: read_weights(changed_weights(data + 1, size - 1)); break;  // slow: seldom
      case 1: read_labels(rest); break;
      case 2:
      case 3: read_labels(with_npy_start(rest)); break;
      case 4: read_images(rest); break;
      default: read_images(with_npy_start(rest));
    }
  } catch (const Error&) {
  }
  return 0;
}
