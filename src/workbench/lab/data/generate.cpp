#include "workbench/lab/data/generate.hpp"

#include <random>

namespace rafter::lab {

std::uint64_t random_word() {
  std::random_device device;
  return std::uint64_t{device()} << 32 | device();
}

std::uint64_t fresh_seed() {
  return mix(random_word()) >> 16;  // 48 bits: short enough to type again
}

}  // namespace rafter::lab
