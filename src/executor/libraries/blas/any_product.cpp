#include "executor/libraries/blas/any_product.hpp"

#include <algorithm>

namespace rafter::simt::blas {
namespace {

template <class T>
constexpr cudaDataType type_of() {
  if (std::is_same_v<T, float>) return CUDA_R_32F;
  if (std::is_same_v<T, double>) return CUDA_R_64F;
  if (std::is_same_v<T, std::int32_t>) return CUDA_R_32I;
  return std::is_same_v<T, std::complex<float>> ? CUDA_C_32F : CUDA_C_64F;
}

template <class T>
void multiply_any(const AnyProduct& p) {
  const T alpha = p.alpha.get<T>(), beta = p.beta.get<T>();
  constexpr cudaDataType type = type_of<T>();
  if (p.a.type == type && p.b.type == type && p.c.type == type) {
    return multiply<T>({p.op_a, p.op_b, p.m, p.n, p.k, alpha, static_cast<const T*>(p.a.start), p.a.ld,
                        static_cast<const T*>(p.b.start), p.b.ld, beta, static_cast<T*>(p.c.start), p.c.ld});
  }
  std::vector<T> product(static_cast<std::size_t>(p.m * p.n), T(0));
  if (alpha != T(0)) product = product_of<T>(p.op_a, p.a, p.op_b, p.b, p.m, p.n, p.k);
  for (Int j = 0; j < p.n; ++j) {
    for (Int i = 0; i < p.m; ++i) {
      void* const at = p.c.at(i, j);
      T value = mul(alpha, product[static_cast<std::size_t>(i + j * p.m)]);
      if (beta != T(0)) value += mul(beta, load<T>(p.c.type, at));
      store(p.c.type, at, value);
    }
  }
}

}  // namespace

Arithmetic arithmetic_of(cublasComputeType_t compute, cudaDataType a, cudaDataType b, cudaDataType c) {
  const auto all = [&](cudaDataType type) { return a == type && b == type && c == type; };
  switch (compute) {
    case CUBLAS_COMPUTE_16F:
    case CUBLAS_COMPUTE_16F_PEDANTIC: return all(CUDA_R_16F) ? Arithmetic::single : Arithmetic::unsupported;
    case CUBLAS_COMPUTE_32I:
    case CUBLAS_COMPUTE_32I_PEDANTIC:
      return a == CUDA_R_8I && b == CUDA_R_8I && c == CUDA_R_32I ? Arithmetic::integer : Arithmetic::unsupported;
    case CUBLAS_COMPUTE_64F:
    case CUBLAS_COMPUTE_64F_PEDANTIC:
      return all(CUDA_R_64F)   ? Arithmetic::double_
             : all(CUDA_C_64F) ? Arithmetic::double_complex
                               : Arithmetic::unsupported;
    case CUBLAS_COMPUTE_32F:
    case CUBLAS_COMPUTE_32F_PEDANTIC: {
      if (all(CUDA_C_32F)) return Arithmetic::single_complex;
      const bool has_types = a == b && (a == CUDA_R_16F || a == CUDA_R_16BF || a == CUDA_R_8I || a == CUDA_R_32F);
      return has_types && (c == CUDA_R_32F || (c == a && a != CUDA_R_8I)) ? Arithmetic::single
                                                                          : Arithmetic::unsupported;
    }
    case CUBLAS_COMPUTE_32F_FAST_16F:
    case CUBLAS_COMPUTE_32F_FAST_16BF:
    case CUBLAS_COMPUTE_32F_FAST_TF32:
      return all(CUDA_R_32F)   ? Arithmetic::single
             : all(CUDA_C_32F) ? Arithmetic::single_complex
                               : Arithmetic::unsupported;
  }
  return Arithmetic::unsupported;
}

cudaDataType scale_type_of(cublasComputeType_t compute, cudaDataType c) {
  switch (compute) {
    case CUBLAS_COMPUTE_16F:
    case CUBLAS_COMPUTE_16F_PEDANTIC: return CUDA_R_16F;
    case CUBLAS_COMPUTE_32I:
    case CUBLAS_COMPUTE_32I_PEDANTIC: return CUDA_R_32I;
    case CUBLAS_COMPUTE_64F:
    case CUBLAS_COMPUTE_64F_PEDANTIC: return is_complex_type(c) ? CUDA_C_64F : CUDA_R_64F;
    default: return is_complex_type(c) ? CUDA_C_32F : CUDA_R_32F;
  }
}

void AnyProduct::list() const {
  alpha.list("alpha");
  a.list("A", Use::reads);
  b.list("B", Use::reads);
  const bool is_accessible = beta.list("beta");
  c.list("C", is_accessible && beta.is_zero() ? Use::writes : Use::updates);
}

void AnyProduct::run() const {
  with_type(arithmetic, [&](auto zero) { multiply_any<decltype(zero)>(*this); });
}

}  // namespace rafter::simt::blas
