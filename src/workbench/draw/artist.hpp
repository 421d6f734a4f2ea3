// Draws a panel: it is measured first and drawn when the layout has placed it.
#pragma once

#include <memory>

#include "workbench/draw/canvas.hpp"
#include "workbench/draw/figure.hpp"
#include "workbench/draw/geometry.hpp"

namespace rafter::draw {

struct PanelSize {
  double width = 0;  ///< width of the plot
  double height = 0;
  Margins margins{};
};

class Artist {
 public:
  virtual ~Artist() = default;
  virtual PanelSize size() const = 0;
  virtual int pixels_per_point() const { return 2; }  ///< resolution of a PNG
  virtual void draw(Canvas& canvas, const Box& plot) const = 0;
};

// The panel must outlive its artist.
std::unique_ptr<Artist> artist_of(const FieldPanel& panel);
std::unique_ptr<Artist> artist_of(const ChartPanel& panel);
std::unique_ptr<Artist> artist_of(const BarPanel& panel);

}  // namespace rafter::draw
