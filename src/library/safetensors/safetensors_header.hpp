// The header of a safetensors file, JSON: what it says, before it is held against the data.
#pragma once

#include <cstdint>
#include <map>
#include <string>
#include <string_view>
#include <vector>

#include "library/safetensors/safetensors.hpp"

namespace rafter::base {

struct SafetensorsHeader {
  struct Entry {
    Tensor tensor;                     // without its bytes
    std::uint64_t begin = 0, end = 0;  // of them, in the data
  };
  std::vector<Entry> entries;  // in the order of the text
  std::map<std::string, std::string> metadata;
};

/// Where the header begins in a file, behind its length.
inline constexpr std::size_t safetensors_length_bytes = sizeof(std::uint64_t);

/// Throws Error (bad_argument) for what is no such header, with the tensor or the byte; `file` is what messages call
/// it.
SafetensorsHeader read_safetensors_header(std::string_view text, const std::string& file);

/// The header as text, padded so that the data are aligned. Throws Error (bad_argument) for what is no UTF-8.
std::string safetensors_header_text(const SafetensorsHeader& header);

/// Throws Error (bad_argument): "'FILE' COMPLAINT", and "'FILE': tensor 'TENSOR' COMPLAINT".
[[noreturn]] void refuse_safetensors(const std::string& file, const std::string& complaint);
[[noreturn]] void refuse_tensor(const std::string& file, const Tensor& tensor, const std::string& complaint);

inline constexpr const char* safetensors_metadata_key = "__metadata__";

}  // namespace rafter::base
