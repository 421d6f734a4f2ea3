// Error names and descriptions, the last error and the sticky error.
#include "executor/api/error_state.hpp"
#include "rafter_simt/api/functions.hpp"

namespace rafter::simt {
namespace {

thread_local cudaError_t last_error = cudaSuccess;
thread_local cudaError_t latest = cudaSuccess;  // result of the latest call

struct ErrorText {
  const char* name;
  const char* text;
};

ErrorText describe(cudaError_t error) {
  switch (static_cast<int>(error)) {
#define RAFTER_SIMT_ERROR(number, name, text) \
  case number:                                \
    return {#name, text};
#include "rafter_simt/api/errors.def"
#undef RAFTER_SIMT_ERROR
    default: return {"unrecognized error code", "unrecognized error code"};
  }
}

}  // namespace

cudaError_t ErrorState::report(cudaError_t error) {
  latest = cudaSuccess;  // the sticky error was reported before
  if (const cudaError_t lost = sticky(); lost != cudaSuccess) return lost;
  latest = error;
  if (error != cudaSuccess) last_error = error;
  return error;
}

cudaError_t ErrorState::poison(cudaError_t error) {
  cudaError_t none = cudaSuccess;
  sticky_.compare_exchange_strong(none, error, std::memory_order_acq_rel);
  return sticky();
}

cudaError_t ErrorState::last() {
  {
    const std::lock_guard lock(mutex_);
    ignored_.erase(std::this_thread::get_id());
  }
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

void ErrorState::ignore(const void* place) {
  // These only say that the requested state was already set.
  const bool is_harmless = latest == cudaSuccess || latest == cudaErrorNotReady ||
                           latest == cudaErrorPeerAccessAlreadyEnabled || latest == cudaErrorPeerAccessNotEnabled ||
                           latest == cudaErrorHostMemoryAlreadyRegistered;
  if (!is_harmless) {
    const std::lock_guard lock(mutex_);
    ignored_[std::this_thread::get_id()].push_back({latest, place});
  }
  latest = cudaSuccess;
}

std::vector<ErrorState::Ignored> ErrorState::ignored() const {
  const std::lock_guard lock(mutex_);
  std::vector<Ignored> all;
  for (const auto& [thread, errors] : ignored_) all.insert(all.end(), errors.begin(), errors.end());
  return all;
}

ErrorState& errors() {
  static ErrorState& state = *new ErrorState;  // used after the program's static objects are destroyed
  return state;
}

}  // namespace rafter::simt

const char* cudaGetErrorName(cudaError_t error) { return rafter::simt::describe(error).name; }
const char* cudaGetErrorString(cudaError_t error) { return rafter::simt::describe(error).text; }
cudaError_t cudaGetLastError() { return rafter::simt::errors().take_last(); }
cudaError_t cudaPeekAtLastError() { return rafter::simt::errors().last(); }

extern "C" __attribute__((visibility("default"))) void rafter_simt_ignored() {
  rafter::simt::errors().ignore(__builtin_return_address(0));
}
