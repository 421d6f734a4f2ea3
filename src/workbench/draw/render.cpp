#include "workbench/draw/render.hpp"

#include "rafter/error.hpp"
#include "workbench/draw/axes.hpp"
#include "workbench/draw/layout.hpp"

namespace rafter::draw {

std::string render(const Figure& figure, Format format) {
  require_drawable(figure);
  if (const auto reason = why_no_drawing()) throw Error(ErrorCode::unsupported, *reason);
  const Layout layout = layout_of(figure);
  Canvas canvas(format, {layout.width, layout.height, layout.pixels_per_point, figure.title, figure.theme});
  const double width = layout.width - layout.title.x - 6;
  canvas.text(layout.title, fitted(figure.title, figure_title_style, width), figure_title_style);
  Point at = layout.subtitle_at;
  for (const std::string& line : layout.subtitle) {
    canvas.text(at, line, subtitle_style);
    at.y += subtitle_line;
  }
  for (std::size_t i = 0; i < layout.artists.size(); ++i) layout.artists[i]->draw(canvas, layout.plots[i]);
  return canvas.finish();
}

}  // namespace rafter::draw
