#include "executor/check/streams/stream_checker.hpp"

#include <algorithm>

#include "executor/memory/elf_file.hpp"
#include "executor/memory/memory.hpp"
#include "executor/memory/modules.hpp"
#include "executor/process/findings.hpp"

namespace rafter::simt {
namespace {

thread_local bool in_task = false;  // a call of this thread is in progress

// An access map takes twice the memory that was accessed. Pending work usually accesses little memory.
constexpr std::size_t most_pages = (std::size_t{1} << 30) / sizeof(AccessMap::Page);

bool makes_streams() {
  bool found = false;
  for_own_modules([&](const dl_phdr_info& module) {
    const ElfFile file(module.dlpi_name);
    for (const char* prefix : {"cudaStreamCreate", "cudaGraphInstantiate", "rafter_simt_per_thread_default_stream"}) {
      found = found || file.imports(prefix);
    }
  });
  return found;
}

}  // namespace

StreamChecker::StreamChecker(const Regions& regions) : regions_(regions) {
  // Memory of one kind is contiguous; device memory comes first.
  const std::size_t part = memory().range_bytes() / n_memory_kinds;
  managed_and_pinned_ = Bytes::at(memory().base() + part, memory().range_bytes() - part);
  watched_from_ = managed_and_pinned_.begin;
  watched_bytes_ = managed_and_pinned_.end - managed_and_pinned_.begin;
  if (makes_streams()) watch_all();
}

void StreamChecker::set_managed_variables(const rafter_simt::VariableRange& range) {
  managed_variables_ = Bytes::at(range.begin, static_cast<std::size_t>(range.end - range.begin));
  if (range.begin != range.end) watch_all();
}

bool StreamChecker::is_shared_with_host(Bytes bytes) const {
  const auto meets = [&](Bytes other) { return bytes.begin < other.end && bytes.end > other.begin; };
  return meets(managed_and_pinned_) || meets(managed_variables_) || meets(elsewhere_);
}

bool StreamChecker::is_in_task() { return in_task; }

void StreamChecker::changed() {
  host_filter.has_pending_work = has_pending_ = !order_.pending().empty();
  untouched_page_ = 0;
  if (!has_pending_) elsewhere_ = {~std::uintptr_t{0}, 0};
}

void StreamChecker::task_began(const StreamTask& task) {
  calls_.lock();
  if (depth_++ > 0) return;
  const std::lock_guard lock(data_);
  if (task.stream.kind != StreamKind::legacy) watch_all();
  task_ = task;
  in_task = true;
  order_.begin(task.stream);
  recorder_.clear();
  changed();
}

void StreamChecker::task_ended(HostWaits waits) {
  if (--depth_ == 0) {
    const std::lock_guard lock(data_);
    in_task = false;
    order_.end();
    if (waits == HostWaits::yes) order_.host_waits(task_.stream);
    changed();
  }
  calls_.unlock();
}

void StreamChecker::host_waited(const StreamRef& stream) {
  const std::scoped_lock lock(calls_, data_);
  order_.host_waits(stream);
  changed();
}

bool StreamChecker::is_busy(const StreamRef& stream) {
  const std::scoped_lock lock(calls_, data_);
  return !in_task && order_.first_query(stream);
}

bool StreamChecker::is_busy(const void* event) {
  const std::scoped_lock lock(calls_, data_);
  return !in_task && order_.first_query(event);
}

void StreamChecker::host_waited_for_all() {
  const std::scoped_lock lock(calls_, data_);
  order_.host_waits_for_all();
  changed();
}

void StreamChecker::host_touched_device() {
  if (has_pending_ && !in_task) host_waited({0, StreamKind::legacy});
}

void StreamChecker::fence(rafter_simt::Scope scope) {
  if (scope >= rafter_simt::Scope::device && order_.current()) order_.current()->has_fence = true;
}

// Returns the conflicting accesses of pending segments. Each such segment then counts as waited for.
std::vector<StreamConflict> StreamChecker::find_pending_conflicts(Bytes bytes, Use use) {
  std::vector<StreamConflict> met;
  const StreamOrder::SegmentList pending = order_.pending();
  for (const auto& segment : pending) {
    const auto found = segment->accesses.find(bytes, use);
    if (!found) continue;
    met.push_back({sites_[found->site], found->use, found->bytes});
    order_.host_waits_for(*segment);
  }
  if (!met.empty()) changed();
  return met;
}

// Returns the conflicting accesses of work that is concurrent with the current task. The task then counts as ordered
// after that work. The same holds for work that executed a fence and atomically wrote what the task now reads
// atomically.
std::vector<StreamConflict> StreamChecker::find_concurrent_conflicts(Bytes bytes, Use use) {
  std::vector<StreamConflict> met;
  const StreamOrder::SegmentList concurrent = order_.concurrent();
  for (const auto& other : concurrent) {
    const auto found = other->accesses.find(bytes, use);
    const auto may_acquire = [&] {
      const auto written = other->accesses.find(bytes, Use::reads);
      return use >= Use::reads_atomically && other->has_fence && written && written->use == Use::updates;
    };
    if (found) met.push_back({sites_[found->site], found->use, found->bytes});
    if (found || may_acquire()) order_.assume_order_after(*other);
  }
  if (order_.concurrent().size() != concurrent.size()) recorder_.clear();
  return met;
}

void StreamChecker::record_access(const Access& access) {
  const Bytes bytes = Bytes::at(access.address, access.bytes);
  const Use use = use_of(access.writes, access.mode == AccessMode::plain);
  if (recorder_.is_recorded(bytes.begin, access.bytes, use)) return;
  const auto find = [this](std::uintptr_t number) { return find_page(number); };
  const auto number = [this](const void* place) {
    const std::lock_guard lock(data_);
    return sites_.number(task_, place);
  };
  if (!recorder_.record(bytes, use, access.place, find, number)) return;
  std::unique_lock lock(data_);
  const auto met = find_concurrent_conflicts(bytes, use);
  lock.unlock();
  for (const StreamConflict& conflict : met) {
    report_stream_race(conflict, task_, side_of(task_, use, access.bytes, access.place), regions_);
  }
}

void StreamChecker::record_pinned_access(const Access& access) {
  if (memory().is_registered(access.address)) record_access(access);
}

Recorder::Found StreamChecker::find_page(std::uintptr_t number) {
  const std::lock_guard lock(data_);
  StreamSegment* current = order_.current();
  if (AccessMap::n_pages() >= most_pages) free_pages();
  if (!memory().holds(reinterpret_cast<const void*>(number * AccessMap::page_bytes))) {
    elsewhere_.begin = std::min(elsewhere_.begin, number * AccessMap::page_bytes);
    elsewhere_.end = std::max(elsewhere_.end, (number + 1) * AccessMap::page_bytes);
  }
  const bool may_conflict = std::any_of(order_.concurrent().begin(), order_.concurrent().end(),
                                        [&](const auto& other) { return other->accesses.has_page(number); });
  const bool is_full = !current || AccessMap::n_pages() >= most_pages;
  return {is_full ? &spill_ : &current->accesses.page(number), may_conflict};
}

void StreamChecker::free_pages() {
  findings().remark(
      "streams and the host: pending work accesses more than 512 MiB; the oldest work is not checked for missing "
      "waits");
  while (AccessMap::n_pages() >= most_pages && order_.forget_oldest()) {
  }
}

void StreamChecker::api_access(const void* address, std::size_t bytes, ApiUse api_use) {
  if (!in_task || bytes == 0) return;
  const bool is_ours = memory().holds(address) || regions_.is_variable(address) || memory().is_registered(address);
  // The call copies host memory before it returns, but not for a node of a graph.
  const bool is_staged = graph_of(task_.stream) == 0;
  if (!is_ours && is_staged && api_use == ApiUse::reads) return;
  const Bytes range = Bytes::at(address, bytes);
  const Use use = api_use == ApiUse::writes ? Use::writes : Use::reads;
  std::unique_lock lock(data_);
  const auto met = find_concurrent_conflicts(range, use);
  order_.current()->accesses.add(range, use, sites_.number(task_, task_.place));
  if (!memory().holds(address)) {
    elsewhere_.begin = std::min(elsewhere_.begin, range.begin);
    elsewhere_.end = std::max(elsewhere_.end, range.end);
  }
  lock.unlock();
  for (const StreamConflict& conflict : met) {
    report_stream_race(conflict, task_, side_of(task_, use, bytes, task_.place), regions_);
  }
}

void StreamChecker::check_host_access(const Access& access) {
  const Bytes bytes = Bytes::at(access.address, access.bytes);
  if (!is_shared_with_host(bytes)) return;
  const std::uintptr_t page = bytes.begin / AccessMap::page_bytes;
  const bool is_in_page = (bytes.end - 1) / AccessMap::page_bytes == page;
  if (is_in_page && page == untouched_page_.load(std::memory_order_relaxed)) return;
  const Use use = use_of(access.writes, access.mode == AccessMode::plain);
  std::unique_lock lock(data_);
  if (in_task) {  // a callback, which is ordered by its stream
    const auto met = find_concurrent_conflicts(bytes, use);
    lock.unlock();
    for (const StreamConflict& conflict : met) {
      report_stream_race(conflict, task_, side_of(task_, use, access.bytes, access.place), regions_);
    }
    return;
  }
  if (access.mode != AccessMode::plain && !access.writes) {  // acquires what a kernel has written atomically
    const StreamOrder::SegmentList pending = order_.pending();
    for (const auto& segment : pending) {
      const auto written = segment->accesses.find(bytes, Use::reads);
      if (written && written->use == Use::updates) order_.host_waits_for(*segment);
    }
    changed();
  }
  const auto met = find_pending_conflicts(bytes, use);
  const auto is_touched = [&](const auto& segment) { return segment->accesses.has_page(page); };
  if (is_in_page && std::none_of(order_.pending().begin(), order_.pending().end(), is_touched)) untouched_page_ = page;
  lock.unlock();
  for (const StreamConflict& conflict : met) {
    const char* action = access.writes ? "writes" : "reads";
    report_host_race(conflict, {action, access.place, access.bytes, {}, {}}, regions_);
  }
}

}  // namespace rafter::simt
