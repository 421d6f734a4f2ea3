// cuBLASLt's functions: descriptors as plain structures in the caller's memory, and the product.
#include <cstring>

#include "executor/libraries/blas/lt_matmul.hpp"
#include "rafter_simt/blas/functions.hpp"

namespace rafter::simt::blas {
namespace {

LtLayout& of(cublasLtMatrixLayout_t layout) { return *reinterpret_cast<LtLayout*>(layout->data); }
LtDescription& of(cublasLtMatmulDesc_t description) { return *reinterpret_cast<LtDescription*>(description->data); }

/// A field of a descriptor.
struct Field {
  void* at = nullptr;
  std::size_t bytes = 0;
};
template <class T>
Field field(T& of) {
  return {&of, sizeof(T)};
}

Field find(LtLayout& layout, cublasLtMatrixLayoutAttribute_t which) {
  switch (which) {
    case CUBLASLT_MATRIX_LAYOUT_TYPE: return field(layout.type);
    case CUBLASLT_MATRIX_LAYOUT_ORDER: return field(layout.order);
    case CUBLASLT_MATRIX_LAYOUT_ROWS: return field(layout.rows);
    case CUBLASLT_MATRIX_LAYOUT_COLS: return field(layout.columns);
    case CUBLASLT_MATRIX_LAYOUT_LD: return field(layout.ld);
    case CUBLASLT_MATRIX_LAYOUT_BATCH_COUNT: return field(layout.n_batches);
    case CUBLASLT_MATRIX_LAYOUT_STRIDED_BATCH_OFFSET: return field(layout.batch_stride);
    default: return {};
  }
}

Field find(LtDescription& d, cublasLtMatmulDescAttributes_t which) {
  switch (which) {
    case CUBLASLT_MATMUL_DESC_COMPUTE_TYPE: return field(d.compute);
    case CUBLASLT_MATMUL_DESC_SCALE_TYPE: return field(d.scale_type);
    case CUBLASLT_MATMUL_DESC_POINTER_MODE: return field(d.pointer_mode);
    case CUBLASLT_MATMUL_DESC_TRANSA: return field(d.op_a);
    case CUBLASLT_MATMUL_DESC_TRANSB: return field(d.op_b);
    case CUBLASLT_MATMUL_DESC_TRANSC: return field(d.op_c);
    case CUBLASLT_MATMUL_DESC_FILL_MODE: return field(d.fill);
    case CUBLASLT_MATMUL_DESC_EPILOGUE: return field(d.epilogue);
    case CUBLASLT_MATMUL_DESC_BIAS_POINTER: return field(d.bias);
    case CUBLASLT_MATMUL_DESC_BIAS_BATCH_STRIDE: return field(d.bias_stride);
    case CUBLASLT_MATMUL_DESC_EPILOGUE_AUX_POINTER: return field(d.aux);
    case CUBLASLT_MATMUL_DESC_EPILOGUE_AUX_LD: return field(d.aux_ld);
    case CUBLASLT_MATMUL_DESC_EPILOGUE_AUX_BATCH_STRIDE: return field(d.aux_stride);
    case CUBLASLT_MATMUL_DESC_ALPHA_VECTOR_BATCH_STRIDE: return field(d.alpha_stride);
    case CUBLASLT_MATMUL_DESC_SM_COUNT_TARGET: return field(d.multiprocessors);
    case CUBLASLT_MATMUL_DESC_A_SCALE_POINTER: return field(d.a_scale);
    case CUBLASLT_MATMUL_DESC_B_SCALE_POINTER: return field(d.b_scale);
    case CUBLASLT_MATMUL_DESC_C_SCALE_POINTER: return field(d.c_scale);
    case CUBLASLT_MATMUL_DESC_D_SCALE_POINTER: return field(d.d_scale);
    case CUBLASLT_MATMUL_DESC_AMAX_D_POINTER: return field(d.d_amax);
    case CUBLASLT_MATMUL_DESC_EPILOGUE_AUX_DATA_TYPE: return field(d.aux_type);
    case CUBLASLT_MATMUL_DESC_FAST_ACCUM: return field(d.fast_accumulation);
    case CUBLASLT_MATMUL_DESC_BIAS_DATA_TYPE: return field(d.bias_type);
    default: return {};
  }
}

template <class Descriptor, class Which>
cublasStatus_t set_attribute(Descriptor descriptor, Which which, const void* value, std::size_t bytes) {
  if (descriptor == nullptr || value == nullptr) return CUBLAS_STATUS_INVALID_VALUE;
  const Field field = find(of(descriptor), which);
  if (field.at == nullptr) return CUBLAS_STATUS_NOT_SUPPORTED;
  if (bytes != field.bytes) return CUBLAS_STATUS_INVALID_VALUE;
  std::memcpy(field.at, value, bytes);
  return CUBLAS_STATUS_SUCCESS;
}

template <class Descriptor, class Which>
cublasStatus_t get_attribute(Descriptor descriptor, Which which, void* value, std::size_t bytes, std::size_t* written) {
  if (descriptor == nullptr) return CUBLAS_STATUS_INVALID_VALUE;
  const Field field = find(of(descriptor), which);
  if (field.at == nullptr) return CUBLAS_STATUS_NOT_SUPPORTED;
  if (written != nullptr) *written = field.bytes;
  if (bytes == 0 && written != nullptr) return CUBLAS_STATUS_SUCCESS;
  if (value == nullptr || bytes != field.bytes) return CUBLAS_STATUS_INVALID_VALUE;
  std::memcpy(value, field.at, bytes);
  return CUBLAS_STATUS_SUCCESS;
}

template <class Opaque, class Init>
cublasStatus_t create(Opaque** to, Init init) {
  if (to == nullptr) return CUBLAS_STATUS_INVALID_VALUE;
  *to = new Opaque;
  return init(*to);
}

bool is_lt_handle(cublasLtHandle_t handle) { return is_handle(reinterpret_cast<cublasHandle_t>(handle)); }

}  // namespace
}  // namespace rafter::simt::blas

using namespace rafter::simt::blas;

cublasStatus_t cublasLtCreate(cublasLtHandle_t* handle) {
  return cublasCreate(reinterpret_cast<cublasHandle_t*>(handle));
}
cublasStatus_t cublasLtDestroy(cublasLtHandle_t handle) {
  return cublasDestroy(reinterpret_cast<cublasHandle_t>(handle));
}
size_t cublasLtGetVersion() { return CUBLAS_VERSION; }
size_t cublasLtGetCudartVersion() { return CUDART_VERSION; }
cublasStatus_t cublasLtGetProperty(libraryPropertyType type, int* value) { return cublasGetProperty(type, value); }
const char* cublasLtGetStatusName(cublasStatus_t status) { return cublasGetStatusName(status); }
const char* cublasLtGetStatusString(cublasStatus_t status) { return cublasGetStatusString(status); }

cublasStatus_t cublasLtMatrixLayoutInit_internal(cublasLtMatrixLayout_t layout, size_t size, cudaDataType type,
                                                 uint64_t rows, uint64_t cols, int64_t ld) {
  if (layout == nullptr || size < sizeof(LtLayout)) return CUBLAS_STATUS_INVALID_VALUE;
  std::memset(layout, 0, size);
  of(layout) = {type, CUBLASLT_ORDER_COL, rows, cols, ld, 1, 0};
  return CUBLAS_STATUS_SUCCESS;
}
cublasStatus_t cublasLtMatrixLayoutCreate(cublasLtMatrixLayout_t* layout, cudaDataType type, uint64_t rows,
                                          uint64_t cols, int64_t ld) {
  return create(layout, [&](cublasLtMatrixLayout_t made) {
    return cublasLtMatrixLayoutInit_internal(made, sizeof *made, type, rows, cols, ld);
  });
}
cublasStatus_t cublasLtMatrixLayoutDestroy(cublasLtMatrixLayout_t layout) {
  delete layout;
  return CUBLAS_STATUS_SUCCESS;
}
cublasStatus_t cublasLtMatrixLayoutSetAttribute(cublasLtMatrixLayout_t layout, cublasLtMatrixLayoutAttribute_t which,
                                                const void* value, size_t bytes) {
  return set_attribute(layout, which, value, bytes);
}
cublasStatus_t cublasLtMatrixLayoutGetAttribute(cublasLtMatrixLayout_t layout, cublasLtMatrixLayoutAttribute_t which,
                                                void* value, size_t bytes, size_t* written) {
  return get_attribute(layout, which, value, bytes, written);
}

cublasStatus_t cublasLtMatmulDescInit_internal(cublasLtMatmulDesc_t desc, size_t size, cublasComputeType_t compute,
                                               cudaDataType scale) {
  if (desc == nullptr || size < sizeof(LtDescription)) return CUBLAS_STATUS_INVALID_VALUE;
  std::memset(desc, 0, size);
  LtDescription& made = of(desc);
  made.compute = compute;
  made.scale_type = scale;
  made.fill = CUBLAS_FILL_MODE_FULL;
  made.epilogue = CUBLASLT_EPILOGUE_DEFAULT;
  made.bias_type = made.aux_type = -1;
  return CUBLAS_STATUS_SUCCESS;
}
cublasStatus_t cublasLtMatmulDescCreate(cublasLtMatmulDesc_t* desc, cublasComputeType_t compute, cudaDataType scale) {
  return create(desc, [&](cublasLtMatmulDesc_t made) {
    return cublasLtMatmulDescInit_internal(made, sizeof *made, compute, scale);
  });
}
cublasStatus_t cublasLtMatmulDescDestroy(cublasLtMatmulDesc_t desc) {
  delete desc;
  return CUBLAS_STATUS_SUCCESS;
}
cublasStatus_t cublasLtMatmulDescSetAttribute(cublasLtMatmulDesc_t desc, cublasLtMatmulDescAttributes_t which,
                                              const void* value, size_t bytes) {
  return set_attribute(desc, which, value, bytes);
}
cublasStatus_t cublasLtMatmulDescGetAttribute(cublasLtMatmulDesc_t desc, cublasLtMatmulDescAttributes_t which,
                                              void* value, size_t bytes, size_t* written) {
  return get_attribute(desc, which, value, bytes, written);
}

cublasStatus_t cublasLtMatmulPreferenceInit_internal(cublasLtMatmulPreference_t preference, size_t size) {
  if (preference == nullptr) return CUBLAS_STATUS_INVALID_VALUE;
  std::memset(preference, 0, size);
  return CUBLAS_STATUS_SUCCESS;
}
cublasStatus_t cublasLtMatmulPreferenceCreate(cublasLtMatmulPreference_t* preference) {
  return create(preference, [](cublasLtMatmulPreference_t made) {
    return cublasLtMatmulPreferenceInit_internal(made, sizeof *made);
  });
}
cublasStatus_t cublasLtMatmulPreferenceDestroy(cublasLtMatmulPreference_t preference) {
  delete preference;
  return CUBLAS_STATUS_SUCCESS;
}
// Preferences choose among algorithms, of which there is one.
cublasStatus_t cublasLtMatmulPreferenceSetAttribute(cublasLtMatmulPreference_t preference,
                                                    cublasLtMatmulPreferenceAttributes_t, const void* value, size_t) {
  return preference == nullptr || value == nullptr ? CUBLAS_STATUS_INVALID_VALUE : CUBLAS_STATUS_SUCCESS;
}

cublasStatus_t cublasLtMatmulAlgoGetHeuristic(cublasLtHandle_t handle, cublasLtMatmulDesc_t desc,
                                              cublasLtMatrixLayout_t a, cublasLtMatrixLayout_t b,
                                              cublasLtMatrixLayout_t c, cublasLtMatrixLayout_t d,
                                              cublasLtMatmulPreference_t, int wanted,
                                              cublasLtMatmulHeuristicResult_t results[], int* found) {
  if (!is_lt_handle(handle)) return CUBLAS_STATUS_NOT_INITIALIZED;
  if (desc == nullptr || a == nullptr || b == nullptr || c == nullptr || d == nullptr || wanted <= 0 ||
      results == nullptr || found == nullptr)
    return CUBLAS_STATUS_INVALID_VALUE;
  *found = 0;
  LtMatmul matmul{of(desc), nullptr, nullptr, nullptr, nullptr, of(a), of(b), of(c), of(d)};
  // Heuristics are often asked before the pointers are set.
  static std::byte any;
  if (matmul.description.bias == nullptr) matmul.description.bias = &any;
  if (matmul.description.aux == nullptr) matmul.description.aux = &any;
  if (const cublasStatus_t status = matmul.validate(); status != CUBLAS_STATUS_SUCCESS) return status;
  results[0] = {};
  results[0].state = CUBLAS_STATUS_SUCCESS;
  results[0].wavesCount = 1;
  *found = 1;
  return CUBLAS_STATUS_SUCCESS;
}

cublasStatus_t cublasLtMatmul(cublasLtHandle_t handle, cublasLtMatmulDesc_t desc, const void* alpha, const void* a,
                              cublasLtMatrixLayout_t a_layout, const void* b, cublasLtMatrixLayout_t b_layout,
                              const void* beta, const void* c, cublasLtMatrixLayout_t c_layout, void* d,
                              cublasLtMatrixLayout_t d_layout, const cublasLtMatmulAlgo_t*, void*, size_t,
                              cudaStream_t stream) {
  if (!is_lt_handle(handle)) return CUBLAS_STATUS_NOT_INITIALIZED;
  if (rafter_simt_library_error() != 0) return CUBLAS_STATUS_EXECUTION_FAILED;
  if (desc == nullptr || a_layout == nullptr || b_layout == nullptr || c_layout == nullptr || d_layout == nullptr)
    return CUBLAS_STATUS_INVALID_VALUE;
  LtMatmul matmul{of(desc), a, b, c, d, of(a_layout), of(b_layout), of(c_layout), of(d_layout)};
  if (const cublasStatus_t status = matmul.validate(); status != CUBLAS_STATUS_SUCCESS) return status;
  const Call call{"cublasLtMatmul", __builtin_return_address(0), stream,
                  matmul.description.pointer_mode == CUBLASLT_POINTER_MODE_DEVICE};
  const cudaDataType scale = matmul.description.scale_type;
  if (bytes_of(scale) == 0) return CUBLAS_STATUS_NOT_SUPPORTED;
  const auto by = any_scalar(call, "alpha", scale, alpha), old = any_scalar(call, "beta", scale, beta);
  if (!by || !old) return CUBLAS_STATUS_INVALID_VALUE;
  matmul.alpha = *by;
  matmul.beta = *old;
  if (matmul.d_layout.rows == 0 || matmul.d_layout.columns == 0) return CUBLAS_STATUS_SUCCESS;
  return enqueue(
      call, [matmul] { matmul.list(); }, [matmul] { matmul.run(); });
}
