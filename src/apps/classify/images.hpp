// Images and labels from files: IDX or NumPy's .npy.
#pragma once

#include <cstdint>
#include <filesystem>
#include <istream>
#include <memory>
#include <span>
#include <string>
#include <variant>
#include <vector>

namespace rafter::classify {

/// The pixels of n images, [n][86][86], as bytes or floats.
struct Images {
  std::int64_t n = 0;
  std::variant<std::vector<std::uint8_t>, std::vector<float>> pixels;
};

struct ImageOptions {
  std::int64_t first = 0;  ///< images to read, from the first; 0: all
  bool resize = false;     ///< scale images of other sizes to 86 x 86
};

/// Reads images, (N, 86, 86) or (N, 1, 86, 86), from an IDX file of bytes or a .npy file of uint8 or float32, either
/// also packed by gzip. Throws Error (io) when it cannot be read, and (bad_argument) with what was expected for an
/// invalid file or pixels that are not in [0, 255].
Images read_images(const std::filesystem::path& path, const ImageOptions& options = {});

/// Reads labels, (N), from an IDX file of bytes or a .npy file of integers; all from 0 to 9. Throws like read_images().
std::vector<std::int32_t> read_labels(const std::filesystem::path& path);

/// Parse such files in memory, unpacked. Messages call them `name`.
Images parse_images(const std::string& file, const std::string& name, const ImageOptions& options = {});
std::vector<std::int32_t> parse_labels(const std::string& file, const std::string& name);

/// Whether the largest pixel is at most 1, but not 0: the pixels are probably fractions of 255.
bool look_like_fractions(const Images& images);

}  // namespace rafter::classify
