// NumPy's .npy files with numbers in C order.
#pragma once

#include <cstdint>
#include <filesystem>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "base/messages.hpp"
#include "base/outputs.hpp"

namespace rafter::base {

struct RegularFile;

/// A .npy file, versions 1 to 3: its header, then its values. Throws Error (io) when it cannot be read, and
/// (bad_argument) with what was expected when it is invalid.
class NpyFile {
 public:
  explicit NpyFile(const std::filesystem::path& path);
  /// Reads from a stream of `n_bytes` bytes, nullopt if that is not known. Messages call it `name`.
  NpyFile(std::unique_ptr<std::istream> file, std::optional<std::uintmax_t> n_bytes, std::string name);
  ~NpyFile();

  const std::string& type() const { return type_; }  ///< in NumPy's notation: "<f4", "|u1"
  const std::vector<std::int64_t>& shape() const { return shape_; }

  /// Returns the number of values of `value_bytes` bytes. Throws unless the file has exactly that many, if its size is
  /// known.
  std::int64_t n_values(std::int64_t value_bytes) const;

  /// Reads the next values, all at once or piece by piece.
  void read(std::span<std::byte> values);

  /// Throws Error (bad_argument) with the message "'FILE' COMPLAINT".
  [[noreturn]] void refuse(const std::string& complaint) const;

 private:
  NpyFile(RegularFile file, std::string name);

  std::string name_;
  std::unique_ptr<std::istream> file_;
  std::string type_;
  std::vector<std::int64_t> shape_;
  std::optional<std::uintmax_t> value_bytes_;  // after the header
};

/// Writes a StreamedOutput of version 1.0; T is float, double or std::int32_t. Throws Error (io).
template <class T>
void write_npy(const std::filesystem::path& path, const std::vector<std::int64_t>& shape, std::span<const T> values);

/// Writes such an output piece by piece, for data that does not fit in memory. Throws Error (io); a full disk is found
/// before anything is written.
template <class T>
class NpyWriter {
 public:
  NpyWriter(const std::filesystem::path& path, const std::vector<std::int64_t>& shape);
  void write(std::span<const T> values) const;
  /// Completes the output when all values are written.
  void commit() { output_.commit(); }

 private:
  StreamedOutput output_;
};

/// The offset of the values in files of write_npy().
inline constexpr std::int64_t npy_header_bytes = 128;

/// The first bytes of every .npy file.
inline constexpr std::string_view npy_magic{"\x93NUMPY", 6};

}  // namespace rafter::base
