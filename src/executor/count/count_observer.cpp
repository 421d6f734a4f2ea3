#include "executor/count/count_observer.hpp"

#include "executor/engine/grid.hpp"
#include "executor/engine/workers/worker.hpp"
#include "executor/memory/memory.hpp"

namespace rafter::simt {

const char* name(AccessKind kind) {
  switch (kind) {
    case AccessKind::load: return "load";
    case AccessKind::store: return "store";
    case AccessKind::atomic: return "atomic";
  }
  return "?";
}

bool CountObserver::is_global_variable(const std::byte* address) const {
  const auto* at = reinterpret_cast<const char*>(address);
  const auto holds = [at](const rafter_simt::VariableRange& range) { return at >= range.begin && at < range.end; };
  return holds(variables_.device) || holds(variables_.managed);
}

Space CountObserver::space_of(const std::byte* address) const {
  Worker& worker = *this_worker();
  if (memory().holds(address)) return Space::global;
  for (const SharedRange& range : worker.shared_ranges()) {
    if (static_cast<std::size_t>(address - range.base) < range.bytes) return Space::shared;
  }
  if (is_near_dynamic_shared(address)) return Space::shared;
  if (worker.fibers().holds(address)) return Space::local;
  if (is_global_variable(address)) return Space::global;
  return worker.grid().has_clusters() && worker.owner_of(address) ? Space::cluster : Space::none;
}

void CountObserver::launch_began(Grid& grid, int) {
  widths_.load();
  kernel_ = &kernels_[grid.launch().kernel];
  atomics_.clear();
}

bool CountObserver::launch_ended(Grid& grid) {
  logs_.clear();
  threads_.clear();
  if (grid.asked_clusters()) return true;
  const dim3 &g = grid.launch().grid, &b = grid.launch().block, &c = grid.launch().cluster;
  ++kernel_->launches;
  ++kernel_->shapes[{{g.x, g.y, g.z}, {b.x, b.y, b.z}, {c.x, c.y, c.z}, grid.launch().shared_bytes}];
  kernel_->blocks += static_cast<std::uint64_t>(grid.n_blocks());
  kernel_->counted_blocks += static_cast<std::uint64_t>(grid.n_sampled());
  footprint_.launch_ended(kernel_->footprint, [](std::uintptr_t address) {
    const Allocation* found = memory().find(reinterpret_cast<const std::byte*>(address));
    return found ? reinterpret_cast<std::uintptr_t>(found->base) : address;
  });
  for (const auto& [address, n] : atomics_)
    kernel_->hottest_global_atomics = std::max(kernel_->hottest_global_atomics, n);
  kernel_->hottest_atomics = std::max(kernel_->hottest_atomics, kernel_->hottest_global_atomics);
  return true;
}

void CountObserver::basic_block_entered(const void* place) { passes_.pass(block_, rafter_simt_now.linear, place); }

void CountObserver::transferred(const Transfer& transfer) {
  TransferCounts& counts = transfers_[{transfer.place, transfer.direction, transfer.host_memory}];
  ++counts.copies;
  counts.bytes += transfer.bytes;
}

void CountObserver::block_ended(Block& block) {
  flush_all(block);
  footprint_.block_ended(kernel_->footprint);
  passes_.block_ended(&block, kernel_->passes);
  for (const auto& [address, n] : shared_atomics_) kernel_->hottest_atomics = std::max(kernel_->hottest_atomics, n);
  shared_atomics_.clear();
  for (const BusiestThread& thread : threads_[&block]) {
    BusiestThread& most = kernel_->busiest;
    most.global_loads = std::max(most.global_loads, thread.global_loads);
    most.global_stores = std::max(most.global_stores, thread.global_stores);
    most.shared_loads = std::max(most.shared_loads, thread.shared_loads);
  }
  threads_.erase(&block);
}

void CountObserver::block_entered(Block& block) {
  block_ = &block;
  log_ = &logs_[&block];
  if (log_->size() < (block.n_threads + 31) / 32) log_->resize((block.n_threads + 31) / 32);
  of_threads_ = &threads_[&block];
  of_threads_->resize(block.n_threads);
}

void CountObserver::access(const Access& access) {
  record(access, access.is_range ? LaneAccess::Kind::unaligned : LaneAccess::Kind::aligned);
}

void CountObserver::report_if_outside(const Access& access, Space space) {
  if (space == Space::global && memory().holds(access.address)) {
    if (!bounds_.holds(access.address, access.bytes)) report_outside_global(access);
  } else if (space == Space::shared && is_near_dynamic_shared(access.address)) {
    const std::byte* base = static_cast<const std::byte*>(rafter_simt_now.dynamic_shared);
    const auto end = static_cast<std::size_t>(access.address - base) + access.bytes;
    if (end > rafter_simt_now.shared_bytes) report_outside_dynamic_shared(access);
  }
}

void CountObserver::record(const Access& access, LaneAccess::Kind lane_kind) {
  const Space space = space_of(access.address);
  if (space != Space::global && space != Space::shared && space != Space::cluster) return;
  report_if_outside(access, space);
  const bool is_atomic = access.mode == AccessMode::atomic || access.mode == AccessMode::block_atomic;
  const AccessKind kind = is_atomic ? AccessKind::atomic : access.writes ? AccessKind::store : AccessKind::load;
  if (is_atomic) ++(space == Space::global ? atomics_ : shared_atomics_)[home_address(access.address)];
  const unsigned thread = rafter_simt_now.linear;
  auto& visits = (*log_)[thread / 32][thread % 32];
  if (space == Space::global) footprint_.add(access.address, access.bytes, access.writes, visits.size());
  visits.push_back({{access.place, space, kind}, {access.address, access.bytes, lane_kind}});
  if (lane_kind != LaneAccess::Kind::bulk) count_thread(visits.back().key, access.bytes);
}

void CountObserver::count_thread(const PlaceKey& key, std::uint32_t bytes) {
  BusiestThread& thread = (*of_threads_)[rafter_simt_now.linear];
  const bool is_load = key.kind == AccessKind::load;
  if (key.space == Space::global && is_load) thread.global_loads += bytes;
  if (key.space == Space::global && key.kind == AccessKind::store) thread.global_stores += bytes;
  if (key.space == Space::shared && is_load) thread.shared_loads += bytes;
}

// Only the global side of a bulk copy is counted: it causes no bank conflicts.
void CountObserver::agent_access(const Access& access, const Agent& agent) {
  if (agent.proxy == Agent::Proxy::generic || memory().holds(access.address)) record(access, LaneAccess::Kind::bulk);
}

void CountObserver::thread_ended(Block& block, unsigned thread) {
  const unsigned live = block.warps[thread / 32].live;
  if ((live & ~(1u << (thread % 32))) == 0) flush((*log_)[thread / 32]);
}

void CountObserver::flush_all(Block& block) {
  auto& logs = logs_[&block];
  for (WarpLog& log : logs) flush(log);
}

void CountObserver::flush(WarpLog& log) {
  struct Requests {
    std::vector<Request> by_visit;
    unsigned visits = 0;  // of the current lane
    unsigned lane = 32;
  };
  std::map<PlaceKey, Requests> all;
  for (unsigned lane = 0; lane < 32; ++lane) {
    for (const Visit& visit : log[lane]) {
      Requests& requests = all[visit.key];
      if (requests.lane != lane) requests.visits = 0;
      requests.lane = lane;
      if (requests.visits == requests.by_visit.size()) requests.by_visit.emplace_back();
      Request& request = requests.by_visit[requests.visits++];
      request.lanes[request.n++] = visit.lane_access;
    }
    log[lane].clear();
  }
  for (const auto& [key, requests] : all) {
    for (const Request& request : requests.by_visit) count(key, request);
  }
}

void CountObserver::count(const PlaceKey& key, const Request& request) {
  PlaceCounts& counts = kernel_->places[key];
  const std::uint32_t width = widths_.of(request);
  if (width == request.lanes[0].bytes) return count_piece(counts, key, request);
  Request piece = request.piece(0, width);
  for (std::uint32_t offset = 0; piece.n > 0; piece = request.piece(offset += width, width))
    count_piece(counts, key, piece);
}

void CountObserver::count_piece(PlaceCounts& counts, const PlaceKey& key, const Request& request) const {
  const std::int64_t stride = request.stride();
  if (counts.requests == 0) counts.stride = stride;
  counts.strided += stride == counts.stride;
  ++counts.requests;
  counts.lanes += request.n;
  counts.bytes += request.bytes();
  counts.distinct_bytes += request.distinct_bytes();
  if (key.space != Space::shared) {
    counts.sectors += key.kind == AccessKind::atomic ? request.atomic_sectors() : request.sectors();
    counts.ideal_sectors += request.ideal_sectors();
  } else {
    counts.wavefronts += key.kind == AccessKind::atomic ? request.atomic_wavefronts() : request.wavefronts();
    counts.ideal_wavefronts += request.ideal_wavefronts();
  }
  if (key.kind == AccessKind::atomic) {
    counts.worst_contention = std::max<std::uint64_t>(counts.worst_contention, request.most_at_one_address());
  }
}

}  // namespace rafter::simt
