// An axis made definite: its range, its round numbers and its words.
#pragma once

#include <string>

#include "workbench/draw/figure.hpp"
#include "workbench/draw/ticks.hpp"

namespace rafter::draw {

enum class Direction { across, upward };

class Ruler {
 public:
  /// `length` in points: as many numbers as have room.
  Ruler(const Axis& axis, Range range, double length, Direction direction);

  /// 0 at the range's beginning, 1 at its end; beyond them outside.
  double place(double value) const;

  Range range() const { return range_; }
  const std::vector<Tick>& ticks() const { return ticks_.ticks; }
  const std::string& label() const { return label_; }  ///< with its unit and the numbers' power of ten
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

/// Grows to hold finite values.
class Extent {
 public:
  void add(double value);
  /// What was added, or 0 to 1 for nothing; a single value gets room around it.
  Range range() const;
  /// The same with a little room at both ends, from zero where that is near.
  Range padded(Scale scale) const;

 private:
  bool any_ = false;
  double low_ = 0;
  double high_ = 0;
};

}  // namespace rafter::draw
