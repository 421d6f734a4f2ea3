// What a stream keeps between ops: its scratch and its tickets.
//
// Why sharing them is safe, in one list:
// - Memory of a state is used only by work on its stream, or by graphs captured from it. Work on a stream is ordered:
//   the next op finds the memory free and the tickets zero without waiting.
// - An op holds its stream (OpScope) from its first question for memory to its last launch. So launches of two threads'
//   ops on one stream do not mix, and memory that an op was given is not freed before the op has enqueued its use.
// - Blocks are allocated and freed in stream order: a block that was grown out of is reused after its last use.
// - Scratch that a capture has used is never freed by growth: a graph knows its address. It stays until the state is
//   released. Tickets never move.
// - A state belongs to a stream's id, which CUDA never uses twice, and not to its handle, which it does: a new stream
//   never meets the memory of a destroyed one, whose work may still be running. During a capture CUDA does not tell the
//   id, and the handle's last one counts.
#pragma once

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

class StreamState {
 public:
  enum class Ownership { borrowed, owned };

  /// Looks at the device, takes nothing. An owned handle is destroyed with the state.
  StreamState(Backend& backend, int ordinal, CUstream_st* handle, Ownership ownership);
  ~StreamState();
  StreamState(const StreamState&) = delete;
  StreamState& operator=(const StreamState&) = delete;

  /// The state of somebody's stream: one for each id, made when it is first asked for, kept until released.
  static std::shared_ptr<StreamState> of(Backend& backend, int ordinal, CUstream_st* handle);
  /// A new stream of the device; of() finds its state too.
  static std::shared_ptr<StreamState> create(Backend& backend, int ordinal);

  Backend& backend() const noexcept { return backend_; }
  int ordinal() const noexcept { return ordinal_; }
  CUstream_st* handle() const noexcept { return handle_; }
  int n_multiprocessors() const noexcept { return n_multiprocessors_; }

  void synchronize();
  void reserve(std::int64_t bytes);
  void release();
  std::int64_t scratch_bytes() const;
  std::int64_t scratch_limit();     ///< what an op may ask for now
  std::int64_t reservable_bytes();  ///< what any op of the library may ask for
  std::byte* scratch(std::int64_t bytes);
  unsigned* tickets();

  int n_threads = 1;

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
  void require_taking(std::int64_t bytes, std::int64_t present) const;
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
  const std::thread::id thread_;  // the only one that may use it, if the handle means another stream in each
  int n_multiprocessors_ = 0;

  mutable std::recursive_mutex mutex_;  // below: under it
  bool is_released_ = false;
  std::int64_t reservable_bytes_ = 0;  // 0: not asked yet
  Block scratch_;
  Block tickets_;
  std::vector<Block> outgrown_;  // graphs may still use them
};

}  // namespace rafter::core
