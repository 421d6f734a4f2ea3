// NumPy's .npy files: plain numbers, C order.
#pragma once

#include <cstdint>
#include <filesystem>
#include <memory>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "base/new_file.hpp"
#include "base/show_shape.hpp"

namespace rafter::base {

/// A file that is being read: what its header says, then its values. Versions 1 to 3. Throws Error (io) for what cannot
/// be read and (bad_argument) for what is no such file, with what was expected.
class NpyFile {
 public:
  explicit NpyFile(const std::filesystem::path& path);
  /// From a stream of so many bytes; `name` is what messages call it.
  NpyFile(std::unique_ptr<std::istream> file, std::uintmax_t n_bytes, std::string name);
  ~NpyFile();

  const std::string& type() const { return type_; }  ///< as NumPy has it: "<f4", "|u1"
  const std::vector<std::int64_t>& shape() const { return shape_; }

  /// The number of values, each of so many bytes; throws unless the file holds as many and ends there.
  std::int64_t n_values(std::int64_t value_bytes) const;

  /// The next values, into room for as many bytes; all of them, or piece by piece.
  void read(std::span<std::byte> values);

  /// Throws Error (bad_argument): "'FILE' COMPLAINT".
  [[noreturn]] void refuse(const std::string& complaint) const;

 private:
  std::string name_;
  std::unique_ptr<std::istream> file_;
  std::string type_;
  std::vector<std::int64_t> shape_;
  std::uintmax_t value_bytes_ = 0;  // all there are behind the header
};

/// Version 1.0, of float, double or std::int32_t; whole or not there. Throws Error (io).
template <class T>
void write_npy(const std::filesystem::path& path, const std::vector<std::int64_t>& shape, std::span<const T> values);

/// The same piece by piece, for what does not fit in memory. Throws Error (io), for a full disk before anything is
/// written.
template <class T>
class NpyWriter {
 public:
  NpyWriter(const std::filesystem::path& path, const std::vector<std::int64_t>& shape);
  void write(std::span<const T> values) const;
  /// When all values were written.
  void put_in_place() { file_.put_in_place(); }

 private:
  NewFile file_;
};

/// Where the values begin in what write_npy() writes.
inline constexpr std::int64_t npy_header_bytes = 128;

/// What every .npy file begins with.
inline constexpr std::string_view npy_magic{"\x93NUMPY", 6};

}  // namespace rafter::base
