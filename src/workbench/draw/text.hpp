// Texts: how they look, how wide they are, what of them fits.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "workbench/draw/colour.hpp"
#include "workbench/draw/geometry.hpp"

typedef struct _cairo cairo_t;  // cairo.h stays in text.cpp and canvas.cpp

namespace rafter::draw {

struct TextStyle {
  enum class Weight { normal, bold };
  double size = 9;  ///< points
  Weight weight = Weight::normal;
  Colour colour = ink;
};

/// How wide a text is; the same in every format.
double text_width(std::string_view text, const TextStyle& style);

/// The text, or as much of its beginning as fits, with an ellipsis.
std::string fitted(std::string_view text, const TextStyle& style, double width);

/// The text in lines of at most that width; what does not fit the last of `n_lines` is cut.
std::vector<std::string> wrapped(std::string_view text, const TextStyle& style, double width, int n_lines);

// ---- for the canvas ----

/// Letters keep their shapes and distances at every size, so that a layout holds for every format.
void set_font_options(cairo_t* cairo);
void show_text(cairo_t* cairo, Point at, std::string_view text, const TextStyle& style);

/// Throws Error for a cairo_status_t that is none of success.
void require_good(int status);

}  // namespace rafter::draw
