// Conversion of rows of cells to lifted rows and back (heat_simd.hpp defines them). Only for heat_simd.cpp, which is
// compiled once per instruction-set level: every function is local to the including file.
#pragma once

#include <cstdint>

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

/// Sets the vectors beyond the ends, except for the first lane before the row and the last lane after it.
template <class T, int Lanes>
void repeat_lanes(T* row, std::int64_t n_vectors, int radius) {
  for (int k = 0; k < radius; ++k) {
    T* before = row - (k + 1) * Lanes;
    T* after = row + (n_vectors + k) * Lanes;
    const T* last = row + (n_vectors - k - 1) * Lanes;
    const T* first = row + k * Lanes;
    for (int lane = 1; lane < Lanes; ++lane) before[lane] = last[lane - 1];
    for (int lane = 1; lane < Lanes; ++lane) after[lane - 1] = first[lane];
  }
}

template <class T, int Lanes>
void close(const T* before, T* row, std::int64_t n_cells, int radius) {
  const std::int64_t n_vectors = n_vectors_for<Lanes>(n_cells);
  const auto keep = [&](std::int64_t cell) {
    const std::int64_t i = place<Lanes>(cell, n_vectors);
    row[i] = before[i];
  };
  for (std::int64_t cell = -radius; cell < 0; ++cell) keep(cell);
  for (std::int64_t cell = n_cells; cell < Lanes * n_vectors + radius; ++cell) keep(cell);
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
  const std::int64_t full = n_cells - (Lanes - 1) * n_vectors;  // vectors with a free cell in the last lane, too
  for (std::int64_t i = 0; i < full; ++i) {
    for (int lane = 0; lane < Lanes; ++lane) row[i * Lanes + lane] = from[lane * n_vectors + i];
  }
  const auto put = [&](std::int64_t cell) {
    row[place<Lanes>(cell, n_vectors)] = cell < n_cells + radius ? from[cell] : T{0};
  };
  for (std::int64_t i = full > 0 ? full : 0; i < n_vectors; ++i) {
    for (int lane = 0; lane < Lanes; ++lane) put(lane * n_vectors + i);
  }
  for (std::int64_t cell = -radius; cell < 0; ++cell) put(cell);
  for (std::int64_t cell = Lanes * n_vectors; cell < Lanes * n_vectors + radius; ++cell) put(cell);
  repeat_lanes<T, Lanes>(row, n_vectors, radius);
}

template <class T, int Lanes>
void lower(const T* __restrict row, T* __restrict to, std::int64_t n_cells, std::int64_t begin, std::int64_t end) {
  const std::int64_t n_vectors = n_vectors_for<Lanes>(n_cells);
  const bool all = begin == 0 && end == n_cells;
  const std::int64_t full = all ? n_cells - (Lanes - 1) * n_vectors : 0;
  for (std::int64_t i = 0; i < full; ++i) {
    for (int lane = 0; lane < Lanes; ++lane) to[lane * n_vectors + i] = row[i * Lanes + lane];
  }
  for (std::int64_t i = full > 0 ? full : 0; i < n_vectors; ++i) {
    for (int lane = 0; lane < Lanes; ++lane) {
      const std::int64_t cell = lane * n_vectors + i;
      if (cell >= begin && cell < end) to[cell] = row[i * Lanes + lane];
    }
  }
}

}  // namespace

}  // namespace rafter::heat_ladder::cpu
