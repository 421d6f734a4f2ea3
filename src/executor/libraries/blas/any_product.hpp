// Products of matrices of any types, as the Ex functions and cuBLASLt compute them: operands are converted exactly,
// sums have the compute type, and results are rounded once.
#pragma once

#include <algorithm>
#include <array>
#include <cstring>
#include <type_traits>

#include "executor/libraries/blas/data_types.hpp"
#include "executor/libraries/blas/multiply.hpp"

namespace rafter::simt::blas {

/// Returns what a product of these types is summed in, or `unsupported`.
Arithmetic arithmetic_of(cublasComputeType_t compute, cudaDataType a, cudaDataType b, cudaDataType c);
/// Returns the type of alpha and beta.
cudaDataType scale_type_of(cublasComputeType_t compute, cudaDataType c);

/// A scalar of any type: its value, or its address in device memory.
struct AnyScalar {
  cudaDataType type{};
  std::array<std::byte, 16> value{};
  const void* device = nullptr;

  bool list(const char* name) const {
    const auto bytes = static_cast<std::size_t>(bytes_of(type));
    return device == nullptr || list_rows(name, device, bytes, 1, static_cast<std::ptrdiff_t>(bytes), Use::reads);
  }
  template <class T>
  T get() const {
    return load<T>(type, device != nullptr ? device : value.data());
  }
  bool is_zero() const { return get<std::complex<double>>() == std::complex<double>(0); }
};

/// Returns a scalar parameter, or nothing if the pointer is null.
inline std::optional<AnyScalar> any_scalar(const Call& call, const char* name, cudaDataType type, const void* at) {
  if (at == nullptr) return std::nullopt;
  AnyScalar scalar{type, {}, call.scalars_on_device ? at : nullptr};
  if (call.scalars_on_device) return scalar;
  rafter_simt_library_scalar(call.name, name, at, call.place);
  std::memcpy(scalar.value.data(), at, static_cast<std::size_t>(bytes_of(type)));
  return scalar;
}

/// Returns op(A) * op(B), m x n without gaps.
template <class T>
std::vector<T> product_of(cublasOperation_t op_a, const AnyMatrix& a, cublasOperation_t op_b, const AnyMatrix& b, Int m,
                          Int n, Int k) {
  std::vector<T> result(static_cast<std::size_t>(m * n));
  if constexpr (std::is_same_v<T, float>) {
    if (a.type == CUDA_R_8I && b.type == CUDA_R_8I) {  // sums of integers are exact
      const std::vector<std::int32_t> sums = product_of<std::int32_t>(op_a, a, op_b, b, m, n, k);
      for (std::size_t i = 0; i < sums.size(); ++i) result[i] = static_cast<float>(sums[i]);
      return result;
    }
  }
  const std::vector<T> left = a.elements<T>(), right = b.elements<T>();
  multiply<T>({op_a, op_b, m, n, k, T(1), left.data(), std::max<Int>(a.rows, 1), right.data(), std::max<Int>(b.rows, 1),
               T(0), result.data(), std::max<Int>(m, 1)});
  return result;
}

/// The parameters of a product C = alpha * op(A) * op(B) + beta * C.
struct AnyProduct {
  cublasOperation_t op_a, op_b;
  Int m, n, k;
  AnyMatrix a, b, c;
  Arithmetic arithmetic;
  AnyScalar alpha, beta;

  void list() const;
  void run() const;
};

}  // namespace rafter::simt::blas
