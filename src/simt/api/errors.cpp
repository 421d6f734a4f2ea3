// Errors: their names and texts, the last one and the sticky one.
#include "rafter_simt/api_functions.hpp"
#include "simt/api/error_state.hpp"

namespace rafter::simt {
namespace {

thread_local cudaError_t last_error = cudaSuccess;

struct ErrorText {
  const char* name;
  const char* text;
};

ErrorText describe(cudaError_t error) {
  switch (static_cast<int>(error)) {
#define RAFTER_SIMT_ERROR(number, name, text) \
  case number:                                \
    return {#name, text};
#include "rafter_simt/api_errors.def"
#undef RAFTER_SIMT_ERROR
    default: return {"unrecognized error code", "unrecognized error code"};
  }
}

}  // namespace

cudaError_t ErrorState::report(cudaError_t error) {
  if (const cudaError_t lost = sticky(); lost != cudaSuccess) return lost;
  if (error != cudaSuccess) last_error = error;
  return error;
}

cudaError_t ErrorState::poison(cudaError_t error) {
  cudaError_t none = cudaSuccess;
  sticky_.compare_exchange_strong(none, error, std::memory_order_acq_rel);
  return sticky();
}

cudaError_t ErrorState::last() const {
  const cudaError_t lost = sticky();
  return lost != cudaSuccess ? lost : last_error;
}

cudaError_t ErrorState::take_last() {
  const cudaError_t error = last();
  last_error = cudaSuccess;
  return error;
}

void ErrorState::reset() {
  sticky_.store(cudaSuccess, std::memory_order_release);
  last_error = cudaSuccess;
}

ErrorState& errors() {
  static ErrorState state;
  return state;
}

}  // namespace rafter::simt

const char* cudaGetErrorName(cudaError_t error) { return rafter::simt::describe(error).name; }
const char* cudaGetErrorString(cudaError_t error) { return rafter::simt::describe(error).text; }
cudaError_t cudaGetLastError() { return rafter::simt::errors().take_last(); }
cudaError_t cudaPeekAtLastError() { return rafter::simt::errors().last(); }
