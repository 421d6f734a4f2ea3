// Pseudo-random bits by index, and memory filled with them.
#pragma once

#include <cstddef>
#include <cstdint>

#include "workbench/lab/data/parallel.hpp"

namespace rafter::lab {

/// Returns a well-mixed function of a counter (the finaliser of SplitMix64).
constexpr std::uint64_t mix(std::uint64_t x) {
  x += 0x9e3779b97f4a7c15u;
  x = (x ^ (x >> 30)) * 0xbf58476d1ce4e5b9u;
  x = (x ^ (x >> 27)) * 0x94d049bb133111ebu;
  return x ^ (x >> 31);
}

/// Returns well-mixed bits for an element of the array with this seed.
constexpr std::uint64_t random_bits(std::uint64_t seed, std::int64_t index) {
  return mix(seed ^ mix(static_cast<std::uint64_t>(index)));
}

/// Returns a well-mixed number in [0, n), n > 0.
constexpr std::int64_t random_below(std::uint64_t seed, std::int64_t index, std::int64_t n) {
  return static_cast<std::int64_t>(random_bits(seed, index) % static_cast<std::uint64_t>(n));
}

/// Writes random bits into word `i`.
template <class Word>
struct WriteRandomBits {
  static constexpr bool has_device_code = true;
  Word* to;
  std::uint64_t seed;
  constexpr void operator()(std::int64_t i) const { to[i] = static_cast<Word>(random_bits(seed, i)); }
};

/// Fills memory of the stream's device, a GPU or the host, with random bits.
inline void fill_with_random_bits(const Stream& stream, void* memory, std::int64_t bytes, std::uint64_t seed) {
  const auto fill = [&]<class Word>(Word* to) {
    for_indices(stream, bytes / static_cast<std::int64_t>(sizeof(Word)), WriteRandomBits<Word>{to, seed});
  };
  const std::uintptr_t place = reinterpret_cast<std::uintptr_t>(memory) | static_cast<std::uintptr_t>(bytes);
  if (place % sizeof(std::uint64_t) == 0) return fill(static_cast<std::uint64_t*>(memory));
  if (place % sizeof(std::uint32_t) == 0) return fill(static_cast<std::uint32_t*>(memory));
  fill(static_cast<std::uint8_t*>(memory));
}

}  // namespace rafter::lab
