// cuBLAS's functions by element type, device arrays, and matrices of small integers: every result of their products is
// exact in every type and order of additions.
#pragma once

#include <cublas_v2.h>
#include <gtest/gtest.h>

#include <complex>
#include <cstdint>
#include <random>
#include <vector>

namespace rafter::simt::test {

template <class T>
struct Blas;

#define RAFTER_TEST_CALL(NAME, FUNCTION)               \
  template <class... Arguments>                        \
  static cublasStatus_t NAME(Arguments... arguments) { \
    return FUNCTION(convert(arguments)...);            \
  }
#define RAFTER_TEST_BLAS(TYPE, CUDA, L)                                                    \
  template <>                                                                              \
  struct Blas<TYPE> {                                                                      \
    using Cuda = CUDA;                                                                     \
    static CUDA* convert(TYPE* p) { return reinterpret_cast<CUDA*>(p); }                   \
    static const CUDA* convert(const TYPE* p) { return reinterpret_cast<const CUDA*>(p); } \
    static CUDA** convert(TYPE** p) { return reinterpret_cast<CUDA**>(p); }                \
    template <class Other>                                                                 \
    static Other convert(Other other) {                                                    \
      return other;                                                                        \
    }                                                                                      \
    RAFTER_TEST_CALL(gemm, cublas##L##gemm)                                                \
    RAFTER_TEST_CALL(gemm_64, cublas##L##gemm_64)                                          \
    RAFTER_TEST_CALL(gemm_batched, cublas##L##gemmBatched)                                 \
    RAFTER_TEST_CALL(gemm_strided, cublas##L##gemmStridedBatched)                          \
    RAFTER_TEST_CALL(gemv, cublas##L##gemv)                                                \
    RAFTER_TEST_CALL(gbmv, cublas##L##gbmv)                                                \
    RAFTER_TEST_CALL(axpy, cublas##L##axpy)                                                \
    RAFTER_TEST_CALL(copy, cublas##L##copy)                                                \
    RAFTER_TEST_CALL(swap, cublas##L##swap)                                                \
    RAFTER_TEST_CALL(scal, cublas##L##scal)                                                \
    RAFTER_TEST_CALL(symv, cublas##L##symv)                                                \
    RAFTER_TEST_CALL(trmv, cublas##L##trmv)                                                \
    RAFTER_TEST_CALL(trsv, cublas##L##trsv)                                                \
    RAFTER_TEST_CALL(tbmv, cublas##L##tbmv)                                                \
    RAFTER_TEST_CALL(tbsv, cublas##L##tbsv)                                                \
    RAFTER_TEST_CALL(tpmv, cublas##L##tpmv)                                                \
    RAFTER_TEST_CALL(tpsv, cublas##L##tpsv)                                                \
    RAFTER_TEST_CALL(syr2, cublas##L##syr2)                                                \
    RAFTER_TEST_CALL(symm, cublas##L##symm)                                                \
    RAFTER_TEST_CALL(syrk, cublas##L##syrk)                                                \
    RAFTER_TEST_CALL(syr2k, cublas##L##syr2k)                                              \
    RAFTER_TEST_CALL(trmm, cublas##L##trmm)                                                \
    RAFTER_TEST_CALL(trsm, cublas##L##trsm)                                                \
    RAFTER_TEST_CALL(geam, cublas##L##geam)                                                \
    RAFTER_TEST_CALL(dgmm, cublas##L##dgmm)                                                \
    RAFTER_TEST_CALL(getrf, cublas##L##getrfBatched)                                       \
    RAFTER_TEST_CALL(getri, cublas##L##getriBatched)                                       \
    RAFTER_TEST_CALL(getrs, cublas##L##getrsBatched)                                       \
  };
RAFTER_TEST_BLAS(float, float, S)
RAFTER_TEST_BLAS(double, double, D)
RAFTER_TEST_BLAS(std::complex<float>, cuComplex, C)
RAFTER_TEST_BLAS(std::complex<double>, cuDoubleComplex, Z)
#undef RAFTER_TEST_BLAS
#undef RAFTER_TEST_CALL

template <class T>
class DeviceArray {
 public:
  explicit DeviceArray(const std::vector<T>& values) : size_(values.size()) {
    cudaMalloc(reinterpret_cast<void**>(&start_), size_ * sizeof(T));
    cudaMemcpy(start_, values.data(), size_ * sizeof(T), cudaMemcpyHostToDevice);
  }
  ~DeviceArray() { cudaFree(start_); }
  DeviceArray(const DeviceArray&) = delete;
  DeviceArray& operator=(const DeviceArray&) = delete;

  T* get() const { return start_; }
  std::vector<T> values() const {
    std::vector<T> all(size_);
    cudaMemcpy(all.data(), start_, size_ * sizeof(T), cudaMemcpyDeviceToHost);
    return all;
  }

 private:
  T* start_ = nullptr;
  std::size_t size_;
};

template <class T>
inline constexpr bool is_complex = !std::is_floating_point_v<T>;

template <class T>
T small(std::mt19937& random) {
  const auto next = [&] { return static_cast<int>(random() % 7) - 3; };
  if constexpr (is_complex<T>) {
    const int real = next();
    return T(static_cast<typename T::value_type>(real), static_cast<typename T::value_type>(next()));
  } else {
    return static_cast<T>(next());
  }
}

template <class T>
T conj_of(T value) {
  if constexpr (is_complex<T>) return std::conj(value);
  return value;
}

/// A column-major matrix on the host, with `gap` more rows in memory than it has.
template <class T>
struct HostMatrix {
  int rows, columns, ld;
  std::vector<T> values;

  HostMatrix(int m, int n, std::mt19937& random, int gap = 0) : rows(m), columns(n), ld(m + gap) {
    for (int i = 0; i < ld * n; ++i) values.push_back(small<T>(random));
  }
  T& operator()(int i, int j) { return values[static_cast<std::size_t>(i + j * ld)]; }
  T operator()(int i, int j) const { return values[static_cast<std::size_t>(i + j * ld)]; }
  T op(cublasOperation_t op, int i, int j) const {
    return op == CUBLAS_OP_N ? (*this)(i, j) : op == CUBLAS_OP_T ? (*this)(j, i) : conj_of((*this)(j, i));
  }
  /// Keeps one half, with a diagonal of ones and minus ones; or of ones that are not stored.
  HostMatrix triangle(bool upper, bool unit) const {
    HostMatrix result = *this;
    for (int j = 0; j < columns; ++j) {
      for (int i = 0; i < rows; ++i) {
        if (upper ? i > j : i < j) result(i, j) = T(0);
        if (i == j && unit) result(i, j) = T(1);
      }
    }
    return result;
  }
};

constexpr cublasOperation_t operations[] = {CUBLAS_OP_N, CUBLAS_OP_T, CUBLAS_OP_C};

class BlasTest : public testing::Test {
 protected:
  BlasTest() { EXPECT_EQ(cublasCreate(&handle), CUBLAS_STATUS_SUCCESS); }
  ~BlasTest() override { EXPECT_EQ(cublasDestroy(handle), CUBLAS_STATUS_SUCCESS); }

  cublasHandle_t handle = nullptr;
  std::mt19937 random{1};
};

}  // namespace rafter::simt::test
