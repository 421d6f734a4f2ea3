// The number and the seed of generated kernels.
#pragma once

#include <gtest/gtest.h>

#include <algorithm>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <set>
#include <string>
#include <utility>

namespace rafter::simt::test {

inline std::uint64_t given(const char* name, std::uint64_t otherwise) {
  const char* text = std::getenv(name);
  return text ? std::strtoull(text, nullptr, 10) : otherwise;
}

/// Calls f(number of kernels, seed) for one program after the other until one fails.
template <class F>
void for_programs(F&& f) {
  constexpr std::uint64_t kernels_per_program = 64;
  const std::uint64_t seed = given("RAFTER_SEED", 21), n_kernels = given("RAFTER_GENERATED_KERNELS", 24);
  for (std::uint64_t first = 0; first < n_kernels && !testing::Test::HasFailure(); first += kernels_per_program) {
    f(static_cast<int>(std::min(kernels_per_program, n_kernels - first)), seed + first);
  }
  std::printf("%d kernels, seed %d\n", static_cast<int>(n_kernels), static_cast<int>(seed));
}

/// Two lines of a generated program, the smaller one first.
using LinePair = std::pair<int, int>;

inline std::string listed(const std::set<LinePair>& pairs) {
  std::string text;
  for (const auto& [a, b] : pairs) text += " " + std::to_string(a) + "/" + std::to_string(b);
  return text;
}

}  // namespace rafter::simt::test
