#include "executor/engine/async/async.hpp"

#include <algorithm>
#include <cstring>
#include <string>
#include <utility>

#include "executor/engine/async/async_findings.hpp"
#include "executor/engine/failure.hpp"
#include "executor/engine/workers/worker.hpp"
#include "executor/process/observer.hpp"

namespace rafter::simt {
namespace {

constexpr int poison = 0xff;  // NaN in all floating-point types

void touch(const AsyncCopy& copy, const void* address, std::uint32_t bytes, bool writes) {
  Observer* observer = observing();
  if (!observer || bytes == 0) return;
  auto* at = static_cast<std::byte*>(const_cast<void*>(address));
  const bool is_range = copy.proxy == Agent::Proxy::async || bytes > 16;
  observer->agent_access({at, bytes, writes, !writes, AccessMode::plain, is_range, copy.place},
                         {copy.agent, copy.proxy});
}

void begin(AsyncCopy& copy, const void* place) {
  copy.thread = rafter_simt_now.linear;
  copy.place = place;
  if (Observer* observer = observing()) copy.agent = observer->agent_began();
}

void use(const Mbarrier& barrier, const void* place) {
  Observer* observer = observing();
  if (!observer) return;
  observer->access({in_place_address(barrier.at), 8, true, true, AccessMode::atomic, false, place});
}

// Records the mbarrier access as the copy's, which will complete it: the thread that started the copy does not access
// another block's mbarrier.
void use(const Mbarrier& barrier, const AsyncCopy& copy) {
  Observer* observer = observing();
  if (!observer) return;
  observer->agent_access({in_place_address(barrier.at), 8, true, true, AccessMode::atomic, false, copy.place},
                         {copy.agent, Agent::Proxy::generic});
}

Block& block() { return this_worker()->block(); }

}  // namespace

CopyGroups& Async::groups(rafter_simt::GroupKind kind) {
  state_.is_used = true;
  return state_.groups[static_cast<std::size_t>(kind)][rafter_simt_now.linear];
}

// ---- cp.async and bulk groups ----

void Async::copy_async(CopyRange range, const void* place) {
  AsyncCopy& copy = groups(rafter_simt::GroupKind::copy_async).open;
  if (copy.ranges.empty()) begin(copy, place);
  copy.place = place;
  copy.proxy = Agent::Proxy::generic;
  if (range.from) touch(copy, range.from, range.bytes, false);
  touch(copy, range.to, range.bytes, true);
  std::memset(range.to, poison, range.bytes);
  range.to = home_address(range.to);
  copy.ranges.push_back(range);
}

void Async::commit(rafter_simt::GroupKind kind) {
  CopyGroups& mine = groups(kind);
  mine.closed.push_back(std::exchange(mine.open, {}));
}

// After the wait, the accesses of cp.async copies count as the waiting thread's own. Only that thread knows that its
// bulk stores are complete.
void Async::wait_group(rafter_simt::GroupKind kind, int n_later, Until until) {
  CopyGroups& mine = groups(kind);
  Observer* observer = observing();
  const std::size_t n_waited = mine.closed.size() - std::min(mine.closed.size(), static_cast<std::size_t>(n_later));
  for (std::size_t i = 0; i < n_waited; ++i) {
    AsyncCopy& copy = mine.closed[i];
    copy.move();
    if (!observer || copy.ranges.empty()) continue;
    const bool is_bulk = kind == rafter_simt::GroupKind::bulk;
    const Agent agent{copy.agent, is_bulk ? Agent::Proxy::async : Agent::Proxy::generic};
    for (const CopyRange& range : copy.ranges) {
      auto* from = const_cast<std::byte*>(range.from);
      if (from) observer->agent_joined(agent, {from, range.bytes, false, true, AccessMode::plain, true, copy.place});
      if (!is_bulk)
        observer->agent_joined(agent, {range.to, range.bytes, true, false, AccessMode::plain, true, copy.place});
    }
    if (is_bulk && until == Until::landed) {
      observer->agent_completed(agent, &mine);
      observer->waited(&mine, observer->n_releases(&mine));
    }
  }
  if (until == Until::landed) mine.closed.erase(mine.closed.begin(), mine.closed.begin() + static_cast<long>(n_waited));
}

// ---- mbarriers ----

Mbarrier& Async::find(void* at, const void* place) {
  if (Block* owner = this_worker()->owner_of(at)) {
    auto& all = owner->async.mbarriers;
    const auto found = all.find(home_address(at));
    if (found != all.end()) return found->second;
  }
  report_no_mbarrier(place);
  this_worker()->abandon(launch_failure);
}

void Async::init(void* at, int count, const void* place) {
  state_.is_used = true;
  if (Observer* observer = observing())
    observer->access({static_cast<std::byte*>(at), 8, true, false, AccessMode::plain, false, place});
  std::byte* home = home_address(at);
  Mbarrier& barrier = state_.mbarriers[home];
  if (!barrier.in_flight.empty() || barrier.n_waiting() > 0) {
    report_mbarrier(Kind::copy_in_flight, barrier, "initialises it again", place,
                    "threads wait for it, or a copy in flight completes on it");
  }
  barrier = {};
  barrier.at = home;
  barrier.owner = &block();
  barrier.count = barrier.pending = count;
  if (count < 1 || count >= 1 << 20)
    report_mbarrier(Kind::arrival_count, barrier, "initialises it", place,
                    "a phase has 1 to 1048575 arrivals, not " + std::to_string(count));
}

void Async::invalidate(void* at, const void* place) {
  Mbarrier& barrier = find(at, place);
  use(barrier, place);
  if (!barrier.in_flight.empty() || barrier.n_waiting() > 0)
    report_mbarrier(Kind::copy_in_flight, barrier, "invalidates it", place,
                    "threads wait for it, or a copy in flight completes on it");
  state_.mbarriers.erase(barrier.at);
}

void Async::land(Mbarrier& barrier) {
  Observer* observer = observing();
  for (AsyncCopy& copy : barrier.in_flight) {
    copy.move();
    barrier.bytes_missing -= copy.bytes;
    barrier.pending -= copy.arrivals;
    if (observer) observer->agent_completed({copy.agent, copy.proxy}, barrier.order());
  }
  barrier.in_flight.clear();
}

// Completes the phase when all arrivals are in and all bytes have been delivered. Copies in flight land when a thread
// waits for them.
void Async::complete_if_due(Mbarrier& barrier, const void* place) {
  if (barrier.pending > barrier.n_arriving()) return;
  if (barrier.n_waiting() > 0) land(barrier);
  if (barrier.pending > 0 || barrier.bytes_missing > 0) return;
  if (barrier.bytes_missing < 0) {
    report_mbarrier(Kind::transaction_count, barrier, "completes a phase", place,
                    "copies delivered " + std::to_string(-barrier.bytes_missing) + " bytes more than phase " +
                        std::to_string(barrier.phase) + " expects");
  }
  if (Observer* observer = observing()) barrier.n_releases[barrier.phase % 2] = observer->n_releases(barrier.order());
  ++barrier.phase;
  barrier.pending = barrier.count;
  barrier.bytes_missing = 0;
  ++barrier.owner->progress;
  for (unsigned warp = 0; warp < barrier.waiting.size(); ++warp) {
    if (const unsigned lanes = std::exchange(barrier.waiting[warp], 0)) barrier.owner->make_ready(warp, lanes);
  }
}

// Completes the current phase before an operation on the next one, if it lacks only copies in flight that no thread has
// waited for.
void Async::begin_next_phase(Mbarrier& barrier, const void* place) {
  if (barrier.pending > barrier.n_arriving()) return;
  land(barrier);
  complete_if_due(barrier, place);
}

void Async::copy_async_arrive(void* at, bool is_extra, const void* place) {
  Mbarrier& barrier = find(at, place);
  use(barrier, place);
  begin_next_phase(barrier, place);
  if (is_extra) ++barrier.pending;
  if (barrier.pending == barrier.n_arriving()) {
    report_mbarrier(Kind::arrival_count, barrier, "has its copies arrive", place,
                    "1 arrival at a phase that lacks 0 of " + std::to_string(barrier.count));
    return;
  }
  CopyGroups& mine = groups(rafter_simt::GroupKind::copy_async);
  mine.closed.push_back(std::exchange(mine.open, {}));
  for (AsyncCopy& copy : mine.closed) {
    if (!copy.ranges.empty() && !copy.is_moved) barrier.in_flight.push_back(std::move(copy));
  }
  mine.closed.clear();
  AsyncCopy arrival;  // lands after the copies before it
  begin(arrival, place);
  arrival.proxy = Agent::Proxy::generic;
  arrival.arrivals = 1;
  barrier.in_flight.push_back(std::move(arrival));
  complete_if_due(barrier, place);
}

int Async::arrive(void* at, int n, int bytes, const void* place) {
  Mbarrier& barrier = find(at, place);
  use(barrier, place);
  begin_next_phase(barrier, place);
  const int parity = static_cast<int>(barrier.phase % 2);
  barrier.bytes_missing += bytes;
  if (n == 0) return parity;
  if (Observer* observer = observing()) {
    observer->mbarrier_arrived(barrier.order(),
                               barrier.owner == &block() ? rafter_simt::Scope::block : rafter_simt::Scope::cluster);
  }
  ++block().progress;
  if (const int n_missing = barrier.pending - barrier.n_arriving(); n > n_missing) {
    report_mbarrier(Kind::arrival_count, barrier, "arrives", place,
                    std::to_string(n) + (n == 1 ? " arrival" : " arrivals") + " at a phase that lacks " +
                        std::to_string(n_missing) + " of " + std::to_string(barrier.count));
    n = n_missing;
  }
  barrier.pending -= n;
  complete_if_due(barrier, place);
  return parity;
}

int Async::drop(void* at, const void* place) {
  Mbarrier& barrier = find(at, place);
  begin_next_phase(barrier, place);
  --barrier.count;
  return arrive(at, 1, 0, place);
}

bool Async::try_wait(void* at, int parity, const void* place) {
  Mbarrier* barrier = &find(at, place);
  use(*barrier, place);
  if (!barrier->is_complete(parity)) {
    land(*barrier);
    complete_if_due(*barrier, place);
  }
  if (!barrier->is_complete(parity)) {
    this_worker()->yield(place);
    barrier = &find(at, place);
  }
  if (!barrier->is_complete(parity)) return false;
  if (Observer* observer = observing())
    observer->waited(barrier->order(), barrier->n_releases[static_cast<std::size_t>(parity)]);
  return true;
}

void Async::wait(void* at, int parity, const void* place) {
  Mbarrier* barrier = &find(at, place);
  use(*barrier, place);
  while (!barrier->is_complete(parity)) {
    land(*barrier);
    complete_if_due(*barrier, place);
    if (barrier->is_complete(parity)) break;
    const unsigned thread = rafter_simt_now.linear;
    barrier->waiting[thread / 32] |= 1u << thread % 32;
    this_worker()->suspend(Waiting::mbarrier, place);
    barrier = &find(at, place);
  }
  if (Observer* observer = observing())
    observer->waited(barrier->order(), barrier->n_releases[static_cast<std::size_t>(parity)]);
}

// ---- bulk and TMA copies ----

void Async::load(void* at, AsyncCopy copy, std::byte* shared, const void* place) {
  Mbarrier& barrier = find(at, place);
  begin(copy, place);
  use(barrier, copy);
  for (const CopyRange& range : copy.ranges) {
    if (range.from && copy.value.empty()) touch(copy, range.from, range.bytes, false);
  }
  touch(copy, shared, static_cast<std::uint32_t>(copy.bytes), true);
  if (Observer* observer = observing()) {
    for (const CopyRange& range : copy.unused) observer->agent_skipped(range.to, range.bytes);
  }
  std::memset(shared, poison, static_cast<std::size_t>(copy.bytes));
  for (CopyRange& range : copy.ranges) range.to = home_address(range.to);
  barrier.in_flight.push_back(std::move(copy));
  complete_if_due(barrier, place);
}

void Async::store(const AsyncCopy& copy, const void* place) {
  AsyncCopy& group = groups(rafter_simt::GroupKind::bulk).open;
  if (group.ranges.empty()) begin(group, place);
  group.place = place;
  for (const CopyRange& range : copy.ranges) {
    touch(group, range.from, range.bytes, false);
    touch(group, range.to, range.bytes, true);
  }
  for (CopyRange range : copy.ranges) {
    range.from = home_address(const_cast<std::byte*>(range.from));
    group.ranges.push_back(range);
  }
}

}  // namespace rafter::simt
