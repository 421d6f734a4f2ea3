// The state of a stream between ops: its scratch and its tickets.
//
// Why sharing them is safe:
//   - The memory of a state is used only by work on its stream, or by graphs captured from it. Work on a stream is
//     ordered, so the next op finds the memory free and the tickets zero without waiting.
//   - An op holds its stream (OpScope) from its first request for memory to its last launch. So launches of two
//   threads'
//     ops on one stream do not mix, and memory given to an op is not freed before the op has enqueued its use.
//   - Blocks are allocated and freed in stream order: an outgrown block is reused only after its last use.
//   - Growth never frees scratch that a capture has used, because a graph holds its address. It stays until the state
//   is
//     released. Tickets never move.
//   - A state belongs to a stream's id, which CUDA never reuses, not to its handle, which CUDA does reuse. So a new
//   stream
//     never gets the memory of a destroyed one, whose work may still be running. During a capture CUDA does not report
//     the id, and the handle's last known id is used.
#pragma once

#include <atomic>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <mutex>
#include <thread>
#include <vector>

#include "library/core/stream/backend.hpp"
#include "library/core/stream/op_scope.hpp"
#include "library/core/stream/stream_registry.hpp"
#include "rafter/memory_resource.hpp"
#include "rafter/stream.hpp"

namespace rafter::core {

/// Gives the library a stream's state.
struct StreamAccess {
  static StreamState& state(const Stream& stream) noexcept { return *stream.state_; }
};

class StreamState {
 public:
  enum class Ownership { borrowed, owned };

  /// Queries the device and allocates nothing. An owned handle is destroyed with the state.
  StreamState(Backend& backend, int ordinal, CUstream_st* handle, Ownership ownership);
  ~StreamState();
  StreamState(const StreamState&) = delete;
  StreamState& operator=(const StreamState&) = delete;

  /// Returns the state of an existing stream: one per id, created on first use and kept until released.
  static std::shared_ptr<StreamState> of(Backend& backend, int ordinal, CUstream_st* handle);
  /// Creates a stream on the device; of() finds its state, too.
  static std::shared_ptr<StreamState> create(Backend& backend, int ordinal);

  Backend& backend() const noexcept { return backend_; }
  int ordinal() const noexcept { return ordinal_; }
  CUstream_st* handle() const noexcept { return handle_; }
  int n_multiprocessors() const noexcept { return n_multiprocessors_; }

  /// The resource of the host program that the stream uses: its own, else the device's. Null if there is none.
  std::shared_ptr<MemoryResource> program_resource();
  void set_memory_resource(std::shared_ptr<MemoryResource> resource);

  void synchronize();
  void reserve(std::int64_t bytes);
  void release();
  std::int64_t scratch_bytes() const;
  std::int64_t scratch_limit();     ///< the most an op may request now
  std::int64_t reservable_bytes();  ///< the most any op of the library may request
  std::byte* scratch(std::int64_t bytes);
  unsigned* tickets();

  int n_threads = 1;
  std::atomic<PointerCheck> pointer_check = PointerCheck::off;

 private:
  friend class OpScope;

  StreamKey key() const noexcept;

  struct Block {
    void* data = nullptr;
    std::int64_t bytes = 0;
    std::shared_ptr<MemoryResource> from;
    bool is_captured = false;
  };

  void require_own_thread() const;
  void require_can_allocate(std::int64_t bytes, std::int64_t present) const;
  Block allocate(std::int64_t bytes);
  void free(Block& block) noexcept;
  void free_all() noexcept;
  void grow(std::int64_t bytes);
  void take_tickets();

  Backend& backend_;
  const int ordinal_;
  CUstream_st* const handle_;
  const Ownership ownership_;
  const std::uint64_t id_;
  const std::thread::id
      thread_;  // the only thread that may use the state, if the handle means a different stream in each thread
  int n_multiprocessors_ = 0;

  mutable std::recursive_mutex mutex_;  // protects all members below
  bool is_released_ = false;
  std::int64_t reservable_bytes_ = 0;         // 0: not queried yet
  std::shared_ptr<MemoryResource> resource_;  // the stream's own
  Block scratch_;
  Block tickets_;
  std::vector<Block> outgrown_;  // graphs may still use them
};

}  // namespace rafter::core
