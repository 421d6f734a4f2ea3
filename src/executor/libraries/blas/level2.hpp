// Level 2: matrices and vectors. Each function is a template over the element type and takes 64-bit sizes.
#pragma once

#include <vector>

#include "executor/libraries/blas/half_matrix.hpp"

namespace rafter::simt::blas {

/// y = alpha * (...) + beta * y: the parameters that all products of a matrix and a vector have.
template <class T>
struct VectorUpdate {
  Scalar<T> alpha, beta;
  Vector<const T> x;
  Vector<T> y;

  void list() const {
    const bool is_accessible = alpha.list("alpha") && beta.list("beta");
    x.list("x", Use::reads);
    y.list("y", is_accessible && beta.get() == T(0) ? Use::writes : Use::updates);
  }
  void finish(const std::vector<T>& product) const {
    const T a = alpha.get(), b = beta.get();
    for (Int i = 0; i < y.n; ++i) {
      const T value = mul(a, product[static_cast<std::size_t>(i)]);
      y[i] = b == T(0) ? value : value + mul(b, y[i]);
    }
  }
};

/// Performs such an update. `list()` lists the matrix; `multiply(x, product)` adds its product with x to zeros.
template <class T, class List, class Multiply>
cublasStatus_t update_vector(const Call& call, const T* alpha, Vector<const T> x, const T* beta, Vector<T> y, List list,
                             Multiply multiply) {
  const auto a = scalar(call, "alpha", alpha), b = scalar(call, "beta", beta);
  if (!a || !b || x.increment == 0 || y.increment == 0) return CUBLAS_STATUS_INVALID_VALUE;
  if (x.n == 0 && y.n == 0) return CUBLAS_STATUS_SUCCESS;
  const VectorUpdate<T> update{*a, *b, x, y};
  return enqueue(
      call,
      [=] {
        list();
        update.list();
      },
      [=] {
        std::vector<T> product(static_cast<std::size_t>(update.y.n), T(0));
        if (update.alpha.get() != T(0)) multiply(update.x, product.data());
        update.finish(product);
      });
}

/// Adds op(A) * x to the product, for the rows [first, end) of each column.
template <class T, class At, class First, class End>
void add_product(cublasOperation_t op, Int columns, const Vector<const T>& x, T* product, At at, First first, End end) {
  for (Int j = 0; j < columns; ++j) {
    if (transposes(op)) {
      T sum(0);
      for (Int i = first(j); i < end(j); ++i) sum += mul(conj_if(conjugates(op), at(i, j)), x[i]);
      product[j] += sum;
    } else {
      const T factor = x[j];
      for (Int i = first(j); i < end(j); ++i) product[i] += mul(at(i, j), factor);
    }
  }
}

template <class T>
cublasStatus_t gemv(const Call& call, cublasOperation_t op, Int m, Int n, const T* alpha, const T* a, Int lda,
                    const T* x, Int incx, const T* beta, T* y, Int incy) {
  if (m < 0 || n < 0 || !is_valid(op) || !fits(lda, m)) return CUBLAS_STATUS_INVALID_VALUE;
  if (m == 0 || n == 0) return CUBLAS_STATUS_SUCCESS;
  const Matrix<const T> matrix{a, m, n, lda};
  return update_vector(
      call, alpha, {x, transposes(op) ? m : n, incx}, beta, {y, transposes(op) ? n : m, incy},
      [=] { matrix.list("A", Use::reads); },
      [=](const Vector<const T>& v, T* product) {
        add_product(
            op, n, v, product, matrix, [](Int) { return Int{0}; }, [m](Int) { return m; });
      });
}

template <class T>
cublasStatus_t gbmv(const Call& call, cublasOperation_t op, Int m, Int n, Int kl, Int ku, const T* alpha, const T* a,
                    Int lda, const T* x, Int incx, const T* beta, T* y, Int incy) {
  if (m < 0 || n < 0 || kl < 0 || ku < 0 || !is_valid(op) || lda < kl + ku + 1) return CUBLAS_STATUS_INVALID_VALUE;
  if (m == 0 || n == 0) return CUBLAS_STATUS_SUCCESS;
  const auto at = [=](Int i, Int j) -> const T& { return a[ku + i - j + j * lda]; };
  const auto first = [=](Int j) { return std::max<Int>(0, j - ku); };
  const auto end = [=](Int j) { return std::min(m, j + kl + 1); };
  return update_vector(
      call, alpha, {x, transposes(op) ? m : n, incx}, beta, {y, transposes(op) ? n : m, incy},
      [=] {
        for (Int j = 0; j < n && first(j) < end(j); ++j) {
          const auto bytes = static_cast<std::size_t>(end(j) - first(j)) * sizeof(T);
          list_rows("A", &at(first(j), j), bytes, 1, static_cast<std::ptrdiff_t>(bytes), Use::reads);
        }
      },
      [=](const Vector<const T>& v, T* product) { add_product(op, n, v, product, at, first, end); });
}

/// symv, sbmv, spmv, and with `hermitian` hemv, hbmv, hpmv.
template <class T>
cublasStatus_t symv(const Call& call, bool hermitian, const HalfMatrix<const T>& a, const T* alpha, const T* x,
                    Int incx, const T* beta, T* y, Int incy) {
  if (a.n == 0) return CUBLAS_STATUS_SUCCESS;
  return update_vector(
      call, alpha, {x, a.n, incx}, beta, {y, a.n, incy}, [=] { a.list("A", Use::reads); },
      [=](const Vector<const T>& v, T* product) {
        for_elements(a, [&](Int i, Int j) {
          if (i == j) {
            product[i] += mul(hermitian ? T(real_of(a.at(i, i))) : a.at(i, i), v[i]);
          } else {
            product[i] += mul(a.at(i, j), v[j]);
            product[j] += mul(conj_if(hermitian, a.at(i, j)), v[i]);
          }
        });
      });
}

/// trmv, tbmv, tpmv: x = op(A) * x.
template <class T>
cublasStatus_t trmv(const Call& call, cublasOperation_t op, const HalfMatrix<const T>& a, T* x, Int incx) {
  if (incx == 0) return CUBLAS_STATUS_INVALID_VALUE;
  if (a.n == 0) return CUBLAS_STATUS_SUCCESS;
  const Vector<T> v{x, a.n, incx};
  return enqueue(
      call,
      [=] {
        a.list("A", Use::reads);
        v.list("x", Use::updates);
      },
      [=] {
        std::vector<T> product(static_cast<std::size_t>(a.n), T(0));
        const auto at = [&](Int i, Int j) { return a.get(i, j); };
        add_product(
            op, a.n, Vector<const T>{x, a.n, incx}, product.data(), at, [&](Int j) { return a.first(j); },
            [&](Int j) { return a.end(j); });
        for (Int i = 0; i < a.n; ++i) v[i] = product[static_cast<std::size_t>(i)];
      });
}

/// Solves op(A) * x = b in place.
template <class T>
void solve_triangular(cublasOperation_t op, const HalfMatrix<const T>& a, const Vector<T>& x) {
  const bool is_backward = a.is_upper != transposes(op);
  for (Int step = 0; step < a.n; ++step) {
    const Int j = is_backward ? a.n - 1 - step : step;
    const Int first = a.is_upper ? a.first(j) : j + 1, end = a.is_upper ? j : a.end(j);
    if (transposes(op)) {
      T rest = x[j];
      for (Int i = first; i < end; ++i) rest -= mul(conj_if(conjugates(op), a.at(i, j)), x[i]);
      x[j] = a.has_unit_diagonal ? rest : rest / conj_if(conjugates(op), a.at(j, j));
    } else {
      if (!a.has_unit_diagonal) x[j] /= a.at(j, j);
      for (Int i = first; i < end; ++i) x[i] -= mul(a.at(i, j), x[j]);
    }
  }
}

/// trsv, tbsv, tpsv.
template <class T>
cublasStatus_t trsv(const Call& call, cublasOperation_t op, const HalfMatrix<const T>& a, T* x, Int incx) {
  if (incx == 0) return CUBLAS_STATUS_INVALID_VALUE;
  if (a.n == 0) return CUBLAS_STATUS_SUCCESS;
  const Vector<T> v{x, a.n, incx};
  return enqueue(
      call,
      [=] {
        a.list("A", Use::reads);
        v.list("x", Use::updates);
      },
      [=] { solve_triangular(op, a, v); });
}

/// A = alpha * x * y^T + A, or with y^H.
template <class T>
cublasStatus_t ger(const Call& call, bool conjugate, Int m, Int n, const T* alpha, const T* x, Int incx, const T* y,
                   Int incy, T* a, Int lda) {
  const auto factor = scalar(call, "alpha", alpha);
  if (!factor || m < 0 || n < 0 || incx == 0 || incy == 0 || !fits(lda, m)) return CUBLAS_STATUS_INVALID_VALUE;
  if (m == 0 || n == 0) return CUBLAS_STATUS_SUCCESS;
  const Vector<const T> column{x, m, incx}, row{y, n, incy};
  const Matrix<T> matrix{a, m, n, lda};
  return enqueue(
      call,
      [=] {
        factor->list("alpha");
        column.list("x", Use::reads);
        row.list("y", Use::reads);
        matrix.list("A", Use::updates);
      },
      [=] {
        for (Int j = 0; j < n; ++j) {
          const T by = mul(factor->get(), conj_if(conjugate, row[j]));
          for (Int i = 0; i < m; ++i) matrix(i, j) += mul(column[i], by);
        }
      });
}

/// The imaginary parts of a hermitian matrix's diagonal are set to 0.
template <class T>
T real_if(bool condition, T a) {
  return condition ? T(real_of(a)) : a;
}

/// syr, spr, and with `hermitian` her, hpr. Factor is T or its real type.
template <class T, class Factor>
cublasStatus_t syr(const Call& call, bool hermitian, const HalfMatrix<T>& a, const Factor* alpha, const T* x,
                   Int incx) {
  const auto factor = scalar(call, "alpha", alpha);
  if (!factor || incx == 0) return CUBLAS_STATUS_INVALID_VALUE;
  if (a.n == 0) return CUBLAS_STATUS_SUCCESS;
  const Vector<const T> v{x, a.n, incx};
  return enqueue(
      call,
      [=] {
        factor->list("alpha");
        v.list("x", Use::reads);
        a.list("A", Use::updates);
      },
      [=] {
        const T by(factor->get());
        for_elements(a, [&](Int i, Int j) {
          a.at(i, j) = real_if(hermitian && i == j, a.at(i, j) + mul(v[i], mul(by, conj_if(hermitian, v[j]))));
        });
      });
}

/// syr2, spr2, and with `hermitian` her2, hpr2.
template <class T>
cublasStatus_t syr2(const Call& call, bool hermitian, const HalfMatrix<T>& a, const T* alpha, const T* x, Int incx,
                    const T* y, Int incy) {
  const auto factor = scalar(call, "alpha", alpha);
  if (!factor || incx == 0 || incy == 0) return CUBLAS_STATUS_INVALID_VALUE;
  if (a.n == 0) return CUBLAS_STATUS_SUCCESS;
  const Vector<const T> v{x, a.n, incx}, w{y, a.n, incy};
  return enqueue(
      call,
      [=] {
        factor->list("alpha");
        v.list("x", Use::reads);
        w.list("y", Use::reads);
        a.list("A", Use::updates);
      },
      [=] {
        const T by = factor->get();
        for_elements(a, [&](Int i, Int j) {
          const T sum = mul(by, mul(v[i], conj_if(hermitian, w[j]))) +
                        mul(conj_if(hermitian, by), mul(w[i], conj_if(hermitian, v[j])));
          a.at(i, j) = real_if(hermitian && i == j, a.at(i, j) + sum);
        });
      });
}

}  // namespace rafter::simt::blas
