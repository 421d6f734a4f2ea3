// The interface of fill's rungs. An element is written by its bits, so a rung is instantiated per element size, not per
// type.
#pragma once

#include <bit>
#include <cstdint>
#include <span>

#include "library/core/bits.hpp"
#include "library/core/rung.hpp"
#include "rafter/fill.hpp"

namespace rafter::fill_ladder {

template <class Bits>
struct FillArgs {
  Bits value;
  std::span<Bits> out;
};

using FillRung = core::RungOf<FillArgs, core::BitsTypes>;

template <class T>
FillArgs<core::BitsOf<T>> fill_args(T value, std::span<T> out) {
  return {std::bit_cast<core::BitsOf<T>>(value), core::bits_of(out)};
}

}  // namespace rafter::fill_ladder
