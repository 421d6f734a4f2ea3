// Batches: matrices at a stride, or at addresses in device memory; small factorisations.
#pragma once

#include "executor/libraries/blas/level3.hpp"

namespace rafter::simt::blas {

/// The matrices of a batch: at a stride from the first, or at the addresses of an array in device memory.
template <class Pointer>
struct Batch {
  Pointer start = nullptr;
  Int stride = 0;
  const Pointer* addresses = nullptr;

  Pointer operator[](Int i) const { return addresses != nullptr ? addresses[i] : start + i * stride; }
  /// Lists the array of addresses. They may be read only if it returns true.
  bool list_addresses(const char* name, Int count) const {
    return addresses == nullptr || list_rows(name, addresses, sizeof(Pointer), count, sizeof(Pointer), Use::reads);
  }
};

template <class T>
struct BatchedMatrices {
  Batch<const T*> a;
  Int lda;
  Batch<const T*> b;
  Int ldb;
  Batch<T*> c;
  Int ldc;
  Int count;

  bool list_addresses() const {
    const bool has_a = a.list_addresses("Aarray", count), has_b = b.list_addresses("Barray", count);
    return c.list_addresses("Carray", count) && has_a && has_b;
  }
};

template <class T>
cublasStatus_t gemm_batched(const Call& call, cublasOperation_t op_a, cublasOperation_t op_b, Int m, Int n, Int k,
                            const T* alpha, const T* beta, const BatchedMatrices<T>& batch) {
  if (m < 0 || n < 0 || k < 0 || batch.count < 0 || !is_valid(op_a) || !is_valid(op_b))
    return CUBLAS_STATUS_INVALID_VALUE;
  if (!fits(batch.lda, transposes(op_a) ? k : m) || !fits(batch.ldb, transposes(op_b) ? n : k) || !fits(batch.ldc, m))
    return CUBLAS_STATUS_INVALID_VALUE;
  const auto factor = scalar(call, "alpha", alpha), old = scalar(call, "beta", beta);
  if (!factor || !old) return CUBLAS_STATUS_INVALID_VALUE;
  if (m == 0 || n == 0 || batch.count == 0) return CUBLAS_STATUS_SUCCESS;
  return enqueue(
      call,
      [=] {
        factor->list("alpha");
        if (!batch.list_addresses()) return;
        for (Int i = 0; i < batch.count; ++i) {
          behind(op_a, batch.a[i], m, k, batch.lda).list("A", Use::reads);
          behind(op_b, batch.b[i], k, n, batch.ldb).list("B", Use::reads);
          list_result<T>("C", Matrix<T>{batch.c[i], m, n, batch.ldc}, *old);
        }
      },
      [=] {
        for (Int i = 0; i < batch.count; ++i) {
          multiply<T>({op_a, op_b, m, n, k, factor->get(), batch.a[i], batch.lda, batch.b[i], batch.ldb, old->get(),
                       batch.c[i], batch.ldc});
        }
      });
}

/// y = alpha * op(A) * x + beta * y for each of a batch; a vector is a row of a matrix whose leading dimension is its
/// increment.
template <class T>
cublasStatus_t gemv_batched(const Call& call, cublasOperation_t op, Int m, Int n, const T* alpha, const T* beta,
                            const BatchedMatrices<T>& batch) {
  if (m < 0 || n < 0 || batch.count < 0 || !is_valid(op) || !fits(batch.lda, m) || batch.ldb == 0 || batch.ldc == 0)
    return CUBLAS_STATUS_INVALID_VALUE;
  const auto factor = scalar(call, "alpha", alpha), old = scalar(call, "beta", beta);
  if (!factor || !old) return CUBLAS_STATUS_INVALID_VALUE;
  if (m == 0 || n == 0 || batch.count == 0) return CUBLAS_STATUS_SUCCESS;
  const auto update = [=](Int i) {
    return VectorUpdate<T>{*factor,
                           *old,
                           {batch.b[i], transposes(op) ? m : n, batch.ldb},
                           {batch.c[i], transposes(op) ? n : m, batch.ldc}};
  };
  return enqueue(
      call,
      [=] {
        if (!batch.list_addresses()) return;
        for (Int i = 0; i < batch.count; ++i) {
          Matrix<const T>{batch.a[i], m, n, batch.lda}.list("A", Use::reads);
          update(i).list();
        }
      },
      [=] {
        for (Int i = 0; i < batch.count; ++i) {
          const VectorUpdate<T> now = update(i);
          std::vector<T> product(static_cast<std::size_t>(now.y.n), T(0));
          add_product(
              op, n, now.x, product.data(), Matrix<const T>{batch.a[i], m, n, batch.lda}, [](Int) { return Int{0}; },
              [m](Int) { return m; });
          now.finish(product);
        }
      });
}

template <class T>
cublasStatus_t trsm_batched(const Call& call, const TriangularForm& form, const T* alpha, Batch<const T*> a, Int lda,
                            Batch<T*> b, Int ldb, Int count) {
  if (!form.is_valid_form() || count < 0 || !fits(lda, form.order()) || !fits(ldb, form.m))
    return CUBLAS_STATUS_INVALID_VALUE;
  const auto factor = scalar(call, "alpha", alpha);
  if (!factor) return CUBLAS_STATUS_INVALID_VALUE;
  if (form.m == 0 || form.n == 0 || count == 0) return CUBLAS_STATUS_SUCCESS;
  return enqueue(
      call,
      [=] {
        factor->list("alpha");
        if (!a.list_addresses("Aarray", count) || !b.list_addresses("Barray", count)) return;
        for (Int i = 0; i < count; ++i) {
          form.half(a[i], lda).list("A", Use::reads);
          Matrix<T>{b[i], form.m, form.n, ldb}.list("B", Use::updates);
        }
      },
      [=] {
        for (Int i = 0; i < count; ++i) solve_triangular_matrix(form, factor->get(), a[i], lda, b[i], ldb);
      });
}

/// Factorises A = P * L * U in place, with row exchanges if `pivots` (from 1) is not null. Returns 0, or the number of
/// the first zero on U's diagonal.
template <class T>
int factorise(const Matrix<T>& a, int* pivots) {
  int info = 0;
  for (Int j = 0; j < a.rows; ++j) {
    Int pivot = j;
    for (Int i = j + 1; pivots != nullptr && i < a.rows; ++i) {
      if (magnitude(a(i, j)) > magnitude(a(pivot, j))) pivot = i;
    }
    if (pivots != nullptr) pivots[j] = static_cast<int>(pivot + 1);
    if (a(pivot, j) == T(0)) {
      if (info == 0) info = static_cast<int>(j + 1);
      continue;
    }
    for (Int l = 0; pivot != j && l < a.columns; ++l) std::swap(a(j, l), a(pivot, l));
    for (Int i = j + 1; i < a.rows; ++i) a(i, j) /= a(j, j);
    for (Int l = j + 1; l < a.columns; ++l) add_column(&a(0, l), -a(j, l), &a(0, j), j + 1, a.rows);
  }
  return info;
}

template <class T>
cublasStatus_t getrf_batched(const Call& call, Int n, T* const* a, Int lda, int* pivots, int* info, Int count) {
  if (n < 0 || count < 0 || !fits(lda, n)) return CUBLAS_STATUS_INVALID_VALUE;
  if (n == 0 || count == 0) return CUBLAS_STATUS_SUCCESS;
  const Batch<T*> matrices{nullptr, 0, a};
  return enqueue(
      call,
      [=] {
        if (!matrices.list_addresses("Aarray", count)) return;
        for (Int i = 0; i < count; ++i) Matrix<T>{matrices[i], n, n, lda}.list("A", Use::updates);
        if (pivots != nullptr) Vector<int>{pivots, n * count, 1}.list("PivotArray", Use::writes);
        Vector<int>{info, count, 1}.list("infoArray", Use::writes);
      },
      [=] {
        for (Int i = 0; i < count; ++i)
          info[i] = factorise(Matrix<T>{matrices[i], n, n, lda}, pivots != nullptr ? pivots + i * n : nullptr);
      });
}

/// Solves op(A) * X = B with the factors of A. X replaces B.
template <class T>
void solve_factorised(cublasOperation_t op, Int n, Int n_right, const T* lu, Int lda, const int* pivots, T* b,
                      Int ldb) {
  const auto exchange = [&](Int i) {
    const Int other = pivots[i] - 1;
    for (Int j = 0; other != i && j < n_right; ++j) std::swap(b[i + j * ldb], b[other + j * ldb]);
  };
  TriangularForm lower{CUBLAS_SIDE_LEFT, CUBLAS_FILL_MODE_LOWER, op, CUBLAS_DIAG_UNIT, n, n_right};
  TriangularForm upper{CUBLAS_SIDE_LEFT, CUBLAS_FILL_MODE_UPPER, op, CUBLAS_DIAG_NON_UNIT, n, n_right};
  const bool transposed = transposes(op);
  for (Int i = 0; !transposed && pivots != nullptr && i < n; ++i) exchange(i);
  solve_triangular_matrix(transposed ? upper : lower, T(1), lu, lda, b, ldb);
  solve_triangular_matrix(transposed ? lower : upper, T(1), lu, lda, b, ldb);
  for (Int i = n - 1; transposed && pivots != nullptr && i >= 0; --i) exchange(i);
}

/// Sets `to` to the inverse, from the factors. Returns 0, or the number of the first zero on U's diagonal.
template <class T>
int invert_factorised(Int n, const T* lu, Int lda, const int* pivots, T* to, Int ld) {
  for (Int j = 0; j < n; ++j) {
    if (lu[j + j * lda] == T(0)) return static_cast<int>(j + 1);
  }
  for (Int j = 0; j < n; ++j) {
    for (Int i = 0; i < n; ++i) to[i + j * ld] = T(i == j ? 1 : 0);
  }
  solve_factorised(CUBLAS_OP_N, n, n, lu, lda, pivots, to, ld);
  return 0;
}

template <class T>
cublasStatus_t getri_batched(const Call& call, Int n, const T* const* a, Int lda, const int* pivots, T* const* c,
                             Int ldc, int* info, Int count) {
  if (n < 0 || count < 0 || !fits(lda, n) || !fits(ldc, n)) return CUBLAS_STATUS_INVALID_VALUE;
  if (n == 0 || count == 0) return CUBLAS_STATUS_SUCCESS;
  const Batch<const T*> from{nullptr, 0, a};
  const Batch<T*> to{nullptr, 0, c};
  return enqueue(
      call,
      [=] {
        if (!from.list_addresses("Aarray", count) || !to.list_addresses("Carray", count)) return;
        for (Int i = 0; i < count; ++i) {
          Matrix<const T>{from[i], n, n, lda}.list("A", Use::reads);
          Matrix<T>{to[i], n, n, ldc}.list("C", Use::writes);
        }
        if (pivots != nullptr) Vector<const int>{pivots, n * count, 1}.list("PivotArray", Use::reads);
        Vector<int>{info, count, 1}.list("infoArray", Use::writes);
      },
      [=] {
        for (Int i = 0; i < count; ++i)
          info[i] = invert_factorised(n, from[i], lda, pivots != nullptr ? pivots + i * n : nullptr, to[i], ldc);
      });
}

template <class T>
cublasStatus_t matinv_batched(const Call& call, Int n, const T* const* a, Int lda, T* const* inverse, Int ld, int* info,
                              Int count) {
  if (n < 0 || count < 0 || !fits(lda, n) || !fits(ld, n) || n > 32) return CUBLAS_STATUS_INVALID_VALUE;
  if (n == 0 || count == 0) return CUBLAS_STATUS_SUCCESS;
  const Batch<const T*> from{nullptr, 0, a};
  const Batch<T*> to{nullptr, 0, inverse};
  return enqueue(
      call,
      [=] {
        if (!from.list_addresses("Aarray", count) || !to.list_addresses("Ainvarray", count)) return;
        for (Int i = 0; i < count; ++i) {
          Matrix<const T>{from[i], n, n, lda}.list("A", Use::reads);
          Matrix<T>{to[i], n, n, ld}.list("Ainv", Use::writes);
        }
        Vector<int>{info, count, 1}.list("infoArray", Use::writes);
      },
      [=] {
        const auto size = static_cast<std::size_t>(n);
        for (Int i = 0; i < count; ++i) {
          std::vector<T> lu(size * size);
          std::vector<int> pivots(size);
          for (Int j = 0; j < n; ++j) std::copy_n(from[i] + j * lda, n, lu.data() + j * n);
          info[i] = factorise(Matrix<T>{lu.data(), n, n, n}, pivots.data());
          if (info[i] == 0) info[i] = invert_factorised(n, lu.data(), n, pivots.data(), to[i], ld);
        }
      });
}

/// The host's integer that getrs reports an invalid parameter by; cuBLAS's is always on the host.
template <class T>
cublasStatus_t getrs_batched(const Call& call, cublasOperation_t op, Int n, Int n_right, const T* const* a, Int lda,
                             const int* pivots, T* const* b, Int ldb, int* info, Int count) {
  if (info == nullptr) return CUBLAS_STATUS_INVALID_VALUE;
  const bool values[] = {!is_valid(op), n < 0,        n_right < 0,   a == nullptr, !fits(lda, n),
                         false,         b == nullptr, !fits(ldb, n), false,        count < 0};
  for (int i = 0; i < 10; ++i) {
    if (!values[i]) continue;
    *info = -(i + 1);
    return CUBLAS_STATUS_INVALID_VALUE;
  }
  *info = 0;
  if (n == 0 || n_right == 0 || count == 0) return CUBLAS_STATUS_SUCCESS;
  const Batch<const T*> from{nullptr, 0, a};
  const Batch<T*> to{nullptr, 0, b};
  return enqueue(
      call,
      [=] {
        if (!from.list_addresses("Aarray", count) || !to.list_addresses("Barray", count)) return;
        for (Int i = 0; i < count; ++i) {
          Matrix<const T>{from[i], n, n, lda}.list("A", Use::reads);
          Matrix<T>{to[i], n, n_right, ldb}.list("B", Use::updates);
        }
        if (pivots != nullptr) Vector<const int>{pivots, n * count, 1}.list("devIpiv", Use::reads);
      },
      [=] {
        for (Int i = 0; i < count; ++i) {
          solve_factorised(op, n, n_right, from[i], lda, pivots != nullptr ? pivots + i * n : nullptr, to[i], ldb);
        }
      });
}

/// Copies one half of a matrix between packed and full storage.
template <class T>
cublasStatus_t repack(const Call& call, const HalfMatrix<const T>& from, const HalfMatrix<T>& to) {
  if (from.n == 0) return CUBLAS_STATUS_SUCCESS;
  return enqueue(
      call,
      [=] {
        from.list("the source", Use::reads);
        to.list("the result", Use::writes);
      },
      [=] { for_elements(from, [&](Int i, Int j) { to.at(i, j) = from.at(i, j); }); });
}

}  // namespace rafter::simt::blas
