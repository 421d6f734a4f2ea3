// Conversion of rows of cells to lifted rows and back (heat_simd.hpp defines them). Only for heat_simd.cpp, which is
// compiled once per instruction-set level: every function is local to the including file.
#pragma once

#include <cstdint>
#include <type_traits>

#include "heat/heat_simd.hpp"

namespace rafter::heat_ladder::cpu {

namespace {

template <int Lanes>
std::int64_t n_vectors_for(std::int64_t n_cells) {
  return (n_cells + Lanes - 1) / Lanes;
}

/// Returns the position of a cell in a lifted row; frozen cells have indices below 0 and from n_cells on.
template <int Lanes>
std::int64_t place(std::int64_t cell, std::int64_t n_vectors) {
  if (cell < 0) return cell * Lanes;
  if (cell >= Lanes * n_vectors) return (cell - (Lanes - 1) * n_vectors) * Lanes + Lanes - 1;
  return cell % n_vectors * Lanes + cell / n_vectors;
}

/// Calls f(i, n_lanes) for the vectors of a lifted row: cells lane * n_vectors + i of the first n_lanes lanes are in
/// the row. At most two numbers occur.
template <int Lanes, class F>
void for_vectors(std::int64_t n_cells, std::int64_t n_vectors, const F& f) {
  const auto n_lanes = static_cast<int>(n_cells / n_vectors);
  const std::int64_t with_one_more = n_cells % n_vectors;
  const auto call = [&](std::int64_t first, std::int64_t last, int n) {
    if (n == Lanes) {
      for (std::int64_t i = first; i < last; ++i) f(i, std::integral_constant<int, Lanes>{});
    } else {
      for (std::int64_t i = first; i < last; ++i) f(i, n);
    }
  };
  call(0, with_one_more, n_lanes + 1);
  call(with_one_more, n_vectors, n_lanes);
}

/// Calls f(cell, position) for the places of a lifted row's vectors that follow its last cell.
template <int Lanes, class F>
void for_rest(std::int64_t n_cells, std::int64_t n_vectors, const F& f) {
  const std::int64_t end = Lanes * n_vectors;
  if (n_cells == end) return;
  std::int64_t lane = n_cells / n_vectors;
  std::int64_t i = n_cells % n_vectors;
  for (std::int64_t cell = n_cells; cell < end; ++cell) {
    f(cell, i * Lanes + lane);
    if (++i < n_vectors) continue;
    i = 0;
    ++lane;
  }
}

/// Sets the vectors beyond the ends, except for the first lane before the row and the last lane after it.
template <class T, int Lanes>
void repeat_lanes(T* row, std::int64_t n_vectors, int radius) {
  for (int k = 0; k < radius; ++k) {
    T* before = row - (k + 1) * Lanes;
    T* after = row + (n_vectors + k) * Lanes;
    const T* last = row + (n_vectors - k - 1) * Lanes;
    const T* first = row + k * Lanes;
    if constexpr (Lanes > 1) {
      __builtin_memcpy(before + 1, last, (Lanes - 1) * sizeof(T));
      __builtin_memcpy(after, first + 1, (Lanes - 1) * sizeof(T));
    }
  }
}

template <class T, int Lanes>
void close(const T* before, T* row, std::int64_t n_cells, int radius) {
  const std::int64_t n_vectors = n_vectors_for<Lanes>(n_cells);
  const auto keep = [&](std::int64_t, std::int64_t i) { row[i] = before[i]; };
  const auto keep_beyond = [&](std::int64_t cell) { keep(cell, place<Lanes>(cell, n_vectors)); };
  for (std::int64_t cell = -radius; cell < 0; ++cell) keep_beyond(cell);
  for_rest<Lanes>(n_cells, n_vectors, keep);
  for (std::int64_t cell = Lanes * n_vectors; cell < Lanes * n_vectors + radius; ++cell) keep_beyond(cell);
  repeat_lanes<T, Lanes>(row, n_vectors, radius);
}

template <class T, int Lanes>
void wrap(const RowGhosts& ghosts, T* row, std::int64_t n_cells, int radius) {
  for (int i = 0; i < ghosts.n; ++i) row[ghosts.to[i]] = row[ghosts.from[i]];
  repeat_lanes<T, Lanes>(row, n_vectors_for<Lanes>(n_cells), radius);
}

/// Lifts a row. Cells that no stencil of a free cell reads are 0.
template <class T, int Lanes>
void lift(const T* __restrict from, T* __restrict row, std::int64_t n_cells, int radius) {
  const std::int64_t n_vectors = n_vectors_for<Lanes>(n_cells);
  for_vectors<Lanes>(n_cells, n_vectors, [&](std::int64_t i, auto n_lanes) {
    for (int lane = 0; lane < n_lanes; ++lane) row[i * Lanes + lane] = from[lane * n_vectors + i];
  });
  const auto put = [&](std::int64_t cell, std::int64_t i) { row[i] = cell < n_cells + radius ? from[cell] : T{0}; };
  const auto put_beyond = [&](std::int64_t cell) { put(cell, place<Lanes>(cell, n_vectors)); };
  for (std::int64_t cell = -radius; cell < 0; ++cell) put_beyond(cell);
  for_rest<Lanes>(n_cells, n_vectors, put);
  for (std::int64_t cell = Lanes * n_vectors; cell < Lanes * n_vectors + radius; ++cell) put_beyond(cell);
  repeat_lanes<T, Lanes>(row, n_vectors, radius);
}

template <class T, int Lanes>
void lower(const T* __restrict row, T* __restrict to, std::int64_t n_cells, std::int64_t begin, std::int64_t end) {
  const std::int64_t n_vectors = n_vectors_for<Lanes>(n_cells);
  for_vectors<Lanes>(n_cells, n_vectors, [&](std::int64_t i, auto n_lanes) {
    if (begin == 0 && end == n_cells) {
      for (int lane = 0; lane < n_lanes; ++lane) to[lane * n_vectors + i] = row[i * Lanes + lane];
    } else {
      for (int lane = 0; lane < n_lanes; ++lane) {
        const std::int64_t cell = lane * n_vectors + i;
        if (cell >= begin && cell < end) to[cell - begin] = row[i * Lanes + lane];
      }
    }
  });
}

}  // namespace

}  // namespace rafter::heat_ladder::cpu
