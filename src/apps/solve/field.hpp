// A field in host memory, in either precision: what initial conditions make and files hold.
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

/// Zeros; throws Error (out_of_memory).
Field make_field(const GridShape& shape, Precision precision);

/// The same field with its values rounded, or widened, to another precision.
Field converted(Field field, Precision precision);

/// A number that changes when one of its values does.
std::uint64_t checksum(const Field& field);

/// "256 x 256 x 512"
std::string show_shape(const GridShape& shape);

/// One of its cells.
struct CellValue {
  std::int64_t z = 0, y = 0, x = 0;
  double value = 0;
};

/// "nan in cell (3, 0, 12)", from 0 along z, y, x
std::string show_cell(const CellValue& cell);

/// The first cell whose value is not as it should be.
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

/// What a file of a field says about it.
struct FieldNote {
  std::string quantity;  ///< what the values are: "temperature"
  GridShape shape;
  GridSpacing spacing;
  std::int64_t step = 0;
  double time = 0;
};

}  // namespace rafter::solve
