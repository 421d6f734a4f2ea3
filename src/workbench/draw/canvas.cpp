#include "workbench/draw/canvas.hpp"

#include <cairo-pdf.h>
#include <cairo-svg.h>
#include <cairo.h>
#include <fmt/format.h>

#include <algorithm>
#include <cctype>
#include <cmath>
#include <cstring>
#include <memory>
#include <numbers>

#include "base/xml.hpp"
#include "rafter/error.hpp"

namespace rafter::draw {

namespace {

cairo_status_t append(void* file, const unsigned char* bytes, unsigned int n) {
  static_cast<std::string*>(file)->append(reinterpret_cast<const char*>(bytes), n);
  return CAIRO_STATUS_SUCCESS;
}

cairo_surface_t* surface_of(Format format, const Canvas::Page& page, std::string& file) {
  const auto pixels = [&](double points) { return static_cast<int>(std::ceil(points * page.pixels_per_point)); };
  if (format == Format::svg) return cairo_svg_surface_create_for_stream(append, &file, page.width, page.height);
  if (format == Format::png) {
    return cairo_image_surface_create(CAIRO_FORMAT_RGB24, pixels(page.width), pixels(page.height));
  }
  cairo_surface_t* pdf = cairo_pdf_surface_create_for_stream(append, &file, page.width, page.height);
  cairo_pdf_surface_set_metadata(pdf, CAIRO_PDF_METADATA_TITLE, page.title.c_str());
  return pdf;
}

using Image = std::unique_ptr<cairo_surface_t, decltype([](cairo_surface_t* s) { cairo_surface_destroy(s); })>;

cairo_surface_t* image_of(const Raster& raster) {
  cairo_surface_t* image = cairo_image_surface_create(CAIRO_FORMAT_RGB24, raster.width, raster.height);
  require_good(cairo_surface_status(image));
  cairo_surface_flush(image);
  unsigned char* bytes = cairo_image_surface_get_data(image);
  const auto stride = static_cast<std::size_t>(cairo_image_surface_get_stride(image));
  const auto width = static_cast<std::size_t>(raster.width);
  for (std::size_t i = 0; i < raster.pixels.size(); ++i) {
    const auto [r, g, b] = raster.pixels[i];
    const auto pixel = static_cast<std::uint32_t>(r << 16 | g << 8 | b);
    std::memcpy(bytes + i / width * stride + i % width * sizeof pixel, &pixel, sizeof pixel);
  }
  cairo_surface_mark_dirty(image);
  return image;
}

/// Paints the image over the box, each pixel as a rectangle.
void paint(cairo_t* cairo, const Box& box, cairo_surface_t* image) {
  cairo_save(cairo);
  cairo_rectangle(cairo, box.x, box.y, box.width, box.height);
  cairo_clip(cairo);
  cairo_translate(cairo, box.x, box.y);
  cairo_scale(cairo, box.width / cairo_image_surface_get_width(image),
              box.height / cairo_image_surface_get_height(image));
  cairo_set_source_surface(cairo, image, 0, 0);
  cairo_pattern_set_filter(cairo_get_source(cairo), CAIRO_FILTER_NEAREST);
  cairo_pattern_set_extend(cairo_get_source(cairo), CAIRO_EXTEND_PAD);
  cairo_paint(cairo);
  cairo_restore(cairo);
}

}  // namespace

Canvas::Canvas(Format format, const Page& page)
    : format_(format),
      pixels_per_point_(page.pixels_per_point),
      theme_(page.theme),
      surface_(surface_of(format, page, file_)),
      cairo_(cairo_create(surface_)) {
  if (format == Format::png) cairo_scale(cairo_, pixels_per_point_, pixels_per_point_);
  set_font_options(cairo_);
  cairo_set_line_join(cairo_, CAIRO_LINE_JOIN_ROUND);
  set(white);
  cairo_paint(cairo_);
}

Canvas::~Canvas() {
  cairo_destroy(cairo_);
  cairo_surface_destroy(surface_);
}

void Canvas::set(Colour colour) {
  const Colour shown = themed(colour, theme_);
  cairo_set_source_rgb(cairo_, shown[0] / 255., shown[1] / 255., shown[2] / 255.);
}

void Canvas::fill(const Box& box, Colour colour) {
  set(colour);
  cairo_rectangle(cairo_, box.x, box.y, box.width, box.height);
  cairo_fill(cairo_);
}

void Canvas::rule(Point from, Point to, Colour colour) {
  const double pixel = format_ == Format::png ? 1. / pixels_per_point_ : 0.25;
  const double width = std::max(pixel, std::round(0.5 / pixel) * pixel);
  const auto snapped = [&](double x) { return std::round((x - width / 2) / pixel) * pixel; };
  const double x = snapped(std::min(from.x, to.x)), y = snapped(std::min(from.y, to.y));
  fill({x, y, std::abs(to.x - from.x) + width, std::abs(to.y - from.y) + width}, colour);
}

void Canvas::frame(const Box& box, Colour colour) {
  rule({box.x, box.y}, {box.right(), box.y}, colour);
  rule({box.x, box.bottom()}, {box.right(), box.bottom()}, colour);
  rule({box.x, box.y}, {box.x, box.bottom()}, colour);
  rule({box.right(), box.y}, {box.right(), box.bottom()}, colour);
}

void Canvas::curve(std::span<const Point> points, const Stroke& stroke) {
  for (const Point& point : points) cairo_line_to(cairo_, point.x, point.y);
  set(stroke.colour);
  cairo_set_line_width(cairo_, stroke.width);
  cairo_set_dash(cairo_, &stroke.dash, stroke.dash > 0 ? 1 : 0, 0);
  cairo_stroke(cairo_);
}

void Canvas::marker(Point at, Marker marker, Colour colour, MarkerFill fill) {
  constexpr double r = 2.7;
  const auto corners = [&](std::initializer_list<Point> all) {
    for (const Point& corner : all) cairo_line_to(cairo_, at.x + r * corner.x, at.y + r * corner.y);
    cairo_close_path(cairo_);
  };
  switch (marker) {
    case Marker::circle: cairo_arc(cairo_, at.x, at.y, r, 0, 2 * std::numbers::pi); break;
    case Marker::square: corners({{-0.88, -0.88}, {0.88, -0.88}, {0.88, 0.88}, {-0.88, 0.88}}); break;
    case Marker::triangle: corners({{0, -1.2}, {1.1, 0.8}, {-1.1, 0.8}}); break;
    case Marker::diamond: corners({{0, -1.25}, {1.25, 0}, {0, 1.25}, {-1.25, 0}}); break;
  }
  set(white);  // a thin edge keeps overlapping markers distinguishable
  cairo_set_line_width(cairo_, 1.2);
  cairo_set_dash(cairo_, nullptr, 0, 0);
  cairo_stroke_preserve(cairo_);
  if (fill == MarkerFill::hollow) cairo_fill_preserve(cairo_);
  set(colour);
  fill == MarkerFill::hollow ? cairo_stroke(cairo_) : cairo_fill(cairo_);
}

void Canvas::raster(const Box& box, const Raster& raster) {
  Image image(image_of(raster));
  if (format_ == Format::svg) {  // viewers smooth images that they enlarge: give an SVG the size of a PNG
    const auto pixels = [&](double points) { return std::max(1, static_cast<int>(points * pixels_per_point_)); };
    Image sharp(cairo_image_surface_create(CAIRO_FORMAT_RGB24, pixels(box.width), pixels(box.height)));
    cairo_t* cairo = cairo_create(sharp.get());
    paint(cairo, {0, 0, static_cast<double>(pixels(box.width)), static_cast<double>(pixels(box.height))}, image.get());
    cairo_destroy(cairo);
    paint(cairo_, box, sharp.get());
  } else {
    paint(cairo_, box, image.get());
  }
}

void Canvas::text(Point at, std::string_view text, const TextStyle& style, Align align) {
  if (align == Align::centre) at.x -= text_width(text, style) / 2;
  if (align == Align::right) at.x -= text_width(text, style);
  set(style.colour);
  show_text(cairo_, at, text, style);
}

void Canvas::text_upward(Point at, std::string_view text, const TextStyle& style, Align align) {
  cairo_save(cairo_);
  cairo_translate(cairo_, at.x, at.y);
  cairo_rotate(cairo_, -std::numbers::pi / 2);
  this->text({0, 0}, text, style, align);
  cairo_restore(cairo_);
}

void Canvas::hint(const Box& box, std::string_view text) {
  if (format_ != Format::svg || text.empty()) return;
  hints_ += fmt::format("<rect x=\"{:.2f}\" y=\"{:.2f}\" width=\"{:.2f}\" height=\"{:.2f}\"><title>{}</title></rect>\n",
                        box.x, box.y, box.width, box.height, base::xml_escaped(text));
}

void Canvas::clip(const Box& box) {
  cairo_save(cairo_);
  cairo_rectangle(cairo_, box.x, box.y, box.width, box.height);
  cairo_clip(cairo_);
}

void Canvas::unclip() { cairo_restore(cairo_); }

std::string Canvas::finish() {
  require_good(cairo_status(cairo_));
  if (format_ == Format::png) require_good(cairo_surface_write_to_png_stream(surface_, append, &file_));
  cairo_surface_finish(surface_);
  require_good(cairo_surface_status(surface_));
  if (const std::size_t end = file_.rfind("</svg>"); !hints_.empty() && end != std::string::npos)
    file_.insert(end, "<g fill=\"none\" pointer-events=\"all\">\n" + hints_ + "</g>\n");
  return std::move(file_);
}

}  // namespace rafter::draw
