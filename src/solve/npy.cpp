#include "solve/npy.hpp"

#include <fmt/format.h>

#include <array>
#include <bit>
#include <charconv>
#include <fstream>
#include <map>

#include "base/files.hpp"
#include "rafter/error.hpp"

namespace rafter::solve {

namespace {

namespace fs = std::filesystem;
static_assert(std::endian::native == std::endian::little);

constexpr std::string_view magic{"\x93NUMPY", 6};
constexpr std::size_t longest_header = 1 << 20;

[[noreturn]] void refuse(const fs::path& path, const std::string& complaint) {
  throw Error(ErrorCode::bad_argument, fmt::format("'{}' {}", path.string(), complaint));
}

/// The header, a Python dictionary: three keys with plain values. Every value stays text here.
class Header {
 public:
  Header(const fs::path& path, std::string_view text) : path_(path), rest_(text) {
    expect('{');
    while (!take('}')) {
      const std::string key{quoted()};
      expect(':');
      values_[key] = value();
      if (!take(',')) {
        expect('}');
        break;
      }
    }
    skip_spaces();
    if (!rest_.empty()) complain();
  }

  const std::string& at(const std::string& key) const {
    const auto found = values_.find(key);
    if (found == values_.end()) refuse(path_, fmt::format("has a header without '{}'", key));
    return found->second;
  }

 private:
  [[noreturn]] void complain() const { refuse(path_, "has a header that NumPy would not write"); }
  void skip_spaces() {
    while (!rest_.empty() && (rest_.front() == ' ' || rest_.front() == '\n')) rest_.remove_prefix(1);
  }
  bool take(char wanted) {
    skip_spaces();
    if (rest_.empty() || rest_.front() != wanted) return false;
    rest_.remove_prefix(1);
    return true;
  }
  void expect(char wanted) {
    if (!take(wanted)) complain();
  }
  std::string_view until(std::string_view ends) {
    const std::size_t n = rest_.find_first_of(ends);
    if (n == std::string_view::npos) complain();
    const std::string_view part = rest_.substr(0, n);
    rest_.remove_prefix(n);
    return part;
  }
  std::string_view quoted() {
    skip_spaces();
    const char quote = take('"') ? '"' : '\'';
    if (quote == '\'') expect(quote);
    const std::string_view text = until(quote == '"' ? "\"" : "'");
    rest_.remove_prefix(1);
    return text;
  }
  std::string value() {
    skip_spaces();
    if (rest_.empty()) complain();
    if (rest_.front() == '\'' || rest_.front() == '"') return std::string(quoted());
    if (rest_.front() == '[') refuse(path_, "has elements of several parts; expected float32 or float64");
    if (!take('(')) return std::string(until(",}"));
    std::string tuple{until(")")};
    rest_.remove_prefix(1);
    return tuple;
  }

  const fs::path& path_;
  std::string_view rest_;
  std::map<std::string, std::string> values_;
};

std::vector<std::int64_t> extents_of(const fs::path& path, std::string_view tuple) {
  std::vector<std::int64_t> extents;
  while (true) {
    while (!tuple.empty() && (tuple.front() == ' ' || tuple.front() == ',')) tuple.remove_prefix(1);
    if (tuple.empty()) return extents;
    std::int64_t extent = 0;
    const auto [end, status] = std::from_chars(tuple.data(), tuple.data() + tuple.size(), extent);
    if (status != std::errc() || extent < 0) refuse(path, "has a shape that is no list of sizes");
    tuple.remove_prefix(static_cast<std::size_t>(end - tuple.data()));
    extents.push_back(extent);
  }
}

GridShape shape_of(const fs::path& path, std::string_view tuple) {
  const auto extents = extents_of(path, tuple);
  if (extents.size() != 3) {
    refuse(path, fmt::format("has {} axes, ({}); expected three: z, y, x", extents.size(), tuple));
  }
  return {extents[0], extents[1], extents[2]};
}

Precision precision_of(const fs::path& path, const std::string& type) {
  if (type == "<f4") return Precision::float32;
  if (type == "<f8") return Precision::float64;
  refuse(path, fmt::format("has elements of type '{}'; expected float32 ('<f4') or float64 ('<f8'): save "
                           "x.astype('<f4')",
                           type));
}

/// Bytes of values, or nothing when no file is that long.
std::optional<std::uintmax_t> size_of(const GridShape& shape, Precision precision) {
  std::int64_t bytes = bytes_of(precision);
  for (const std::int64_t extent : {shape.nz, shape.ny, shape.nx}) {
    if (__builtin_mul_overflow(bytes, extent, &bytes)) return std::nullopt;
  }
  return static_cast<std::uintmax_t>(bytes);
}

std::string read_header(const fs::path& path, std::istream& file) {
  std::array<unsigned char, 12> start{};
  file.read(reinterpret_cast<char*>(start.data()), 8);
  if (!file || std::string_view(reinterpret_cast<char*>(start.data()), 6) != magic) refuse(path, "is no .npy file");
  const int version = start[6];
  if (version < 1 || version > 3) refuse(path, fmt::format("is a .npy file of version {}; expected 1 to 3", version));
  const int n = version == 1 ? 2 : 4;
  file.read(reinterpret_cast<char*>(start.data() + 8), n);
  std::size_t length = 0;
  for (int i = n; i-- > 0;) length = length << 8 | start[static_cast<std::size_t>(8 + i)];
  if (!file || length > longest_header) refuse(path, "has a header that NumPy would not write");
  std::string header(length, ' ');
  file.read(header.data(), static_cast<std::streamsize>(length));
  if (!file) refuse(path, "is cut short: its header ends too early");
  return header;
}

}  // namespace

Field read_npy(const fs::path& path) {
  std::error_code error;
  const std::uintmax_t file_bytes = fs::file_size(path, error);
  std::ifstream file(path, std::ios::binary);
  if (error || !file) throw Error(ErrorCode::io, fmt::format("cannot read '{}'", path.string()));
  const std::string text = read_header(path, file);
  const Header header(path, text);
  if (header.at("fortran_order").find("True") != std::string::npos) {
    refuse(path, "is in Fortran order; expected C order, x contiguous: save np.ascontiguousarray(x)");
  }
  const Precision precision = precision_of(path, header.at("descr"));
  const GridShape shape = shape_of(path, header.at("shape"));
  const auto n_bytes = size_of(shape, precision);
  const auto start = static_cast<std::uintmax_t>(file.tellg());
  if (!n_bytes || file_bytes - start != *n_bytes) {
    refuse(path, fmt::format("does not hold what its header says: {} cells of {}", show_shape(shape), name(precision)));
  }
  Field field = make_field(shape, precision);
  std::visit(
      [&](auto& values) { file.read(reinterpret_cast<char*>(values.data()), static_cast<std::streamsize>(*n_bytes)); },
      field.values);
  if (!file) throw Error(ErrorCode::io, fmt::format("cannot read '{}' to its end", path.string()));
  return field;
}

template <class T>
void write_npy(const fs::path& path, const GridShape& shape, std::span<const T> values) {
  std::string header = fmt::format("{{'descr': '<f{}', 'fortran_order': False, 'shape': ({}, {}, {}), }}", sizeof(T),
                                   shape.nz, shape.ny, shape.nx);
  constexpr std::size_t prefix_bytes = magic.size() + 4;
  header.resize(npy_header_bytes - prefix_bytes - 1, ' ');
  header += '\n';
  std::string prefix{magic};
  for (const std::size_t byte : {std::size_t{1}, std::size_t{0}, header.size() & 255, header.size() >> 8}) {
    prefix += static_cast<char>(byte);
  }
  const std::array<std::string_view, 3> parts{
      prefix, header, std::string_view(reinterpret_cast<const char*>(values.data()), values.size_bytes())};
  base::write_file(path, parts);
}

template void write_npy(const fs::path&, const GridShape&, std::span<const float>);
template void write_npy(const fs::path&, const GridShape&, std::span<const double>);

}  // namespace rafter::solve
