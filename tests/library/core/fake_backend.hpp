// A device whose streams only queue their work: it runs, in each stream's order, when a test calls drain(). So a use of
// memory after it was freed in stream order is found, whenever it happened.
#pragma once

#include <atomic>
#include <cstring>
#include <functional>
#include <map>
#include <mutex>
#include <string>
#include <thread>
#include <utility>
#include <vector>

#include "library/core/stream/backend.hpp"
#include "rafter/error.hpp"

namespace rafter::core {

class FakeBackend final : public Backend {
 public:
  using Work = std::function<void()>;

  ~FakeBackend() override {
    drain();
    for (const auto& block : blocks_) ::operator delete(const_cast<void*>(block.first));
  }

  // The view of a CUDA program.

  CUstream_st* create_stream() override {
    const std::lock_guard lock(mutex_);
    CUstream_st* handle = first_handle;  // the lowest free one: handles are reused
    while (streams_.contains(handle)) handle = next(handle);
    streams_[handle].id = fresh_id();
    return handle;
  }
  /// Destroys a stream; drain() still runs its work.
  void destroy_stream(CUstream_st* handle) noexcept override {
    const std::lock_guard lock(mutex_);
    for (Work& work : streams_[handle].queue) orphans_.push_back(std::move(work));
    streams_.erase(handle);
  }
  void enqueue(CUstream_st* handle, Work work) {
    const std::lock_guard lock(mutex_);
    stream(handle).queue.push_back(std::move(work));
  }
  /// Runs the work of all streams, including destroyed ones.
  void drain() {
    std::vector<Work> queue = std::move(orphans_);
    orphans_.clear();
    for (auto& [handle, stream] : streams_) {
      for (Work& work : stream.queue) queue.push_back(std::move(work));
      stream.queue.clear();
    }
    for (const Work& work : queue) work();
  }
  void begin_capture(CUstream_st* handle) { stream(handle).is_capturing = true; }
  void end_capture(CUstream_st* handle) { stream(handle).is_capturing = false; }

  /// Returns whether these bytes are allocated at this point of the streams' order.
  bool is_allocated(const void* memory, std::int64_t bytes) {
    const std::lock_guard lock(mutex_);
    const auto block = blocks_.find(memory);
    return block != blocks_.end() && block->second >= bytes;
  }
  std::size_t n_blocks() {
    const std::lock_guard lock(mutex_);
    return blocks_.size();
  }

  int n_allocations = 0;
  int n_synchronized = 0;
  int ordinal_of_allocation = -1;
  std::int64_t free_bytes = std::int64_t{1} << 40;

  static inline CUstream_st* const per_thread = reinterpret_cast<CUstream_st*>(2);

  // The view of a stream.

  Device device() const noexcept override { return Device::simt; }
  std::optional<std::string> why_unavailable() const override { return std::nullopt; }
  std::int64_t available_bytes() const override { return free_bytes; }
  std::int64_t first_scratch_bytes(std::int64_t) const override { return 1024; }
  std::int64_t scratch_limit() const override { return 1 << 16; }

  int n_ordinals() const override { return 3; }
  int current_ordinal() const override { return ordinal_; }
  void make_current(int ordinal) override { ordinal_ = ordinal; }

  std::uint64_t stream_id(CUstream_st* handle) const override {
    const std::lock_guard lock(mutex_);
    if (handle != nullptr && handle != per_thread) return streams_.at(handle).id;
    const auto thread = handle == per_thread ? std::this_thread::get_id() : std::thread::id();
    return default_ids_.try_emplace({ordinal_, thread}, fresh_id()).first->second;
  }
  bool is_per_thread(CUstream_st* handle) const override { return handle == per_thread; }

  void* allocate(std::int64_t bytes) override { return ::operator new(static_cast<std::size_t>(bytes)); }
  void deallocate(void* memory) noexcept override { ::operator delete(memory); }
  void copy_in(CUstream_st*, void*, const void*, std::int64_t) override {}
  void copy_out(CUstream_st*, void*, const void*, std::int64_t) override {}
  void fill_bytes(CUstream_st* handle, void* to, int byte, std::int64_t bytes) override {
    enqueue(handle, [=] { std::memset(to, byte, static_cast<std::size_t>(bytes)); });
  }
  void synchronize(CUstream_st*) override { ++n_synchronized; }
  void synchronize_device() noexcept override { drain(); }
  std::shared_ptr<MemoryResource> own_memory_resource() override { return pool_; }
  bool is_capturing(CUstream_st* handle) override {
    const std::lock_guard lock(mutex_);
    return stream(handle).is_capturing;
  }

 private:
  struct FakeStream {
    std::uint64_t id = 0;
    bool is_capturing = false;
    std::vector<Work> queue;
  };

  /// Allocates immediately; frees and poisons the memory in stream order.
  class Pool final : public MemoryResource {
   public:
    explicit Pool(FakeBackend& backend) : backend_(backend) {}
    void* allocate(std::int64_t bytes, CUstream_st*) override {
      const std::lock_guard lock(backend_.mutex_);
      if (bytes > backend_.free_bytes) throw Error(ErrorCode::out_of_memory, "full");
      ++backend_.n_allocations;
      backend_.ordinal_of_allocation = ordinal_;
      void* memory = backend_.allocate(bytes);
      std::memset(memory, 0xcd, static_cast<std::size_t>(bytes));
      backend_.blocks_[memory] = bytes;
      return memory;
    }
    void deallocate(void* memory, std::int64_t bytes, CUstream_st* handle) noexcept override {
      backend_.enqueue(handle, [this, memory, bytes] {
        const std::lock_guard lock(backend_.mutex_);
        std::memset(memory, 0xdd, static_cast<std::size_t>(bytes));
        backend_.blocks_.erase(memory);
        backend_.deallocate(memory);
      });
    }

   private:
    FakeBackend& backend_;
  };

  static inline CUstream_st* const first_handle = reinterpret_cast<CUstream_st*>(0x1000);
  static CUstream_st* next(CUstream_st* handle) {
    return reinterpret_cast<CUstream_st*>(reinterpret_cast<std::uintptr_t>(handle) + 0x1000);
  }
  static std::uint64_t fresh_id() {  // shared by all fakes: the registry outlives them
    static std::atomic<std::uint64_t> last = 0;
    return ++last;
  }
  FakeStream& stream(CUstream_st* handle) { return streams_[handle]; }

  mutable std::recursive_mutex mutex_;
  std::map<CUstream_st*, FakeStream> streams_;
  std::map<const void*, std::int64_t> blocks_;
  std::vector<Work> orphans_;
  mutable std::map<std::pair<int, std::thread::id>, std::uint64_t> default_ids_;
  std::shared_ptr<Pool> pool_ = std::make_shared<Pool>(*this);
  static inline thread_local int ordinal_ = 0;
};

}  // namespace rafter::core
