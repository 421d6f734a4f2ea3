// Texts: style, width, truncation and wrapping.
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

/// Returns the width of a text, which is equal in every format.
double text_width(std::string_view text, const TextStyle& style);

/// Returns the text, or as much of its beginning as fits, with an ellipsis.
std::string fitted(std::string_view text, const TextStyle& style, double width);

/// Breaks the text into lines of at most this width; the last of `n_lines` is truncated.
std::vector<std::string> wrapped(std::string_view text, const TextStyle& style, double width, int n_lines);

// ---- for the canvas ----

/// Disables hinting, so that letters keep their shapes and distances and a layout fits every format.
void set_font_options(cairo_t* cairo);
void show_text(cairo_t* cairo, Point at, std::string_view text, const TextStyle& style);

/// Throws Error for a cairo_status_t other than success.
void require_good(int status);

}  // namespace rafter::draw
