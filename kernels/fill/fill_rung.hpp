// The form of every fill: what a rung takes, for elements of which sizes. Types of one size are filled by their bits.
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
