// The loops of the CPU rungs of fill, compiled per instruction-set level.
#pragma once

#include <cstdint>

#include "library/core/cpu/isa.hpp"
#include "library/core/cpu/streaming_store.hpp"

namespace rafter::fill_ladder::cpu {

struct FillLoops {
  template <class Bits>
  using Loop = void (*)(Bits* out, std::int64_t n, Bits value, core::Stores stores);

  Loop<std::uint16_t> u16;
  Loop<std::uint32_t> u32;
  Loop<std::uint64_t> u64;

  void operator()(std::uint16_t* out, std::int64_t n, std::uint16_t value, core::Stores stores) const {
    u16(out, n, value, stores);
  }
  void operator()(std::uint32_t* out, std::int64_t n, std::uint32_t value, core::Stores stores) const {
    u32(out, n, value, stores);
  }
  void operator()(std::uint64_t* out, std::int64_t n, std::uint64_t value, core::Stores stores) const {
    u64(out, n, value, stores);
  }
};

/// The loops that fill an array on the calling thread.
RAFTER_DECLARE_ISA_TABLE(FillLoops, fill_loops)

}  // namespace rafter::fill_ladder::cpu
