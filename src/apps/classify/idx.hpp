// IDX files, as MNIST has them: big endian, unsigned bytes.
#pragma once

#include <cstdint>
#include <istream>
#include <span>
#include <string>
#include <vector>

namespace rafter::classify {

/// A file that is being read: what its header says, then its bytes. Throws Error (bad_argument) for what is no such
/// file, with the byte where it is none and what was expected there.
class IdxFile {
 public:
  /// From a stream of so many bytes; `name` is what messages call it.
  IdxFile(std::istream& file, std::uintmax_t n_bytes, const std::string& name);

  const std::vector<std::int64_t>& shape() const { return shape_; }

  /// How many bytes are behind the header; throws unless the file holds as many and ends there.
  std::int64_t n_values() const;

  /// All of them, into room for as many. Throws Error (io).
  void read(std::span<std::uint8_t> values);

  /// Throws Error (bad_argument): "'FILE' COMPLAINT".
  [[noreturn]] void refuse(const std::string& complaint) const;

 private:
  std::istream& file_;
  std::string name_;
  std::vector<std::int64_t> shape_;
  std::uintmax_t value_bytes_ = 0;  // all there are behind the header
};

}  // namespace rafter::classify
