// The functions of cuBLASLt that the peers call, loaded by their first call (library/core/cuda/late_library.hpp).
#ifdef RAFTER_CUBLASLT_FILE  // otherwise the program links it
#include <cublasLt.h>

#include "library/core/cuda/late_library.hpp"

#define RAFTER_CUBLASLT(name) rafter::late_function({RAFTER_CUBLASLT_FILE, RAFTER_CUBLASLT_SONAME}, #name)

extern "C" {

cublasStatus_t cublasLtCreate(cublasLtHandle_t* handle) {
  static void* const function = RAFTER_CUBLASLT(cublasLtCreate);
  return rafter::call_late<cublasStatus_t>(function, handle);
}

const char* cublasLtGetStatusString(cublasStatus_t status) {
  static void* const function = RAFTER_CUBLASLT(cublasLtGetStatusString);
  return rafter::call_late<const char*>(function, status);
}

cublasStatus_t cublasLtMatmulDescCreate(cublasLtMatmulDesc_t* made, cublasComputeType_t compute, cudaDataType_t scale) {
  static void* const function = RAFTER_CUBLASLT(cublasLtMatmulDescCreate);
  return rafter::call_late<cublasStatus_t>(function, made, compute, scale);
}

cublasStatus_t cublasLtMatmulDescSetAttribute(cublasLtMatmulDesc_t matmul, cublasLtMatmulDescAttributes_t attribute,
                                              const void* value, size_t n_bytes) {
  static void* const function = RAFTER_CUBLASLT(cublasLtMatmulDescSetAttribute);
  return rafter::call_late<cublasStatus_t>(function, matmul, attribute, value, n_bytes);
}

cublasStatus_t cublasLtMatrixLayoutCreate(cublasLtMatrixLayout_t* made, cudaDataType type, uint64_t n_rows,
                                          uint64_t n_columns, int64_t ld) {
  static void* const function = RAFTER_CUBLASLT(cublasLtMatrixLayoutCreate);
  return rafter::call_late<cublasStatus_t>(function, made, type, n_rows, n_columns, ld);
}

cublasStatus_t cublasLtMatmulPreferenceCreate(cublasLtMatmulPreference_t* made) {
  static void* const function = RAFTER_CUBLASLT(cublasLtMatmulPreferenceCreate);
  return rafter::call_late<cublasStatus_t>(function, made);
}

cublasStatus_t cublasLtMatmulPreferenceSetAttribute(cublasLtMatmulPreference_t preference,
                                                    cublasLtMatmulPreferenceAttributes_t attribute, const void* value,
                                                    size_t n_bytes) {
  static void* const function = RAFTER_CUBLASLT(cublasLtMatmulPreferenceSetAttribute);
  return rafter::call_late<cublasStatus_t>(function, preference, attribute, value, n_bytes);
}

cublasStatus_t cublasLtMatmulAlgoGetHeuristic(cublasLtHandle_t handle, cublasLtMatmulDesc_t matmul,
                                              cublasLtMatrixLayout_t a, cublasLtMatrixLayout_t b,
                                              cublasLtMatrixLayout_t c, cublasLtMatrixLayout_t d,
                                              cublasLtMatmulPreference_t preference, int n_wanted,
                                              cublasLtMatmulHeuristicResult_t results[], int* n_found) {
  static void* const function = RAFTER_CUBLASLT(cublasLtMatmulAlgoGetHeuristic);
  return rafter::call_late<cublasStatus_t>(function, handle, matmul, a, b, c, d, preference, n_wanted, results,
                                           n_found);
}

cublasStatus_t cublasLtMatmul(cublasLtHandle_t handle, cublasLtMatmulDesc_t matmul, const void* alpha, const void* a,
                              cublasLtMatrixLayout_t a_layout, const void* b, cublasLtMatrixLayout_t b_layout,
                              const void* beta, const void* c, cublasLtMatrixLayout_t c_layout, void* d,
                              cublasLtMatrixLayout_t d_layout, const cublasLtMatmulAlgo_t* algorithm, void* workspace,
                              size_t workspace_bytes, cudaStream_t stream) {
  static void* const function = RAFTER_CUBLASLT(cublasLtMatmul);
  return rafter::call_late<cublasStatus_t>(function, handle, matmul, alpha, a, a_layout, b, b_layout, beta, c, c_layout,
                                           d, d_layout, algorithm, workspace, workspace_bytes, stream);
}
}
#endif
