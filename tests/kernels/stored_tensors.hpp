// Model files that tests make and change: tensors that own their bytes, and files of such tensors.
#pragma once

#include <algorithm>
#include <array>
#include <bit>
#include <cstdint>
#include <string>
#include <vector>

#include "library/safetensors/file.hpp"

namespace rafter {

/// A tensor that owns its bytes.
struct Stored {
  std::string name, dtype;
  std::vector<std::int64_t> shape;
  std::string bytes;
};

inline std::string bytes_of(const std::vector<float>& values) {
  return {reinterpret_cast<const char*>(values.data()), values.size() * sizeof(float)};
}

/// Returns the tensors of a file.
inline std::vector<Stored> stored_tensors(const safetensors::File& file) {
  std::vector<Stored> all;
  for (const safetensors::Tensor& tensor : file.tensors()) {
    const auto* bytes = reinterpret_cast<const char*>(tensor.bytes.data());
    all.push_back({tensor.name, tensor.dtype, tensor.shape, std::string(bytes, tensor.bytes.size())});
  }
  return all;
}

/// Writes a file with the tensors' data in this order, and their header entries in the opposite order.
inline std::string file_of(const std::vector<Stored>& tensors) {
  std::string data, header;
  for (const Stored& tensor : tensors) {
    std::string shape;
    for (const std::int64_t extent : tensor.shape) shape += (shape.empty() ? "" : ",") + std::to_string(extent);
    const std::string offsets = std::to_string(data.size()) + "," + std::to_string(data.size() + tensor.bytes.size());
    header = "\"" + tensor.name + "\":{\"dtype\":\"" + tensor.dtype + "\",\"shape\":[" + shape +
             "],\"data_offsets\":[" + offsets + "]}" + (header.empty() ? "" : ",") + header;
    data += tensor.bytes;
  }
  header = "{" + header + "}";
  const auto length = std::bit_cast<std::array<char, 8>>(std::uint64_t{header.size()});
  return std::string(length.begin(), length.end()) + header + data;
}

inline Stored& tensor_of(std::vector<Stored>& tensors, const std::string& name) {
  return *std::find_if(tensors.begin(), tensors.end(), [&](const Stored& tensor) { return tensor.name == name; });
}

/// Converts values to another element type.
template <class T>
void store_as(Stored& tensor, const char* dtype, std::vector<float>& values) {
  std::vector<T> stored;
  for (float& value : values) {
    stored.emplace_back(value);
    value = static_cast<float>(stored.back());
  }
  tensor.dtype = dtype;
  tensor.bytes.assign(reinterpret_cast<const char*>(stored.data()), stored.size() * sizeof(T));
}

}  // namespace rafter
