#include "apps/classify/images.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cstring>
#include <optional>
#include <sstream>

#include "apps/classify/idx.hpp"
#include "apps/classify/lenet/lenet.hpp"
#include "base/input_file.hpp"
#include "base/npy.hpp"
#include "base/process.hpp"
#include "rafter/error.hpp"

namespace rafter::classify {

namespace {

namespace fs = std::filesystem;

/// An open file, and its format according to its first bytes.
struct Source {
  std::unique_ptr<std::istream> stream;
  std::uintmax_t n_bytes;
  std::string name;

  std::string start() const {
    std::string bytes(base::npy_magic.size(), ' ');
    stream->read(bytes.data(), std::ssize(bytes));
    bytes.resize(static_cast<std::size_t>(stream->gcount()));
    stream->clear();
    stream->seekg(0);
    return bytes;
  }
  bool is_npy() const { return start() == base::npy_magic; }
  bool is_packed() const { return start().starts_with("\x1f\x8b"); }
};

Source in_memory(std::string file, const std::string& name) {
  const std::size_t n_bytes = file.size();
  return {std::make_unique<std::istringstream>(std::move(file)), n_bytes, name};
}

Source opened(const fs::path& path) {
  base::RegularFile file = base::open_regular_file(path);
  Source source{std::move(file.stream), file.n_bytes, path.string()};
  if (!source.is_packed()) return source;
  base::Outcome unpacked = base::run({"gzip", "-dc", "--", path.string()});
  if (!unpacked.succeeded()) {
    throw Error(ErrorCode::bad_argument,
                fmt::format("'{}' cannot be unpacked: gzip reports it as damaged or truncated", path.string()));
  }
  return in_memory(std::move(unpacked.output), path.string());
}

/// The extents of a file of images.
struct ImageShape {
  std::int64_t n, height, width;

  std::int64_t n_pixels() const { return height * width; }
};

template <class File>
ImageShape image_shape(const File& file, const ImageOptions& options) {
  constexpr std::int64_t longest_side = 1 << 14;
  const std::vector<std::int64_t>& shape = file.shape();
  const std::size_t n = shape.size();
  const bool is_batch = n == 3 || (n == 4 && shape[1] == 1);
  const auto is_side = [&](std::int64_t side) {
    return options.resize ? side >= 1 && side <= longest_side : side == Lenet::image_side;
  };
  if (!is_batch || !is_side(shape[n - 2]) || !is_side(shape[n - 1])) {
    file.refuse(fmt::format("has the shape {}; expected images, {}", base::show_shape(shape),
                            options.resize ? "(N, height, width)"
                            : is_batch     ? "(N, 86, 86) or (N, 1, 86, 86); --resize scales them"
                                           : "(N, 86, 86) or (N, 1, 86, 86)"));
  }
  return {options.first > 0 ? std::min(shape[0], options.first) : shape[0], shape[n - 2], shape[n - 1]};
}

void require_pixels(const base::NpyFile& file, const std::vector<float>& pixels, std::int64_t n_each) {
  for (std::size_t i = 0; i < pixels.size(); ++i) {
    if (pixels[i] >= 0 && pixels[i] <= 255) continue;
    file.refuse(fmt::format("has a pixel that is {}, in image {}: expected raw pixels, 0 to 255", pixels[i],
                            i / static_cast<std::size_t>(n_each)));
  }
}

/// Scales an image to 86 x 86: bilinear, with the centres of pixels at 1/2.
void resize_image(const float* from, const ImageShape& shape, float* to) {
  struct Place {
    std::int64_t low, high;
    float share;  // of the high one
  };
  const auto place = [](std::int64_t i, std::int64_t n) {
    const double at = (static_cast<double>(i) + 0.5) * static_cast<double>(n) / Lenet::image_side - 0.5;
    const double inside = std::clamp(at, 0., static_cast<double>(n - 1));
    const auto low = static_cast<std::int64_t>(inside);
    return Place{low, std::min(low + 1, n - 1), static_cast<float>(inside - static_cast<double>(low))};
  };
  for (std::int64_t y = 0; y < Lenet::image_side; ++y) {
    const Place row = place(y, shape.height);
    for (std::int64_t x = 0; x < Lenet::image_side; ++x) {
      const Place column = place(x, shape.width);
      const auto along_row = [&](std::int64_t r) {
        const float* pixels = from + r * shape.width;
        return pixels[column.low] + column.share * (pixels[column.high] - pixels[column.low]);
      };
      const float low = along_row(row.low), high = along_row(row.high);
      *to++ = low + row.share * (high - low);
    }
  }
}

template <class Pixel>
Images sized(const ImageShape& shape, std::vector<Pixel> pixels) {
  if (shape.height == Lenet::image_side && shape.width == Lenet::image_side) return {shape.n, std::move(pixels)};
  std::vector<float> resized(static_cast<std::size_t>(shape.n * Lenet::image_pixels));
  std::vector<float> one(static_cast<std::size_t>(shape.n_pixels()));
  for (std::int64_t i = 0; i < shape.n; ++i) {
    std::copy_n(pixels.begin() + i * shape.n_pixels(), shape.n_pixels(), one.begin());
    resize_image(one.data(), shape, resized.data() + i * Lenet::image_pixels);
  }
  return {shape.n, std::move(resized)};
}

/// Reads the first n values of a file, which must match its header.
template <class T>
std::vector<T> first_values(base::NpyFile& file, std::int64_t n) {
  file.n_values(sizeof(T));
  std::vector<T> values(static_cast<std::size_t>(n));
  file.read(std::as_writable_bytes(std::span(values)));
  return values;
}

template <class T>
std::vector<T> values_of(base::NpyFile& file) {
  return first_values<T>(file, file.n_values(sizeof(T)));
}

Images npy_images(base::NpyFile file, const ImageOptions& options) {
  if (file.type() != "|u1" && file.type() != "<f4") {
    file.refuse(
        fmt::format("has elements of type '{}'; expected uint8 ('|u1') or float32 ('<f4'): save "
                    "x.astype('uint8')",
                    file.type()));
  }
  const ImageShape shape = image_shape(file, options);
  const std::int64_t n = shape.n * shape.n_pixels();
  if (file.type() == "|u1") return sized(shape, first_values<std::uint8_t>(file, n));
  auto pixels = first_values<float>(file, n);
  require_pixels(file, pixels, shape.n_pixels());
  return sized(shape, std::move(pixels));
}

std::vector<std::uint8_t> first_values(IdxFile& file, std::int64_t n) {
  file.n_values();
  std::vector<std::uint8_t> values(static_cast<std::size_t>(n));
  file.read(values);
  return values;
}

Images images_of(Source source, const ImageOptions& options) {
  if (source.is_npy()) return npy_images({std::move(source.stream), source.n_bytes, source.name}, options);
  IdxFile file(*source.stream, source.n_bytes, source.name);
  const ImageShape shape = image_shape(file, options);
  return sized(shape, first_values(file, shape.n * shape.n_pixels()));
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
  return checked_labels(file, first_values(file, file.n_values()));
}

}  // namespace

Images read_images(const fs::path& path, const ImageOptions& options) { return images_of(opened(path), options); }
Images parse_images(const std::string& file, const std::string& name, const ImageOptions& options) {
  return images_of(in_memory(file, name), options);
}
std::vector<std::int32_t> read_labels(const fs::path& path) { return labels_of(opened(path)); }
std::vector<std::int32_t> parse_labels(const std::string& file, const std::string& name) {
  return labels_of(in_memory(file, name));
}

bool look_like_fractions(const Images& images) {
  return std::visit(
      [](const auto& pixels) {
        const auto largest = std::max_element(pixels.begin(), pixels.end());
        return largest != pixels.end() && *largest > 0 && *largest <= 1;
      },
      images.pixels);
}

}  // namespace rafter::classify
