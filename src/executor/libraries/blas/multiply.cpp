#include "executor/libraries/blas/multiply.hpp"

#include <algorithm>
#include <array>
#include <vector>

namespace rafter::simt::blas {
namespace {

constexpr Int block_rows = 256, block_depth = 128, block_columns = 4;

/// Sums without traps on overflow: the sums of integers wrap around.
template <class T>
T add(T a, T b) {
  if constexpr (std::is_same_v<T, std::int32_t>) {
    return static_cast<T>(static_cast<std::uint32_t>(a) + static_cast<std::uint32_t>(b));
  } else {
    return a + b;
  }
}
template <class T>
T times(T a, T b) {
  if constexpr (std::is_same_v<T, std::int32_t>) {
    return static_cast<T>(static_cast<std::uint32_t>(a) * static_cast<std::uint32_t>(b));
  } else {
    return mul(a, b);
  }
}

template <class T>
T element(cublasOperation_t op, const T* a, Int ld, Int i, Int j) {
  return transposes(op) ? conj_if(conjugates(op), a[j + i * ld]) : a[i + j * ld];
}

/// Adds the product of a packed block of op(A), (rows x depth), and of columns of op(B) to columns of sums.
template <class T>
void add_block(const T* packed, Int rows, Int depth, const std::array<T, block_columns * block_depth>& b, Int columns,
               T* sums) {
  for (Int l = 0; l < depth; ++l) {
    const T* const a = packed + l * rows;
    for (Int j = 0; j < columns; ++j) {
      const T factor = b[static_cast<std::size_t>(j * block_depth + l)];
      T* const sum = sums + j * rows;
      for (Int i = 0; i < rows; ++i) sum[i] = add(sum[i], times(a[i], factor));
    }
  }
}

template <class T>
void multiply_rows(const Product<T>& p, Int first, Int rows) {
  std::vector<T> sums(static_cast<std::size_t>(rows * p.n), T(0));
  std::vector<T> packed(static_cast<std::size_t>(rows * block_depth));
  std::array<T, block_columns * block_depth> b;
  for (Int l0 = 0; l0 < p.k; l0 += block_depth) {
    const Int depth = std::min(block_depth, p.k - l0);
    for (Int l = 0; l < depth; ++l) {
      for (Int i = 0; i < rows; ++i)
        packed[static_cast<std::size_t>(i + l * rows)] = element(p.op_a, p.a, p.lda, first + i, l0 + l);
    }
    for (Int j0 = 0; j0 < p.n; j0 += block_columns) {
      const Int columns = std::min(block_columns, p.n - j0);
      for (Int j = 0; j < columns; ++j) {
        for (Int l = 0; l < depth; ++l)
          b[static_cast<std::size_t>(j * block_depth + l)] = element(p.op_b, p.b, p.ldb, l0 + l, j0 + j);
      }
      add_block(packed.data(), rows, depth, b, columns, sums.data() + j0 * rows);
    }
  }
  for (Int j = 0; j < p.n; ++j) {
    for (Int i = 0; i < rows; ++i) {
      T& c = p.c[first + i + j * p.ldc];
      const T sum = times(p.alpha, sums[static_cast<std::size_t>(i + j * rows)]);
      c = p.beta == T(0) ? sum : add(sum, times(p.beta, c));
    }
  }
}

template <class T>
void scale(const Product<T>& p) {
  for (Int j = 0; j < p.n; ++j) {
    for (Int i = 0; i < p.m; ++i) {
      T& c = p.c[i + j * p.ldc];
      c = p.beta == T(0) ? T(0) : times(p.beta, c);
    }
  }
}

}  // namespace

template <class T>
void multiply(const Product<T>& p) {
  if (p.m <= 0 || p.n <= 0) return;
  if (p.k <= 0 || p.alpha == T(0)) return scale(p);
  if (multiply_with_blas(p)) return;
  for (Int first = 0; first < p.m; first += block_rows) multiply_rows(p, first, std::min(block_rows, p.m - first));
}

template void multiply(const Product<float>&);
template void multiply(const Product<double>&);
template void multiply(const Product<std::complex<float>>&);
template void multiply(const Product<std::complex<double>>&);
template void multiply(const Product<std::int32_t>&);

}  // namespace rafter::simt::blas
