// Random bits of the system.
#pragma once

#include <cstdint>
#include <random>

namespace rafter::base {

/// Returns 64 random bits, which do not follow from any earlier ones.
inline std::uint64_t random_word() {
  std::random_device device;
  return std::uint64_t{device()} << 32 | device();
}

}  // namespace rafter::base
