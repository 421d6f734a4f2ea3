// Finds conflicting accesses of streams and the host that nothing orders. A missing wait is reported once: the two then
// count as ordered.
//
// Accesses of kernels come from the worker, all others from host threads. All host threads count as one, because the
// checker does not see how they synchronise.
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

/// A filter for the accesses of host code, which is compiled with hooks, too. Nearly all of them are to memory of the
/// host alone and need no check.
struct HostFilter {
  std::uintptr_t memory = 0, memory_bytes = ~std::uintptr_t{0};  // the executor's range; everything until that is known
  std::uintptr_t variables = 0, variable_bytes = 0;              // the __device__ variables
  std::atomic<bool> has_pending_work = false;  // pending work may conflict with an access to any memory

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

/// The filter of the process's checker. Unused without one.
inline HostFilter host_filter;

class StreamChecker final : public StreamObserver {
 public:
  explicit StreamChecker(const Regions& regions);

  void task_began(const StreamTask& task) override;
  void task_ended(HostWaits waits) override;
  void stream_made() override { watch_all(); }
  void host_waited(const StreamRef& stream) override;
  bool is_busy(const StreamRef& stream) override;
  bool is_busy(const void* event) override;
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

  /// Whether accesses of kernels to `address` are recorded.
  bool watches(const void* address) const {
    return reinterpret_cast<std::uintptr_t>(address) - watched_from_ < watched_bytes_;
  }
  bool watches_everything() const { return has_pinned_ || watched_from_ == 0; }
  /// Handles an access of the running kernel to global memory.
  void kernel_access(const Access& access) {
    if (watches(access.address)) record_access(access);
  }
  /// Handles an access of the running kernel to host memory, which the program may have pinned.
  void kernel_access_to_host(const Access& access) {
    if (has_pinned_) record_pinned_access(access);
  }
  void fence(rafter_simt::Scope scope);
  void host_access(const Access& access) {
    if (has_pending_.load(std::memory_order_relaxed)) check_host_access(access);
  }
  /// Called when host code accesses device memory. Correct programs do so only in Thrust algorithms, which run in the
  /// default stream and wait for it.
  void host_touched_device();
  /// Handles an API call that reads or writes these bytes.
  void api_access(const void* address, std::size_t bytes, ApiUse use);
  void allocated(const Allocation& allocation);
  void freed(const Allocation& allocation);

 private:
  bool is_shared_with_host(Bytes bytes) const;
  void watch_all() {
    watched_from_ = 0;
    watched_bytes_ = ~std::uintptr_t{0};
  }
  /// Whether a call of this thread, or a callback of it, is in progress.
  static bool is_in_task();
  void record_access(const Access& access);
  void record_pinned_access(const Access& access);
  void check_host_access(const Access& access);
  Recorder::Found find_page(std::uintptr_t number);
  void free_pages();
  std::vector<StreamConflict> find_concurrent_conflicts(Bytes bytes, Use use);
  std::vector<StreamConflict> find_pending_conflicts(Bytes bytes, Use use);
  void report_unrecorded_wait(const void* event, const void* place);
  void changed();

  // The memory for which accesses of kernels are recorded: everything, or, in a program that creates no streams, the
  // memory shared with the host (managed and pinned).
  std::uintptr_t watched_from_, watched_bytes_;
  bool has_pinned_ = false;
  const Regions& regions_;
  Bytes managed_and_pinned_, managed_variables_{};

  std::recursive_mutex calls_;  // held for the duration of a task: tasks and waits are serialised
  std::mutex data_;             // protects the members below; the lock of Memory is never taken while it is held
  StreamOrder order_;
  AccessSites sites_;
  StreamTask task_{};
  int depth_ = 0;                                   // nested tasks: a callback may give work to streams
  Bytes elsewhere_{~std::uintptr_t{0}, 0};          // bounds of all recorded accesses outside of the executor's memory
  AccessMap::Page spill_;                           // receives accesses when the page limit is reached
  std::unordered_set<const void*> stream_ordered_;  // allocations of cudaMallocAsync
  // Events that were never recorded, and the first wait for each.
  std::unordered_map<const void*, const void*> waited_before_;

  Recorder recorder_;  // used by the worker
  std::atomic<bool> has_pending_ = false;
  std::atomic<std::uintptr_t> untouched_page_ = 0;  // page without pending accesses, found by the last host access
};

}  // namespace rafter::simt
