// IDX files, the format of MNIST: big endian, unsigned bytes.
#pragma once

#include <cstdint>
#include <istream>
#include <span>
#include <string>
#include <vector>

namespace rafter::classify {

/// An IDX file: its header, then its bytes. Throws Error (bad_argument) for an invalid file, with the offset of the
/// invalid byte and what was expected there.
class IdxFile {
 public:
  /// Reads from a stream of `n_bytes` bytes. Messages call it `name`.
  IdxFile(std::istream& file, std::uintmax_t n_bytes, const std::string& name);

  const std::vector<std::int64_t>& shape() const { return shape_; }

  /// Returns the number of values. Throws unless the file has exactly that many bytes after the header.
  std::int64_t n_values() const;

  /// Reads all values. Throws Error (io).
  void read(std::span<std::uint8_t> values);

  /// Throws Error (bad_argument) with the message "'FILE' COMPLAINT".
  [[noreturn]] void refuse(const std::string& complaint) const;

 private:
  std::istream& file_;
  std::string name_;
  std::vector<std::int64_t> shape_;
  std::uintmax_t value_bytes_ = 0;  // after the header
};

}  // namespace rafter::classify
