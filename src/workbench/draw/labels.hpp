// Places texts within a plot where they cover least.
#pragma once

#include <span>
#include <string>
#include <vector>

#include "workbench/draw/canvas.hpp"

namespace rafter::draw {

class Labels {
 public:
  explicit Labels(const Box& plot) : plot_(plot) {}

  /// Marks an area that labels should not cover.
  void avoid(const Box& box) { taken_.push_back(box); }
  void avoid_line(Point from, Point to);

  /// Draws the text at the candidate (lower left corner) that covers least and is within the plot; the first of equals.
  void draw(Canvas& canvas, const std::string& text, const TextStyle& style, std::span<const Point> candidates);

  /// Returns candidate corners for a text around a point, the nearest first.
  static std::vector<Point> around(Point at, double width);
  /// Returns candidate corners above and below a horizontal line, from the right end to the left.
  static std::vector<Point> along(double from, double to, double above, double below);

 private:
  double cost(const Box& box) const;

  Box plot_;
  std::vector<Box> taken_;
};

/// Returns the height of a line of text above and below its baseline.
double text_height(const TextStyle& style);

}  // namespace rafter::draw
