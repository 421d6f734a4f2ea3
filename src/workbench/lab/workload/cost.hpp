// The least work that any implementation of a case needs, for each resource of the machine.
#pragma once

#include <array>
#include <cstddef>

#include "library/core/dtype.hpp"

namespace rafter::lab {

/// The unit that does arithmetic. A unit that a device lacks sets no floor there.
enum class Unit {
  fp32,         ///< additions and multiplications; a fused multiply-add is two of them
  fp64,         ///< counted likewise
  tensor_fp16,  ///< tensor cores: the additions and multiplications of their matrix multiply-adds
  tensor_bf16,
  tensor_tf32,
  tensor_fp8,
  special,  ///< exp2, log2, sin, reciprocal square roots: a GPU's special function units
};
constexpr std::size_t n_units = 7;
constexpr std::array<Unit, n_units> all_units{Unit::fp32,        Unit::fp64,       Unit::tensor_fp16, Unit::tensor_bf16,
                                              Unit::tensor_tf32, Unit::tensor_fp8, Unit::special};
const char* name(Unit unit) noexcept;  ///< "fp32", "tensor bf16"

/// A number for each unit.
class PerUnit {
 public:
  constexpr double operator[](Unit unit) const { return values_[static_cast<std::size_t>(unit)]; }
  constexpr double& operator[](Unit unit) { return values_[static_cast<std::size_t>(unit)]; }
  bool operator==(const PerUnit&) const = default;

 private:
  std::array<double, n_units> values_{};
};

constexpr PerUnit operations_on(Unit unit, double n) {
  PerUnit operations;
  operations[unit] = n;
  return operations;
}

/// Returns `n` additions and multiplications of T. Integers have no roof: integer ops here are limited by memory.
template <class T>
constexpr PerUnit operations_in(double n) {
  if constexpr (!core::is_float<T>) return {};
  return operations_on(core::DType<T>::unit == core::ArithmeticUnit::fp64 ? Unit::fp64 : Unit::fp32, n);
}

/// Returns the expected number of distinct values in `n` random draws from `n_places`.
double expected_distinct(double n, double n_places);

/// Reads at random places of a table. Elements are requested; the sectors that contain them are moved, each at least
/// once.
struct RandomReads {
  double n = 0;
  double n_table = 0;
  double element_bytes = 0;

  double bytes_asked() const;
  double bytes_moved(double sector_bytes) const;
};

struct Cost {
  double bytes_read = 0;  ///< bytes requested, including `random_reads`
  double bytes_written = 0;
  PerUnit operations{};
  int launches = 1;
  RandomReads random_reads{};
  double footprint_bytes = 0;  ///< size of the data if it is read more than once; 0: bytes()

  double bytes() const { return bytes_read + bytes_written; }
};

}  // namespace rafter::lab
