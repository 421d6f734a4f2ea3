// The signature of sum's rungs: their arguments and element types.
#pragma once

#include <cstdint>
#include <span>

#include "library/core/dtype.hpp"
#include "library/core/rung.hpp"
#include "rafter/sum.hpp"

namespace rafter::sum_ladder {

template <class T>
struct SumArgs {
  std::span<const T> in;
  T* out;  // [1]
};

using SumRung = core::RungOf<SumArgs, SumTypes>;

}  // namespace rafter::sum_ladder
