// A field in host memory, in either precision: what initial conditions make and files hold.
#pragma once

#include <optional>
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

/// "256 x 256 x 512"
std::string show_shape(const GridShape& shape);

/// What a file of a field says about it.
struct FieldNote {
  std::string quantity;  ///< what the values are: "temperature"
  GridShape shape;
  GridSpacing spacing;
  std::int64_t step = 0;
  double time = 0;
};

}  // namespace rafter::solve
