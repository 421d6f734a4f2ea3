#include "library/core/stream/stream_state.hpp"

#include <algorithm>
#include <string>
#include <utility>

#include "library/core/stream/scratch.hpp"
#include "rafter/error.hpp"

namespace rafter::core {

namespace {

constexpr std::int64_t ticket_bytes = n_tickets * std::int64_t{sizeof(unsigned)};

int checked_ordinal(const Backend& backend, int ordinal) {
  const int n = backend.n_ordinals();
  if (ordinal >= 0 && ordinal < n) return ordinal;
  throw Error(ErrorCode::bad_argument,
              "Stream: no device has the ordinal " + std::to_string(ordinal) + "; valid ordinals are 0 to " +
                  std::to_string(n - 1),
              "Stream", "ordinal");
}

std::uint64_t id_on(Backend& backend, int ordinal, CUstream_st* handle) {
  const DeviceGuard device(backend, ordinal);  // default streams have the same handle on all devices
  return backend.stream_id(handle);
}

int ordinal_wanted(const Backend& backend, int ordinal) {
  return ordinal == Stream::current_ordinal ? backend.current_ordinal() : checked_ordinal(backend, ordinal);
}

}  // namespace

DeviceGuard::DeviceGuard(Backend& backend, int ordinal)
    : backend_(backend), ordinal_(ordinal), before_(backend.current_ordinal()) {
  if (before_ != ordinal_) backend_.make_current(ordinal_);
}

DeviceGuard::~DeviceGuard() {
  if (before_ == ordinal_) return;
  try {
    backend_.make_current(before_);
  } catch (const Error&) {  // it was current before: only a lost device fails, and every later call reports that
  }
}

OpScope::OpScope(const Stream& stream) : OpScope(*stream.state_) {}

OpScope::OpScope(StreamState& state) : lock_(state.mutex_), device_(state.backend_, state.ordinal_) {
  state.require_own_thread();
}

StreamState::StreamState(Backend& backend, int ordinal, CUstream_st* handle, Ownership ownership)
    : backend_(backend),
      ordinal_(ordinal),
      handle_(handle),
      ownership_(ownership),
      id_(id_on(backend, ordinal, handle)),
      thread_(backend.is_per_thread(handle) ? std::this_thread::get_id() : std::thread::id()) {
  const DeviceGuard device(backend_, ordinal_);
  n_multiprocessors_ = backend_.n_multiprocessors();
}

StreamState::~StreamState() {
  if (ownership_ == Ownership::owned) stream_registry().forget(key(), this);  // before the handle can be reused
  free_all();
  if (ownership_ == Ownership::owned) backend_.destroy_stream(handle_);
}

std::shared_ptr<StreamState> StreamState::of(Backend& backend, int ordinal, CUstream_st* handle) {
  ordinal = ordinal_wanted(backend, ordinal);
  return stream_registry().find_or_add({&backend, ordinal, id_on(backend, ordinal, handle)}, [&] {
    return std::make_shared<StreamState>(backend, ordinal, handle, Ownership::borrowed);
  });
}

std::shared_ptr<StreamState> StreamState::create(Backend& backend, int ordinal) {
  ordinal = ordinal_wanted(backend, ordinal);
  const DeviceGuard device(backend, ordinal);
  CUstream_st* handle = backend.create_stream();
  std::shared_ptr<StreamState> state;
  try {
    state = std::make_shared<StreamState>(backend, ordinal, handle, Ownership::owned);
  } catch (...) {
    backend.destroy_stream(handle);
    throw;
  }
  if (handle != nullptr)
    stream_registry().add(state->key(), state);  // else the device has no handles and is not looked up
  return state;
}

StreamKey StreamState::key() const noexcept { return {&backend_, ordinal_, id_}; }

std::shared_ptr<MemoryResource> StreamState::program_resource() {
  const std::lock_guard lock(mutex_);
  return resource_ != nullptr ? resource_ : backend_.program_resource();
}

void StreamState::set_memory_resource(std::shared_ptr<MemoryResource> resource) {
  const std::lock_guard lock(mutex_);
  std::swap(resource_, resource);
}

void StreamState::synchronize() {
  require_own_thread();
  const DeviceGuard device(backend_, ordinal_);
  backend_.synchronize(handle_);  // not under the lock: other threads may keep enqueueing
}

void StreamState::reserve(std::int64_t bytes) {
  const OpScope scope(*this);
  if (tickets_.data == nullptr) take_tickets();
  if (bytes <= scratch_.bytes) return;
  require_can_allocate(bytes, scratch_.bytes);
  grow(bytes);
}

void StreamState::release() {
  const OpScope scope(*this);
  if (is_released_) return;
  if (backend_.is_capturing(handle_)) {
    throw Error(ErrorCode::bad_argument, "Stream::release: the stream is being captured; release it after the capture",
                "Stream::release");
  }
  is_released_ = true;
  free_all();
  stream_registry().forget(key(), this);
}

std::int64_t StreamState::scratch_bytes() const {
  const std::lock_guard lock(mutex_);
  return scratch_.bytes;
}

std::int64_t StreamState::scratch_limit() {
  const OpScope scope(*this);
  return backend_.is_capturing(handle_) ? scratch_.bytes : std::max(scratch_.bytes, reservable_bytes());
}

std::int64_t StreamState::reservable_bytes() {
  const OpScope scope(*this);
  if (reservable_bytes_ == 0) reservable_bytes_ = backend_.scratch_limit();
  return reservable_bytes_;
}

std::byte* StreamState::scratch(std::int64_t bytes) {
  const OpScope scope(*this);
  if (bytes > scratch_.bytes) {
    require_can_allocate(bytes, scratch_.bytes);
    const std::int64_t doubled = std::min(2 * scratch_.bytes, reservable_bytes());  // to grow rarely
    grow(std::max({bytes, doubled, backend_.first_scratch_bytes(bytes)}));
  } else if (bytes > 0 && backend_.is_capturing(handle_)) {
    scratch_.is_captured = true;
  }
  return static_cast<std::byte*>(scratch_.data);
}

unsigned* StreamState::tickets() {
  const OpScope scope(*this);
  if (tickets_.data == nullptr) take_tickets();
  return static_cast<unsigned*>(tickets_.data);
}

void StreamState::require_own_thread() const {
  if (thread_ == std::thread::id() || thread_ == std::this_thread::get_id()) return;
  throw Error(
      ErrorCode::bad_argument,
      "Stream: cudaStreamPerThread is a different stream in each thread, and this Stream was created in another one; "
      "create one here with Stream::cuda(cudaStreamPerThread)",
      {}, "stream");
}

/// Throws unless scratch can be allocated now.
void StreamState::require_can_allocate(std::int64_t bytes, std::int64_t present) const {
  if (is_released_) {
    throw Error(ErrorCode::bad_argument,
                "Stream: it was released and cannot allocate scratch; create a new Stream from its handle", {},
                "stream");
  }
  if (!backend_.is_capturing(handle_)) return;
  throw Error(ErrorCode::out_of_memory, "this op needs " + std::to_string(bytes) +
                                            " bytes of scratch, the stream has " + std::to_string(present) +
                                            " and is being captured: call Stream::reserve before the capture");
}

StreamState::Block StreamState::allocate(std::int64_t bytes) {
  Block block{.data = nullptr, .bytes = bytes, .from = program_resource()};
  if (block.from == nullptr) block.from = backend_.own_memory_resource();
  block.data = block.from->allocate(bytes, handle_);
  if (block.data != nullptr) return block;
  throw Error(ErrorCode::out_of_memory, "the memory resource returned null for " + std::to_string(bytes) +
                                            " bytes of scratch; it must return memory or throw");
}

void StreamState::free(Block& block) noexcept {
  if (block.data != nullptr) block.from->deallocate(block.data, block.bytes, handle_);
  block = {};
}

void StreamState::free_all() noexcept {
  try {
    const DeviceGuard device(backend_, ordinal_);
    for (Block& block : outgrown_) free(block);
    outgrown_.clear();
    free(scratch_);
    free(tickets_);
  } catch (const Error&) {  // the device is lost, and its memory with it
  }
}

/// Allocates the larger block first: if that fails, the stream is unchanged.
void StreamState::grow(std::int64_t bytes) {
  outgrown_.reserve(outgrown_.size() + 1);
  Block larger = allocate(bytes);
  if (scratch_.is_captured) {
    outgrown_.push_back(std::move(scratch_));
  } else {
    free(scratch_);
  }
  scratch_ = std::move(larger);
}

void StreamState::take_tickets() {
  require_can_allocate(ticket_bytes, tickets_.bytes);
  Block block = allocate(ticket_bytes);
  try {
    backend_.fill_bytes(handle_, block.data, 0, ticket_bytes);
  } catch (...) {
    free(block);
    throw;
  }
  tickets_ = std::move(block);
}

}  // namespace rafter::core
