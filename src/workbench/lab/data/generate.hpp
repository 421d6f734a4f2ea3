// Input data. Every element is a function of (seed, index), so the array does not depend on the number of threads that
// generate it, and changes are found without keeping a copy.
#pragma once

#include <atomic>
#include <cstdint>
#include <cstring>
#include <optional>
#include <string>

#include "workbench/lab/data/guarded_array.hpp"

namespace rafter::lab {

/// The default generator of numbers. A family that needs others uses its own generator: any function from an index to
/// an element.
struct Generator {
  enum class Kind {
    whole,  ///< -8..8 without 0: sums below 2^24 are exact in any order, so one missing element shows at any size
    bell,   ///< mean 0, variance 1, the sum of four uniforms: rounding errors show
  };
  static constexpr bool has_device_code = true;
  Kind kind = Kind::bell;
  std::uint64_t seed = 0;

  constexpr double operator()(std::int64_t index) const {
    const std::uint64_t bits = random_bits(seed, index);
    if (kind == Kind::whole) return static_cast<double>((bits & 7) + 1) * ((bits & 8) != 0 ? 1 : -1);
    const auto sum = (bits & 0xffff) + (bits >> 16 & 0xffff) + (bits >> 32 & 0xffff) + (bits >> 48);
    constexpr double mean = 2 * 65535.;
    constexpr double deviation = 37837.2;  // sqrt(4/12) * 65536
    return (static_cast<double>(sum) - mean) / deviation;
  }
};

/// Generates the elements of an array that is already in host memory.
template <class T>
struct FromHost {
  const T* values;
  T operator()(std::int64_t index) const { return values[index]; }
};

/// Generates element `i` in the memory of the array.
template <class T, class Generate>
struct MakeElement {
  static constexpr bool has_device_code = DeviceFunction<Generate>;
  T* to;
  Generate generator;
  constexpr void operator()(std::int64_t i) const { to[i] = static_cast<T>(generator(i)); }
};

/// Whether the values of a generator, although compiled for the GPU, come from host memory.
template <class Generate>
bool reads_host_memory(const Generate& generator) {
  if constexpr (requires { generator.reads_host_memory(); }) return generator.reads_host_memory();
  return false;
}

/// Fills the array from the generator, on the GPU if the generator was compiled for it.
template <class T, class Generate = Generator>
void fill(GuardedArray<T>& array, const Generate& generator) {
  if constexpr (DeviceFunction<Generate>) {
    if (array.stream().device() == Device::cuda && !reads_host_memory(generator))
      return for_indices(array.stream(), array.size(), MakeElement<T, Generate>{array.data(), generator});
  }
  array.write([&](std::int64_t first, std::span<T> part) {
    core::for_each_index(core::default_threads(), std::ssize(part), [&](std::int64_t i) {
      part[static_cast<std::size_t>(i)] = static_cast<T>(generator(first + i));
    });
  });
}

/// Returns nullopt if the array still has exactly the bits that the generator produces, otherwise an index that
/// changed.
template <class T, class Generate = Generator>
std::optional<std::int64_t> find_change(const GuardedArray<T>& array, const Generate& generator) {
  std::atomic<std::int64_t> changed = -1;
  array.read([&](std::int64_t first, std::span<const T> part) {
    core::for_each_index(core::default_threads(), std::ssize(part), [&](std::int64_t i) {
      const T made = static_cast<T>(generator(first + i));
      if (std::memcmp(&part[static_cast<std::size_t>(i)], &made, sizeof(T)) != 0) changed = first + i;
    });
  });
  if (changed < 0) return std::nullopt;
  return changed;
}

/// Returns a new random seed. It is printed with every result, so that a run can be repeated with it.
std::uint64_t fresh_seed();

}  // namespace rafter::lab
