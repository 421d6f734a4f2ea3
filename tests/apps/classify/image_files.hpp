// IDX and .npy files as text, valid and invalid.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

namespace rafter::classify {

inline std::string big_endian(std::uint32_t value) {
  std::string bytes;
  for (const int shift : {24, 16, 8, 0}) bytes += static_cast<char>(value >> shift & 255);
  return bytes;
}

/// Returns an IDX file of unsigned bytes.
inline std::string idx_file(const std::vector<std::uint32_t>& shape, const std::string& values) {
  std::string file{0, 0, 8, static_cast<char>(shape.size())};
  for (const std::uint32_t extent : shape) file += big_endian(extent);
  return file + values;
}

inline std::string npy_file(const std::string& type, const std::string& shape, const std::string& values) {
  const std::string header = "{'descr': '" + type + "', 'fortran_order': False, 'shape': " + shape + ", }\n";
  std::string file("\x93NUMPY\x01\x00", 8);
  file += static_cast<char>(header.size() & 255);
  file += static_cast<char>(header.size() >> 8);
  return file + header + values;
}

template <class T>
std::string bytes_of(const std::vector<T>& values) {
  return {reinterpret_cast<const char*>(values.data()), values.size() * sizeof(T)};
}

}  // namespace rafter::classify
