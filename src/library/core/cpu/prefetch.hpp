// Software prefetch for access patterns that the hardware does not predict.
#pragma once

#include <cstdint>

namespace rafter::core {

/// The target cache level, in the numbering of __builtin_prefetch.
enum class CacheLevel { second = 2, first = 3 };

/// Prefetches base[index]. The index may be out of range: the address is not dereferenced.
template <CacheLevel Level, class T>
[[maybe_unused]] __attribute__((always_inline)) static inline void prefetch(const T* base, std::int64_t index) {
  const auto offset = static_cast<std::uintptr_t>(index) * sizeof(T);
  const auto* address = reinterpret_cast<const void*>(reinterpret_cast<std::uintptr_t>(base) + offset);
  __builtin_prefetch(address, 0, static_cast<int>(Level));
}

}  // namespace rafter::core
