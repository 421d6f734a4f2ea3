// The loops under the CPU extrema, compiled once per instruction-set level.
#pragma once

#include <cstdint>

#include "extrema/extrema_order.hpp"
#include "library/core/cpu/isa.hpp"

namespace rafter::extrema_ladder::cpu {

struct ExtremaLoops {
  template <class Word>
  using Loop = Word (*)(const Word* in, std::int64_t n, const Order<Word>& order);

  Loop<std::int16_t> w16;
  Loop<std::int32_t> w32;
  Loop<std::int64_t> w64;

  /// Returns the greatest key of in[0, n), n > 0, on one thread.
  std::int16_t operator()(const std::int16_t* in, std::int64_t n, const Order<std::int16_t>& order) const {
    return w16(in, n, order);
  }
  std::int32_t operator()(const std::int32_t* in, std::int64_t n, const Order<std::int32_t>& order) const {
    return w32(in, n, order);
  }
  std::int64_t operator()(const std::int64_t* in, std::int64_t n, const Order<std::int64_t>& order) const {
    return w64(in, n, order);
  }
};

RAFTER_DECLARE_ISA_TABLE(ExtremaLoops, extrema_loops)

}  // namespace rafter::extrema_ladder::cpu
