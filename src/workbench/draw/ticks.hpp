// Round numbers along an axis, and their words.
#pragma once

#include <string>
#include <vector>

#include "workbench/draw/figure.hpp"

namespace rafter::draw {

/// Labels are times 10^exponent; 0 unless that would make them long.
struct Ticks {
  std::vector<Tick> ticks;
  int exponent = 0;
};

/// About `n` round numbers within the range; none when that is no interval.
Ticks ticks_of(Scale scale, Range range, int n);

}  // namespace rafter::draw
