// Level 3: products of matrices. Each function is a template over the element type and takes 64-bit sizes. All are made
// of multiply(), except for those of triangular matrices.
#pragma once

#include <vector>

#include "executor/libraries/blas/half_matrix.hpp"
#include "executor/libraries/blas/level2.hpp"
#include "executor/libraries/blas/multiply.hpp"

namespace rafter::simt::blas {

/// The matrix behind op(A), which has `rows` x `columns` elements.
template <class T>
Matrix<const T> behind(cublasOperation_t op, const T* a, Int rows, Int columns, Int ld) {
  return transposes(op) ? Matrix<const T>{a, columns, rows, ld} : Matrix<const T>{a, rows, columns, ld};
}

/// Lists C as written, or as updated if beta is not 0.
template <class T, class Operand, class Beta>
void list_result(const char* name, const Operand& c, const Scalar<Beta>& beta) {
  const bool is_accessible = beta.list("beta");
  c.list(name, is_accessible && beta.get() == Beta(0) ? Use::writes : Use::updates);
}

template <class T>
cublasStatus_t gemm(const Call& call, cublasOperation_t op_a, cublasOperation_t op_b, Int m, Int n, Int k,
                    const T* alpha, const T* a, Int lda, const T* b, Int ldb, const T* beta, T* c, Int ldc) {
  if (m < 0 || n < 0 || k < 0 || !is_valid(op_a) || !is_valid(op_b)) return CUBLAS_STATUS_INVALID_VALUE;
  const Matrix<const T> left = behind(op_a, a, m, k, lda), right = behind(op_b, b, k, n, ldb);
  if (!fits(lda, left.rows) || !fits(ldb, right.rows) || !fits(ldc, m)) return CUBLAS_STATUS_INVALID_VALUE;
  const auto factor = scalar(call, "alpha", alpha), old = scalar(call, "beta", beta);
  if (!factor || !old) return CUBLAS_STATUS_INVALID_VALUE;
  if (m == 0 || n == 0) return CUBLAS_STATUS_SUCCESS;
  const Matrix<T> result{c, m, n, ldc};
  return enqueue(
      call,
      [=] {
        factor->list("alpha");
        left.list("A", Use::reads);
        right.list("B", Use::reads);
        list_result<T>("C", result, *old);
      },
      [=] {
        multiply<T>({op_a, op_b, m, n, k, factor->get(), a, lda, b, ldb, old->get(), c, ldc});
      });
}

/// Returns the whole of a symmetric or hermitian matrix, n x n without gaps.
template <class T>
std::vector<T> expand(const HalfMatrix<const T>& half, bool hermitian) {
  std::vector<T> whole(static_cast<std::size_t>(half.n * half.n));
  for_elements(half, [&](Int i, Int j) {
    const T value = real_if(hermitian && i == j, half.at(i, j));
    whole[static_cast<std::size_t>(i + j * half.n)] = value;
    whole[static_cast<std::size_t>(j + i * half.n)] = i == j ? value : conj_if(hermitian, value);
  });
  return whole;
}

/// symm, and with `hermitian` hemm.
template <class T>
cublasStatus_t symm(const Call& call, bool hermitian, cublasSideMode_t side, cublasFillMode_t uplo, Int m, Int n,
                    const T* alpha, const T* a, Int lda, const T* b, Int ldb, const T* beta, T* c, Int ldc) {
  const Int order = side == CUBLAS_SIDE_LEFT ? m : n;
  if (m < 0 || n < 0 || !is_valid(side) || !is_valid(uplo) || !fits(lda, order) || !fits(ldb, m) || !fits(ldc, m))
    return CUBLAS_STATUS_INVALID_VALUE;
  const auto factor = scalar(call, "alpha", alpha), old = scalar(call, "beta", beta);
  if (!factor || !old) return CUBLAS_STATUS_INVALID_VALUE;
  if (m == 0 || n == 0) return CUBLAS_STATUS_SUCCESS;
  const auto half = HalfMatrix<const T>::full(a, order, lda, uplo);
  const Matrix<const T> other{b, m, n, ldb};
  const Matrix<T> result{c, m, n, ldc};
  return enqueue(
      call,
      [=] {
        factor->list("alpha");
        half.list("A", Use::reads);
        other.list("B", Use::reads);
        list_result<T>("C", result, *old);
      },
      [=] {
        const std::vector<T> whole = expand(half, hermitian);
        const T by = factor->get(), keep = old->get();
        if (side == CUBLAS_SIDE_LEFT)
          multiply<T>({CUBLAS_OP_N, CUBLAS_OP_N, m, n, m, by, whole.data(), order, b, ldb, keep, c, ldc});
        else
          multiply<T>({CUBLAS_OP_N, CUBLAS_OP_N, m, n, n, by, b, ldb, whole.data(), order, keep, c, ldc});
      });
}

/// The product that a rank-k update adds to one half of C.
enum class RankUpdate {
  of_one,   ///< syrk, herk: alpha * op(A) * op(A)^T
  of_both,  ///< syr2k, her2k: the product of A and B, and that of B and A
  mixed     ///< syrkx, herkx: op(A) * op(B)^T, which the program knows to be symmetric
};

/// C = alpha * op(A) * op(B)^T + ... + beta * C, for one half of C; with `hermitian` the conjugate transpose. Alpha and
/// Beta are T or its real type.
template <class T, class Alpha, class Beta>
cublasStatus_t rank_update(const Call& call, RankUpdate kind, bool hermitian, cublasFillMode_t uplo,
                           cublasOperation_t op, Int n, Int k, const Alpha* alpha, const T* a, Int lda, const T* b,
                           Int ldb, const Beta* beta, T* c, Int ldc) {
  if (n < 0 || k < 0 || !is_valid(uplo) || !is_valid(op)) return CUBLAS_STATUS_INVALID_VALUE;
  if (is_complex<T> && op == (hermitian ? CUBLAS_OP_T : CUBLAS_OP_C)) return CUBLAS_STATUS_INVALID_VALUE;
  const Matrix<const T> left = behind(op, a, n, k, lda), right = behind(op, b, n, k, ldb);
  if (!fits(lda, left.rows) || !fits(ldb, right.rows) || !fits(ldc, n)) return CUBLAS_STATUS_INVALID_VALUE;
  const auto factor = scalar(call, "alpha", alpha);
  const auto old = scalar(call, "beta", beta);
  if (!factor || !old) return CUBLAS_STATUS_INVALID_VALUE;
  if (n == 0) return CUBLAS_STATUS_SUCCESS;
  const auto result = HalfMatrix<T>::full(c, n, ldc, uplo);
  return enqueue(
      call,
      [=] {
        factor->list("alpha");
        left.list("A", Use::reads);
        if (kind != RankUpdate::of_one) right.list("B", Use::reads);
        list_result<T>("C", result, *old);
      },
      [=] {
        std::vector<T> product(static_cast<std::size_t>(n * n));
        const cublasOperation_t transpose = hermitian ? CUBLAS_OP_C : CUBLAS_OP_T;
        const cublasOperation_t first = transposes(op) ? transpose : CUBLAS_OP_N;
        const cublasOperation_t second = transposes(op) ? CUBLAS_OP_N : transpose;
        const T by(factor->get()), keep(old->get());
        multiply<T>({first, second, n, n, k, by, a, lda, b, ldb, T(0), product.data(), n});
        if (kind == RankUpdate::of_both)
          multiply<T>({first, second, n, n, k, conj_if(hermitian, by), b, ldb, a, lda, T(1), product.data(), n});
        for_elements(result, [&](Int i, Int j) {
          T& element = result.at(i, j);
          const T value = product[static_cast<std::size_t>(i + j * n)];
          element = real_if(hermitian && i == j, keep == T(0) ? value : value + mul(keep, element));
        });
      });
}

/// A triangular matrix, copied as op(A) without gaps, so that all products and solutions go along columns.
template <class T>
struct Triangle {
  std::vector<T> elements;
  Int n;
  bool is_upper;

  Triangle(const HalfMatrix<const T>& a, cublasOperation_t op)
      : elements(static_cast<std::size_t>(a.n * a.n)), n(a.n), is_upper(a.is_upper != transposes(op)) {
    for_elements(a, [&](Int i, Int j) {
      const T value = conj_if(conjugates(op), a.get(i, j));
      elements[static_cast<std::size_t>(transposes(op) ? j + i * n : i + j * n)] = value;
    });
  }
  const T* column(Int j) const { return elements.data() + j * n; }
  T at(Int i, Int j) const { return elements[static_cast<std::size_t>(i + j * n)]; }
  /// The rows of column j besides the diagonal.
  Int first(Int j) const { return is_upper ? 0 : j + 1; }
  Int end(Int j) const { return is_upper ? j : n; }
};

/// Adds factor * from to a column.
template <class T>
void add_column(T* to, T factor, const T* from, Int first, Int end) {
  for (Int i = first; i < end; ++i) to[i] += mul(factor, from[i]);
}

/// c = T * b, for one column of m elements. `b` may be `c`.
template <class T>
void multiply_left(const Triangle<T>& t, const T* b, T* c) {
  std::vector<T> sums(static_cast<std::size_t>(t.n), T(0));
  for (Int l = 0; l < t.n; ++l) {
    add_column(sums.data(), b[l], t.column(l), t.first(l), t.end(l));
    sums[static_cast<std::size_t>(l)] += mul(t.at(l, l), b[l]);
  }
  std::copy(sums.begin(), sums.end(), c);
}

/// Solves T * x = b in place, for one column.
template <class T>
void solve_left(const Triangle<T>& t, bool unit, T* x) {
  for (Int step = 0; step < t.n; ++step) {
    const Int l = t.is_upper ? t.n - 1 - step : step;
    if (!unit) x[l] /= t.at(l, l);
    add_column(x, -x[l], t.column(l), t.first(l), t.end(l));
  }
}

/// The parameters of trmm and trsm.
struct TriangularForm {
  cublasSideMode_t side;
  cublasFillMode_t uplo;
  cublasOperation_t op;
  cublasDiagType_t diag;
  Int m, n;

  bool is_valid_form() const {
    return m >= 0 && n >= 0 && is_valid(side) && is_valid(uplo) && is_valid(op) && is_valid(diag);
  }
  bool is_left() const { return side == CUBLAS_SIDE_LEFT; }
  Int order() const { return is_left() ? m : n; }
  template <class T>
  HalfMatrix<const T> half(const T* a, Int lda) const {
    return HalfMatrix<const T>::full(a, order(), lda, uplo).with(diag);
  }
};

/// C = alpha * op(A) * B, or alpha * B * op(A). C may be B.
template <class T>
void multiply_triangular(const TriangularForm& form, T alpha, const T* a, Int lda, const T* b, Int ldb, T* c, Int ldc) {
  const Triangle<T> t(form.half(a, lda), form.op);
  const auto size = static_cast<std::size_t>(form.m);
  std::vector<T> product(size * static_cast<std::size_t>(form.n), T(0));
  for (Int j = 0; j < form.n; ++j) {
    T* const column = product.data() + j * form.m;
    if (form.is_left()) {
      multiply_left(t, b + j * ldb, column);
    } else {
      for (Int l = t.first(j); l < t.end(j); ++l) add_column(column, t.at(l, j), b + l * ldb, 0, form.m);
      add_column(column, t.at(j, j), b + j * ldb, 0, form.m);
    }
  }
  for (Int j = 0; j < form.n; ++j) {
    for (Int i = 0; i < form.m; ++i) c[i + j * ldc] = mul(alpha, product[static_cast<std::size_t>(i + j * form.m)]);
  }
}

/// Solves op(A) * X = alpha * B, or X * op(A) = alpha * B. X replaces B.
template <class T>
void solve_triangular_matrix(const TriangularForm& form, T alpha, const T* a, Int lda, T* b, Int ldb) {
  const bool unit = form.diag == CUBLAS_DIAG_UNIT;
  for (Int j = 0; j < form.n; ++j) {
    for (Int i = 0; i < form.m; ++i) b[i + j * ldb] = alpha == T(0) ? T(0) : mul(alpha, b[i + j * ldb]);
  }
  if (alpha == T(0)) return;
  const Triangle<T> t(form.half(a, lda), form.op);
  if (form.is_left()) {
    for (Int j = 0; j < form.n; ++j) solve_left(t, unit, b + j * ldb);
    return;
  }
  for (Int step = 0; step < form.n; ++step) {
    const Int j = t.is_upper ? step : form.n - 1 - step;
    T* const column = b + j * ldb;
    for (Int l = t.first(j); l < t.end(j); ++l) add_column(column, -t.at(l, j), b + l * ldb, 0, form.m);
    if (unit) continue;
    for (Int i = 0; i < form.m; ++i) column[i] /= t.at(j, j);
  }
}

template <class T>
cublasStatus_t trmm(const Call& call, const TriangularForm& form, const T* alpha, const T* a, Int lda, const T* b,
                    Int ldb, T* c, Int ldc) {
  if (!form.is_valid_form() || !fits(lda, form.order()) || !fits(ldb, form.m) || !fits(ldc, form.m))
    return CUBLAS_STATUS_INVALID_VALUE;
  const auto factor = scalar(call, "alpha", alpha);
  if (!factor) return CUBLAS_STATUS_INVALID_VALUE;
  if (form.m == 0 || form.n == 0) return CUBLAS_STATUS_SUCCESS;
  return enqueue(
      call,
      [=] {
        factor->list("alpha");
        form.half(a, lda).list("A", Use::reads);
        Matrix<const T>{b, form.m, form.n, ldb}.list("B", Use::reads);
        Matrix<T>{c, form.m, form.n, ldc}.list("C", Use::writes);
      },
      [=] { multiply_triangular(form, factor->get(), a, lda, b, ldb, c, ldc); });
}

template <class T>
cublasStatus_t trsm(const Call& call, const TriangularForm& form, const T* alpha, const T* a, Int lda, T* b, Int ldb) {
  if (!form.is_valid_form() || !fits(lda, form.order()) || !fits(ldb, form.m)) return CUBLAS_STATUS_INVALID_VALUE;
  const auto factor = scalar(call, "alpha", alpha);
  if (!factor) return CUBLAS_STATUS_INVALID_VALUE;
  if (form.m == 0 || form.n == 0) return CUBLAS_STATUS_SUCCESS;
  return enqueue(
      call,
      [=] {
        factor->list("alpha");
        form.half(a, lda).list("A", Use::reads);
        Matrix<T>{b, form.m, form.n, ldb}.list("B", Use::updates);
      },
      [=] { solve_triangular_matrix(form, factor->get(), a, lda, b, ldb); });
}

/// C = alpha * op(A) + beta * op(B). A or B is not read if its factor is 0; C may be A or B if that is not transposed.
template <class T>
cublasStatus_t geam(const Call& call, cublasOperation_t op_a, cublasOperation_t op_b, Int m, Int n, const T* alpha,
                    const T* a, Int lda, const T* beta, const T* b, Int ldb, T* c, Int ldc) {
  if (m < 0 || n < 0 || !is_valid(op_a) || !is_valid(op_b) || !fits(ldc, m)) return CUBLAS_STATUS_INVALID_VALUE;
  const Matrix<const T> first = behind(op_a, a, m, n, lda), second = behind(op_b, b, m, n, ldb);
  if (!fits(lda, first.rows) || !fits(ldb, second.rows)) return CUBLAS_STATUS_INVALID_VALUE;
  const auto by_a = scalar(call, "alpha", alpha), by_b = scalar(call, "beta", beta);
  if (!by_a || !by_b) return CUBLAS_STATUS_INVALID_VALUE;
  if ((c == a && (transposes(op_a) || lda != ldc)) || (c == b && (transposes(op_b) || ldb != ldc)))
    return CUBLAS_STATUS_INVALID_VALUE;
  if (m == 0 || n == 0) return CUBLAS_STATUS_SUCCESS;
  const Matrix<T> result{c, m, n, ldc};
  return enqueue(
      call,
      [=] {
        if (!by_a->list("alpha") || !by_b->list("beta")) return;
        if (by_a->get() != T(0)) first.list("A", Use::reads);
        if (by_b->get() != T(0)) second.list("B", Use::reads);
        result.list("C", Use::writes);
      },
      [=] {
        const T x = by_a->get(), y = by_b->get();
        const auto term = [](cublasOperation_t op, const Matrix<const T>& from, T factor, Int i, Int j) {
          return factor == T(0) ? T(0) : mul(factor, conj_if(conjugates(op), transposes(op) ? from(j, i) : from(i, j)));
        };
        for (Int j = 0; j < n; ++j) {
          for (Int i = 0; i < m; ++i) result(i, j) = term(op_a, first, x, i, j) + term(op_b, second, y, i, j);
        }
      });
}

/// C = A * diag(x), or diag(x) * A.
template <class T>
cublasStatus_t dgmm(const Call& call, cublasSideMode_t side, Int m, Int n, const T* a, Int lda, const T* x, Int incx,
                    T* c, Int ldc) {
  if (m < 0 || n < 0 || !is_valid(side) || !fits(lda, m) || !fits(ldc, m)) return CUBLAS_STATUS_INVALID_VALUE;
  if (m == 0 || n == 0) return CUBLAS_STATUS_SUCCESS;
  const Matrix<const T> from{a, m, n, lda};
  const Matrix<T> result{c, m, n, ldc};
  const Vector<const T> diagonal{x, incx == 0 ? 1 : side == CUBLAS_SIDE_LEFT ? m : n, incx};
  return enqueue(
      call,
      [=] {
        from.list("A", Use::reads);
        diagonal.list("x", Use::reads);
        result.list("C", Use::writes);
      },
      [=] {
        for (Int j = 0; j < n; ++j) {
          for (Int i = 0; i < m; ++i)
            result(i, j) = mul(from(i, j), diagonal[incx == 0 ? 0 : side == CUBLAS_SIDE_LEFT ? i : j]);
        }
      });
}

}  // namespace rafter::simt::blas
