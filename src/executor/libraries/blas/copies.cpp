// cuBLAS's copies of vectors and matrices between host and device.
#include "executor/libraries/blas/numbers.hpp"
#include "rafter_simt/blas/functions.hpp"
#include "rafter_simt/library_abi.hpp"

namespace rafter::simt::blas {
namespace {

/// The direction of a copying call, its stream, and its place in the program.
struct Copying {
  const char* name;
  const void* place;
  cudaMemcpyKind kind;
  bool is_asynchronous = false;
  cudaStream_t stream = nullptr;
};

cublasStatus_t copy_rows(const Copying& as, Int row_bytes, Int n_rows, const void* from, Int from_pitch, void* to,
                         Int to_pitch) {
  if (row_bytes == 0 || n_rows == 0) return CUBLAS_STATUS_SUCCESS;
  const rafter_simt::LibraryCopy copy{as.name,
                                      as.stream,
                                      as.place,
                                      as.is_asynchronous,
                                      to,
                                      static_cast<std::size_t>(to_pitch),
                                      from,
                                      static_cast<std::size_t>(from_pitch),
                                      static_cast<std::size_t>(row_bytes),
                                      static_cast<std::size_t>(n_rows),
                                      as.kind};
  return rafter_simt_library_copy(&copy) == 0 ? CUBLAS_STATUS_SUCCESS : CUBLAS_STATUS_MAPPING_ERROR;
}

cublasStatus_t copy_vector(const Copying& as, Int n, Int bytes, const void* x, Int incx, void* y, Int incy) {
  if (n < 0 || bytes <= 0 || incx <= 0 || incy <= 0) return CUBLAS_STATUS_INVALID_VALUE;
  if (incx == 1 && incy == 1) return copy_rows(as, n * bytes, n > 0 ? 1 : 0, x, n * bytes, y, n * bytes);
  return copy_rows(as, bytes, n, x, incx * bytes, y, incy * bytes);
}

cublasStatus_t copy_matrix(const Copying& as, Int rows, Int columns, Int bytes, const void* a, Int lda, void* b,
                           Int ldb) {
  if (rows < 0 || columns < 0 || bytes <= 0 || lda < rows || ldb < rows || lda <= 0 || ldb <= 0)
    return CUBLAS_STATUS_INVALID_VALUE;
  return copy_rows(as, rows * bytes, columns, a, lda * bytes, b, ldb * bytes);
}

}  // namespace
}  // namespace rafter::simt::blas

using namespace rafter::simt::blas;

#define PLACE __builtin_return_address(0)
#define RAFTER_BLAS_COPIES(WAY, KIND, I, SUFFIX)                                                                       \
  cublasStatus_t cublas##WAY##Vector##SUFFIX(I n, I bytes, const void* x, I incx, void* y, I incy) {                   \
    return copy_vector({"cublas" #WAY "Vector" #SUFFIX, PLACE, KIND}, n, bytes, x, incx, y, incy);                     \
  }                                                                                                                    \
  cublasStatus_t cublas##WAY##Matrix##SUFFIX(I rows, I columns, I bytes, const void* a, I lda, void* b, I ldb) {       \
    return copy_matrix({"cublas" #WAY "Matrix" #SUFFIX, PLACE, KIND}, rows, columns, bytes, a, lda, b, ldb);           \
  }                                                                                                                    \
  cublasStatus_t cublas##WAY##VectorAsync##SUFFIX(I n, I bytes, const void* x, I incx, void* y, I incy,                \
                                                  cudaStream_t stream) {                                               \
    return copy_vector({"cublas" #WAY "VectorAsync" #SUFFIX, PLACE, KIND, true, stream}, n, bytes, x, incx, y, incy);  \
  }                                                                                                                    \
  cublasStatus_t cublas##WAY##MatrixAsync##SUFFIX(I rows, I columns, I bytes, const void* a, I lda, void* b, I ldb,    \
                                                  cudaStream_t stream) {                                               \
    return copy_matrix({"cublas" #WAY "MatrixAsync" #SUFFIX, PLACE, KIND, true, stream}, rows, columns, bytes, a, lda, \
                       b, ldb);                                                                                        \
  }
RAFTER_BLAS_COPIES(Set, cudaMemcpyHostToDevice, int, )
RAFTER_BLAS_COPIES(Get, cudaMemcpyDeviceToHost, int, )
RAFTER_BLAS_COPIES(Set, cudaMemcpyHostToDevice, std::int64_t, _64)
RAFTER_BLAS_COPIES(Get, cudaMemcpyDeviceToHost, std::int64_t, _64)
