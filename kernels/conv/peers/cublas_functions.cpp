// The functions of cuBLAS that the peers call, loaded by their first call (library/core/cuda/late_library.hpp).
#ifdef RAFTER_CUBLAS_FILE  // otherwise the program links it
#include <cublas_v2.h>

#include "library/core/cuda/late_library.hpp"

#define RAFTER_TEXT_OF(name) #name
#define RAFTER_NAME_OF(name) RAFTER_TEXT_OF(name)  // of what the header's macro makes of it
#define RAFTER_CUBLAS(name) rafter::late_function({RAFTER_CUBLAS_FILE, RAFTER_CUBLAS_SONAME}, RAFTER_NAME_OF(name))

extern "C" {

cublasStatus_t cublasCreate(cublasHandle_t* handle) {
  static void* const function = RAFTER_CUBLAS(cublasCreate);
  return rafter::call_late<cublasStatus_t>(function, handle);
}

cublasStatus_t cublasSetStream(cublasHandle_t handle, cudaStream_t stream) {
  static void* const function = RAFTER_CUBLAS(cublasSetStream);
  return rafter::call_late<cublasStatus_t>(function, handle, stream);
}

const char* cublasGetStatusString(cublasStatus_t status) {
  static void* const function = RAFTER_CUBLAS(cublasGetStatusString);
  return rafter::call_late<const char*>(function, status);
}

cublasStatus_t cublasGemmStridedBatchedEx(cublasHandle_t handle, cublasOperation_t transa, cublasOperation_t transb,
                                          int m, int n, int k, const void* alpha, const void* a, cudaDataType a_type,
                                          int lda, long long int stride_a, const void* b, cudaDataType b_type, int ldb,
                                          long long int stride_b, const void* beta, void* c, cudaDataType c_type,
                                          int ldc, long long int stride_c, int n_batches,
                                          cublasComputeType_t compute_type, cublasGemmAlgo_t algorithm) {
  static void* const function = RAFTER_CUBLAS(cublasGemmStridedBatchedEx);
  return rafter::call_late<cublasStatus_t>(function, handle, transa, transb, m, n, k, alpha, a, a_type, lda, stride_a,
                                           b, b_type, ldb, stride_b, beta, c, c_type, ldc, stride_c, n_batches,
                                           compute_type, algorithm);
}
}
#endif
