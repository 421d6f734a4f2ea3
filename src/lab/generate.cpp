#include "lab/generate.hpp"

#include <fmt/format.h>

#include <atomic>
#include <random>

namespace rafter::lab {

template <class T>
void fill(GuardedArray<T>& array, const Generator& generator) {
  array.write([&](std::int64_t first, std::span<T> part) {
    const std::int64_t n = std::ssize(part);
#pragma omp parallel for schedule(static)
    for (std::int64_t i = 0; i < n; ++i) part[static_cast<std::size_t>(i)] = static_cast<T>(generator(first + i));
  });
}

template <class T>
std::optional<std::string> find_change(const GuardedArray<T>& array, const Generator& generator) {
  std::atomic<std::int64_t> changed = -1;
  array.read([&](std::int64_t first, std::span<const T> part) {
    const std::int64_t n = std::ssize(part);
#pragma omp parallel for schedule(static)
    for (std::int64_t i = 0; i < n; ++i) {
      if (part[static_cast<std::size_t>(i)] != static_cast<T>(generator(first + i))) changed = first + i;
    }
  });
  if (changed < 0) return std::nullopt;
  return fmt::format("the input was changed at [{}]", changed.load());
}

template void fill<float>(GuardedArray<float>&, const Generator&);
template void fill<double>(GuardedArray<double>&, const Generator&);
template std::optional<std::string> find_change<float>(const GuardedArray<float>&, const Generator&);
template std::optional<std::string> find_change<double>(const GuardedArray<double>&, const Generator&);

std::uint64_t fresh_seed() {
  std::random_device device;
  return mix(std::uint64_t{device()} << 32 | device()) >> 16;  // 48 bits: short enough to type again
}

}  // namespace rafter::lab
