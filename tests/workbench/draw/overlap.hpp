// The texts, lines and markers of an SVG figure as boxes, to test that no text covers a line or a marker.
#pragma once

#include <algorithm>
#include <cmath>
#include <limits>
#include <regex>
#include <string>
#include <utility>
#include <vector>

#include "workbench/draw/geometry.hpp"

namespace rafter::draw {

class SvgShapes {
 public:
  /// Reads what is within `plot`. Grid and axes are filled rectangles, which texts may cover.
  SvgShapes(const std::string& svg, const Box& plot) : plot_(plot) {
    const std::string body = svg.substr(svg.find("</defs>"));
    const std::regex text_group("<g style=\"fill:[^>]*>\\s*((?:<use [^>]*/>\\s*)+)</g>"),
        path("<path style=\"([^\"]*)\" d=\"([^\"]*)\"");
    for (std::sregex_iterator at(body.begin(), body.end(), text_group), end; at != end; ++at) add_text((*at)[1]);
    for (std::sregex_iterator at(body.begin(), body.end(), path), end; at != end; ++at) add_path((*at)[1], (*at)[2]);
  }

  const std::vector<Box>& texts() const { return texts_; }
  /// Returns the number of texts that cover a marker, a line or another text.
  int n_overlaps() const {
    int n = 0;
    for (std::size_t i = 0; i < texts_.size(); ++i) {
      const auto covers = [&](const Box& other) { return texts_[i].overlaps(other); };
      n += std::any_of(marks_.begin(), marks_.end(), covers) ||
                   std::any_of(texts_.begin() + static_cast<std::ptrdiff_t>(i) + 1, texts_.end(), covers)
               ? 1
               : 0;
    }
    return n;
  }
  std::size_t n_marks() const { return marks_.size(); }

 private:
  static std::vector<Point> points_of(const std::string& text) {
    std::vector<Point> points;
    const std::regex pair("(-?[0-9.]+) (-?[0-9.]+)");
    for (std::sregex_iterator at(text.begin(), text.end(), pair), end; at != end; ++at)
      points.push_back({std::stod((*at)[1]), std::stod((*at)[2])});
    return points;
  }

  bool is_inside(const Point& p) const {
    return p.x >= plot_.x && p.x <= plot_.right() && p.y >= plot_.y && p.y <= plot_.bottom();
  }

  void add_text(const std::string& uses) {
    std::vector<Point> glyphs;
    const std::regex position(" x=\"([0-9.]+)\" y=\"([0-9.]+)\"");
    for (std::sregex_iterator at(uses.begin(), uses.end(), position), end; at != end; ++at)
      glyphs.push_back({std::stod((*at)[1]), std::stod((*at)[2])});
    if (glyphs.empty() || !is_inside(glyphs.front())) return;
    // Glyphs of about 8 points: capitals rise 5.5 above the baseline.
    texts_.push_back({glyphs.front().x, glyphs.front().y - 5.5, glyphs.back().x - glyphs.front().x + 4, 5.5});
  }

  void add_path(const std::string& style, const std::string& data) {
    const std::vector<Point> points = points_of(data);
    if (points.empty() || !std::any_of(points.begin(), points.end(), [&](const Point& p) { return is_inside(p); }))
      return;
    Point low{INFINITY, INFINITY}, high{-INFINITY, -INFINITY};
    for (const Point& p : points) {
      low = {std::min(low.x, p.x), std::min(low.y, p.y)};
      high = {std::max(high.x, p.x), std::max(high.y, p.y)};
    }
    constexpr double largest_marker = 9;
    if (high.x - low.x < largest_marker && high.y - low.y < largest_marker) {
      if (data.find('Z') != std::string::npos || data.find('C') != std::string::npos)
        marks_.push_back({low.x, low.y, high.x - low.x, high.y - low.y});
    } else if (style.find("fill:none") != std::string::npos) {
      for (std::size_t i = 1; i < points.size(); ++i) add_line(points[i - 1], points[i]);
    }
  }

  void add_line(Point from, Point to) {
    const int n = std::max(1, static_cast<int>(std::hypot(to.x - from.x, to.y - from.y)));
    for (int i = 0; i <= n; ++i) {
      const double t = static_cast<double>(i) / n;
      marks_.push_back({from.x + t * (to.x - from.x) - 0.25, from.y + t * (to.y - from.y) - 0.25, 0.5, 0.5});
    }
  }

  Box plot_;
  std::vector<Box> texts_, marks_;
};

}  // namespace rafter::draw
