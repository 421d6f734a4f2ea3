#include "workbench/draw/text.hpp"

#include <cairo.h>

#include <algorithm>
#include <cctype>
#include <optional>

#include "rafter/error.hpp"
#include "workbench/draw/render.hpp"

namespace rafter::draw {

namespace {

constexpr double raised_size = 0.7;  // relative size of the digits after a caret
constexpr double raised_by = 0.36;   // relative to the text's size

void set_font(cairo_t* cairo, const TextStyle& style, double size) {
  const auto weight = style.weight == TextStyle::Weight::bold ? CAIRO_FONT_WEIGHT_BOLD : CAIRO_FONT_WEIGHT_NORMAL;
  cairo_select_font_face(cairo, "DejaVu Sans", CAIRO_FONT_SLANT_NORMAL, weight);
  cairo_set_font_size(cairo, size);
}

/// A part of a text that is drawn at one height.
struct Run {
  std::string text;
  bool raised;
};

std::vector<Run> runs_of(std::string_view text) {
  std::vector<Run> runs{{"", false}};
  const auto is_digit = [&](std::size_t i) {
    return i < text.size() && std::isdigit(static_cast<unsigned char>(text[i]));
  };
  for (std::size_t i = 0; i < text.size(); ++i) {
    const bool negative = i + 1 < text.size() && text[i + 1] == '-';
    if (text[i] != '^' || !is_digit(i + (negative ? 2 : 1))) {
      runs.back().text += text[i];
      continue;
    }
    Run raised{negative ? "\u2212" : "", true};
    for (i += negative ? 2 : 1; is_digit(i); ++i) raised.text += text[i];
    --i;
    runs.push_back(raised);
    runs.push_back({"", false});
  }
  return runs;
}

double advance(cairo_t* cairo, const Run& run, const TextStyle& style) {
  set_font(cairo, style, style.size * (run.raised ? raised_size : 1));
  cairo_text_extents_t extents{};
  cairo_text_extents(cairo, run.text.c_str(), &extents);
  return extents.x_advance;
}

/// A context for measuring texts, which have equal widths in every format.
class Measure {
 public:
  Measure() : surface_(cairo_image_surface_create(CAIRO_FORMAT_A8, 1, 1)), cairo_(cairo_create(surface_)) {
    set_font_options(cairo_);
  }
  ~Measure() {
    cairo_destroy(cairo_);
    cairo_surface_destroy(surface_);
  }
  Measure(const Measure&) = delete;
  Measure& operator=(const Measure&) = delete;
  cairo_t* get() const { return cairo_; }

 private:
  cairo_surface_t* surface_;
  cairo_t* cairo_;
};

}  // namespace

void require_good(int status) {
  if (status == CAIRO_STATUS_SUCCESS) return;
  if (status == CAIRO_STATUS_INVALID_STRING) throw Error(ErrorCode::bad_argument, "a text of the figure is not UTF-8");
  throw Error(ErrorCode::io, std::string("Cairo cannot draw the figure: ") +
                                 cairo_status_to_string(static_cast<cairo_status_t>(status)));
}

void set_font_options(cairo_t* cairo) {
  cairo_font_options_t* options = cairo_font_options_create();
  cairo_font_options_set_hint_style(options, CAIRO_HINT_STYLE_NONE);
  cairo_font_options_set_hint_metrics(options, CAIRO_HINT_METRICS_OFF);
  cairo_font_options_set_antialias(options, CAIRO_ANTIALIAS_GRAY);
  cairo_set_font_options(cairo, options);
  cairo_font_options_destroy(options);
}

std::optional<std::string> why_no_drawing() {
  const Measure measure;
  set_font(measure.get(), {}, 9);
  const cairo_font_type_t type = cairo_scaled_font_get_type(cairo_get_scaled_font(measure.get()));
  if (type != CAIRO_FONT_TYPE_USER)
    return std::nullopt;  // a user font is Cairo's fallback, a stroke font for ASCII only
  return "figures need a font, but none is installed: install fonts-dejavu-core";
}

double text_width(std::string_view text, const TextStyle& style) {
  const Measure measure;
  double width = 0;
  for (const Run& run : runs_of(text)) width += advance(measure.get(), run, style);
  require_good(cairo_status(measure.get()));
  return width;
}

std::string fitted(std::string_view text, const TextStyle& style, double width) {
  if (text_width(text, style) <= width) return std::string(text);
  const auto within_character = [&](std::size_t i) { return (static_cast<unsigned char>(text[i]) & 0xC0) == 0x80; };
  std::size_t fits = 0, too_long = text.size();
  while (too_long - fits > 1) {
    const std::size_t n = (fits + too_long) / 2;
    std::size_t whole = n;
    while (whole > 0 && within_character(whole)) --whole;
    const bool good = text_width(std::string(text.substr(0, whole)) + "\u2026", style) <= width;
    (good ? fits : too_long) = n;
  }
  while (fits > 0 && within_character(fits)) --fits;
  return std::string(text.substr(0, fits)) + "\u2026";
}

std::vector<std::string> wrapped(std::string_view text, const TextStyle& style, double width, int n_lines) {
  std::vector<std::string> lines{""};
  for (std::size_t i = 0; i < text.size();) {
    const std::size_t end = std::min(text.find(' ', i + 1), text.size());
    const std::string_view word = text.substr(i, end - i);  // includes the preceding space
    const std::string longer = lines.back() + std::string(word);
    if (std::ssize(lines) < n_lines && !lines.back().empty() && text_width(longer, style) > width) {
      lines.emplace_back(word.substr(word.starts_with(' ') ? 1 : 0));
    } else {
      lines.back() = longer;
    }
    i = end;
  }
  for (std::string& line : lines) line = fitted(line, style, width);
  return lines;
}

void show_text(cairo_t* cairo, Point at, std::string_view text, const TextStyle& style) {
  for (const Run& run : runs_of(text)) {
    const double width = advance(cairo, run, style);
    cairo_move_to(cairo, at.x, at.y - (run.raised ? raised_by * style.size : 0));
    cairo_show_text(cairo, run.text.c_str());
    at.x += width;
  }
  cairo_new_path(cairo);
}

}  // namespace rafter::draw
