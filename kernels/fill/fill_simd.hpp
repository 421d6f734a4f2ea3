// The loops under the CPU fills, compiled per instruction-set level.
#pragma once

#include <cstdint>
#include <cstring>

#include "core/isa.hpp"
#include "core/streaming_store.hpp"

namespace rafter::fill_ladder::cpu {

struct FillLoops {
  void (*words)(std::uint32_t* out, std::int64_t n, std::uint32_t value, core::Stores stores);
  void (*double_words)(std::uint64_t* out, std::int64_t n, std::uint64_t value, core::Stores stores);

  /// Any type of 4 or 8 bytes.
  template <class T>
  void operator()(T* out, std::int64_t n, T value, core::Stores stores) const {
    if constexpr (sizeof(T) == 4) {
      std::uint32_t bits;
      std::memcpy(&bits, &value, sizeof bits);
      words(reinterpret_cast<std::uint32_t*>(out), n, bits, stores);
    } else {
      std::uint64_t bits;
      std::memcpy(&bits, &value, sizeof bits);
      double_words(reinterpret_cast<std::uint64_t*>(out), n, bits, stores);
    }
  }
};

/// Fills an array, one thread.
RAFTER_DECLARE_ISA_TABLE(FillLoops, fill_loops)

}  // namespace rafter::fill_ladder::cpu
