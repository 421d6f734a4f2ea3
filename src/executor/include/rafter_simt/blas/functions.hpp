// cuBLAS's functions (docs/executor-libraries.md). A function that is missing here is refused by name when the program
// is compiled.
#pragma once

#include "rafter_simt/blas/types.hpp"
#ifdef __cplusplus
#include "cuda_bf16.h"
#include "cuda_fp16.h"

extern "C" {
#endif

cublasStatus_t cublasCreate(cublasHandle_t* handle);
cublasStatus_t cublasDestroy(cublasHandle_t handle);
cublasStatus_t cublasGetVersion(cublasHandle_t handle, int* version);
cublasStatus_t cublasGetProperty(libraryPropertyType type, int* value);
size_t cublasGetCudartVersion(void);
const char* cublasGetStatusName(cublasStatus_t status);
const char* cublasGetStatusString(cublasStatus_t status);
cublasStatus_t cublasSetStream(cublasHandle_t handle, cudaStream_t stream);
cublasStatus_t cublasGetStream(cublasHandle_t handle, cudaStream_t* stream);
cublasStatus_t cublasSetPointerMode(cublasHandle_t handle, cublasPointerMode_t mode);
cublasStatus_t cublasGetPointerMode(cublasHandle_t handle, cublasPointerMode_t* mode);
cublasStatus_t cublasSetAtomicsMode(cublasHandle_t handle, cublasAtomicsMode_t mode);
cublasStatus_t cublasGetAtomicsMode(cublasHandle_t handle, cublasAtomicsMode_t* mode);
cublasStatus_t cublasSetMathMode(cublasHandle_t handle, cublasMath_t mode);
cublasStatus_t cublasGetMathMode(cublasHandle_t handle, cublasMath_t* mode);
cublasStatus_t cublasSetSmCountTarget(cublasHandle_t handle, int count);
cublasStatus_t cublasGetSmCountTarget(cublasHandle_t handle, int* count);
cublasStatus_t cublasSetWorkspace(cublasHandle_t handle, void* workspace, size_t bytes);
cublasStatus_t cublasLoggerConfigure(int logIsOn, int logToStdOut, int logToStdErr, const char* logFileName);
cublasStatus_t cublasSetLoggerCallback(cublasLogCallback callback);
cublasStatus_t cublasGetLoggerCallback(cublasLogCallback* callback);

// The functions of each element type. `_64`: sizes are int64_t.
#define RAFTER_BLAS_JOIN(BEFORE, NAME, AFTER) cublas##BEFORE##NAME##AFTER
#define RAFTER_BLAS_NAME(BEFORE, NAME, AFTER) RAFTER_BLAS_JOIN(BEFORE, NAME, AFTER)
#define RAFTER_BLAS(NAME) RAFTER_BLAS_NAME(RAFTER_BLAS_LETTER, NAME, RAFTER_BLAS_SUFFIX)
#define RAFTER_BLAS_INDEX(NAME) RAFTER_BLAS_NAME(RAFTER_BLAS_INDEX_LETTERS, NAME, RAFTER_BLAS_SUFFIX)
#define RAFTER_BLAS_NORM(NAME) RAFTER_BLAS_NAME(RAFTER_BLAS_NORM_LETTERS, NAME, RAFTER_BLAS_SUFFIX)

#define RAFTER_I int
#define RAFTER_BLAS_SUFFIX
#include "rafter_simt/blas/all_types.inc"
#undef RAFTER_BLAS_SUFFIX
#undef RAFTER_I
#define RAFTER_I int64_t
#define RAFTER_BLAS_SUFFIX _64
#define RAFTER_BLAS_64
#include "rafter_simt/blas/all_types.inc"
#undef RAFTER_BLAS_64
#undef RAFTER_BLAS_SUFFIX
#undef RAFTER_I

#undef RAFTER_BLAS_NORM
#undef RAFTER_BLAS_INDEX
#undef RAFTER_BLAS

cublasStatus_t cublasSrotmg(cublasHandle_t, float* d1, float* d2, float* x1, const float* y1, float* param);
cublasStatus_t cublasDrotmg(cublasHandle_t, double* d1, double* d2, double* x1, const double* y1, double* param);

// Copies between host and device: x and A on the one side, y and B on the other.
#define RAFTER_BLAS_COPIES(INT, SUFFIX)                                                                               \
  cublasStatus_t cublasSetVector##SUFFIX(INT n, INT elemSize, const void* x, INT incx, void* devicePtr, INT incy);    \
  cublasStatus_t cublasGetVector##SUFFIX(INT n, INT elemSize, const void* x, INT incx, void* y, INT incy);            \
  cublasStatus_t cublasSetMatrix##SUFFIX(INT rows, INT cols, INT elemSize, const void* A, INT lda, void* B, INT ldb); \
  cublasStatus_t cublasGetMatrix##SUFFIX(INT rows, INT cols, INT elemSize, const void* A, INT lda, void* B, INT ldb); \
  cublasStatus_t cublasSetVectorAsync##SUFFIX(INT n, INT elemSize, const void* hostPtr, INT incx, void* devicePtr,    \
                                              INT incy, cudaStream_t stream);                                         \
  cublasStatus_t cublasGetVectorAsync##SUFFIX(INT n, INT elemSize, const void* devicePtr, INT incx, void* hostPtr,    \
                                              INT incy, cudaStream_t stream);                                         \
  cublasStatus_t cublasSetMatrixAsync##SUFFIX(INT rows, INT cols, INT elemSize, const void* A, INT lda, void* B,      \
                                              INT ldb, cudaStream_t stream);                                          \
  cublasStatus_t cublasGetMatrixAsync##SUFFIX(INT rows, INT cols, INT elemSize, const void* A, INT lda, void* B,      \
                                              INT ldb, cudaStream_t stream);

// Operands of any type, and a compute type.
#define RAFTER_BLAS_EXTENDED(INT, SUFFIX)                                                                              \
  cublasStatus_t cublasGemmEx##SUFFIX(                                                                                 \
      cublasHandle_t, cublasOperation_t transa, cublasOperation_t transb, INT m, INT n, INT k, const void* alpha,      \
      const void* A, cudaDataType Atype, INT lda, const void* B, cudaDataType Btype, INT ldb, const void* beta,        \
      void* C, cudaDataType Ctype, INT ldc, cublasComputeType_t computeType, cublasGemmAlgo_t algo);                   \
  cublasStatus_t cublasGemmBatchedEx##SUFFIX(cublasHandle_t, cublasOperation_t transa, cublasOperation_t transb,       \
                                             INT m, INT n, INT k, const void* alpha, const void* const A[],            \
                                             cudaDataType Atype, INT lda, const void* const B[], cudaDataType Btype,   \
                                             INT ldb, const void* beta, void* const C[], cudaDataType Ctype, INT ldc,  \
                                             INT batchCount, cublasComputeType_t computeType, cublasGemmAlgo_t algo);  \
  cublasStatus_t cublasGemmStridedBatchedEx##SUFFIX(                                                                   \
      cublasHandle_t, cublasOperation_t transa, cublasOperation_t transb, INT m, INT n, INT k, const void* alpha,      \
      const void* A, cudaDataType Atype, INT lda, long long strideA, const void* B, cudaDataType Btype, INT ldb,       \
      long long strideB, const void* beta, void* C, cudaDataType Ctype, INT ldc, long long strideC, INT batchCount,    \
      cublasComputeType_t computeType, cublasGemmAlgo_t algo);                                                         \
  cublasStatus_t cublasSgemmEx##SUFFIX(cublasHandle_t, cublasOperation_t transa, cublasOperation_t transb, INT m,      \
                                       INT n, INT k, const float* alpha, const void* A, cudaDataType Atype, INT lda,   \
                                       const void* B, cudaDataType Btype, INT ldb, const float* beta, void* C,         \
                                       cudaDataType Ctype, INT ldc);                                                   \
  cublasStatus_t cublasNrm2Ex##SUFFIX(cublasHandle_t, INT n, const void* x, cudaDataType xType, INT incx,              \
                                      void* result, cudaDataType resultType, cudaDataType executionType);              \
  cublasStatus_t cublasDotEx##SUFFIX(cublasHandle_t, INT n, const void* x, cudaDataType xType, INT incx,               \
                                     const void* y, cudaDataType yType, INT incy, void* result,                        \
                                     cudaDataType resultType, cudaDataType executionType);                             \
  cublasStatus_t cublasDotcEx##SUFFIX(cublasHandle_t, INT n, const void* x, cudaDataType xType, INT incx,              \
                                      const void* y, cudaDataType yType, INT incy, void* result,                       \
                                      cudaDataType resultType, cudaDataType executionType);                            \
  cublasStatus_t cublasAxpyEx##SUFFIX(cublasHandle_t, INT n, const void* alpha, cudaDataType alphaType, const void* x, \
                                      cudaDataType xType, INT incx, void* y, cudaDataType yType, INT incy,             \
                                      cudaDataType executionType);                                                     \
  cublasStatus_t cublasScalEx##SUFFIX(cublasHandle_t, INT n, const void* alpha, cudaDataType alphaType, void* x,       \
                                      cudaDataType xType, INT incx, cudaDataType executionType);

RAFTER_BLAS_COPIES(int, )
RAFTER_BLAS_COPIES(int64_t, _64)
RAFTER_BLAS_EXTENDED(int, )
RAFTER_BLAS_EXTENDED(int64_t, _64)
#undef RAFTER_BLAS_EXTENDED
#undef RAFTER_BLAS_COPIES

#ifdef __cplusplus
#define RAFTER_BLAS_HALF(INT, SUFFIX)                                                                                  \
  cublasStatus_t cublasHgemm##SUFFIX(cublasHandle_t, cublasOperation_t transa, cublasOperation_t transb, INT m, INT n, \
                                     INT k, const __half* alpha, const __half* A, INT lda, const __half* B, INT ldb,   \
                                     const __half* beta, __half* C, INT ldc);                                          \
  cublasStatus_t cublasHgemmBatched##SUFFIX(cublasHandle_t, cublasOperation_t transa, cublasOperation_t transb, INT m, \
                                            INT n, INT k, const __half* alpha, const __half* const A[], INT lda,       \
                                            const __half* const B[], INT ldb, const __half* beta, __half* const C[],   \
                                            INT ldc, INT batchCount);                                                  \
  cublasStatus_t cublasHgemmStridedBatched##SUFFIX(                                                                    \
      cublasHandle_t, cublasOperation_t transa, cublasOperation_t transb, INT m, INT n, INT k, const __half* alpha,    \
      const __half* A, INT lda, long long strideA, const __half* B, INT ldb, long long strideB, const __half* beta,    \
      __half* C, INT ldc, long long strideC, INT batchCount);
RAFTER_BLAS_HALF(int, )
RAFTER_BLAS_HALF(int64_t, _64)
#undef RAFTER_BLAS_HALF

}  // extern "C"

namespace rafter_simt {

/// Returns the compute type that older programs name by a data type.
constexpr cublasComputeType_t compute_type_of(cudaDataType type) {
  switch (type) {
    case CUDA_R_16F:
    case CUDA_C_16F: return CUBLAS_COMPUTE_16F;
    case CUDA_R_64F:
    case CUDA_C_64F: return CUBLAS_COMPUTE_64F;
    case CUDA_R_32I:
    case CUDA_C_32I: return CUBLAS_COMPUTE_32I;
    default: return CUBLAS_COMPUTE_32F;
  }
}

}  // namespace rafter_simt

static inline cublasStatus_t cublasGemmEx(cublasHandle_t handle, cublasOperation_t transa, cublasOperation_t transb,
                                          int m, int n, int k, const void* alpha, const void* A, cudaDataType Atype,
                                          int lda, const void* B, cudaDataType Btype, int ldb, const void* beta,
                                          void* C, cudaDataType Ctype, int ldc, cudaDataType computeType,
                                          cublasGemmAlgo_t algo) {
  return cublasGemmEx(handle, transa, transb, m, n, k, alpha, A, Atype, lda, B, Btype, ldb, beta, C, Ctype, ldc,
                      rafter_simt::compute_type_of(computeType), algo);
}
static inline cublasStatus_t cublasGemmBatchedEx(cublasHandle_t handle, cublasOperation_t transa,
                                                 cublasOperation_t transb, int m, int n, int k, const void* alpha,
                                                 const void* const A[], cudaDataType Atype, int lda,
                                                 const void* const B[], cudaDataType Btype, int ldb, const void* beta,
                                                 void* const C[], cudaDataType Ctype, int ldc, int batchCount,
                                                 cudaDataType computeType, cublasGemmAlgo_t algo) {
  return cublasGemmBatchedEx(handle, transa, transb, m, n, k, alpha, A, Atype, lda, B, Btype, ldb, beta, C, Ctype, ldc,
                             batchCount, rafter_simt::compute_type_of(computeType), algo);
}
static inline cublasStatus_t cublasGemmStridedBatchedEx(cublasHandle_t handle, cublasOperation_t transa,
                                                        cublasOperation_t transb, int m, int n, int k,
                                                        const void* alpha, const void* A, cudaDataType Atype, int lda,
                                                        long long strideA, const void* B, cudaDataType Btype, int ldb,
                                                        long long strideB, const void* beta, void* C,
                                                        cudaDataType Ctype, int ldc, long long strideC, int batchCount,
                                                        cudaDataType computeType, cublasGemmAlgo_t algo) {
  return cublasGemmStridedBatchedEx(handle, transa, transb, m, n, k, alpha, A, Atype, lda, strideA, B, Btype, ldb,
                                    strideB, beta, C, Ctype, ldc, strideC, batchCount,
                                    rafter_simt::compute_type_of(computeType), algo);
}
#endif
