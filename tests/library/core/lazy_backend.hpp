// A device whose streams execute as late and in as random an order as streams and events allow.
#pragma once

#include <algorithm>
#include <cstring>
#include <deque>
#include <functional>
#include <map>
#include <random>
#include <vector>

#include "library/core/stream/backend.hpp"
#include "rafter/error.hpp"

namespace rafter::core {

class LazyBackend final : public Backend {
 public:
  using Work = std::function<void()>;

  unsigned seed = 0;
  bool forgets_events = false;         ///< planted fault: streams do not wait for each other
  std::vector<const void*> pageable;   ///< arrays that are not page-locked
  const void* inaccessible = nullptr;  ///< a byte that the device cannot access
  int n_events = 0;

  void enqueue(
      CUstream_st* stream, Work work, std::function<bool()> may_run = [] { return true; }) {
    queues_[stream].push_back({std::move(work), std::move(may_run)});
  }

  Device device() const noexcept override { return Device::simt; }
  std::optional<std::string> why_unavailable() const override { return std::nullopt; }
  std::int64_t available_bytes() const override { return std::int64_t{1} << 40; }

  CUstream_st* create_stream() override { return reinterpret_cast<CUstream_st*>(++last_stream_ << 12); }
  std::uint64_t stream_id(CUstream_st* stream) const override { return reinterpret_cast<std::uintptr_t>(stream); }
  void* allocate(std::int64_t bytes) override { return ::operator new(static_cast<std::size_t>(bytes)); }
  void deallocate(void* memory) noexcept override { ::operator delete(memory); }
  std::optional<std::string> why_inaccessible(const void* memory) const override {
    if (memory != inaccessible) return std::nullopt;
    return "is in memory of the host";
  }
  bool is_pinned(const void* host, std::int64_t) const override {
    return std::find(pageable.begin(), pageable.end(), host) == pageable.end();
  }

  void copy_in(CUstream_st* stream, void* to, const void* host, std::int64_t bytes) override {
    start_copy_in(stream, to, host, bytes);
    synchronize(stream);
  }
  void copy_out(CUstream_st* stream, void* host, const void* from, std::int64_t bytes) override {
    start_copy_out(stream, host, from, bytes);
    synchronize(stream);
  }
  void start_copy_in(CUstream_st* stream, void* to, const void* host, std::int64_t bytes) override {
    enqueue(stream, [=] { std::memcpy(to, host, static_cast<std::size_t>(bytes)); });
  }
  void start_copy_out(CUstream_st* stream, void* host, const void* from, std::int64_t bytes) override {
    start_copy_in(stream, host, from, bytes);
  }
  void fill_bytes(CUstream_st* stream, void* to, int byte, std::int64_t bytes) override {
    enqueue(stream, [=] { std::memset(to, byte, static_cast<std::size_t>(bytes)); });
  }
  void synchronize(CUstream_st* stream) override {
    run_until([&] { return queues_[stream].empty(); });
  }

  CUevent_st* create_event() override {
    ++n_events;
    return reinterpret_cast<CUevent_st*>(new Event);
  }
  void destroy_event(CUevent_st* event) noexcept override {
    --n_events;
    delete of(event);
  }
  void record_event(CUevent_st* event, CUstream_st* stream) override {
    enqueue(stream, [e = of(event), now = ++of(event)->recorded] { e->reached = now; });
  }
  void wait_for_event(CUstream_st* stream, CUevent_st* event) override {
    if (forgets_events) return;
    enqueue(
        stream, [] {}, [e = of(event), now = of(event)->recorded] { return e->reached >= now; });
  }
  void synchronize_event(CUevent_st* event) override {
    run_until([e = of(event), now = of(event)->recorded] { return e->reached >= now; });
  }

 private:
  struct Event {
    int recorded = 0;
    int reached = 0;
  };
  struct Entry {
    Work work;
    std::function<bool()> may_run;
  };
  static Event* of(CUevent_st* event) { return reinterpret_cast<Event*>(event); }

  /// Executes one item of work at a time, of any stream that is not waiting.
  template <class Reached>
  void run_until(const Reached& reached) {
    std::mt19937 random(seed);
    while (!reached()) {
      std::vector<std::deque<Entry>*> ready;
      for (auto& [stream, queue] : queues_) {
        if (!queue.empty() && queue.front().may_run()) ready.push_back(&queue);
      }
      if (ready.empty()) throw Error(ErrorCode::device_failure, "all streams wait for each other");
      auto& queue = *ready[random() % ready.size()];
      const Work work = std::move(queue.front().work);
      queue.pop_front();
      work();
    }
  }

  std::map<CUstream_st*, std::deque<Entry>> queues_;
  static inline std::uintptr_t last_stream_ = 0x1000;  // shared by all such backends: the registry outlives them
};

}  // namespace rafter::core
