// The launches of all stages at once, for small grids.
#include <algorithm>
#include <limits>

#include "heat/cuda/heat_one_launch.cuh"
#include "heat/cuda/heat_steps.hpp"

namespace rafter::heat_ladder::RAFTER_BACKEND {

template <class T>
bool one_launch_is_possible(const HeatGrid& grid, std::initializer_list<GridView<const T>> fields) {
  const bool can_be_counted = std::all_of(fields.begin(), fields.end(), [](const GridView<const T>& field) {
    return field.extent() <= std::numeric_limits<int>::max();
  });
  bool is_possible = false;
  with_radius(grid.radius, [&](auto radius) { is_possible = can_launch_slabs<SlabPolicy<T, radius()>>(); });
  return is_possible && can_be_counted && have_same_strides<T>(fields) && are_aligned<T>(fields);
}

template <class T>
std::int64_t one_launch_scratch_bytes(const HeatGrid& grid) {
  std::int64_t bytes = 0;
  with_radius(grid.radius, [&](auto radius) {
    const auto shape = GridView<const T>::unchecked(nullptr, grid.shape);
    bytes = bytes_of_progress(slab_grid<SlabPolicy<T, radius()>>(shape));
  });
  return bytes;
}

template <class T>
void factors_in_one_launch(const Stream& stream, const HeatGrid& grid, int first_factor, std::int64_t n_factors,
                           GridView<const T> from, GridView<T> work, GridView<T> to) {
  constexpr std::int64_t most = 2000;  // per launch, which cannot be interrupted; whole steps
  with_radius(grid.radius, [&](auto radius) {
    for (std::int64_t left = n_factors; left > 0; left -= most, from = to) {
      const auto n = static_cast<int>(std::min(left, most));
      launch_slabs<SlabPolicy<T, radius()>>(stream, grid, first_factor, n, from, work, to);
    }
  });
}

#define RAFTER_ONE_LAUNCH(T)                                                                                   \
  template bool one_launch_is_possible<T>(const HeatGrid&, std::initializer_list<GridView<const T>>);          \
  template std::int64_t one_launch_scratch_bytes<T>(const HeatGrid&);                                          \
  template void factors_in_one_launch<T>(const Stream&, const HeatGrid&, int, std::int64_t, GridView<const T>, \
                                         GridView<T>, GridView<T>)
RAFTER_ONE_LAUNCH(float);
RAFTER_ONE_LAUNCH(double);

}  // namespace rafter::heat_ladder::RAFTER_BACKEND
