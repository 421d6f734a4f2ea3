// A stage of a conduction step on a CPU: rows are shared among threads; inside the grid a row is a plain loop, near its
// faces each cell asks for its neighbours one by one.
#include <algorithm>

#include "heat/conduction_stage.hpp"

namespace rafter::heat_ladder::cpu {

namespace {

template <int Radius, bool Varies, class T>
void conduct_row(const ConductionStage<T>& stage, std::int64_t z, std::int64_t y) {
  const std::int64_t nx = stage.shape.nx;
  const std::int64_t row = (z * stage.shape.ny + y) * nx;
  const bool is_frozen = !is_free(stage.z, z) || !is_free(stage.y, y);
  const std::int64_t first = is_frozen ? nx : stage.x.first_free;
  const std::int64_t end = is_frozen ? nx : stage.x.end_free;
  for (std::int64_t x = 0; x < first; ++x) stage.out[row + x] = stage.u[row + x];
  for (std::int64_t x = end; x < nx; ++x) stage.out[row + x] = stage.u[row + x];

  const bool row_is_inner = is_inner(stage.z, z, Radius) && is_inner(stage.y, y, Radius);
  const std::int64_t reach = stage.x.stride == 0 ? 0 : Radius;
  const std::int64_t inner = row_is_inner ? std::clamp(reach, first, end) : end;
  const std::int64_t inner_end = row_is_inner ? std::clamp(nx - reach, inner, end) : end;
  const auto outer = [&](std::int64_t from, std::int64_t to) {
    for (std::int64_t x = from; x < to; ++x) {
      const T change = outer_change<Radius, Varies>(stage, z, y, x, row + x);
      stage.out[row + x] = with_change(stage, row + x, change);
    }
  };
  outer(first, inner);
  const auto inside = [&, stage](const auto& added) {  // a copy: stores cannot change its numbers
#pragma omp simd
    for (std::int64_t at = row + inner; at < row + inner_end; ++at)
      stage.out[at] = stage.u[at] + inner_change<Radius, Varies>(stage, at) + added(at);
  };
  const T* source = stage.source;
  source == nullptr ? inside([](std::int64_t) { return T{0}; })
                    : inside([source, scale = stage.source_scale](std::int64_t at) { return scale * source[at]; });
  outer(inner_end, end);
}

template <int Radius, bool Varies, class T>
void conduct_rows(const Stream& stream, const ConductionStage<T>& stage) {
  const std::int64_t ny = stage.shape.ny;
  const std::int64_t n_rows = stage.shape.nz * ny;
#pragma omp parallel for num_threads(stream.n_threads()) schedule(static) if (n_rows > 1)
  for (std::int64_t row = 0; row < n_rows; ++row) conduct_row<Radius, Varies>(stage, row / ny, row % ny);
}

}  // namespace

template <class T>
void conduct(const Stream& stream, const ConductionStage<T>& stage) {
  if (stage.diffusivity != nullptr) return conduct_rows<1, true>(stream, stage);
  with_radius(stage.radius, [&](auto radius) { conduct_rows<radius(), false>(stream, stage); });
}

template void conduct<float>(const Stream&, const ConductionStage<float>&);
template void conduct<double>(const Stream&, const ConductionStage<double>&);

}  // namespace rafter::heat_ladder::cpu
