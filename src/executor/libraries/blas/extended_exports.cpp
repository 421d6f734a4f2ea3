// cuBLAS's functions on operands of any type, and its products of halves.
#include <algorithm>
#include <cmath>

#include "executor/libraries/blas/any_product.hpp"
#include "executor/libraries/blas/batched.hpp"
#include "executor/libraries/blas/exports.hpp"

namespace rafter::simt::blas {
namespace {

/// The matrices of a batch with their types.
struct AnyBatch {
  Batch<const void*> matrices;
  cudaDataType type;
  Int ld;

  // the stride is in elements
  void* operator[](Int i) const {
    if (matrices.addresses != nullptr) return const_cast<void*>(matrices.addresses[i]);
    return static_cast<std::byte*>(const_cast<void*>(matrices.start)) + i * matrices.stride * bytes_of(type);
  }
};

struct Shape {
  cublasOperation_t op_a, op_b;
  Int m, n, k;
};

/// The types of scalars and sums.
struct Types {
  cublasComputeType_t compute;
  std::optional<cudaDataType> scale{};
};

cublasStatus_t gemm_any(const Call& call, const Shape& s, const void* alpha, const AnyBatch& a, const AnyBatch& b,
                        const void* beta, const AnyBatch& c, const Types& types, Int count = 1) {
  if (s.m < 0 || s.n < 0 || s.k < 0 || count < 0 || !is_valid(s.op_a) || !is_valid(s.op_b))
    return CUBLAS_STATUS_INVALID_VALUE;
  if (!fits(a.ld, transposes(s.op_a) ? s.k : s.m) || !fits(b.ld, transposes(s.op_b) ? s.n : s.k) || !fits(c.ld, s.m))
    return CUBLAS_STATUS_INVALID_VALUE;
  const Arithmetic arithmetic = arithmetic_of(types.compute, a.type, b.type, c.type);
  if (arithmetic == Arithmetic::unsupported) return CUBLAS_STATUS_NOT_SUPPORTED;
  const cudaDataType scale = types.scale.value_or(scale_type_of(types.compute, c.type));
  const auto by = any_scalar(call, "alpha", scale, alpha), old = any_scalar(call, "beta", scale, beta);
  if (!by || !old) return CUBLAS_STATUS_INVALID_VALUE;
  if (s.m == 0 || s.n == 0 || count == 0) return CUBLAS_STATUS_SUCCESS;
  const auto product = [=](Int i) {
    const auto matrix = [i](const AnyBatch& from, bool transposed, Int rows, Int columns) {
      return AnyMatrix{from[i], from.type, transposed ? columns : rows, transposed ? rows : columns, from.ld};
    };
    return AnyProduct{s.op_a,
                      s.op_b,
                      s.m,
                      s.n,
                      s.k,
                      matrix(a, transposes(s.op_a), s.m, s.k),
                      matrix(b, transposes(s.op_b), s.k, s.n),
                      matrix(c, false, s.m, s.n),
                      arithmetic,
                      *by,
                      *old};
  };
  return enqueue(
      call,
      [=] {
        const bool has_a = a.matrices.list_addresses("Aarray", count),
                   has_b = b.matrices.list_addresses("Barray", count);
        if (!c.matrices.list_addresses("Carray", count) || !has_a || !has_b) return;
        for (Int i = 0; i < count; ++i) product(i).list();
      },
      [=] {
        for (Int i = 0; i < count; ++i) product(i).run();
      });
}

/// A vector of any type.
struct AnyVector {
  void* start;
  cudaDataType type;
  Int n, increment;

  void* at(Int i) const {
    const Int first = increment < 0 ? (1 - n) * increment : 0;
    return static_cast<std::byte*>(start) + (first + i * increment) * bytes_of(type);
  }
  bool list(const char* name, Use use) const {
    const Int bytes = bytes_of(type);
    return list_rows(name, at(0), static_cast<std::size_t>(bytes), n, increment * bytes, use);
  }
};

/// The type that a level-1 function computes in.
Arithmetic execution_of(cudaDataType type) {
  switch (type) {
    case CUDA_R_32F: return Arithmetic::single;
    case CUDA_R_64F: return Arithmetic::double_;
    case CUDA_C_32F: return Arithmetic::single_complex;
    case CUDA_C_64F: return Arithmetic::double_complex;
    default: return Arithmetic::unsupported;
  }
}

bool are_supported(Arithmetic arithmetic, std::initializer_list<cudaDataType> types) {
  const bool has_complex = arithmetic == Arithmetic::single_complex || arithmetic == Arithmetic::double_complex;
  return arithmetic != Arithmetic::unsupported && std::all_of(types.begin(), types.end(), [&](cudaDataType type) {
           return bytes_of(type) > 0 && (has_complex || !is_complex_type(type));
         });
}

cublasStatus_t axpy_any(const Call& call, Int n, const void* alpha, cudaDataType alpha_type, const AnyVector& x,
                        const AnyVector& y, cudaDataType execution) {
  const Arithmetic arithmetic = execution_of(execution);
  if (!are_supported(arithmetic, {alpha_type, x.type, y.type})) return CUBLAS_STATUS_NOT_SUPPORTED;
  const auto by = any_scalar(call, "alpha", alpha_type, alpha);
  if (!by) return CUBLAS_STATUS_INVALID_VALUE;
  if (n <= 0) return CUBLAS_STATUS_SUCCESS;
  return enqueue(
      call,
      [=] {
        by->list("alpha");
        x.list("x", Use::reads);
        y.list("y", Use::updates);
      },
      [=] {
        with_type(arithmetic, [&](auto zero) {
          using T = decltype(zero);
          const T factor = by->get<T>();
          for (Int i = 0; i < n; ++i)
            store<T>(y.type, y.at(i), load<T>(y.type, y.at(i)) + mul(factor, load<T>(x.type, x.at(i))));
        });
      });
}

cublasStatus_t scal_any(const Call& call, Int n, const void* alpha, cudaDataType alpha_type, const AnyVector& x,
                        cudaDataType execution) {
  const Arithmetic arithmetic = execution_of(execution);
  if (!are_supported(arithmetic, {alpha_type, x.type})) return CUBLAS_STATUS_NOT_SUPPORTED;
  const auto by = any_scalar(call, "alpha", alpha_type, alpha);
  if (!by) return CUBLAS_STATUS_INVALID_VALUE;
  if (n <= 0 || x.increment <= 0) return CUBLAS_STATUS_SUCCESS;
  return enqueue(
      call,
      [=] {
        by->list("alpha");
        x.list("x", Use::updates);
      },
      [=] {
        with_type(arithmetic, [&](auto zero) {
          using T = decltype(zero);
          for (Int i = 0; i < n; ++i) store<T>(x.type, x.at(i), mul(by->get<T>(), load<T>(x.type, x.at(i))));
        });
      });
}

/// Stores compute(T{}) as the result.
template <class List, class Compute>
cublasStatus_t reduce_any(const Call& call, Arithmetic arithmetic, void* result, cudaDataType type, List list,
                          Compute compute) {
  if (result == nullptr) return CUBLAS_STATUS_INVALID_VALUE;
  if (!call.scalars_on_device) rafter_simt_library_scalar(call.name, "result", result, call.place);
  const auto bytes = static_cast<std::size_t>(bytes_of(type));
  return enqueue(
      call,
      [=] {
        list();
        if (call.scalars_on_device)
          list_rows("result", result, bytes, 1, static_cast<std::ptrdiff_t>(bytes), Use::writes);
      },
      [=] { with_type(arithmetic, [&](auto zero) { store(type, result, compute(zero)); }); }, !call.scalars_on_device);
}

cublasStatus_t dot_any(const Call& call, bool conjugate, Int n, const AnyVector& x, const AnyVector& y, void* result,
                       cudaDataType type, cudaDataType execution) {
  const Arithmetic arithmetic = execution_of(execution);
  if (!are_supported(arithmetic, {x.type, y.type, type})) return CUBLAS_STATUS_NOT_SUPPORTED;
  return reduce_any(
      call, arithmetic, result, type,
      [=] {
        x.list("x", Use::reads);
        y.list("y", Use::reads);
      },
      [=](auto zero) {
        using T = decltype(zero);
        T sum(0);
        for (Int i = 0; i < n; ++i) sum += mul(conj_if(conjugate, load<T>(x.type, x.at(i))), load<T>(y.type, y.at(i)));
        return sum;
      });
}

cublasStatus_t nrm2_any(const Call& call, Int n, const AnyVector& x, void* result, cudaDataType type,
                        cudaDataType execution) {
  const Arithmetic arithmetic = execution_of(execution);
  if (!are_supported(arithmetic, {type}) || bytes_of(x.type) == 0) return CUBLAS_STATUS_NOT_SUPPORTED;
  return reduce_any(
      call, arithmetic, result, type, [=] { x.list("x", Use::reads); },
      [=](auto zero) {
        double largest = 0, sum = 0;
        for (Int i = 0; i < n; ++i) largest = std::fmax(largest, std::abs(load<std::complex<double>>(x.type, x.at(i))));
        if (largest > 0) {
          for (Int i = 0; i < n; ++i) sum += std::norm(load<std::complex<double>>(x.type, x.at(i)) / largest);
        }
        return decltype(zero)(static_cast<Real<decltype(zero)>>(largest * std::sqrt(sum)));
      });
}

}  // namespace
}  // namespace rafter::simt::blas

using namespace rafter::simt::blas;

using OP = cublasOperation_t;
using TYPE = cudaDataType;

#define EXTENDED(I, SUFFIX)                                                                                            \
  RAFTER_BLAS_EXPORT(cublasGemmEx##SUFFIX,                                                                             \
                     (cublasHandle_t handle, OP op_a, OP op_b, I m, I n, I k, const void* alpha, const void* a,        \
                      TYPE a_type, I lda, const void* b, TYPE b_type, I ldb, const void* beta, void* c, TYPE c_type,   \
                      I ldc, cublasComputeType_t compute, cublasGemmAlgo_t),                                           \
                     gemm_any(call, {op_a, op_b, m, n, k}, alpha, {{a}, a_type, lda}, {{b}, b_type, ldb}, beta,        \
                              {{c}, c_type, ldc}, {compute}))                                                          \
  RAFTER_BLAS_EXPORT(                                                                                                  \
      cublasGemmBatchedEx##SUFFIX,                                                                                     \
      (cublasHandle_t handle, OP op_a, OP op_b, I m, I n, I k, const void* alpha, const void* const a[], TYPE a_type,  \
       I lda, const void* const b[], TYPE b_type, I ldb, const void* beta, void* const c[], TYPE c_type, I ldc,        \
       I count, cublasComputeType_t compute, cublasGemmAlgo_t),                                                        \
      gemm_any(call, {op_a, op_b, m, n, k}, alpha, {{nullptr, 0, a}, a_type, lda}, {{nullptr, 0, b}, b_type, ldb},     \
               beta, {{nullptr, 0, c}, c_type, ldc}, {compute}, count))                                                \
  RAFTER_BLAS_EXPORT(                                                                                                  \
      cublasGemmStridedBatchedEx##SUFFIX,                                                                              \
      (cublasHandle_t handle, OP op_a, OP op_b, I m, I n, I k, const void* alpha, const void* a, TYPE a_type, I lda,   \
       long long stride_a, const void* b, TYPE b_type, I ldb, long long stride_b, const void* beta, void* c,           \
       TYPE c_type, I ldc, long long stride_c, I count, cublasComputeType_t compute, cublasGemmAlgo_t),                \
      gemm_any(call, {op_a, op_b, m, n, k}, alpha, {{a, stride_a}, a_type, lda}, {{b, stride_b}, b_type, ldb}, beta,   \
               {{c, stride_c}, c_type, ldc}, {compute}, count))                                                        \
  RAFTER_BLAS_EXPORT(                                                                                                  \
      cublasSgemmEx##SUFFIX,                                                                                           \
      (cublasHandle_t handle, OP op_a, OP op_b, I m, I n, I k, const float* alpha, const void* a, TYPE a_type, I lda,  \
       const void* b, TYPE b_type, I ldb, const float* beta, void* c, TYPE c_type, I ldc),                             \
      gemm_any(call, {op_a, op_b, m, n, k}, alpha, {{a}, a_type, lda}, {{b}, b_type, ldb}, beta, {{c}, c_type, ldc},   \
               {CUBLAS_COMPUTE_32F, CUDA_R_32F}))                                                                      \
  RAFTER_BLAS_EXPORT(cublasNrm2Ex##SUFFIX,                                                                             \
                     (cublasHandle_t handle, I n, const void* x, TYPE x_type, I incx, void* result, TYPE result_type,  \
                      TYPE execution),                                                                                 \
                     nrm2_any(call, incx > 0 ? n : 0, {const_cast<void*>(x), x_type, incx > 0 ? n : 0, incx}, result,  \
                              result_type, execution))                                                                 \
  RAFTER_BLAS_EXPORT(cublasDotEx##SUFFIX,                                                                              \
                     (cublasHandle_t handle, I n, const void* x, TYPE x_type, I incx, const void* y, TYPE y_type,      \
                      I incy, void* result, TYPE result_type, TYPE execution),                                         \
                     dot_any(call, false, n, {const_cast<void*>(x), x_type, n, incx},                                  \
                             {const_cast<void*>(y), y_type, n, incy}, result, result_type, execution))                 \
  RAFTER_BLAS_EXPORT(cublasDotcEx##SUFFIX,                                                                             \
                     (cublasHandle_t handle, I n, const void* x, TYPE x_type, I incx, const void* y, TYPE y_type,      \
                      I incy, void* result, TYPE result_type, TYPE execution),                                         \
                     dot_any(call, true, n, {const_cast<void*>(x), x_type, n, incx},                                   \
                             {const_cast<void*>(y), y_type, n, incy}, result, result_type, execution))                 \
  RAFTER_BLAS_EXPORT(                                                                                                  \
      cublasAxpyEx##SUFFIX,                                                                                            \
      (cublasHandle_t handle, I n, const void* alpha, TYPE alpha_type, const void* x, TYPE x_type, I incx, void* y,    \
       TYPE y_type, I incy, TYPE execution),                                                                           \
      axpy_any(call, n, alpha, alpha_type, {const_cast<void*>(x), x_type, n, incx}, {y, y_type, n, incy}, execution))  \
  RAFTER_BLAS_EXPORT(                                                                                                  \
      cublasScalEx##SUFFIX,                                                                                            \
      (cublasHandle_t handle, I n, const void* alpha, TYPE alpha_type, void* x, TYPE x_type, I incx, TYPE execution),  \
      scal_any(call, n, alpha, alpha_type, {x, x_type, n, incx}, execution))                                           \
  RAFTER_BLAS_EXPORT(cublasHgemm##SUFFIX,                                                                              \
                     (cublasHandle_t handle, OP op_a, OP op_b, I m, I n, I k, const __half* alpha, const __half* a,    \
                      I lda, const __half* b, I ldb, const __half* beta, __half* c, I ldc),                            \
                     gemm_any(call, {op_a, op_b, m, n, k}, alpha, {{a}, CUDA_R_16F, lda}, {{b}, CUDA_R_16F, ldb},      \
                              beta, {{c}, CUDA_R_16F, ldc}, {CUBLAS_COMPUTE_16F}))                                     \
  RAFTER_BLAS_EXPORT(                                                                                                  \
      cublasHgemmBatched##SUFFIX,                                                                                      \
      (cublasHandle_t handle, OP op_a, OP op_b, I m, I n, I k, const __half* alpha, const __half* const a[], I lda,    \
       const __half* const b[], I ldb, const __half* beta, __half* const c[], I ldc, I count),                         \
      gemm_any(call, {op_a, op_b, m, n, k}, alpha, {of_halves(a), CUDA_R_16F, lda}, {of_halves(b), CUDA_R_16F, ldb},   \
               beta, {of_halves(c), CUDA_R_16F, ldc}, {CUBLAS_COMPUTE_16F}, count))                                    \
  RAFTER_BLAS_EXPORT(                                                                                                  \
      cublasHgemmStridedBatched##SUFFIX,                                                                               \
      (cublasHandle_t handle, OP op_a, OP op_b, I m, I n, I k, const __half* alpha, const __half* a, I lda,            \
       long long stride_a, const __half* b, I ldb, long long stride_b, const __half* beta, __half* c, I ldc,           \
       long long stride_c, I count),                                                                                   \
      gemm_any(call, {op_a, op_b, m, n, k}, alpha, {{a, stride_a}, CUDA_R_16F, lda}, {{b, stride_b}, CUDA_R_16F, ldb}, \
               beta, {{c, stride_c}, CUDA_R_16F, ldc}, {CUBLAS_COMPUTE_16F}, count))

namespace {

template <class Pointer>
Batch<const void*> of_halves(const Pointer* addresses) {
  return {nullptr, 0, reinterpret_cast<const void* const*>(addresses)};
}

}  // namespace

EXTENDED(int, )
EXTENDED(std::int64_t, _64)
