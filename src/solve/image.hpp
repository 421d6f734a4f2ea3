// An image in memory, and the pen that draws on it.
#pragma once

#include <array>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace rafter::solve {

using Colour = std::array<std::uint8_t, 3>;  // sRGB

class Image {
 public:
  Image(int width, int height, Colour background);

  int width() const noexcept { return width_; }
  int height() const noexcept { return height_; }
  const std::uint8_t* row(int y) const { return pixels_.data() + index(0, y); }
  Colour at(int x, int y) const;

  void set(int x, int y, Colour colour);
  void blend(int x, int y, Colour colour, double coverage);
  void fill(int x, int y, int width, int height, Colour colour);
  void frame(int x, int y, int width, int height, Colour colour);  ///< one pixel, around what is given

 private:
  std::size_t index(int x, int y) const {
    return (static_cast<std::size_t>(y) * static_cast<std::size_t>(width_) + static_cast<std::size_t>(x)) * 3;
  }

  int width_;
  int height_;
  std::vector<std::uint8_t> pixels_;  // [height, width, 3]
};

/// How a text is drawn: its digits are `height` pixels high, its strokes `weight` times the usual.
struct TextStyle {
  double height = 10;
  double weight = 1;
  Colour colour{38, 38, 46};
};

/// Draws lower-case letters, digits and a few signs, from (x, baseline) to the right; `*` is a times sign.
void draw_text(Image& image, double x, double baseline, std::string_view text, const TextStyle& style);

/// Pixels from a text's beginning to where the next would begin.
double text_width(std::string_view text, const TextStyle& style);

/// A PNG file; Error (unsupported) where the build has no libpng.
std::string png_of(const Image& image);

/// Nothing when this build can write PNG files; otherwise a sentence that says what to do.
std::optional<std::string> why_no_png();

}  // namespace rafter::solve
