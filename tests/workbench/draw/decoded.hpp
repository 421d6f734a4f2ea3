// A figure decoded from its PNG.
#pragma once

#include <cairo.h>
#include <gtest/gtest.h>

#include <cstring>
#include <string>

#include "workbench/draw/colour.hpp"
#include "workbench/draw/layout.hpp"

namespace rafter::draw {

class Decoded {
 public:
  explicit Decoded(std::string file)
      : file_(std::move(file)), surface_(cairo_image_surface_create_from_png_stream(read, this)) {
    EXPECT_EQ(cairo_surface_status(surface_), CAIRO_STATUS_SUCCESS);
  }
  ~Decoded() { cairo_surface_destroy(surface_); }
  Decoded(const Decoded&) = delete;
  Decoded& operator=(const Decoded&) = delete;

  int width() const { return cairo_image_surface_get_width(surface_); }
  int height() const { return cairo_image_surface_get_height(surface_); }

  Colour at(int x, int y) const {
    if (x < 0 || y < 0 || x >= width() || y >= height()) {
      ADD_FAILURE() << x << ", " << y << " is outside " << width() << " x " << height();
      return {};
    }
    std::uint32_t pixel = 0;
    std::memcpy(&pixel, cairo_image_surface_get_data(surface_) + y * cairo_image_surface_get_stride(surface_) + 4 * x,
                4);
    return {static_cast<std::uint8_t>(pixel >> 16), static_cast<std::uint8_t>(pixel >> 8),
            static_cast<std::uint8_t>(pixel)};
  }

  /// Returns the number of pixels with a colour in a box given in points.
  int count(const Box& box, int pixels_per_point, Colour colour) const {
    int n = 0;
    for (int y = static_cast<int>(box.y * pixels_per_point); y < static_cast<int>(box.bottom() * pixels_per_point);
         ++y) {
      for (int x = static_cast<int>(box.x * pixels_per_point); x < static_cast<int>(box.right() * pixels_per_point);
           ++x) {
        n += at(x, y) == colour ? 1 : 0;
      }
    }
    return n;
  }

 private:
  static cairo_status_t read(void* self, unsigned char* bytes, unsigned int n) {
    auto* decoded = static_cast<Decoded*>(self);
    if (decoded->file_.size() - decoded->position_ < n) return CAIRO_STATUS_READ_ERROR;
    std::memcpy(bytes, decoded->file_.data() + decoded->position_, n);
    decoded->position_ += n;
    return CAIRO_STATUS_SUCCESS;
  }

  std::string file_;
  std::size_t position_ = 0;
  cairo_surface_t* surface_;
};

}  // namespace rafter::draw
