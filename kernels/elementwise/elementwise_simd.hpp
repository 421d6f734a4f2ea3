// The loops under the elementwise ops of a CPU, compiled once per instruction-set level. 16-bit floats have none: they
// are processed as floats, block by block.
#pragma once

#include <cstdint>

#include "elementwise/elementwise_maps.hpp"
#include "library/core/cpu/isa.hpp"
#include "library/core/cpu/streaming_store.hpp"

namespace rafter::elementwise_ladder::cpu {

using core::Stores;

// Two maps to float for results that are rounded to 16 bits afterwards. They round to odd: towards zero, with the last
// bit set if the result is inexact, so that both steps together round once.

/// out[i] = in[i]; every NaN becomes the one with all bits set but the sign
template <class From>
struct OddFloats {
  using Out = float;
  const From* in;
};

/// out[i] = start + (first + i) * step
struct OddSequence {
  using Out = float;
  double start;
  double step;
  std::int64_t first;
};

template <class Map>
struct ElementwiseLoop {
  /// Writes n elements in one thread.
  void (*run)(const Map& map, std::int64_t n, typename Map::Out* out, Stores stores);
};

template <class... Map>
struct ElementwiseLoopsOf : ElementwiseLoop<Map>... {};

/// The loops whose inputs are of T.
template <class T>
using ElementwiseLoopsFrom =
    ElementwiseLoopsOf<Multiplication<T>, Scaling<T>, Conversion<T, float>, Conversion<T, double>,
                       Conversion<T, std::int32_t>, Conversion<T, std::int64_t>, Sequence<T>, OddFloats<T>>;

struct ElementwiseLoops : ElementwiseLoopsFrom<float>,
                          ElementwiseLoopsFrom<double>,
                          ElementwiseLoopsFrom<std::int32_t>,
                          ElementwiseLoopsFrom<std::int64_t>,
                          ElementwiseLoop<OddSequence> {
  template <class Map>
  void operator()(const Map& map, std::int64_t n, typename Map::Out* out, Stores stores) const {
    static_cast<const ElementwiseLoop<Map>&>(*this).run(map, n, out, stores);
  }
};

/// Returns the table of loops. An output may be an input with elements of the same size.
RAFTER_DECLARE_ISA_TABLE(ElementwiseLoops, elementwise_loops)

}  // namespace rafter::elementwise_ladder::cpu
