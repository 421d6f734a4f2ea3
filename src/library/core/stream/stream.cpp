#include "rafter/stream.hpp"

#include <string>
#include <utility>

#include "library/core/cpu/threads.hpp"
#include "library/core/stream/scratch.hpp"
#include "library/core/stream/stream_state.hpp"
#include "rafter/error.hpp"

namespace rafter {

CpuStream Stream::cpu(int n_threads) {
  if (n_threads < 0) {
    throw Error(ErrorCode::bad_argument, "Stream::cpu: n_threads must be 0 or more, is " + std::to_string(n_threads),
                "Stream::cpu", "n_threads");
  }
  Stream stream = on(Device::cpu);
  if (n_threads > 0) stream.state_->n_threads = n_threads;
  return CpuStream(stream);
}

Stream Stream::cuda(CUstream_st* stream, int ordinal) {
  return Stream(core::StreamState::of(core::backend(Device::cuda), ordinal, stream));
}

Stream Stream::on(Device device, int ordinal) {
  auto state = core::StreamState::create(core::backend(device), ordinal);
  if (device == Device::cpu) state->n_threads = core::default_threads();
  return Stream(std::move(state));
}

Device Stream::device() const noexcept { return state_->backend().device(); }
int Stream::ordinal() const noexcept { return state_->ordinal(); }
int Stream::n_threads() const noexcept { return state_->n_threads; }
int Stream::n_multiprocessors() const noexcept { return state_->n_multiprocessors(); }
CUstream_st* Stream::handle() const noexcept { return state_->handle(); }
void Stream::set_memory_resource(std::shared_ptr<MemoryResource> resource) const {
  state_->set_memory_resource(std::move(resource));
}
void Stream::check_pointers(PointerCheck check) const noexcept { state_->pointer_check = check; }
PointerCheck Stream::pointer_check() const noexcept { return state_->pointer_check.load(std::memory_order_relaxed); }
void Stream::synchronize() const { state_->synchronize(); }
void Stream::reserve(std::int64_t bytes) const { state_->reserve(bytes); }
void Stream::reserve() const { state_->reserve(state_->reservable_bytes()); }
void Stream::release() const { state_->release(); }
std::int64_t Stream::scratch_bytes() const { return state_->scratch_bytes(); }

}  // namespace rafter

namespace rafter::core {

std::int64_t scratch_limit(const Stream& stream) { return StreamAccess::state(stream).scratch_limit(); }
std::byte* scratch(const Stream& stream, std::int64_t bytes) { return StreamAccess::state(stream).scratch(bytes); }
unsigned* tickets(const Stream& stream) { return StreamAccess::state(stream).tickets(); }

}  // namespace rafter::core
