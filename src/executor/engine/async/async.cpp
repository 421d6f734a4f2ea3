#include "executor/engine/async/async.hpp"

#include <bit>
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

void touch(const Flight& flight, const void* address, std::uint32_t bytes, bool writes) {
  Observer* observer = observing();
  if (!observer || bytes == 0) return;
  auto* at = static_cast<std::byte*>(const_cast<void*>(address));
  const bool is_range = flight.proxy == Agent::Proxy::async || bytes > 16;
  observer->agent_access({at, bytes, writes, !writes, How::plain, is_range, flight.place},
                         {flight.agent, flight.proxy});
}

void begin(Flight& flight, const void* place) {
  flight.thread = rafter_simt_now.linear;
  flight.place = place;
  if (Observer* observer = observing()) flight.agent = observer->agent_began();
}

void use(const Mbarrier& barrier, const void* place) {
  Observer* observer = observing();
  if (!observer) return;
  observer->access({this_worker()->in_place(barrier.at), 8, true, true, How::atomic, false, place});
}

// By a copy that will complete it: who started the copy has nothing more to do with another block's mbarrier.
void use(const Mbarrier& barrier, const Flight& flight) {
  Observer* observer = observing();
  if (!observer) return;
  observer->agent_access({this_worker()->in_place(barrier.at), 8, true, true, How::atomic, false, flight.place},
                         {flight.agent, Agent::Proxy::generic});
}

Block& block() { return this_worker()->block(); }

}  // namespace

void Flight::move() {
  if (std::exchange(is_moved, true)) return;
  for (const Piece& piece : pieces) {
    std::byte* to = this_worker()->in_place(piece.to);
    const std::byte* from = this_worker()->in_place(const_cast<std::byte*>(piece.from));
    piece.from ? static_cast<void>(std::memcpy(to, from, piece.bytes))
               : static_cast<void>(std::memset(to, 0, piece.bytes));
  }
}

int Mbarrier::n_arriving() const {
  int n = 0;
  for (const Flight& flight : coming) n += flight.arrivals;
  return n;
}

int Mbarrier::n_waiting() const {
  int n = 0;
  for (const unsigned lanes : waiting) n += std::popcount(lanes);
  return n;
}

void Async::clear() {
  if (!std::exchange(is_used_, false)) return;
  mbarriers_.clear();
  for (auto& kind : groups_) kind.clear();
}

// Shared memory is somebody else's once a block is over: whatever still reads or writes it is a fault.
void Async::block_ended(const Block& ended) {
  if (!is_used_) return;
  for (const auto& [at, barrier] : mbarriers_) {
    for (const Flight& flight : barrier.coming)
      report_in_flight(ended, flight.thread, flight.place,
                       "its block ended before anybody had waited for the copy into its shared memory");
  }
  for (auto& [thread, of_thread] : groups_[static_cast<std::size_t>(rafter_simt::GroupKind::bulk)]) {
    of_thread.closed.push_back(std::move(of_thread.open));
    for (Flight& flight : of_thread.closed) {
      if (flight.is_moved || flight.pieces.empty()) continue;
      report_in_flight(ended, flight.thread, flight.place,
                       "its block ended before anybody had waited until the copy had read its shared memory");
      flight.move();
    }
  }
}

Groups& Async::groups(rafter_simt::GroupKind kind) {
  is_used_ = true;
  return groups_[static_cast<std::size_t>(kind)][rafter_simt_now.linear];
}

// ---- groups of a thread ----

void Async::copy_async(Piece piece, const void* place) {
  Flight& flight = groups(rafter_simt::GroupKind::copy_async).open;
  if (flight.pieces.empty()) begin(flight, place);
  flight.place = place;
  flight.proxy = Agent::Proxy::generic;
  if (piece.from) touch(flight, piece.from, piece.bytes, false);
  touch(flight, piece.to, piece.bytes, true);
  std::memset(piece.to, poison, piece.bytes);
  piece.to = this_worker()->home(piece.to);
  flight.pieces.push_back(piece);
}

void Async::commit(rafter_simt::GroupKind kind) {
  Groups& mine = groups(kind);
  mine.closed.push_back(std::exchange(mine.open, {}));
}

// What a thread's own copies wrote is its own doing once it has waited; a store by hardware is known to it alone.
void Async::wait_group(rafter_simt::GroupKind kind, int n_later, Until until) {
  Groups& mine = groups(kind);
  Observer* observer = observing();
  const std::size_t n_waited = mine.closed.size() - std::min(mine.closed.size(), static_cast<std::size_t>(n_later));
  for (std::size_t i = 0; i < n_waited; ++i) {
    Flight& flight = mine.closed[i];
    flight.move();
    if (!observer || flight.pieces.empty()) continue;
    const bool is_bulk = kind == rafter_simt::GroupKind::bulk;
    const Agent agent{flight.agent, is_bulk ? Agent::Proxy::async : Agent::Proxy::generic};
    for (const Piece& piece : flight.pieces) {
      auto* from = const_cast<std::byte*>(piece.from);
      if (from) observer->agent_joined(agent, {from, piece.bytes, false, true, How::plain, true, flight.place});
      if (!is_bulk) observer->agent_joined(agent, {piece.to, piece.bytes, true, false, How::plain, true, flight.place});
    }
    if (is_bulk && until == Until::landed) {
      observer->agent_landed(agent, &mine);
      observer->waited(&mine, observer->n_releases(&mine));
    }
  }
  if (until == Until::landed) mine.closed.erase(mine.closed.begin(), mine.closed.begin() + static_cast<long>(n_waited));
}

// ---- mbarriers ----

Mbarrier& Async::find(void* at, const void* place) {
  if (Block* owner = this_worker()->owner_of(at)) {
    auto& all = owner->async.mbarriers_;
    const auto found = all.find(this_worker()->home(at));
    if (found != all.end()) return found->second;
  }
  report_no_mbarrier(place);
  this_worker()->abandon(launch_failure);
}

void Async::init(void* at, int count, const void* place) {
  is_used_ = true;
  if (Observer* observer = observing())
    observer->access({static_cast<std::byte*>(at), 8, true, false, How::plain, false, place});
  std::byte* home = this_worker()->home(at);
  Mbarrier& barrier = mbarriers_[home];
  if (!barrier.coming.empty() || barrier.n_waiting() > 0) {
    report_mbarrier(Kind::copy_in_flight, barrier, "initialises it again", place,
                    "somebody waits for it, or a copy is on its way to it");
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
  if (!barrier.coming.empty() || barrier.n_waiting() > 0)
    report_mbarrier(Kind::copy_in_flight, barrier, "invalidates it", place,
                    "somebody waits for it, or a copy is on its way to it");
  mbarriers_.erase(barrier.at);
}

void Async::land(Mbarrier& barrier) {
  Observer* observer = observing();
  for (Flight& flight : barrier.coming) {
    flight.move();
    barrier.bytes_missing -= flight.bytes;
    barrier.pending -= flight.arrivals;
    if (observer) observer->agent_landed({flight.agent, flight.proxy}, barrier.order());
  }
  barrier.coming.clear();
}

// When all have arrived a phase ends when its bytes are there. What is on its way lands when somebody needs it to.
void Async::complete_if_due(Mbarrier& barrier, const void* place) {
  if (barrier.pending > barrier.n_arriving()) return;
  if (barrier.n_waiting() > 0) land(barrier);
  if (barrier.pending > 0 || barrier.bytes_missing > 0) return;
  if (barrier.bytes_missing < 0) {
    report_mbarrier(Kind::transaction_count, barrier, "completes a phase", place,
                    "copies brought " + std::to_string(-barrier.bytes_missing) + " bytes more than phase " +
                        std::to_string(barrier.phase) + " expected");
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

// A phase that only lacked what is on its way, and that nobody waited for, is over when somebody comes to the next.
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
  Groups& mine = groups(rafter_simt::GroupKind::copy_async);
  mine.closed.push_back(std::exchange(mine.open, {}));
  for (Flight& flight : mine.closed) {
    if (!flight.pieces.empty() && !flight.is_moved) barrier.coming.push_back(std::move(flight));
  }
  mine.closed.clear();
  Flight arrival;  // when those before it have landed
  begin(arrival, place);
  arrival.proxy = Agent::Proxy::generic;
  arrival.arrivals = 1;
  barrier.coming.push_back(std::move(arrival));
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

// ---- copies by hardware ----

void Async::load(void* at, Flight flight, std::byte* shared, const void* place) {
  Mbarrier& barrier = find(at, place);
  begin(flight, place);
  use(barrier, flight);
  for (const Piece& piece : flight.pieces) {
    if (piece.from && flight.value.empty()) touch(flight, piece.from, piece.bytes, false);
  }
  touch(flight, shared, static_cast<std::uint32_t>(flight.bytes), true);
  if (Observer* observer = observing()) {
    for (const Piece& piece : flight.unused) observer->agent_skipped(piece.to, piece.bytes);
  }
  std::memset(shared, poison, static_cast<std::size_t>(flight.bytes));
  for (Piece& piece : flight.pieces) piece.to = this_worker()->home(piece.to);
  barrier.coming.push_back(std::move(flight));
  complete_if_due(barrier, place);
}

void Async::store(const Flight& flight, const void* place) {
  Flight& group = groups(rafter_simt::GroupKind::bulk).open;
  if (group.pieces.empty()) begin(group, place);
  group.place = place;
  for (const Piece& piece : flight.pieces) {
    touch(group, piece.from, piece.bytes, false);
    touch(group, piece.to, piece.bytes, true);
  }
  for (Piece piece : flight.pieces) {
    piece.from = this_worker()->home(const_cast<std::byte*>(piece.from));
    group.pieces.push_back(piece);
  }
}

}  // namespace rafter::simt
