// The host's BLAS: OpenBLAS or BLIS, through the C interface that both have.
#include <dlfcn.h>

#include <cstdlib>
#include <limits>
#include <string_view>

#include "executor/libraries/blas/multiply.hpp"

namespace rafter::simt::blas {
namespace {

// Values of the C interface to BLAS.
constexpr int column_major = 102, no_transpose = 111, transpose = 112, conjugate_transpose = 113;

int operation(cublasOperation_t op) {
  return op == CUBLAS_OP_N ? no_transpose : op == CUBLAS_OP_T ? transpose : conjugate_transpose;
}

/// The library's functions; null if there is none.
struct HostBlas {
  template <class T, class Value>
  using Gemm = void (*)(int, int, int, int, int, int, Value, const T*, int, const T*, int, Value, T*, int);

  Gemm<float, float> sgemm = nullptr;
  Gemm<double, double> dgemm = nullptr;
  Gemm<void, const void*> cgemm = nullptr, zgemm = nullptr;

  HostBlas() {
    const char* const choice = std::getenv("RAFTER_SIMT_BLAS");
    if (choice != nullptr && std::string_view(choice) == "own") return;
    for (const char* name : {"libopenblas.so.0", "libblis.so.4"}) {
      void* const library = dlopen(name, RTLD_NOW | RTLD_LOCAL);
      if (library == nullptr) continue;
      sgemm = reinterpret_cast<Gemm<float, float>>(dlsym(library, "cblas_sgemm"));
      dgemm = reinterpret_cast<Gemm<double, double>>(dlsym(library, "cblas_dgemm"));
      cgemm = reinterpret_cast<Gemm<void, const void*>>(dlsym(library, "cblas_cgemm"));
      zgemm = reinterpret_cast<Gemm<void, const void*>>(dlsym(library, "cblas_zgemm"));
      return;
    }
  }
};

const HostBlas& host_blas() {
  static const HostBlas blas;
  return blas;
}

template <class T>
bool fits_int(const Product<T>& p) {
  constexpr Int most = std::numeric_limits<int>::max();
  return p.m <= most && p.n <= most && p.k <= most && p.lda <= most && p.ldb <= most && p.ldc <= most;
}

template <class Function, class T, class Value>
bool call(Function function, const Product<T>& p, Value alpha, Value beta) {
  if (function == nullptr || !fits_int(p)) return false;
  function(column_major, operation(p.op_a), operation(p.op_b), static_cast<int>(p.m), static_cast<int>(p.n),
           static_cast<int>(p.k), alpha, p.a, static_cast<int>(p.lda), p.b, static_cast<int>(p.ldb), beta, p.c,
           static_cast<int>(p.ldc));
  return true;
}

}  // namespace

bool multiply_with_blas(const Product<float>& p) { return call(host_blas().sgemm, p, p.alpha, p.beta); }
bool multiply_with_blas(const Product<double>& p) { return call(host_blas().dgemm, p, p.alpha, p.beta); }
bool multiply_with_blas(const Product<std::complex<float>>& p) {
  return call<decltype(host_blas().cgemm), std::complex<float>, const void*>(host_blas().cgemm, p, &p.alpha, &p.beta);
}
bool multiply_with_blas(const Product<std::complex<double>>& p) {
  return call<decltype(host_blas().zgemm), std::complex<double>, const void*>(host_blas().zgemm, p, &p.alpha, &p.beta);
}

}  // namespace rafter::simt::blas
