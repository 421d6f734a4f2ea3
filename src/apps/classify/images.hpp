// Images and labels as files have them: IDX, or NumPy's .npy.
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

/// Pixels of n images, [n][86][86], as bytes or as floats.
struct Images {
  std::int64_t n = 0;
  std::variant<std::vector<std::uint8_t>, std::vector<float>> pixels;
};

/// (N, 86, 86) or (N, 1, 86, 86): an IDX file of bytes, or a .npy file of uint8 or float32. Throws Error (io) for what
/// cannot be read, (bad_argument) for what is no such file or has pixels that are not finite, with what was expected.
Images read_images(const std::filesystem::path& path);

/// (N): an IDX file of bytes, or a .npy file of integers; all from 0 to 9. Throws as read_images() does.
std::vector<std::int32_t> read_labels(const std::filesystem::path& path);

/// The same from a file in memory; `name` is what messages call it.
Images parse_images(const std::string& file, const std::string& name);
std::vector<std::int32_t> parse_labels(const std::string& file, const std::string& name);

}  // namespace rafter::classify
