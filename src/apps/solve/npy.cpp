#include "apps/solve/npy.hpp"

#include <fmt/format.h>

#include "base/npy.hpp"

namespace rafter::solve {

namespace {

Precision precision_of(const base::NpyFile& file) {
  if (file.type() == "<f4") return Precision::float32;
  if (file.type() == "<f8") return Precision::float64;
  file.refuse(
      fmt::format("has elements of type '{}'; expected float32 ('<f4') or float64 ('<f8'): save "
                  "x.astype('<f4')",
                  file.type()));
}

GridShape shape_of(const base::NpyFile& file) {
  const auto& extents = file.shape();
  if (extents.size() == 2) return {1, extents[0], extents[1]};
  if (extents.size() == 3) return {extents[0], extents[1], extents[2]};
  file.refuse(
      fmt::format("has {} axes, {}; expected three: z, y, x; or two: y, x", extents.size(), base::show_shape(extents)));
}

}  // namespace

Field read_npy(const std::filesystem::path& path) {
  base::NpyFile file(path);
  const Precision precision = precision_of(file);
  const GridShape shape = shape_of(file);
  file.n_values(bytes_of(precision));
  Field field = make_field(shape, precision);
  std::visit([&](auto& values) { file.read(std::as_writable_bytes(std::span(values))); }, field.values);
  return field;
}

}  // namespace rafter::solve
