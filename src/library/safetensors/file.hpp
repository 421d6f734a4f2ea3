// safetensors files: named tensors of numbers after a JSON header. Part of the library (rafter_safetensors), which does
// not link base, so it uses only header-only files of base.
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

namespace rafter::safetensors {

/// A tensor of a file.
struct Tensor {
  std::string name;
  std::string dtype;                 ///< as in files: "F32", "BF16", "I64"
  std::vector<std::int64_t> shape;   ///< empty for a scalar
  std::span<const std::byte> bytes;  ///< C order, little endian; not necessarily aligned
};

/// A safetensors file. Its tensors cover the data without gaps or overlaps. Constructors throw Error (io) when the file
/// cannot be read, and (bad_argument) with the tensor and what was expected when it is invalid.
class File {
 public:
  /// Maps the file into memory; the tensors' bytes are read on access.
  explicit File(const std::filesystem::path& path);
  /// Parses bytes, which must outlive the object. Messages call the file `name`.
  File(std::span<const std::byte> file, std::string name);

  const std::vector<Tensor>& tensors() const { return tensors_; }  ///< in the order of their data
  const std::map<std::string, std::string>& metadata() const { return metadata_; }

  /// Removes what PyTorch's wrappers put in front of all names: "module.", "_orig_mod.", "model.".
  void drop_wrapper_prefixes();

  /// Throws Error (bad_argument) with the message "'FILE' COMPLAINT".
  [[noreturn]] void refuse(const std::string& complaint) const;
  /// Throws Error (bad_argument) with the message "'FILE': tensor 'TENSOR' COMPLAINT".
  [[noreturn]] void refuse(const Tensor& tensor, const std::string& complaint) const;

 private:
  void parse(std::span<const std::byte> file);
  [[noreturn]] void refuse_gap(const Tensor& tensor, std::uint64_t begin, std::uint64_t expected) const;

  std::optional<base::MappedFile> mapped_;
  std::string name_;
  std::vector<Tensor> tensors_;
  std::map<std::string, std::string> metadata_;
};

/// Writes a file atomically, byte for byte like the reference implementation. Throws Error (bad_argument) for tensors
/// of unknown type, with bytes that do not fit the shape, or of the same name, and (io).
void write_file(const std::filesystem::path& path, std::vector<Tensor> tensors,
                const std::map<std::string, std::string>& metadata = {});

/// Returns text from a file for use in a message: truncated, and without control characters.
std::string printable(const std::string& text);

}  // namespace rafter::safetensors
