#include "heat/heat_between.hpp"

#include <algorithm>
#include <array>

#include "heat/heat_problem.hpp"
#include "heat/heat_rung.hpp"

namespace rafter::heat_ladder {

namespace {

/// The weights of the pairs of cells at distance 1/2, 3/2, ... from a face, of order 2 * radius.
constexpr std::array<std::array<double, max_radius>, max_radius> interpolation{
    {{1. / 2},
     {9. / 16, -1. / 16},
     {75. / 128, -25. / 256, 3. / 256},
     {1225. / 2048, -245. / 2048, 49. / 2048, -5. / 2048}}};

/// Returns the index of a cell of a line that may extend beyond the grid: mirrored or wrapped.
std::int64_t inside(std::int64_t i, std::int64_t n, bool is_periodic) {
  while (i < 0 || i >= n) {
    if (is_periodic)
      i += i < 0 ? n : -n;
    else
      i = (i < 0 ? -1 : 2 * n - 1) - i;
  }
  return i;
}

}  // namespace

template <class T>
std::vector<T> diffusivities_between(std::span<const T> cells, const GridShape& shape, int radius, int axis,
                                     bool is_periodic) {
  std::array<std::int64_t, 3> extents{shape.nz, shape.ny, shape.nx};
  const std::array strides{shape.ny * shape.nx, shape.nx, std::int64_t{1}};
  const std::int64_t n = extents[static_cast<std::size_t>(axis)];
  const std::int64_t stride = strides[static_cast<std::size_t>(axis)];
  extents[static_cast<std::size_t>(axis)] += 1;
  const auto& weights = interpolation[static_cast<std::size_t>(radius - 1)];
  const auto face = [&](const T* line, std::int64_t i) {
    const auto cell = [&](std::int64_t at) { return static_cast<double>(line[inside(at, n, is_periodic) * stride]); };
    const double low = std::min(cell(i - 1), cell(i)), high = std::max(cell(i - 1), cell(i));
    if (!(high <= 2 * low)) return high > 0 ? 2 * low * high / (low + high) : 0;
    double sum = 0;
    for (int k = 0; k < radius; ++k) sum += weights[static_cast<std::size_t>(k)] * (cell(i + k) + cell(i - 1 - k));
    return std::clamp(sum, low / 2, interpolated_excess * high);
  };
  std::vector<T> faces;
  faces.reserve(static_cast<std::size_t>(extents[0] * extents[1] * extents[2]));
  for (std::int64_t z = 0; z < extents[0]; ++z) {
    for (std::int64_t y = 0; y < extents[1]; ++y) {
      for (std::int64_t x = 0; x < extents[2]; ++x) {
        std::array at{z, y, x};
        const std::int64_t i = std::exchange(at[static_cast<std::size_t>(axis)], 0);
        faces.push_back(static_cast<T>(face(cells.data() + at[0] * strides[0] + at[1] * strides[1] + at[2], i)));
      }
    }
  }
  return faces;
}

template std::vector<float> diffusivities_between(std::span<const float>, const GridShape&, int, int, bool);
template std::vector<double> diffusivities_between(std::span<const double>, const GridShape&, int, int, bool);

}  // namespace rafter::heat_ladder
