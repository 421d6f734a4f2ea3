#include "apps/solve/field.hpp"

#include <fmt/format.h>

#include <array>
#include <new>
#include <stdexcept>

#include "rafter/error.hpp"
#include "workbench/lab/data/checksum.hpp"

namespace rafter::solve {

namespace {

constexpr std::array<std::string_view, 2> precision_words{"float32", "float64"};

template <class T>
std::vector<T> allocated(std::int64_t n) {
  try {
    return std::vector<T>(static_cast<std::size_t>(n));
  } catch (const std::exception&) {  // bad_alloc or length_error
    throw Error(ErrorCode::out_of_memory, fmt::format("a field of {} cells does not fit the host's memory", n));
  }
}

template <class To, class From>
std::vector<To> cast_all(const std::vector<From>& from) {
  std::vector<To> to = allocated<To>(std::ssize(from));
  for (std::size_t i = 0; i < from.size(); ++i) to[i] = static_cast<To>(from[i]);
  return to;
}

}  // namespace

std::string_view name(Precision precision) noexcept { return precision_words[static_cast<std::size_t>(precision)]; }

std::optional<Precision> precision_called(std::string_view wanted) noexcept {
  for (std::size_t i = 0; i < precision_words.size(); ++i) {
    if (precision_words[i] == wanted) return static_cast<Precision>(i);
  }
  return std::nullopt;
}

std::int64_t bytes_of(Precision precision) noexcept { return precision == Precision::float32 ? 4 : 8; }

Field make_field(const GridShape& shape, Precision precision) {
  if (precision == Precision::float32) return {shape, allocated<float>(shape.n_cells())};
  return {shape, allocated<double>(shape.n_cells())};
}

Field converted(Field field, Precision precision) {
  if (field.precision() == precision) return field;
  if (precision == Precision::float32)
    return {field.shape, cast_all<float>(std::get<std::vector<double>>(field.values))};
  return {field.shape, cast_all<double>(std::get<std::vector<float>>(field.values))};
}

std::uint64_t checksum(const Field& field) {
  return std::visit(
      [](const auto& values) {
        const auto bytes = static_cast<std::int64_t>(std::as_bytes(std::span(values)).size());
        return lab::checksum(Stream::cpu(), values.data(), bytes);
      },
      field.values);
}

std::string show_cell(const CellValue& cell) {
  return fmt::format("{:g} in cell ({}, {}, {})", cell.value, cell.z, cell.y, cell.x);
}

std::string show_shape(const GridShape& shape) { return fmt::format("{} x {} x {}", shape.nz, shape.ny, shape.nx); }

}  // namespace rafter::solve
