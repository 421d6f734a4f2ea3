// The frame of cuBLAS's calls: handles, scalars on the host or the device, the operands that checkers see, and the work
// on the handle's stream.
#pragma once

#include <optional>
#include <utility>

#include "executor/libraries/blas/numbers.hpp"
#include "executor/libraries/work.hpp"
#include "rafter_simt/blas/types.hpp"

struct cublasContext {
  cudaStream_t stream = nullptr;
  cublasPointerMode_t pointer_mode = CUBLAS_POINTER_MODE_HOST;
  cublasAtomicsMode_t atomics_mode = CUBLAS_ATOMICS_NOT_ALLOWED;
  cublasMath_t math_mode = CUBLAS_DEFAULT_MATH;
  int multiprocessors = 0;
};

namespace rafter::simt::blas {

/// Whether cublasCreate returned the handle and it was not destroyed.
bool is_handle(cublasHandle_t handle);

/// A call on a valid handle.
struct Call {
  const char* name;
  const void* place;  // in the program
  cudaStream_t stream;
  bool scalars_on_device;
};

/// Runs body(call) with a valid handle.
template <class Body>
cublasStatus_t on_handle(cublasHandle_t handle, const char* name, const void* place, Body&& body) {
  if (!is_handle(handle)) return CUBLAS_STATUS_NOT_INITIALIZED;
  if (rafter_simt_library_error() != 0) return CUBLAS_STATUS_EXECUTION_FAILED;
  return body(Call{name, place, handle->stream, handle->pointer_mode == CUBLAS_POINTER_MODE_DEVICE});
}

enum class Use { reads, writes, updates };

/// Lists rows of memory as an operand. Returns whether they can be accessed.
bool list_rows(const char* name, const void* start, std::size_t row_bytes, Int n_rows, std::ptrdiff_t stride, Use use);

/// A vector of n elements, `increment` apart. With a negative increment the first one has the highest address.
template <class T>
struct Vector {
  T* start;
  Int n, increment;

  Int first() const { return increment < 0 ? (1 - n) * increment : 0; }
  T& operator[](Int i) const { return start[first() + i * increment]; }
  bool list(const char* name, Use use) const {
    const auto bytes = static_cast<std::ptrdiff_t>(sizeof(T));
    return list_rows(name, n > 0 ? start + first() : start, sizeof(T), n, increment * bytes, use);
  }
};

/// A matrix of `rows` x `columns` elements in column-major order.
template <class T>
struct Matrix {
  T* start;
  Int rows, columns, ld;

  T& operator()(Int i, Int j) const { return start[i + j * ld]; }
  bool list(const char* name, Use use) const {
    if (rows <= 0 || columns <= 0) return true;
    const auto bytes = static_cast<std::ptrdiff_t>(sizeof(T));
    return list_rows(name, start, static_cast<std::size_t>(rows) * sizeof(T), columns, ld * bytes, use);
  }
};

/// A scalar parameter: its value, or its address in device memory, where it is read when the work is performed.
template <class T>
struct Scalar {
  T value{};
  const T* device = nullptr;

  bool list(const char* name) const {
    return device == nullptr || list_rows(name, device, sizeof(T), 1, sizeof(T), Use::reads);
  }
  T get() const { return device != nullptr ? *device : value; }
};

/// Returns a scalar parameter, or nothing if the pointer is null.
template <class T>
std::optional<Scalar<T>> scalar(const Call& call, const char* name, const T* at) {
  if (at == nullptr) return std::nullopt;
  if (call.scalars_on_device) return Scalar<T>{{}, at};
  rafter_simt_library_scalar(call.name, name, at, call.place);
  return Scalar<T>{*at, nullptr};
}

/// A result that is one number. The host waits for it, unless it is in device memory.
template <class T>
struct Result {
  T* at;
  bool on_device;

  Result(const Call& call, T* to) : at(to), on_device(call.scalars_on_device) {
    if (to != nullptr && !on_device) rafter_simt_library_scalar(call.name, "result", to, call.place);
  }
  bool list() const { return !on_device || list_rows("result", at, sizeof(T), 1, sizeof(T), Use::writes); }
  bool host_waits() const { return !on_device; }
};

cublasStatus_t status_of(int error);

/// Performs work on the call's stream (perform_work).
template <class List, class Run>
cublasStatus_t enqueue(const Call& call, List list, Run run, bool host_waits = false) {
  return status_of(perform_work({call.name, call.place, call.stream, host_waits}, std::move(list), std::move(run)));
}

inline bool is_valid(cublasOperation_t op) { return op >= CUBLAS_OP_N && op <= CUBLAS_OP_C; }
inline bool is_valid(cublasFillMode_t uplo) { return uplo == CUBLAS_FILL_MODE_LOWER || uplo == CUBLAS_FILL_MODE_UPPER; }
inline bool is_valid(cublasDiagType_t diag) { return diag == CUBLAS_DIAG_NON_UNIT || diag == CUBLAS_DIAG_UNIT; }
inline bool is_valid(cublasSideMode_t side) { return side == CUBLAS_SIDE_LEFT || side == CUBLAS_SIDE_RIGHT; }
/// Whether a leading dimension suffices for columns of so many elements.
inline bool fits(Int ld, Int rows) { return ld >= (rows > 1 ? rows : 1); }

/// Whether op(A) is A^T or A^H, and whether it conjugates.
inline bool transposes(cublasOperation_t op) { return op != CUBLAS_OP_N; }
inline bool conjugates(cublasOperation_t op) { return op == CUBLAS_OP_C; }

}  // namespace rafter::simt::blas
