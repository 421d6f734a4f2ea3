// An axis with its final range, ticks and label.
#pragma once

#include <string>
#include <vector>

#include "workbench/draw/figure.hpp"

namespace rafter::draw {

/// Ticks with labels in units of 10^exponent, which is 0 unless labels would be long.
struct Ticks {
  std::vector<Tick> ticks;
  int exponent = 0;
};

/// Returns about `n` round numbers within the range; none if it is not an interval.
Ticks ticks_of(Scale scale, Range range, int n);

enum class Direction { across, upward };

class Ruler {
 public:
  /// Chooses as many numbers as fit into `length` points.
  Ruler(const Axis& axis, Range range, double length, Direction direction);

  /// Returns 0 at the beginning of the range and 1 at its end; values outside are below 0 or above 1.
  double place(double value) const;

  Range range() const { return range_; }
  const std::vector<Tick>& ticks() const { return ticks_.ticks; }
  const std::string& label() const { return label_; }  ///< includes the unit and the numbers' power of ten
  double widest_number() const { return widest_number_; }

 private:
  void choose_ticks(int n);
  void take_ticks(std::vector<Tick> ticks, double length, Direction direction);
  void measure_numbers();

  Scale scale_;
  Range range_;
  Ticks ticks_;
  std::string label_;
  double widest_number_ = 0;
};

/// The range of the finite values added.
class Extent {
 public:
  void add(double value);
  /// Returns the range, or 0 to 1 without values; a single value gets space around it.
  Range range() const;
  /// Returns the range with a little space at both ends, from zero if that is near.
  Range padded(Scale scale) const;

 private:
  bool any_ = false;
  double low_ = 0;
  double high_ = 0;
};

}  // namespace rafter::draw
