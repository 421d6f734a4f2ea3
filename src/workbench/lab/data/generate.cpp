#include "workbench/lab/data/generate.hpp"

#include <random>

namespace rafter::lab {

std::uint64_t fresh_seed() {
  std::random_device device;
  return mix(std::uint64_t{device()} << 32 | device()) >> 16;  // 48 bits: short enough to type again
}

}  // namespace rafter::lab
