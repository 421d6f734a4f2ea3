// Round numbers along a scale, and their words.
#pragma once

#include <string>
#include <vector>

namespace rafter::solve {

struct Tick {
  double value;
  std::string label;
};

/// Labels are times 10^exponent; 0 unless that would make them long.
struct Ticks {
  std::vector<Tick> ticks;
  int exponent = 0;
};

/// About `n` round numbers within [low, high]; none when that is no interval.
Ticks ticks_of(double low, double high, int n);

}  // namespace rafter::solve
