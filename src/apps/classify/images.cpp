#include "apps/classify/images.hpp"

#include <fmt/format.h>

#include <cmath>
#include <cstring>
#include <fstream>
#include <optional>
#include <sstream>

#include "apps/classify/idx.hpp"
#include "apps/classify/lenet/lenet.hpp"
#include "base/npy.hpp"
#include "rafter/error.hpp"

namespace rafter::classify {

namespace {

namespace fs = std::filesystem;

/// An open file, and its format according to its first bytes.
struct Source {
  std::unique_ptr<std::istream> stream;
  std::uintmax_t n_bytes;
  std::string name;

  bool is_npy() {
    char start[6] = {};
    stream->read(start, sizeof start);
    const std::string_view found(start, static_cast<std::size_t>(stream->gcount()));
    stream->clear();
    stream->seekg(0);
    if (found.starts_with("\x1f\x8b"))
      throw Error(ErrorCode::bad_argument, fmt::format("'{}' is compressed: gunzip it first", name));
    return found == base::npy_magic;
  }
};

Source opened(const fs::path& path) {
  std::error_code error;
  const std::uintmax_t n_bytes = fs::file_size(path, error);
  auto file = std::make_unique<std::ifstream>(path, std::ios::binary);
  if (error || !*file) {
    throw Error(ErrorCode::io, fmt::format("cannot read '{}': {}", path.string(),
                                           error ? error.message() : std::string("no permission")));
  }
  return {std::move(file), n_bytes, path.string()};
}

Source in_memory(const std::string& file, const std::string& name) {
  return {std::make_unique<std::istringstream>(file), file.size(), name};
}

constexpr const char* image_shapes = "(N, 86, 86) or (N, 1, 86, 86)";

template <class File>
std::int64_t n_images(const File& file) {
  const std::vector<std::int64_t>& shape = file.shape();
  const bool has_channel = shape.size() == 4 && shape[1] == 1;
  const std::size_t n = shape.size();
  if (!(n == 3 || has_channel) || shape[n - 2] != Lenet::image_side || shape[n - 1] != Lenet::image_side)
    file.refuse(fmt::format("has the shape {}; expected images, {}", base::show_shape(file.shape()), image_shapes));
  return shape[0];
}

void require_finite(const base::NpyFile& file, const std::vector<float>& pixels) {
  for (std::size_t i = 0; i < pixels.size(); ++i) {
    if (std::isfinite(pixels[i])) continue;
    file.refuse(fmt::format("has a pixel that is {}, in image {}: expected finite numbers, 0 to 255", pixels[i],
                            i / static_cast<std::size_t>(Lenet::image_pixels)));
  }
}

template <class T>
std::vector<T> values_of(base::NpyFile& file) {
  std::vector<T> values(static_cast<std::size_t>(file.n_values(sizeof(T))));
  file.read(std::as_writable_bytes(std::span(values)));
  return values;
}

Images npy_images(base::NpyFile file) {
  if (file.type() != "|u1" && file.type() != "<f4") {
    file.refuse(
        fmt::format("has elements of type '{}'; expected uint8 ('|u1') or float32 ('<f4'): save "
                    "x.astype('uint8')",
                    file.type()));
  }
  Images images{n_images(file), {}};
  if (file.type() == "|u1") {
    images.pixels = values_of<std::uint8_t>(file);
  } else {
    auto pixels = values_of<float>(file);
    require_finite(file, pixels);
    images.pixels = std::move(pixels);
  }
  return images;
}

std::vector<std::uint8_t> idx_values(IdxFile& file) {
  std::vector<std::uint8_t> values(static_cast<std::size_t>(file.n_values()));
  file.read(values);
  return values;
}

Images images_of(Source source) {
  if (source.is_npy()) return npy_images({std::move(source.stream), source.n_bytes, source.name});
  IdxFile file(*source.stream, source.n_bytes, source.name);
  const std::int64_t n = n_images(file);
  return {n, idx_values(file)};
}

template <class File>
void require_one_axis(const File& file) {
  if (file.shape().size() != 1)
    file.refuse(fmt::format("has the shape {}; expected labels, (N,)", base::show_shape(file.shape())));
}

template <class File, class T>
std::vector<std::int32_t> checked_labels(const File& file, const std::vector<T>& values) {
  std::vector<std::int32_t> labels;
  labels.reserve(values.size());
  for (std::size_t i = 0; i < values.size(); ++i) {
    const bool is_class = !(values[i] < T{0}) && values[i] < T{Lenet::n_classes};
    if (!is_class) file.refuse(fmt::format("has the label {} for image {}: expected 0 to 9", values[i], i));
    labels.push_back(static_cast<std::int32_t>(values[i]));
  }
  return labels;
}

template <class T>
std::optional<std::vector<std::int32_t>> labels_if(base::NpyFile& file, const char* type) {
  if (file.type() != type) return std::nullopt;
  return checked_labels(file, values_of<T>(file));
}

std::vector<std::int32_t> npy_labels(base::NpyFile file) {
  require_one_axis(file);
  std::optional<std::vector<std::int32_t>> labels;
  const auto try_type = [&]<class T>(T, const char* type) {
    if (!labels) labels = labels_if<T>(file, type);
  };
  try_type(std::uint8_t{}, "|u1");
  try_type(std::int8_t{}, "|i1");
  try_type(std::uint16_t{}, "<u2");
  try_type(std::int16_t{}, "<i2");
  try_type(std::uint32_t{}, "<u4");
  try_type(std::int32_t{}, "<i4");
  try_type(std::uint64_t{}, "<u8");
  try_type(std::int64_t{}, "<i8");
  if (!labels) {
    file.refuse(
        fmt::format("has elements of type '{}'; expected integers, as '<i8': save x.astype('<i8')", file.type()));
  }
  return *labels;
}

std::vector<std::int32_t> labels_of(Source source) {
  if (source.is_npy()) return npy_labels({std::move(source.stream), source.n_bytes, source.name});
  IdxFile file(*source.stream, source.n_bytes, source.name);
  require_one_axis(file);
  return checked_labels(file, idx_values(file));
}

}  // namespace

Images read_images(const fs::path& path) { return images_of(opened(path)); }
Images parse_images(const std::string& file, const std::string& name) { return images_of(in_memory(file, name)); }
std::vector<std::int32_t> read_labels(const fs::path& path) { return labels_of(opened(path)); }
std::vector<std::int32_t> parse_labels(const std::string& file, const std::string& name) {
  return labels_of(in_memory(file, name));
}

}  // namespace rafter::classify
