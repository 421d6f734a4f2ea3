// The form of every fill: what a rung takes, and for which types.
#pragma once

#include <cstdint>
#include <span>

#include "core/rung.hpp"
#include "rafter/fill.hpp"

namespace rafter::fill_ladder {

template <class T>
struct FillArgs {
  T value;
  std::span<T> out;
};

using FillRung = core::RungOf<FillArgs, FillTypes>;

}  // namespace rafter::fill_ladder
