#include "apps/solve/checkpoint.hpp"

#include <fmt/format.h>

#include <array>
#include <bit>
#include <cstring>
#include <istream>

#include "base/files.hpp"
#include "base/input_file.hpp"
#include "base/new_file.hpp"
#include "rafter/error.hpp"
#include "workbench/lab/data/checksum.hpp"

namespace rafter::solve {

namespace {

namespace fs = std::filesystem;
using nlohmann::json;
static_assert(std::endian::native == std::endian::little);

struct Prefix {
  std::array<char, 8> mark{'R', 'A', 'F', 'T', 'E', 'R', 'C', 'P'};
  std::uint64_t text_bytes = 0;
  std::uint64_t checksum = 0;
};
constexpr std::size_t alignment = 64;

std::uint64_t checksum_of(std::string_view text, std::string_view values) {
  const Stream stream = Stream::cpu();
  const auto of_text = lab::checksum(stream, text.data(), std::ssize(text));
  const auto of_values = lab::checksum(stream, values.data(), std::ssize(values));
  return of_values + 0x9e3779b97f4a7c15u * of_text;
}

template <class T>
std::string_view bytes_of_values(std::span<const T> values) {
  return {reinterpret_cast<const char*>(values.data()), values.size_bytes()};
}

[[noreturn]] void fail(const fs::path& path, const std::string& reason) {
  throw Error(ErrorCode::io, fmt::format("'{}' {}", path.string(), reason));
}
[[noreturn]] void fail_damaged(const fs::path& path, const std::string& how) {
  const fs::path older = previous_checkpoint(path);
  std::error_code error;
  fail(path,
       fmt::format(
           "is a damaged checkpoint: {}; it cannot be resumed{}", how,
           fs::exists(older, error) ? fmt::format(", but the one before it may: --resume {}", older.string()) : ""));
}

/// Returns the field that the description declares. The description is not verified yet.
Field described_field(const fs::path& path, const json& about, std::uintmax_t n_bytes) {
  try {
    const auto extents = about.at("shape").get<std::array<std::int64_t, 3>>();
    const auto precision = precision_called(about.at("dtype").get<std::string>());
    std::int64_t n = precision ? bytes_of(*precision) : 0;
    bool fits = precision.has_value();
    for (const std::int64_t extent : extents) fits = fits && extent > 0 && !__builtin_mul_overflow(n, extent, &n);
    if (!fits || static_cast<std::uintmax_t>(n) != n_bytes)
      fail_damaged(path, "its field does not have the declared length");
    return make_field({extents[0], extents[1], extents[2]}, *precision);
  } catch (const json::exception&) {
    fail_damaged(path, "its description is invalid");
  }
}

}  // namespace

constexpr const char* older_mark = ".previous";

fs::path previous_checkpoint(const fs::path& path) { return path.string() + older_mark; }

fs::path current_checkpoint(const fs::path& path) {
  std::string name = path.string();
  if (name.ends_with(older_mark)) name.resize(name.size() - std::string_view(older_mark).size());
  return name;
}

template <class T>
void write_checkpoint(const fs::path& path, json about, const GridShape& shape, std::span<const T> values,
                      OlderCheckpoint older) {
  about["shape"] = {shape.nz, shape.ny, shape.nx};
  about["dtype"] = name(sizeof(T) == 4 ? Precision::float32 : Precision::float64);
  std::string text = about.dump();
  text.append(alignment - (sizeof(Prefix) + text.size()) % alignment, ' ');
  Prefix prefix;
  prefix.text_bytes = text.size();
  prefix.checksum = checksum_of(text, bytes_of_values(values));
  const std::array<std::string_view, 3> parts{std::string_view(reinterpret_cast<const char*>(&prefix), sizeof prefix),
                                              text, bytes_of_values(values)};
  if (!base::is_replaceable(path)) return base::write_file(path, parts);
  base::NewFile file(base::replaceable_file(path));
  file.write(parts);
  file.commit(older == OlderCheckpoint::kept ? previous_checkpoint(path) : fs::path());
  std::error_code error;
  if (older == OlderCheckpoint::dropped) fs::remove(previous_checkpoint(path), error);
}

Checkpoint read_checkpoint(const fs::path& path) {
  const auto [stream, file_bytes] = base::open_regular_file(path);
  std::istream& file = *stream;
  Prefix prefix;
  const Prefix expected;
  if (!file.read(reinterpret_cast<char*>(&prefix), sizeof prefix) || prefix.mark != expected.mark) {
    fail(path, "is not a Rafter checkpoint");
  }
  const std::uintmax_t rest = file_bytes - sizeof prefix;
  if (prefix.text_bytes > rest) fail_damaged(path, "it is truncated");
  std::string text(prefix.text_bytes, ' ');
  file.read(text.data(), static_cast<std::streamsize>(text.size()));
  json about = json::parse(text, nullptr, false);
  if (about.is_discarded()) fail_damaged(path, "its description is invalid");
  Field field = described_field(path, about, rest - prefix.text_bytes);
  std::visit(
      [&](auto& values) {
        const auto n_bytes = static_cast<std::streamsize>(std::span(values).size_bytes());
        file.read(reinterpret_cast<char*>(values.data()), n_bytes);
        using T = typename std::remove_reference_t<decltype(values)>::value_type;
        if (!file) throw Error(ErrorCode::io, fmt::format("cannot read '{}' to its end", path.string()));
        if (checksum_of(text, bytes_of_values(std::span<const T>(values))) != prefix.checksum) {
          fail_damaged(path, "its checksum is wrong");
        }
      },
      field.values);
  return {std::move(about), std::move(field)};
}

template void write_checkpoint(const fs::path&, json, const GridShape&, std::span<const float>, OlderCheckpoint);
template void write_checkpoint(const fs::path&, json, const GridShape&, std::span<const double>, OlderCheckpoint);

}  // namespace rafter::solve
