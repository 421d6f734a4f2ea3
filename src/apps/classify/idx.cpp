#include "apps/classify/idx.hpp"

#include <fmt/format.h>

#include <array>

#include "base/npy.hpp"
#include "rafter/error.hpp"

namespace rafter::classify {

namespace {

constexpr unsigned char unsigned_bytes = 0x08;
using Four = std::array<unsigned char, 4>;

}  // namespace

IdxFile::IdxFile(std::istream& file, std::uintmax_t n_bytes, const std::string& name) : file_(file), name_(name) {
  const auto read_four = [&](const std::string& what) {
    Four four{};
    if (!file_.read(reinterpret_cast<char*>(four.data()), four.size()))
      refuse(fmt::format("is truncated at byte {}: expected {}", n_bytes, what));
    return four;
  };
  const Four magic = read_four("the magic number of an IDX file");
  if (magic[0] != 0 || magic[1] != 0) {
    refuse(fmt::format("is not an IDX file: its first bytes are {:02x} {:02x}, expected 00 00", magic[0], magic[1]));
  }
  if (magic[2] != unsigned_bytes)
    refuse(fmt::format("has elements of type 0x{:02x} at byte 2: expected unsigned bytes, 0x08", magic[2]));
  if (magic[3] == 0) refuse("has no axes at byte 3: expected 1 or more");
  for (int axis = 0; axis < magic[3]; ++axis) {
    const Four extent = read_four(fmt::format("the extent of axis {} of {}", axis + 1, magic[3]));
    shape_.push_back(std::int64_t{extent[0]} << 24 | extent[1] << 16 | extent[2] << 8 | extent[3]);
  }
  value_bytes_ = n_bytes - 4 * (1 + shape_.size());
}

std::int64_t IdxFile::n_values() const {
  std::int64_t n = 1;
  bool counts = true;
  for (const std::int64_t extent : shape_) counts = !__builtin_mul_overflow(n, extent, &n) && counts;
  if (!counts || static_cast<std::uintmax_t>(n) != value_bytes_) {
    refuse(fmt::format("does not match its header: {} bytes from byte {} on; the file has {}", base::show_shape(shape_),
                       4 * (1 + shape_.size()), value_bytes_));
  }
  return n;
}

void IdxFile::read(std::span<std::uint8_t> values) {
  file_.read(reinterpret_cast<char*>(values.data()), static_cast<std::streamsize>(values.size()));
  if (!file_) throw Error(ErrorCode::io, fmt::format("cannot read '{}' to its end", name_));
}

void IdxFile::refuse(const std::string& complaint) const {
  throw Error(ErrorCode::bad_argument, fmt::format("'{}' {}", name_, complaint));
}

}  // namespace rafter::classify
