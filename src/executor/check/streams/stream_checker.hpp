// Finds work of streams and accesses of the host that meet at the same bytes with nothing to order them. One missing
// wait is one finding: once reported, the two count as ordered.
//
// Kernels' accesses come from the worker, everything else from the host's threads. Host threads are taken for one: how
// they order themselves is not seen.
#pragma once

#include <atomic>
#include <cstdint>
#include <mutex>
#include <unordered_map>
#include <unordered_set>

#include "executor/check/regions.hpp"
#include "executor/check/streams/stream_findings.hpp"
#include "executor/order/access_sites.hpp"
#include "executor/order/recorder.hpp"
#include "executor/order/stream_order.hpp"
#include "executor/process/observer.hpp"
#include "rafter_simt/abi.hpp"

namespace rafter::simt {

struct HostFilter {
  std::uintptr_t memory = 0, memory_bytes = ~std::uintptr_t{0};  // the executor's; until that is known, everything
  std::uintptr_t variables = 0, variable_bytes = 0;              // __device__ ones
  std::atomic<bool> has_pending_work = false;                    // work is pending that any memory may belong to

  void set_variables(const rafter_simt::VariableRange& range) {
    variables = reinterpret_cast<std::uintptr_t>(range.begin);
    variable_bytes = reinterpret_cast<std::uintptr_t>(range.end) - variables;
  }
  bool must_check(const void* address) const {
    const auto at = reinterpret_cast<std::uintptr_t>(address);
    return at - memory < memory_bytes || at - variables < variable_bytes ||
           has_pending_work.load(std::memory_order_relaxed);
  }
};

/// Of the process's checker; where there is none, nobody asks.
inline HostFilter host_filter;

class StreamChecker final : public StreamObserver {
 public:
  explicit StreamChecker(const Regions& regions);

  void task_began(const StreamTask& task) override;
  void task_ended(HostWaits waits) override;
  void stream_made() override { watch_all(); }
  void host_waited(const StreamRef& stream) override;
  void host_waited_for_all() override;
  void event_recorded(const void* event, const StreamRef& stream) override;
  void stream_waits(const StreamRef& stream, const void* event, const void* place) override;
  void host_waits(const void* event, const void* place) override;
  void time_missed(const void* place) override;
  void event_destroyed(const void* event) override;
  void host_memory_pinned() override { has_pinned_ = true; }
  void host_memory_gone(const void* begin, std::size_t bytes, const char* how, const void* place) override;
  void process_ends() override;

  void set_managed_variables(const rafter_simt::VariableRange& range);

  /// Whether accesses of kernels there are noted.
  bool watches(const void* address) const {
    return reinterpret_cast<std::uintptr_t>(address) - watched_from_ < watched_bytes_;
  }
  bool watches_everything() const { return has_pinned_ || watched_from_ == 0; }
  /// An access of the running kernel to global memory.
  void kernel_access(const Access& access) {
    if (watches(access.address)) note(access);
  }
  /// The same, to host memory that the program may have pinned itself.
  void kernel_access_to_host(const Access& access) {
    if (has_pinned_) note_pinned(access);
  }
  void fence(rafter_simt::Scope scope);
  void host_access(const Access& access) {
    if (has_pending_.load(std::memory_order_relaxed)) check_host_access(access);
  }
  /// Code on the host works on device memory. If that is right, it is Thrust's, whose algorithms run in the default
  /// stream and wait for it.
  void host_touched_device();
  /// An API call reads or writes these bytes.
  void api_access(const void* address, std::size_t bytes, ApiUse use);
  void allocated(const Allocation& allocation);
  void freed(const Allocation& allocation);

 private:
  bool is_shared_with_host(Bytes bytes) const;
  void watch_all() {
    watched_from_ = 0;
    watched_bytes_ = ~std::uintptr_t{0};
  }
  /// Whether this thread's call is under way, or a callback of it.
  static bool is_in_task();
  void note(const Access& access);
  void note_pinned(const Access& access);
  void check_host_access(const Access& access);
  Recorder::Found find_page(std::uintptr_t number);
  void free_pages();
  std::vector<StreamConflict> find_concurrent_conflicts(Bytes bytes, Use use);
  std::vector<StreamConflict> find_pending_conflicts(Bytes bytes, Use use);
  void report_rivals(const std::vector<StreamConflict>& meetings, const Side& now);
  void report_unrecorded_wait(const void* event, const void* place);
  void changed();

  // Kernels' accesses are noted to all memory; in a program that makes no streams, whose kernels can meet the host
  // only, to what it shares with them: managed and pinned memory.
  std::uintptr_t watched_from_, watched_bytes_;
  bool has_pinned_ = false;
  const Regions& regions_;
  Bytes managed_and_pinned_, managed_variables_{};

  std::recursive_mutex calls_;  // held from a task's beginning to its end: one at a time, and no wait within
  std::mutex data_;             // of what follows; the memory's own lock is never taken while it is held
  StreamOrder order_;
  AccessSites sites_;
  StreamTask task_{};
  int depth_ = 0;                                   // tasks within tasks: a callback's, and its doing
  Bytes elsewhere_{~std::uintptr_t{0}, 0};          // holds all hook_access bytes outside of the executor's own memory
  AccessMap::Page spill_;                           // takes accesses when there is no room for them
  std::unordered_set<const void*> stream_ordered_;  // allocations of cudaMallocAsync
  std::unordered_map<const void*, const void*> waited_before_;  // events never recorded, and where they were waited for

  Recorder recorder_;  // the worker's
  std::atomic<bool> has_pending_ = false;
  std::atomic<std::uintptr_t> untouched_page_ = 0;  // by anything pending, as the host saw last
};

}  // namespace rafter::simt
