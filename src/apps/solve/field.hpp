// A field in host memory, in either precision.
#pragma once

#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <variant>
#include <vector>

#include "rafter/heat.hpp"

namespace rafter::solve {

enum class Precision { float32, float64 };

std::string_view name(Precision precision) noexcept;
std::optional<Precision> precision_called(std::string_view name) noexcept;
std::int64_t bytes_of(Precision precision) noexcept;

struct Field {
  GridShape shape;
  std::variant<std::vector<float>, std::vector<double>> values;  // [nz, ny, nx]

  Precision precision() const noexcept { return static_cast<Precision>(values.index()); }
};

/// Returns a field of zeros. Throws Error (out_of_memory).
Field make_field(const GridShape& shape, Precision precision);

/// Returns the field converted to another precision.
Field converted(Field field, Precision precision);

/// Returns a hash of the values.
std::uint64_t checksum(const Field& field);

/// Returns the shape as text: "256 x 256 x 512".
std::string show_shape(const GridShape& shape);

/// A cell and its value.
struct CellValue {
  std::int64_t z = 0, y = 0, x = 0;
  double value = 0;
};

/// Returns "nan in cell (3, 0, 12)", with indices from 0 along z, y, x.
std::string show_cell(const CellValue& cell);

/// Returns the first cell whose value does not satisfy `good`.
template <class T, class Good>
std::optional<CellValue> first_cell_not(const Good& good, const GridShape& shape, std::span<const T> values) {
  for (std::size_t i = 0; i < values.size(); ++i) {
    if (good(values[i])) continue;
    const auto at = static_cast<std::int64_t>(i);
    return CellValue{at / (shape.ny * shape.nx), at / shape.nx % shape.ny, at % shape.nx,
                     static_cast<double>(values[i])};
  }
  return std::nullopt;
}

/// The metadata of a field in a file.
struct FieldNote {
  std::string quantity;  ///< the physical quantity: "temperature"
  GridShape shape;
  GridSpacing spacing;
  std::int64_t step = 0;
  double time = 0;
};

}  // namespace rafter::solve
