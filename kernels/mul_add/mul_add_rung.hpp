// The signature of mul_add's rungs: their arguments and element types.
#pragma once

#include <cstdint>
#include <span>

#include "library/core/rung.hpp"
#include "mul_add/mul_add_factors.hpp"
#include "rafter/mul_add.hpp"

namespace rafter::mul_add_ladder {

template <class T>
struct MulAddArgs {
  Factors<T> in;
  std::span<T> out;  // may be one of the inputs
};

using MulAddRung = core::RungOf<MulAddArgs, MulAddTypes>;

}  // namespace rafter::mul_add_ladder
