// The signature of the rungs of elementwise: a map and its output.
#pragma once

#include <cstdint>
#include <span>
#include <type_traits>

#include "elementwise/elementwise_maps.hpp"
#include "library/core/dtype.hpp"
#include "library/core/rung.hpp"
#include "rafter/elementwise.hpp"

namespace rafter::elementwise_ladder {

/// All maps for all element types.
using Maps =
    detail::Joined<ForTypes<Types, Multiplication, ElementwiseTypes>, ForTypes<Types, Scaling, ElementwiseTypes>,
                   ForTypes<Types, Conversion, ElementwiseTypes, ElementwiseTypes>,
                   ForTypes<Types, Sequence, ElementwiseTypes>>::type;

template <class Map>
struct ElementwiseArgs {
  Map map;
  std::span<typename Map::Out> out;  // may be an input with elements of the same size
};

using ElementwiseRung = core::RungOf<ElementwiseArgs, Maps>;

}  // namespace rafter::elementwise_ladder
