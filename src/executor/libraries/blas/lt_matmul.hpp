// The matrix product of cuBLASLt: any types and orders, batches, and an epilogue.
#pragma once

#include "executor/libraries/blas/any_product.hpp"
#include "rafter_simt/blas/lt.hpp"

namespace rafter::simt::blas {

/// The contents of a cublasLtMatrixLayout_t.
struct LtLayout {
  cudaDataType type;
  cublasLtOrder_t order;
  std::uint64_t rows, columns;
  std::int64_t ld;
  std::int32_t n_batches;
  std::int64_t batch_stride;  // in elements
};
static_assert(sizeof(LtLayout) <= sizeof(cublasLtMatrixLayoutOpaque_t));

/// The contents of a cublasLtMatmulDesc_t.
struct LtDescription {
  cublasComputeType_t compute;
  cudaDataType scale_type;
  cublasLtPointerMode_t pointer_mode;
  cublasOperation_t op_a, op_b, op_c;
  cublasFillMode_t fill;
  cublasLtEpilogue_t epilogue;
  void* bias;
  std::int64_t bias_stride;
  void* aux;
  std::int64_t aux_ld, aux_stride, alpha_stride;
  std::int32_t multiprocessors, aux_type, bias_type;  // types: -1 is the default
  const float *a_scale, *b_scale, *c_scale, *d_scale, *aux_scale;
  float *d_amax, *aux_amax;
  std::int8_t fast_accumulation;
};
static_assert(sizeof(LtDescription) <= sizeof(cublasLtMatmulDescOpaque_t));

/// A product D = epilogue(alpha * op(A) * op(B) + beta * C).
struct LtMatmul {
  LtDescription description;
  const void *a, *b, *c;
  void* d;
  LtLayout a_layout, b_layout, c_layout, d_layout;
  AnyScalar alpha{}, beta{};
  Arithmetic arithmetic{};

  /// Returns why cuBLASLt would refuse the product, or success. Sets the arithmetic.
  cublasStatus_t validate();
  void list() const;
  void run() const;
};

}  // namespace rafter::simt::blas
