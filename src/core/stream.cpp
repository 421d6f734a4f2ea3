#include "rafter/stream.hpp"

#include <omp.h>

#include <algorithm>
#include <string>

#include "core/backend.hpp"
#include "rafter/error.hpp"

namespace rafter {

namespace {
constexpr std::int64_t ticket_bytes = Stream::n_tickets * std::int64_t{sizeof(unsigned)};
}  // namespace

struct Stream::State {
  Device device;
  CUstream_st* handle = nullptr;
  bool owns_handle = false;
  int n_threads = 1;
  int n_multiprocessors = 0;
  core::Backend& backend = core::backend(device);
  std::int64_t scratch_bytes = backend.scratch_bytes();
  void* scratch = nullptr;
  void* tickets = nullptr;

  enum class Handle { borrowed, owned };

  explicit State(Device of_device, CUstream_st* stream = nullptr, Handle kind = Handle::borrowed)
      : device(of_device), handle(stream), owns_handle(kind == Handle::owned) {
    try {
      n_multiprocessors = backend.n_multiprocessors();
      scratch = backend.allocate(scratch_bytes);
      tickets = backend.allocate(ticket_bytes);
      backend.fill_bytes(handle, tickets, 0, ticket_bytes);
    } catch (...) {
      release();
      throw;
    }
  }
  ~State() { release(); }
  State(const State&) = delete;
  State& operator=(const State&) = delete;

  void release() noexcept {
    backend.deallocate(tickets);
    backend.deallocate(scratch);
    if (owns_handle) backend.destroy_stream(handle);
  }
};

Stream Stream::cpu(int n_threads) {
  if (n_threads < 0) {
    throw Error(ErrorCode::bad_argument, "Stream::cpu: n_threads must be 0 or more, got " + std::to_string(n_threads));
  }
  auto state = std::make_shared<State>(Device::cpu);
  state->n_threads = n_threads > 0 ? n_threads : omp_get_max_threads();
  return Stream(std::move(state));
}

Stream Stream::cuda(CUstream_st* stream) { return Stream(std::make_shared<State>(Device::cuda, stream)); }

Stream Stream::on(Device device) {
  if (device == Device::cpu) return cpu();
  return Stream(std::make_shared<State>(device, core::backend(device).create_stream(), State::Handle::owned));
}

Device Stream::device() const noexcept { return state_->device; }
int Stream::n_threads() const noexcept { return state_->n_threads; }
int Stream::n_multiprocessors() const noexcept { return state_->n_multiprocessors; }
CUstream_st* Stream::handle() const noexcept { return state_->handle; }
void Stream::synchronize() const { state_->backend.synchronize(state_->handle); }

void Stream::reserve(std::int64_t bytes) const {
  State& state = *state_;
  if (bytes <= state.scratch_bytes) return;
  if (state.backend.is_capturing(state.handle)) {
    throw Error(ErrorCode::bad_argument, "this needs " + std::to_string(bytes) + " bytes of scratch, the stream has " +
                                             std::to_string(state.scratch_bytes) +
                                             " and is being captured: call Stream::reserve before the capture");
  }
  state.backend.synchronize(state.handle);
  void* larger = state.backend.allocate(bytes);
  state.backend.deallocate(state.scratch);
  state.scratch = larger;
  state.scratch_bytes = bytes;
}

std::int64_t Stream::scratch_bytes() const noexcept { return state_->scratch_bytes; }

std::byte* Stream::scratch(std::int64_t bytes) const {
  reserve(bytes);
  return static_cast<std::byte*>(state_->scratch);
}

unsigned* Stream::tickets() const noexcept { return static_cast<unsigned*>(state_->tickets); }

}  // namespace rafter
