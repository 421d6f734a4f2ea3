// Test picture and reference result; compiled by the host compiler.
#include "host.h"

#include <algorithm>

std::vector<unsigned char> make_picture(int width, int height) {
  std::vector<unsigned char> picture(static_cast<size_t>(width) * height);
  for (int y = 0; y < height; ++y)
    for (int x = 0; x < width; ++x) picture[y * width + x] = static_cast<unsigned char>((x * x + 3 * y) % 251);
  return picture;
}

std::vector<unsigned char> reference(std::vector<unsigned char> picture, int width, int height, int amount) {
  for (auto& p : picture) p = static_cast<unsigned char>(std::clamp(p + amount, 0, 255));
  std::vector<unsigned char> out(picture.size());
  for (int y = 0; y < height; ++y)
    for (int x = 0; x < width; ++x) {
      int sum = 0;
      for (int dy = -1; dy <= 1; ++dy)
        for (int dx = -1; dx <= 1; ++dx)
          sum += picture[std::clamp(y + dy, 0, height - 1) * width + std::clamp(x + dx, 0, width - 1)];
      out[y * width + x] = static_cast<unsigned char>(sum / 9);
    }
  return out;
}
