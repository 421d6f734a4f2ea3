// A stage of a conduction step on a CPU; rows are divided among threads. Inside the grid a row is a plain loop. Near
// faces of z and y its neighbours are rows, too: other rows times a sign plus a number. Near faces of x each cell looks
// up its neighbours one by one.
#include <algorithm>

#include "heat/heat_conduction_stage.hpp"
#include "library/core/parts.hpp"

namespace rafter::heat_ladder::cpu {

namespace {

/// The adjacent rows of a row along an axis, in the grid or beyond it.
template <int Radius, class T>
class AdjacentRows {
 public:
  AdjacentRows(const ConductionAxis<T>& axis, std::int64_t i) {
    for (int k = 1; k <= Radius; ++k) {
      weight_[k - 1] = axis.weight[k - 1];
      low_[k - 1] = continued(axis, i - k, 0);
      high_[k - 1] = continued(axis, i + k, 0);
      for (Continued<T>* row : {&low_[k - 1], &high_[k - 1]})
        row->i = (row->i - i) * axis.stride;  // offset in elements
    }
  }

  T difference(const T* v) const {
    const auto pair = [&](int k) {
      const auto at = [&](const Continued<T>& row) { return row.offset + row.sign * v[row.i] - *v; };
      return weight_[k] * (at(low_[k]) + at(high_[k]));
    };
    T sum = pair(0);
    if constexpr (Radius > 1) sum += pair(1);
    if constexpr (Radius > 2) sum += pair(2);
    if constexpr (Radius > 3) sum += pair(3);
    return sum;
  }

 private:
  T weight_[Radius];
  Continued<T> low_[Radius];
  Continued<T> high_[Radius];
};

template <int Radius, bool Varies, class T>
void conduct_row(const ConductionStage<T>& stage, std::int64_t z, std::int64_t y) {
  const std::int64_t nx = stage.shape.nx;
  const std::int64_t row = (z * stage.shape.ny + y) * nx;
  const bool is_frozen = !is_free(stage.z, z) || !is_free(stage.y, y);
  const std::int64_t first = is_frozen ? nx : stage.x.first_free;
  const std::int64_t end = is_frozen ? nx : stage.x.end_free;
  for (std::int64_t x = 0; x < first; ++x) stage.out[row + x] = stage.u[row + x];
  for (std::int64_t x = end; x < nx; ++x) stage.out[row + x] = stage.u[row + x];

  constexpr int reach = reach_of(Radius, Varies);
  const bool row_is_inner = is_inner(stage.z, z, reach) && is_inner(stage.y, y, reach);
  const std::int64_t reach_x = stage.x.stride == 0 ? 0 : reach;
  const bool goes_by_rows = row_is_inner || (!Varies && !stage.z.has_amounts() && !stage.y.has_amounts());
  const std::int64_t inner = goes_by_rows ? std::clamp(reach_x, first, end) : end;
  const std::int64_t inner_end = goes_by_rows ? std::clamp(nx - reach_x, inner, end) : end;
  const auto outer = [&](std::int64_t from, std::int64_t to) {
    for (std::int64_t x = from; x < to; ++x) {
      const T change = outer_change<Radius, Varies>(stage, z, y, x, row + x);
      stage.out[row + x] = with_change(stage, row + x, change);
    }
  };
  outer(first, inner);
  const auto by_rows = [&, stage](const auto& change) {  // a copy: stores cannot change its members
    if (stage.per_capacity != nullptr) {
      for (std::int64_t at = row + inner; at < row + inner_end; ++at)
        stage.out[at] = with_change(stage, at, change(stage, at));
    } else if (stage.source == nullptr) {
#pragma omp simd
      for (std::int64_t at = row + inner; at < row + inner_end; ++at) stage.out[at] = stage.u[at] + change(stage, at);
    } else {
#pragma omp simd
      for (std::int64_t at = row + inner; at < row + inner_end; ++at)
        stage.out[at] = stage.u[at] + change(stage, at) + stage.source_scale * stage.source[at];
    }
  };
  if constexpr (Varies && Radius > 1) {
    const FacesBelow<T> faces(stage, z, y);
    if (row_is_inner) {
      by_rows([faces](const ConductionStage<T>& own, std::int64_t at) { return inner_change<Radius>(own, faces, at); });
    }
  } else if (row_is_inner) {
    by_rows([](const ConductionStage<T>& own, std::int64_t at) { return inner_change<Radius, Varies>(own, at); });
  } else if constexpr (!Varies) {
    if (goes_by_rows) {
      const AdjacentRows<Radius, T> along_z(stage.z, z), along_y(stage.y, y);
      by_rows([along_z, along_y](const ConductionStage<T>& own, std::int64_t at) {
        const T* v = own.v + at;
        return inner_difference<Radius>(own.x, v) + along_y.difference(v) + along_z.difference(v);
      });
    }
  }
  outer(inner_end, end);
}

template <int Radius, bool Varies, class T>
void conduct_rows(const Stream& stream, const ConductionStage<T>& stage) {
  const std::int64_t ny = stage.shape.ny;
  const std::int64_t n_rows = stage.shape.nz * ny;
  core::for_each_part(stream, n_rows,
                      [&](std::int64_t row) { conduct_row<Radius, Varies>(stage, row / ny, row % ny); });
}

}  // namespace

template <class T>
void conduct(const Stream& stream, const ConductionStage<T>& stage) {
  with_radius(stage.radius, [&](auto radius) {
    if (stage.diffusivity != nullptr) return conduct_rows<radius(), true>(stream, stage);
    conduct_rows<radius(), false>(stream, stage);
  });
}

template void conduct<float>(const Stream&, const ConductionStage<float>&);
template void conduct<double>(const Stream&, const ConductionStage<double>&);

}  // namespace rafter::heat_ladder::cpu
