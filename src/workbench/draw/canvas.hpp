// A page drawn with Cairo. Lengths are in points; in a PNG, a point is a whole number of pixels.
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

/// The alignment of a text at its position: `left` starts there.
enum class Align { left, centre, right };

struct Stroke {
  Colour colour = ink;
  double width = 1.6;
  double dash = 0;  ///< dash length; 0: solid
};

/// The colours of cells, first row on top.
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
    std::string title{};  ///< metadata, if the format has it
    Theme theme = Theme::light;
  };
  Canvas(Format format, const Page& page);
  ~Canvas();
  Canvas(const Canvas&) = delete;
  Canvas& operator=(const Canvas&) = delete;

  void fill(const Box& box, Colour colour);
  /// Draws a thin horizontal or vertical line, as sharp as the format allows.
  void rule(Point from, Point to, Colour colour);
  void frame(const Box& box, Colour colour);
  void curve(std::span<const Point> points, const Stroke& stroke);
  void marker(Point at, Marker marker, Colour colour, MarkerFill fill = MarkerFill::filled);
  /// Draws every cell as a rectangle with sharp edges in every viewer.
  void raster(const Box& box, const Raster& raster);

  /// Draws one line of text; `at` is on its baseline.
  void text(Point at, std::string_view text, const TextStyle& style, Align align = Align::left);
  /// Draws one line of text rotated upward.
  void text_upward(Point at, std::string_view text, const TextStyle& style, Align align = Align::centre);

  /// Adds a text that browsers show while the pointer is over the box; only for SVG.
  void hint(const Box& box, std::string_view text);

  /// Restricts drawing to the box until `unclip`.
  void clip(const Box& box);
  void unclip();

  /// Returns the complete file. Throws Error (io) if Cairo failed.
  std::string finish();

 private:
  void set(Colour colour);

  Format format_;
  int pixels_per_point_;
  Theme theme_;
  std::string file_;
  std::string hints_;  // SVG elements
  cairo_surface_t* surface_;
  cairo_t* cairo_;
};

}  // namespace rafter::draw
