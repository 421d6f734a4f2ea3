// The JSON header of a safetensors file, before it is compared with the data.
#pragma once

#include <cstdint>
#include <map>
#include <string>
#include <string_view>
#include <vector>

#include "library/safetensors/file.hpp"

namespace rafter::safetensors {

struct Header {
  struct Entry {
    Tensor tensor;                     // without bytes
    std::uint64_t begin = 0, end = 0;  // position of the bytes in the data
  };
  std::vector<Entry> entries;  // in the order of the file
  std::map<std::string, std::string> metadata;
};

/// The bytes of the header's length, which precede it in a file.
inline constexpr std::size_t length_bytes = sizeof(std::uint64_t);

/// Parses the text of a header. Throws Error (bad_argument) with the tensor or the byte for an invalid header. Messages
/// call the file `file`.
Header parse_header(std::string_view text, const std::string& file);

/// Returns the text of a header, padded so that the data is aligned. Throws Error (bad_argument) for strings that are
/// not UTF-8.
std::string header_text(const Header& header);

/// Throw Error (bad_argument) with the message "'FILE' COMPLAINT" or "'FILE': tensor 'TENSOR' COMPLAINT".
[[noreturn]] void refuse_file(const std::string& file, const std::string& complaint);
[[noreturn]] void refuse_tensor(const std::string& file, const Tensor& tensor, const std::string& complaint);

inline constexpr const char* metadata_key = "__metadata__";

}  // namespace rafter::safetensors
