// Where a figure's panels are on its page.
#pragma once

#include <memory>
#include <string>
#include <vector>

#include "workbench/draw/artist.hpp"

namespace rafter::draw {

struct Layout {
  double width = 0;  ///< of the page, in points
  double height = 0;
  int pixels_per_point = 2;
  Point title{};
  std::vector<std::string> subtitle{};  ///< its lines
  Point subtitle_at{};                  ///< of the first
  std::vector<std::unique_ptr<Artist>> artists{};
  std::vector<Box> plots{};  ///< one per panel
};

inline constexpr double subtitle_line = 13;

/// Plots in one column begin and end together, and so do plots in one row. The figure must outlive its layout.
Layout layout_of(const Figure& figure);

}  // namespace rafter::draw
