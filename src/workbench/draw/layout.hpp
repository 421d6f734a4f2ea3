// The positions of a figure's panels on its page.
#pragma once

#include <memory>
#include <string>
#include <vector>

#include "workbench/draw/artist.hpp"

namespace rafter::draw {

struct Layout {
  double width = 0;  ///< width of the page in points
  double height = 0;
  int pixels_per_point = 2;
  Point title{};
  std::vector<std::string> subtitle{};  ///< lines of the subtitle
  Point subtitle_at{};                  ///< position of the first line
  std::vector<std::unique_ptr<Artist>> artists{};
  std::vector<Box> plots{};  ///< one per panel
};

inline constexpr double subtitle_line = 13;

/// Computes the layout: plots in one column are aligned, and so are plots in one row. The figure must outlive its
/// layout.
Layout layout_of(const Figure& figure);

}  // namespace rafter::draw
