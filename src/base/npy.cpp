#include "base/npy.hpp"

#include <fmt/format.h>

#include <array>
#include <bit>
#include <charconv>
#include <istream>
#include <map>

#include "base/input_file.hpp"
#include "rafter/error.hpp"

namespace rafter::base {

namespace {

namespace fs = std::filesystem;
static_assert(std::endian::native == std::endian::little);

constexpr std::size_t longest_header = 1 << 20;

[[noreturn]] void refuse_file(const std::string& name, const std::string& complaint) {
  throw Error(ErrorCode::bad_argument, fmt::format("'{}' {}", name, complaint));
}

/// The header, a Python dictionary of three keys. Values are kept as text.
class NpyHeader {
 public:
  NpyHeader(const std::string& name, std::string_view text) : name_(name), rest_(text) {
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
    if (found == values_.end()) refuse_file(name_, fmt::format("has a header without '{}'", key));
    return found->second;
  }

 private:
  [[noreturn]] void complain() const { refuse_file(name_, "has an invalid header"); }
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
    if (rest_.front() == '[') refuse_file(name_, "has structured elements; expected numbers");
    if (!take('(')) return std::string(until(",}"));
    std::string tuple{until(")")};
    rest_.remove_prefix(1);
    return tuple;
  }

  const std::string& name_;
  std::string_view rest_;
  std::map<std::string, std::string> values_;
};

std::vector<std::int64_t> extents_of(const std::string& name, std::string_view tuple) {
  std::vector<std::int64_t> extents;
  while (true) {
    while (!tuple.empty() && (tuple.front() == ' ' || tuple.front() == ',')) tuple.remove_prefix(1);
    if (tuple.empty()) return extents;
    std::int64_t extent = 0;
    const auto [end, status] = std::from_chars(tuple.data(), tuple.data() + tuple.size(), extent);
    if (status != std::errc() || extent < 0) refuse_file(name, "has an invalid shape");
    tuple.remove_prefix(static_cast<std::size_t>(end - tuple.data()));
    extents.push_back(extent);
  }
}

struct NpyStart {
  std::string header;
  std::uintmax_t n_bytes;  ///< before the values
};

NpyStart read_start(const std::string& name, std::istream& file) {
  std::array<unsigned char, 12> start{};
  file.read(reinterpret_cast<char*>(start.data()), 8);
  if (!file || std::string_view(reinterpret_cast<char*>(start.data()), 6) != npy_magic)
    refuse_file(name, "is not a .npy file");
  const int version = start[6];
  if (version < 1 || version > 3)
    refuse_file(name, fmt::format("is a .npy file of version {}; expected 1 to 3", version));
  const std::size_t n = version == 1 ? 2 : 4;
  file.read(reinterpret_cast<char*>(start.data() + 8), static_cast<std::streamsize>(n));
  std::size_t length = 0;
  for (std::size_t i = n; i-- > 0;) length = length << 8 | start[8 + i];
  if (!file || length > longest_header) refuse_file(name, "has an invalid header");
  std::string header(length, ' ');
  file.read(header.data(), static_cast<std::streamsize>(length));
  if (!file) refuse_file(name, "is truncated: its header is incomplete");
  return {std::move(header), 8 + n + length};
}

template <class T>
constexpr const char* type_of = nullptr;
template <>
constexpr const char* type_of<float> = "<f4";
template <>
constexpr const char* type_of<double> = "<f8";
template <>
constexpr const char* type_of<std::int32_t> = "<i4";

/// Returns everything before the values, npy_header_bytes long.
std::string header_text(const char* type, const std::vector<std::int64_t>& shape) {
  std::string header = fmt::format("{{'descr': '{}', 'fortran_order': False, 'shape': {}, }}", type, show_shape(shape));
  constexpr std::size_t prefix_bytes = npy_magic.size() + 4;
  header.resize(npy_header_bytes - prefix_bytes - 1, ' ');
  header += '\n';
  std::string prefix{npy_magic};
  for (const std::size_t byte : {std::size_t{1}, std::size_t{0}, header.size() & 255, header.size() >> 8}) {
    prefix += static_cast<char>(byte);
  }
  return prefix + header;
}

template <class T>
std::string_view text_of(std::span<const T> values) {
  return {reinterpret_cast<const char*>(values.data()), values.size_bytes()};
}

}  // namespace

NpyFile::NpyFile(const fs::path& path) : NpyFile(open_regular_file(path), path.string()) {}

NpyFile::NpyFile(RegularFile file, std::string name) : NpyFile(std::move(file.stream), file.n_bytes, std::move(name)) {}

NpyFile::NpyFile(std::unique_ptr<std::istream> file, std::optional<std::uintmax_t> n_bytes, std::string name)
    : name_(std::move(name)), file_(std::move(file)) {
  if (!*file_) throw Error(ErrorCode::io, fmt::format("cannot read '{}'", name_));
  const NpyStart start = read_start(name_, *file_);
  const NpyHeader header(name_, start.header);
  if (header.at("fortran_order").find("True") != std::string::npos)
    refuse("is in Fortran order; expected C order: save np.ascontiguousarray(x)");
  type_ = header.at("descr");
  shape_ = extents_of(name_, header.at("shape"));
  if (n_bytes) value_bytes_ = *n_bytes - start.n_bytes;
}

NpyFile::~NpyFile() = default;

std::int64_t NpyFile::n_values(std::int64_t value_bytes) const {
  std::int64_t bytes = value_bytes;
  bool counts = true;
  for (const std::int64_t extent : shape_) counts = !__builtin_mul_overflow(bytes, extent, &bytes) && counts;
  if (!counts) refuse(fmt::format("has an impossible shape, {}", show_shape(shape_)));
  if (value_bytes_ && static_cast<std::uintmax_t>(bytes) != *value_bytes_) {
    refuse(fmt::format("does not match its header: {} of {} bytes each; {} bytes follow the header", show_shape(shape_),
                       value_bytes, *value_bytes_));
  }
  return bytes / value_bytes;
}

void NpyFile::read(std::span<std::byte> values) {
  file_->read(reinterpret_cast<char*>(values.data()), static_cast<std::streamsize>(values.size()));
  if (!*file_) throw Error(ErrorCode::io, fmt::format("cannot read '{}' to its end", name_));
}

void NpyFile::refuse(const std::string& complaint) const { refuse_file(name_, complaint); }

template <class T>
void write_npy(const fs::path& path, const std::vector<std::int64_t>& shape, std::span<const T> values) {
  StreamedOutput output(path);
  const std::string header = header_text(type_of<T>, shape);
  const std::array<std::string_view, 2> parts{header, text_of(values)};
  output.write(parts);
  output.commit();
}

template <class T>
NpyWriter<T>::NpyWriter(const fs::path& path, const std::vector<std::int64_t>& shape) : output_(path) {
  std::int64_t n_bytes = sizeof(T);
  for (const std::int64_t extent : shape) n_bytes *= extent;
  output_.reserve(npy_header_bytes + n_bytes);
  const std::string header = header_text(type_of<T>, shape);
  const std::array<std::string_view, 1> parts{header};
  output_.write(parts);
}

template <class T>
void NpyWriter<T>::write(std::span<const T> values) const {
  const std::array<std::string_view, 1> parts{text_of(values)};
  output_.write(parts);
}

template void write_npy(const fs::path&, const std::vector<std::int64_t>&, std::span<const float>);
template void write_npy(const fs::path&, const std::vector<std::int64_t>&, std::span<const double>);
template void write_npy(const fs::path&, const std::vector<std::int64_t>&, std::span<const std::int32_t>);
template class NpyWriter<float>;

}  // namespace rafter::base
