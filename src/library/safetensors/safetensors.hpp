// safetensors files: named tensors of plain numbers, behind a header in JSON. Part of the library (rafter_safetensors),
// so it uses what is a header alone in this room, and no more.
#pragma once

#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <map>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "base/mapped_file.hpp"

namespace rafter::base {

/// A tensor of a file.
struct Tensor {
  std::string name;
  std::string dtype;                 ///< as files have it: "F32", "BF16", "I64"
  std::vector<std::int64_t> shape;   ///< of a scalar: empty
  std::span<const std::byte> bytes;  ///< C order, little endian; at any address
};

/// A file that was read: every tensor lies whole in it, and all together cover its data. Throws Error (io) for what
/// cannot be read and (bad_argument) for what is no such file, with the tensor and what was expected.
class SafetensorsFile {
 public:
  /// Maps the file; its tensors' bytes are read where they are touched.
  explicit SafetensorsFile(const std::filesystem::path& path);
  /// From bytes that outlive it; `name` is what messages call it.
  SafetensorsFile(std::span<const std::byte> file, std::string name);

  const std::vector<Tensor>& tensors() const { return tensors_; }  ///< in the order of their data
  const std::map<std::string, std::string>& metadata() const { return metadata_; }

  /// Throws Error (bad_argument): "'FILE' COMPLAINT".
  [[noreturn]] void refuse(const std::string& complaint) const;
  /// Likewise: "'FILE': tensor 'TENSOR' COMPLAINT".
  [[noreturn]] void refuse(const Tensor& tensor, const std::string& complaint) const;

 private:
  void parse(std::span<const std::byte> file);
  [[noreturn]] void refuse_gap(const Tensor& tensor, std::uint64_t begin, std::uint64_t expected) const;

  std::optional<MappedFile> mapped_;
  std::string name_;
  std::vector<Tensor> tensors_;
  std::map<std::string, std::string> metadata_;
};

/// Writes such a file, byte for byte as the reference implementation does; whole or not there. Throws Error
/// (bad_argument) for tensors of no known type, whose bytes do not fit the shape, or of the same name, (io).
void write_safetensors(const std::filesystem::path& path, std::vector<Tensor> tensors,
                       const std::map<std::string, std::string>& metadata = {});

/// A stranger's text as messages have it: not too long, and without control characters.
std::string shown(const std::string& text);

}  // namespace rafter::base
