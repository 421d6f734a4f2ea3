// Integer arithmetic shared by host and device code.
#pragma once

#include <cstdint>

namespace rafter {

constexpr std::int64_t ceil_div(std::int64_t a, std::int64_t b) { return (a + b - 1) / b; }

/// A divisor passed to kernels, which multiply instead of dividing. Valid for n >= 0 with n * divisor < 2^32.
struct Divisor {
  int value = 1;
  unsigned reciprocal = 0;  // 2^32 / value, rounded up; 0 for 1

  Divisor() = default;
  explicit constexpr Divisor(int divisor)
      : value(divisor),
        reciprocal(divisor == 1 ? 0 : static_cast<unsigned>(ceil_div(std::int64_t{1} << 32, divisor))) {}
  constexpr int quotient(int n) const {
    return reciprocal == 0 ? n : static_cast<int>(std::uint64_t{static_cast<unsigned>(n)} * reciprocal >> 32);
  }
  constexpr int remainder(int n) const { return n - quotient(n) * value; }
};

}  // namespace rafter
