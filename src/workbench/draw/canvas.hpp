// A page that Cairo draws on. Lengths are in points; in a PNG a point is a whole number of pixels.
#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "workbench/draw/colour.hpp"
#include "workbench/draw/geometry.hpp"
#include "workbench/draw/render.hpp"
#include "workbench/draw/text.hpp"

typedef struct _cairo_surface cairo_surface_t;

namespace rafter::draw {

/// Where the given place is in a text: `left` puts its beginning there.
enum class Align { left, centre, right };

struct Stroke {
  Colour colour = ink;
  double width = 1.6;
  double dash = 0;  ///< its length; 0: a line without gaps
};

/// Colours of cells, the first row on top.
struct Raster {
  int width = 0;
  int height = 0;
  std::vector<Colour> pixels{};  // [height, width]
};

enum class Marker { circle, square, triangle, diamond };
enum class MarkerFill { filled, hollow };

class Canvas {
 public:
  struct Page {
    double width = 0;
    double height = 0;
    int pixels_per_point = 2;
    std::string title{};  ///< where the format keeps one
  };
  Canvas(Format format, const Page& page);
  ~Canvas();
  Canvas(const Canvas&) = delete;
  Canvas& operator=(const Canvas&) = delete;

  void fill(const Box& box, Colour colour);
  /// A thin line, level or upright, as sharp as the format allows.
  void rule(Point from, Point to, Colour colour);
  void frame(const Box& box, Colour colour);
  void curve(std::span<const Point> points, const Stroke& stroke);
  void marker(Point at, Marker marker, Colour colour, MarkerFill fill = MarkerFill::filled);
  /// Every colour is a rectangle with sharp edges, whatever shows the file.
  void raster(const Box& box, const Raster& raster);

  /// One line; `at` is on its baseline.
  void text(Point at, std::string_view text, const TextStyle& style, Align align = Align::left);
  /// The same, going up.
  void text_upward(Point at, std::string_view text, const TextStyle& style, Align align = Align::centre);

  /// What a browser shows while the mouse is over the box; other formats have no such thing.
  void hint(const Box& box, std::string_view text);

  /// Nothing outside the box is drawn until `unclip`.
  void clip(const Box& box);
  void unclip();

  /// The whole file. Throws Error (io) when Cairo failed.
  std::string finish();

 private:
  void set(Colour colour);

  Format format_;
  int pixels_per_point_;
  std::string file_;
  std::string hints_;  // elements of an SVG
  cairo_surface_t* surface_;
  cairo_t* cairo_;
};

}  // namespace rafter::draw
