// Asking for what a loop reads later, where the hardware does not see it coming.
#pragma once

#include <cstdint>

namespace rafter::core {

/// A cache, as __builtin_prefetch counts them.
enum class CacheLevel { second = 2, first = 3 };

/// Asks for base[index]. Any index will do: its address is never read.
template <CacheLevel Level, class T>
[[maybe_unused]] __attribute__((always_inline)) static inline void ask_for(const T* base, std::int64_t index) {
  const auto offset = static_cast<std::uintptr_t>(index) * sizeof(T);
  const auto* address = reinterpret_cast<const void*>(reinterpret_cast<std::uintptr_t>(base) + offset);
  __builtin_prefetch(address, 0, static_cast<int>(Level));
}

}  // namespace rafter::core
