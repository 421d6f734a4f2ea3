// Levels 1 to 3 of cuBLAS on the executor, compared with plain loops: all types, operations, halves, and gaps between
// columns.
#include <cmath>
#include <limits>

#include "blas_types.hpp"

namespace rafter::simt::test {
namespace {

template <class T>
class Levels : public BlasTest {
 protected:
  using B = Blas<T>;
  const T alpha = T(2), beta = T(-1);
};
using Types = testing::Types<float, double, std::complex<float>, std::complex<double>>;
TYPED_TEST_SUITE(Levels, Types);

#define BLAS_OK(...) ASSERT_EQ((__VA_ARGS__), CUBLAS_STATUS_SUCCESS)

/// Returns alpha * op(A) * op(B) + beta * C.
template <class T>
HostMatrix<T> product(cublasOperation_t op_a, const HostMatrix<T>& a, cublasOperation_t op_b, const HostMatrix<T>& b,
                      int k, T alpha, T beta, const HostMatrix<T>& c) {
  HostMatrix<T> result = c;
  for (int j = 0; j < c.columns; ++j) {
    for (int i = 0; i < c.rows; ++i) {
      T sum(0);
      for (int l = 0; l < k; ++l) sum += a.op(op_a, i, l) * b.op(op_b, l, j);
      result(i, j) = alpha * sum + beta * c(i, j);
    }
  }
  return result;
}

TYPED_TEST(Levels, GemmEqualsLoopsForAllOperationsAndOddSizes) {
  using T = TypeParam;
  using B = Blas<T>;
  constexpr int sizes[][3] = {{1, 1, 1}, {7, 5, 3}, {33, 6, 131}, {260, 9, 17}};
  for (const auto& [m, n, k] : sizes) {
    for (const cublasOperation_t op_a : operations) {
      for (const cublasOperation_t op_b : operations) {
        const HostMatrix<T> a(op_a == CUBLAS_OP_N ? m : k, op_a == CUBLAS_OP_N ? k : m, this->random, 3);
        const HostMatrix<T> b(op_b == CUBLAS_OP_N ? k : n, op_b == CUBLAS_OP_N ? n : k, this->random, 1);
        const HostMatrix<T> c(m, n, this->random, 2);
        const DeviceArray<T> da(a.values), db(b.values), dc(c.values);
        BLAS_OK(B::gemm(this->handle, op_a, op_b, m, n, k, &this->alpha, da.get(), a.ld, db.get(), b.ld, &this->beta,
                        dc.get(), c.ld));
        EXPECT_EQ(dc.values(), product(op_a, a, op_b, b, k, this->alpha, this->beta, c).values)
            << m << " " << n << " " << k << " " << op_a << " " << op_b;
      }
    }
  }
}

TYPED_TEST(Levels, BetaZeroDoesNotReadTheResult) {
  using T = TypeParam;
  using B = Blas<T>;
  const T nan(std::numeric_limits<double>::quiet_NaN()), one(1), zero(0);
  const DeviceArray<T> a(std::vector<T>(4, one)), c(std::vector<T>(4, nan)), y(std::vector<T>(2, nan)),
      r(std::vector<T>(4, nan));
  BLAS_OK(B::gemm(this->handle, CUBLAS_OP_N, CUBLAS_OP_N, 2, 2, 2, &one, a.get(), 2, a.get(), 2, &zero, c.get(), 2));
  EXPECT_EQ(c.values(), std::vector<T>(4, T(2)));
  BLAS_OK(B::gemv(this->handle, CUBLAS_OP_N, 2, 2, &one, a.get(), 2, a.get(), 1, &zero, y.get(), 1));
  EXPECT_EQ(y.values(), std::vector<T>(2, T(2)));
  BLAS_OK(B::syrk(this->handle, CUBLAS_FILL_MODE_LOWER, CUBLAS_OP_N, 2, 2, &one, a.get(), 2, &zero, r.get(), 2));
  EXPECT_EQ(r.values()[0], T(2));
  EXPECT_NE(r.values()[2], r.values()[2]) << "the other half of C is not written";
  BLAS_OK(B::gemm(this->handle, CUBLAS_OP_N, CUBLAS_OP_N, 2, 2, 0, &one, a.get(), 2, a.get(), 2, &zero, c.get(), 2));
  EXPECT_EQ(c.values(), std::vector<T>(4, zero)) << "k = 0";
}

TYPED_TEST(Levels, VectorsWithNegativeIncrementsBeginAtTheirEnd) {
  using T = TypeParam;
  using B = Blas<T>;
  const std::vector<T> values{T(1), T(2), T(3), T(4), T(5), T(6)};
  const DeviceArray<T> x(values), y(values), z(values);
  BLAS_OK(B::axpy(this->handle, 3, &this->alpha, x.get(), -2, y.get(), 1));
  EXPECT_EQ(y.values(), (std::vector<T>{T(11), T(8), T(5), T(4), T(5), T(6)}));
  BLAS_OK(B::copy(this->handle, 2, x.get(), -1, y.get(), 3));
  EXPECT_EQ(y.values(), (std::vector<T>{T(2), T(8), T(5), T(1), T(5), T(6)}));
  BLAS_OK(B::swap(this->handle, 2, x.get(), 1, z.get() + 4, 1));
  EXPECT_EQ(x.values(), (std::vector<T>{T(5), T(6), T(3), T(4), T(5), T(6)}));
  BLAS_OK(B::scal(this->handle, 3, &this->alpha, z.get(), 2));
  EXPECT_EQ(z.values(), (std::vector<T>{T(2), T(2), T(6), T(4), T(2), T(2)}));
  BLAS_OK(B::scal(this->handle, 0, &this->alpha, static_cast<T*>(nullptr), 1));
}

TYPED_TEST(Levels, GemvAndGbmvEqualLoops) {
  using T = TypeParam;
  using B = Blas<T>;
  const int m = 9, n = 5, kl = 2, ku = 1;
  for (const cublasOperation_t op : operations) {
    const int n_x = op == CUBLAS_OP_N ? n : m, n_y = op == CUBLAS_OP_N ? m : n;
    const HostMatrix<T> a(m, n, this->random, 2), x(1, n_x, this->random, 1), y(1, n_y, this->random, 2);
    HostMatrix<T> band(kl + ku + 1, n, this->random), dense = a;
    for (int j = 0; j < n; ++j) {
      for (int i = 0; i < m; ++i) dense(i, j) = i - j <= kl && j - i <= ku ? band(ku + i - j, j) : T(0);
    }
    for (const bool banded : {false, true}) {
      const HostMatrix<T>& matrix = banded ? dense : a;
      HostMatrix<T> expected = y;
      for (int i = 0; i < n_y; ++i) {
        T sum(0);
        for (int l = 0; l < n_x; ++l) sum += matrix.op(op, i, l) * x(0, l);
        expected(0, i) = this->alpha * sum + this->beta * y(0, i);
      }
      const DeviceArray<T> da(banded ? band.values : a.values), dx(x.values), dy(y.values);
      if (banded) {
        BLAS_OK(B::gbmv(this->handle, op, m, n, kl, ku, &this->alpha, da.get(), band.ld, dx.get(), 2, &this->beta,
                        dy.get(), 3));
      } else {
        BLAS_OK(B::gemv(this->handle, op, m, n, &this->alpha, da.get(), a.ld, dx.get(), 2, &this->beta, dy.get(), 3));
      }
      EXPECT_EQ(dy.values(), expected.values) << op << banded;
    }
  }
}

/// One half of a matrix in band and packed storage.
template <class T>
std::vector<T> packed(const HostMatrix<T>& a, bool upper) {
  std::vector<T> result;
  for (int j = 0; j < a.columns; ++j) {
    for (int i = upper ? 0 : j; i < (upper ? j + 1 : a.rows); ++i) result.push_back(a(i, j));
  }
  return result;
}

TYPED_TEST(Levels, TriangularVectorsEqualLoops) {
  using T = TypeParam;
  using B = Blas<T>;
  const int n = 6;
  for (const bool upper : {false, true}) {
    for (const bool unit : {false, true}) {
      for (const cublasOperation_t op : operations) {
        HostMatrix<T> full(n, n, this->random, 1);
        for (int i = 0; i < n; ++i) full(i, i) = unit ? T(7) : T(i % 2 == 0 ? 1 : -1);  // 7 must not be read
        const HostMatrix<T> a = full.triangle(upper, unit), x(1, n, this->random, 1);
        HostMatrix<T> expected = x;
        for (int i = 0; i < n; ++i) {
          expected(0, i) = T(0);
          for (int l = 0; l < n; ++l) expected(0, i) += a.op(op, i, l) * x(0, l);
        }
        const auto uplo = upper ? CUBLAS_FILL_MODE_UPPER : CUBLAS_FILL_MODE_LOWER;
        const auto diag = unit ? CUBLAS_DIAG_UNIT : CUBLAS_DIAG_NON_UNIT;
        std::vector<T> band(static_cast<std::size_t>(n * n));
        for (int j = 0; j < n; ++j) {
          for (int i = 0; i < n; ++i) {
            if (upper ? i <= j : i >= j)
              band[static_cast<std::size_t>((upper ? n - 1 : 0) + i - j + j * n)] = full(i, j);
          }
        }
        const DeviceArray<T> da(full.values), db(band), dp(packed(full, upper));
        const DeviceArray<T> one(x.values), two(x.values), three(x.values);
        BLAS_OK(B::trmv(this->handle, uplo, op, diag, n, da.get(), full.ld, one.get(), 2));
        BLAS_OK(B::tbmv(this->handle, uplo, op, diag, n, n - 1, db.get(), n, two.get(), 2));
        BLAS_OK(B::tpmv(this->handle, uplo, op, diag, n, dp.get(), three.get(), 2));
        EXPECT_EQ(one.values(), expected.values) << upper << unit << op;
        EXPECT_EQ(two.values(), expected.values) << upper << unit << op;
        EXPECT_EQ(three.values(), expected.values) << upper << unit << op;
        BLAS_OK(B::trsv(this->handle, uplo, op, diag, n, da.get(), full.ld, one.get(), 2));
        BLAS_OK(B::tbsv(this->handle, uplo, op, diag, n, n - 1, db.get(), n, two.get(), 2));
        BLAS_OK(B::tpsv(this->handle, uplo, op, diag, n, dp.get(), three.get(), 2));
        EXPECT_EQ(one.values(), x.values) << "solving undoes multiplying";
        EXPECT_EQ(two.values(), x.values);
        EXPECT_EQ(three.values(), x.values);
      }
    }
  }
}

TYPED_TEST(Levels, SymmetricFunctionsReadAndWriteOneHalf) {
  using T = TypeParam;
  using B = Blas<T>;
  const int n = 7, k = 4, columns = 3;
  for (const bool upper : {false, true}) {
    const auto uplo = upper ? CUBLAS_FILL_MODE_UPPER : CUBLAS_FILL_MODE_LOWER;
    const auto in_half = [&](int i, int j) { return upper ? i <= j : i >= j; };
    const HostMatrix<T> a(n, n, this->random, 1), b(n, columns, this->random), c(n, columns, this->random, 2);
    HostMatrix<T> whole = a;
    for (int j = 0; j < n; ++j) {
      for (int i = 0; i < n; ++i) whole(i, j) = in_half(i, j) ? a(i, j) : a(j, i);
    }
    const DeviceArray<T> da(a.values), db(b.values), dc(c.values), right(c.values);
    BLAS_OK(B::symm(this->handle, CUBLAS_SIDE_LEFT, uplo, n, columns, &this->alpha, da.get(), a.ld, db.get(), b.ld,
                    &this->beta, dc.get(), c.ld));
    EXPECT_EQ(dc.values(), product(CUBLAS_OP_N, whole, CUBLAS_OP_N, b, n, this->alpha, this->beta, c).values);

    const HostMatrix<T> y(n, 1, this->random);
    const DeviceArray<T> dy(y.values);
    BLAS_OK(B::symv(this->handle, uplo, n, &this->alpha, da.get(), a.ld, db.get(), 1, &this->beta, dy.get(), 1));
    EXPECT_EQ(dy.values(), product(CUBLAS_OP_N, whole, CUBLAS_OP_N, b, n, this->alpha, this->beta, y).values);

    for (const cublasOperation_t op : {CUBLAS_OP_N, CUBLAS_OP_T}) {
      const HostMatrix<T> p(op == CUBLAS_OP_N ? n : k, op == CUBLAS_OP_N ? k : n, this->random, 1);
      const HostMatrix<T> q(p.rows, p.columns, this->random, 1);
      const cublasOperation_t other = op == CUBLAS_OP_N ? CUBLAS_OP_T : CUBLAS_OP_N;
      const HostMatrix<T> both = product(op, p, other, q, k, this->alpha, this->beta, a);
      const HostMatrix<T> one = product(op, p, other, p, k, this->alpha, this->beta, a);
      const HostMatrix<T> all = product(op, q, other, p, k, this->alpha, T(1), both);
      HostMatrix<T> expected = a, expected2 = a;
      for (int j = 0; j < n; ++j) {
        for (int i = 0; i < n; ++i) {
          if (in_half(i, j)) expected(i, j) = one(i, j), expected2(i, j) = all(i, j);
        }
      }
      const DeviceArray<T> dp(p.values), dq(q.values), rank(a.values), rank2(a.values);
      BLAS_OK(B::syrk(this->handle, uplo, op, n, k, &this->alpha, dp.get(), p.ld, &this->beta, rank.get(), a.ld));
      BLAS_OK(B::syr2k(this->handle, uplo, op, n, k, &this->alpha, dp.get(), p.ld, dq.get(), q.ld, &this->beta,
                       rank2.get(), a.ld));
      EXPECT_EQ(rank.values(), expected.values) << upper << op;
      EXPECT_EQ(rank2.values(), expected2.values) << upper << op;
    }
  }
}

TYPED_TEST(Levels, TriangularMatricesEqualLoops) {
  using T = TypeParam;
  using B = Blas<T>;
  const int m = 5, n = 7;
  for (const bool left : {true, false}) {
    for (const bool upper : {false, true}) {
      for (const bool unit : {false, true}) {
        for (const cublasOperation_t op : operations) {
          const int order = left ? m : n;
          HostMatrix<T> full(order, order, this->random, 2);
          for (int i = 0; i < order; ++i) full(i, i) = unit ? T(9) : T(i % 2 == 0 ? 1 : -1);
          const HostMatrix<T> a = full.triangle(upper, unit), b(m, n, this->random, 1);
          HostMatrix<T> expected = b;
          for (int j = 0; j < n; ++j) {
            for (int i = 0; i < m; ++i) {
              T sum(0);
              for (int l = 0; l < order; ++l) sum += left ? a.op(op, i, l) * b(l, j) : b(i, l) * a.op(op, l, j);
              expected(i, j) = this->alpha * sum;
            }
          }
          const auto side = left ? CUBLAS_SIDE_LEFT : CUBLAS_SIDE_RIGHT;
          const auto uplo = upper ? CUBLAS_FILL_MODE_UPPER : CUBLAS_FILL_MODE_LOWER;
          const auto diag = unit ? CUBLAS_DIAG_UNIT : CUBLAS_DIAG_NON_UNIT;
          const DeviceArray<T> da(full.values), db(b.values);
          const T half = T(0.5);
          BLAS_OK(B::trmm(this->handle, side, uplo, op, diag, m, n, &this->alpha, da.get(), full.ld, db.get(), b.ld,
                          db.get(), b.ld));
          EXPECT_EQ(db.values(), expected.values) << left << upper << unit << op << ", in place";
          BLAS_OK(B::trsm(this->handle, side, uplo, op, diag, m, n, &half, da.get(), full.ld, db.get(), b.ld));
          EXPECT_EQ(db.values(), b.values) << left << upper << unit << op << ", solving undoes multiplying";
        }
      }
    }
  }
}

TYPED_TEST(Levels, SumsAndDiagonalsOfMatrices) {
  using T = TypeParam;
  using B = Blas<T>;
  const int m = 4, n = 6;
  const T zero(0);
  for (const cublasOperation_t op : operations) {
    const HostMatrix<T> a(op == CUBLAS_OP_N ? m : n, op == CUBLAS_OP_N ? n : m, this->random, 1), b(m, n, this->random);
    HostMatrix<T> expected = b, scaled = b;
    for (int j = 0; j < n; ++j) {
      for (int i = 0; i < m; ++i) {
        expected(i, j) = this->alpha * a.op(op, i, j) + this->beta * b(i, j);
        scaled(i, j) = b(i, j) * b.values[static_cast<std::size_t>(j)];
      }
    }
    const DeviceArray<T> da(a.values), db(b.values), dc(b.values);
    BLAS_OK(B::geam(this->handle, op, CUBLAS_OP_N, m, n, &this->alpha, da.get(), a.ld, &this->beta, db.get(), m,
                    dc.get(), m));
    EXPECT_EQ(dc.values(), expected.values) << op;
    BLAS_OK(B::dgmm(this->handle, CUBLAS_SIDE_RIGHT, m, n, db.get(), m, db.get(), 1, dc.get(), m));
    EXPECT_EQ(dc.values(), scaled.values);
    BLAS_OK(B::geam(this->handle, op, CUBLAS_OP_N, m, n, &zero, static_cast<T*>(nullptr), a.ld, &this->alpha, db.get(),
                    m, db.get(), m));
    EXPECT_EQ(db.values()[5], this->alpha * b.values[5]) << "a matrix with a factor of 0 is not read";
  }
}

TYPED_TEST(Levels, BatchesEqualSingleProducts) {
  using T = TypeParam;
  using B = Blas<T>;
  const int m = 3, n = 2, k = 4, count = 3;
  std::vector<HostMatrix<T>> a, b, c;
  std::vector<T> all_a, all_b, all_c, expected;
  for (int i = 0; i < count; ++i) {
    a.emplace_back(m, k, this->random);
    b.emplace_back(k, n, this->random);
    c.emplace_back(m, n, this->random);
    const HostMatrix<T> result = product(CUBLAS_OP_N, a[i], CUBLAS_OP_N, b[i], k, this->alpha, this->beta, c[i]);
    expected.insert(expected.end(), result.values.begin(), result.values.end());
    all_a.insert(all_a.end(), a[i].values.begin(), a[i].values.end());
    all_b.insert(all_b.end(), b[i].values.begin(), b[i].values.end());
    all_c.insert(all_c.end(), c[i].values.begin(), c[i].values.end());
  }
  const DeviceArray<T> da(all_a), db(all_b), dc(all_c), again(all_c);
  BLAS_OK(B::gemm_strided(this->handle, CUBLAS_OP_N, CUBLAS_OP_N, m, n, k, &this->alpha, da.get(), m, m * k, db.get(),
                          k, k * n, &this->beta, dc.get(), m, m * n, count));
  EXPECT_EQ(dc.values(), expected);
  std::vector<T*> pa, pb, pc;
  for (int i = 0; i < count; ++i) {
    pa.push_back(da.get() + i * m * k);
    pb.push_back(db.get() + i * k * n);
    pc.push_back(again.get() + i * m * n);
  }
  const DeviceArray<T*> ppa(pa), ppb(pb), ppc(pc);
  BLAS_OK(B::gemm_batched(this->handle, CUBLAS_OP_N, CUBLAS_OP_N, m, n, k, &this->alpha, ppa.get(), m, ppb.get(), k,
                          &this->beta, ppc.get(), m, count));
  EXPECT_EQ(again.values(), expected);
}

TYPED_TEST(Levels, FactorisationsSolveAndInvert) {
  using T = TypeParam;
  using B = Blas<T>;
  const int n = 4;
  // Needs row exchanges; determinant 1 and small integers, so that everything is exact.
  const std::vector<T> a{T(0), T(1), T(0), T(0), T(1), T(0), T(0), T(0),
                         T(2), T(3), T(0), T(1), T(1), T(1), T(1), T(4)};
  const std::vector<T> x{T(1), T(-2), T(3), T(4)};
  std::vector<T> b(4, T(0));
  for (std::size_t i = 0; i < 4; ++i) {
    for (std::size_t j = 0; j < 4; ++j) b[i] += a[i + j * 4] * x[j];
  }
  const DeviceArray<T> da(a), db(b), inverse(std::vector<T>(16));
  const DeviceArray<T*> pa({da.get()}), pb({db.get()}), pc({inverse.get()});
  const DeviceArray<int> pivots(std::vector<int>(4)), info(std::vector<int>(1, 7));
  int on_host = 7;
  BLAS_OK(B::getrf(this->handle, n, pa.get(), n, pivots.get(), info.get(), 1));
  EXPECT_EQ(info.values()[0], 0);
  EXPECT_EQ(pivots.values()[0], 2);
  BLAS_OK(B::getrs(this->handle, CUBLAS_OP_N, n, 1, pa.get(), n, pivots.get(), pb.get(), n, &on_host, 1));
  EXPECT_EQ(on_host, 0);
  EXPECT_EQ(db.values(), x);
  BLAS_OK(B::getri(this->handle, n, pa.get(), n, pivots.get(), pc.get(), n, info.get(), 1));
  const std::vector<T> inv = inverse.values();
  for (std::size_t i = 0; i < 4; ++i) {
    T sum(0);
    for (std::size_t j = 0; j < 4; ++j) sum += inv[i + j * 4] * b[j];
    EXPECT_EQ(sum, x[i]);
  }
}

using Calls = BlasTest;

TEST_F(Calls, ReturnTheDocumentedStatusOfInvalidArguments) {
  const DeviceArray<float> a(std::vector<float>(16, 1.0f));
  const float one = 1;
  const auto gemm = [&](cublasHandle_t h, int m, int n, int k, int lda, int ldb, int ldc, const float* alpha) {
    return cublasSgemm(h, CUBLAS_OP_N, CUBLAS_OP_N, m, n, k, alpha, a.get(), lda, a.get(), ldb, &one, a.get(), ldc);
  };
  EXPECT_EQ(gemm(nullptr, 1, 1, 1, 1, 1, 1, &one), CUBLAS_STATUS_NOT_INITIALIZED);
  EXPECT_EQ(gemm(handle, -1, 1, 1, 1, 1, 1, &one), CUBLAS_STATUS_INVALID_VALUE);
  EXPECT_EQ(gemm(handle, 2, 1, 1, 1, 1, 2, &one), CUBLAS_STATUS_INVALID_VALUE) << "lda < m";
  EXPECT_EQ(gemm(handle, 1, 1, 2, 1, 1, 1, &one), CUBLAS_STATUS_INVALID_VALUE) << "ldb < k";
  EXPECT_EQ(gemm(handle, 2, 1, 1, 2, 1, 1, &one), CUBLAS_STATUS_INVALID_VALUE) << "ldc < m";
  EXPECT_EQ(gemm(handle, 1, 1, 1, 1, 1, 1, nullptr), CUBLAS_STATUS_INVALID_VALUE);
  EXPECT_EQ(gemm(handle, 0, 1, 1, 1, 1, 1, &one), CUBLAS_STATUS_SUCCESS) << "no elements";
  EXPECT_EQ(cublasSgemm(handle, static_cast<cublasOperation_t>(9), CUBLAS_OP_N, 1, 1, 1, &one, a.get(), 1, a.get(), 1,
                        &one, a.get(), 1),
            CUBLAS_STATUS_INVALID_VALUE);
  EXPECT_EQ(cublasSgemv(handle, CUBLAS_OP_N, 2, 2, &one, a.get(), 2, a.get(), 0, &one, a.get(), 1),
            CUBLAS_STATUS_INVALID_VALUE);
  EXPECT_EQ(cublasSetVector(1, 4, &one, 0, a.get(), 1), CUBLAS_STATUS_INVALID_VALUE);
  EXPECT_EQ(cublasCreate(nullptr), CUBLAS_STATUS_INVALID_VALUE);
  EXPECT_STREQ(cublasGetStatusString(CUBLAS_STATUS_NOT_INITIALIZED), "the library was not initialized");
  EXPECT_STREQ(cublasGetStatusName(CUBLAS_STATUS_NOT_SUPPORTED), "CUBLAS_STATUS_NOT_SUPPORTED");
}

TEST_F(Calls, TakeScalarsFromTheDeviceAndLeaveResultsThere) {
  const DeviceArray<float> x({3, -4, 0, 0}), scalars({2, 1, 0});
  const DeviceArray<int> index({0});
  ASSERT_EQ(cublasSetPointerMode(handle, CUBLAS_POINTER_MODE_DEVICE), CUBLAS_STATUS_SUCCESS);
  EXPECT_EQ(cublasSaxpy(handle, 2, scalars.get(), x.get(), 1, x.get() + 2, 1), CUBLAS_STATUS_SUCCESS);
  EXPECT_EQ(x.values(), (std::vector<float>{3, -4, 6, -8}));
  EXPECT_EQ(cublasSnrm2(handle, 2, x.get(), 1, scalars.get() + 2), CUBLAS_STATUS_SUCCESS);
  EXPECT_EQ(scalars.values()[2], 5);
  EXPECT_EQ(cublasIsamax(handle, 4, x.get(), 1, index.get()), CUBLAS_STATUS_SUCCESS);
  EXPECT_EQ(index.values()[0], 4);
  EXPECT_EQ(cublasSgemm(handle, CUBLAS_OP_N, CUBLAS_OP_N, 1, 1, 2, scalars.get(), x.get(), 1, x.get(), 2,
                        scalars.get() + 1, x.get() + 3, 1),
            CUBLAS_STATUS_SUCCESS);
  EXPECT_EQ(x.values()[3], 2 * 25 - 8);
}

TEST_F(Calls, ReduceVectors) {
  const DeviceArray<double> x({1, -3, 2, -3}), none({});
  const DeviceArray<cuComplex> z({{3, 4}, {1, -2}});
  double result = 7;
  float norm = 0;
  int at = 7;
  std::int64_t wide = 0;
  cuComplex dot;
  EXPECT_EQ(cublasDasum(handle, 4, x.get(), 1, &result), CUBLAS_STATUS_SUCCESS);
  EXPECT_EQ(result, 9);
  EXPECT_EQ(cublasDdot(handle, 2, x.get(), 1, x.get() + 2, -1, &result), CUBLAS_STATUS_SUCCESS);
  EXPECT_EQ(result, -9);
  EXPECT_EQ(cublasIdamin_64(handle, 4, x.get(), 1, &wide), CUBLAS_STATUS_SUCCESS);
  EXPECT_EQ(wide, 1);
  EXPECT_EQ(cublasIdamax(handle, 4, x.get(), 1, &at), CUBLAS_STATUS_SUCCESS);
  EXPECT_EQ(at, 2) << "the first of equal magnitudes";
  EXPECT_EQ(cublasIdamax(handle, 0, x.get(), 1, &at), CUBLAS_STATUS_SUCCESS);
  EXPECT_EQ(at, 0);
  EXPECT_EQ(cublasDnrm2(handle, 4, x.get(), -1, &result), CUBLAS_STATUS_SUCCESS);
  EXPECT_EQ(result, 0);
  EXPECT_EQ(cublasScnrm2(handle, 1, z.get(), 1, &norm), CUBLAS_STATUS_SUCCESS);
  EXPECT_EQ(norm, 5);
  EXPECT_EQ(cublasCdotc(handle, 2, z.get(), 1, z.get(), 1, &dot), CUBLAS_STATUS_SUCCESS);
  EXPECT_EQ(dot.x, 30);
  EXPECT_EQ(dot.y, 0);
  EXPECT_EQ(cublasCdotu(handle, 1, z.get(), 1, z.get() + 1, 1, &dot), CUBLAS_STATUS_SUCCESS);
  EXPECT_EQ(dot.x, 11);
  EXPECT_EQ(dot.y, -2);
}

TEST_F(Calls, NormsDoNotOverflow) {
  const DeviceArray<double> x({3e300, 4e300}), infinite({1, INFINITY}), tiny({3e-300, 4e-300});
  double result = 0;
  EXPECT_EQ(cublasDnrm2(handle, 2, x.get(), 1, &result), CUBLAS_STATUS_SUCCESS);
  EXPECT_DOUBLE_EQ(result, 5e300);
  EXPECT_EQ(cublasDnrm2(handle, 2, tiny.get(), 1, &result), CUBLAS_STATUS_SUCCESS);
  EXPECT_DOUBLE_EQ(result, 5e-300);
  EXPECT_EQ(cublasDnrm2(handle, 2, infinite.get(), 1, &result), CUBLAS_STATUS_SUCCESS);
  EXPECT_EQ(result, INFINITY);
}

TEST_F(Calls, MakeAndApplyRotations) {
  double a = 3, b = 4, c = 0, s = 0;
  EXPECT_EQ(cublasDrotg(handle, &a, &b, &c, &s), CUBLAS_STATUS_SUCCESS);
  EXPECT_DOUBLE_EQ(a, 5);
  EXPECT_DOUBLE_EQ(c, 0.6);
  EXPECT_DOUBLE_EQ(s, 0.8);
  const DeviceArray<double> x({3}), y({4});
  EXPECT_EQ(cublasDrot(handle, 1, x.get(), 1, y.get(), 1, &c, &s), CUBLAS_STATUS_SUCCESS);
  EXPECT_DOUBLE_EQ(x.values()[0], 5);
  EXPECT_NEAR(y.values()[0], 0, 1e-15);
  double d1 = 2, d2 = 3, x1 = 3, parameters[5];
  const double y1 = 4;
  EXPECT_EQ(cublasDrotmg(handle, &d1, &d2, &x1, &y1, parameters), CUBLAS_STATUS_SUCCESS);
  const DeviceArray<double> p({3}), q({4});
  EXPECT_EQ(cublasDrotm(handle, 1, p.get(), 1, q.get(), 1, parameters), CUBLAS_STATUS_SUCCESS);
  EXPECT_NEAR(q.values()[0], 0, 1e-12);
  EXPECT_NEAR(d1 * p.values()[0] * p.values()[0], 2 * 9 + 3 * 16, 1e-12) << "the weighted norm is kept";
}

TEST_F(Calls, HermitianUpdatesHaveRealDiagonals) {
  const float two = 2, one = 1;
  const DeviceArray<cuComplex> x({{1, 2}, {3, -1}}), a({{1, 9}, {1, 1}, {5, 5}, {2, 9}});
  EXPECT_EQ(cublasCherk(handle, CUBLAS_FILL_MODE_LOWER, CUBLAS_OP_N, 2, 1, &two, x.get(), 2, &one, a.get(), 2),
            CUBLAS_STATUS_SUCCESS);
  const std::vector<cuComplex> r = a.values();
  EXPECT_EQ(r[0].x, 11);  // 2 * |1 + 2i|^2 + 1
  EXPECT_EQ(r[0].y, 0);
  EXPECT_EQ(r[1].x, 3);  // 2 * (3 - i) * (1 - 2i) + 1 + i
  EXPECT_EQ(r[1].y, -13);
  EXPECT_EQ(r[2].x, 5) << "the other half is not written";
  EXPECT_EQ(cublasCherk(handle, CUBLAS_FILL_MODE_LOWER, CUBLAS_OP_T, 2, 1, &two, x.get(), 1, &one, a.get(), 2),
            CUBLAS_STATUS_INVALID_VALUE);
}

TEST_F(Calls, CopyVectorsAndMatrices) {
  const std::vector<float> host{1, 2, 3, 4, 5, 6};
  const DeviceArray<float> device(std::vector<float>(9, 0.0f));
  std::vector<float> back(6, -1.0f);
  EXPECT_EQ(cublasSetMatrix(2, 3, sizeof(float), host.data(), 2, device.get(), 3), CUBLAS_STATUS_SUCCESS);
  EXPECT_EQ(device.values(), (std::vector<float>{1, 2, 0, 3, 4, 0, 5, 6, 0}));
  EXPECT_EQ(cublasGetVector(3, sizeof(float), device.get(), 3, back.data(), 2), CUBLAS_STATUS_SUCCESS);
  EXPECT_EQ(back, (std::vector<float>{1, -1, 3, -1, 5, -1}));
}

TEST_F(Calls, AreCapturedIntoGraphs) {
  const DeviceArray<float> x({1, 2}), y({0, 0});
  cudaStream_t stream;
  cudaGraph_t graph;
  cudaGraphExec_t executable;
  ASSERT_EQ(cudaStreamCreate(&stream), cudaSuccess);
  ASSERT_EQ(cublasSetStream(handle, stream), CUBLAS_STATUS_SUCCESS);
  ASSERT_EQ(cudaStreamBeginCapture(stream, cudaStreamCaptureModeGlobal), cudaSuccess);
  {
    const float alpha = 2;  // read when the call is captured
    EXPECT_EQ(cublasSaxpy(handle, 2, &alpha, x.get(), 1, y.get(), 1), CUBLAS_STATUS_SUCCESS);
  }
  ASSERT_EQ(cudaStreamEndCapture(stream, &graph), cudaSuccess);
  EXPECT_EQ(y.values(), (std::vector<float>{0, 0}));
  ASSERT_EQ(cudaGraphInstantiate(&executable, graph, 0), cudaSuccess);
  cudaGraphLaunch(executable, stream);
  cudaGraphLaunch(executable, stream);
  cudaStreamSynchronize(stream);
  EXPECT_EQ(y.values(), (std::vector<float>{4, 8}));
  cudaGraphExecDestroy(executable);
  cudaGraphDestroy(graph);
  cudaStreamDestroy(stream);
}

}  // namespace
}  // namespace rafter::simt::test
