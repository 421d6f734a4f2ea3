#include "solve/image.hpp"

#include <algorithm>
#include <cmath>

namespace rafter::solve {

Image::Image(int width, int height, Colour background) : width_(width), height_(height), pixels_(index(0, height)) {
  fill(0, 0, width, height, background);
}

Colour Image::at(int x, int y) const {
  const std::size_t i = index(x, y);
  return {pixels_[i], pixels_[i + 1], pixels_[i + 2]};
}

void Image::set(int x, int y, Colour colour) {
  if (x < 0 || y < 0 || x >= width_ || y >= height_) return;
  std::copy(colour.begin(), colour.end(), pixels_.begin() + static_cast<std::ptrdiff_t>(index(x, y)));
}

void Image::blend(int x, int y, Colour colour, double coverage) {
  if (x < 0 || y < 0 || x >= width_ || y >= height_ || !(coverage > 0)) return;
  const Colour under = at(x, y);
  Colour mixed{};
  for (std::size_t i = 0; i < 3; ++i) {
    mixed[i] = static_cast<std::uint8_t>(std::lround(under[i] + std::min(coverage, 1.) * (colour[i] - under[i])));
  }
  set(x, y, mixed);
}

void Image::fill(int x, int y, int width, int height, Colour colour) {
  for (int j = y; j < y + height; ++j) {
    for (int i = x; i < x + width; ++i) set(i, j, colour);
  }
}

void Image::frame(int x, int y, int width, int height, Colour colour) {
  fill(x - 1, y - 1, width + 2, 1, colour);
  fill(x - 1, y + height, width + 2, 1, colour);
  fill(x - 1, y, 1, height, colour);
  fill(x + width, y, 1, height, colour);
}

}  // namespace rafter::solve
