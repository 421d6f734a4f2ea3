#include "executor/engine/block.hpp"

#include <algorithm>
#include <bit>
#include <cstdlib>
#include <optional>
#include <string>

#include "executor/engine/current_thread.hpp"
#include "executor/process/findings.hpp"
#include "executor/process/observer.hpp"
#include "executor/process/options.hpp"

namespace rafter::simt {
namespace {

unsigned choose(unsigned set, std::minstd_rand* shuffle) {
  if (!shuffle) return static_cast<unsigned>(std::countr_zero(set));
  for (auto skip = (*shuffle)() % static_cast<unsigned>(std::popcount(set)); skip > 0; --skip) set &= set - 1;
  return static_cast<unsigned>(std::countr_zero(set));
}

// Hardware counts arrivals regardless of where they are made. Arrivals in different iterations of a loop are made at
// the same line, and are a note unless --strict is given.
[[gnu::cold, gnu::noinline]] void report_divergent_barrier(const Block& block, const Barrier& barrier, unsigned thread,
                                                           const Block::Arrival& arrival) {
  constexpr int line_bits = 0xfffff;
  const bool is_one_line = (barrier.line & line_bits) == (arrival.line & line_bits);
  findings().add({.kind = Kind::divergent_barrier,
                  .kernel = current_kernel(),
                  .sides = {block.side("waits here", barrier.first, barrier.place),
                            block.side("arrives here", thread, arrival.place)},
                  .target = std::nullopt,
                  .detail = is_one_line
                                ? "threads of one block arrived at the same barrier in different iterations of a loop"
                                : "threads of one block arrived at the same barrier from different places",
                  .is_note = is_one_line && !options().strict});
}

// The compiler may have copied the call, or inlined the function around it in two places. The tool can tell: the lines
// through which the places are reached differ in the second case. A GPU's barrier counts warps, which may arrive from
// different places; the lanes of one warp must arrive together.
[[gnu::cold, gnu::noinline]] void report_two_calls(const Block& block, const Barrier& barrier, unsigned thread,
                                                   const Block::Arrival& arrival) {
  if (findings().count_again(Kind::divergent_barrier, current_kernel(), barrier.place, arrival.place)) return;
  findings().add({.kind = Kind::divergent_barrier,
                  .kernel = current_kernel(),
                  .sides = {block.side("waits here", barrier.first, barrier.place),
                            block.side("arrives here", thread, arrival.place)},
                  .target = std::nullopt,
                  .detail = "threads of one block arrived at the same barrier through different calls",
                  .needs_two_calls = true});
}

/// Whether a thread that left the kernel there took another branch than the one with the barrier.
bool passed_by(const rafter_simt::Departure& departure, const Barrier& barrier) {
  if (departure.is_end) return true;
  if (!(barrier.line & rafter_simt::in_kernel_text)) return false;  // the positions are not comparable
  const int at = barrier.line & (rafter_simt::in_kernel_text - 1);
  bool is_in_other_branch = false;
  char* rest = nullptr;
  for (const char* text = departure.others; *text != '\0'; text = rest + 1) {
    const long begin = std::strtol(text, &rest, 10), end = std::strtol(rest, &rest, 10);
    is_in_other_branch = is_in_other_branch || (begin < at && at < end);
  }
  const bool is_in_loop = departure.loop_begin < at && at < departure.loop_end;
  return is_in_other_branch || (at < departure.at && !is_in_loop);
}

/// Reports threads that ended without the barrier because it is in a branch that they did not take, or in a loop that
/// they left earlier. Returns false if there are none.
bool report_passed_by(const Block& block, const Barrier& barrier) {
  std::optional<unsigned> first;
  unsigned n = 0;
  for (unsigned thread = 0; thread < block.n_threads; ++thread) {
    const rafter_simt::Departure* departure = block.departure_of(thread);
    if (!departure || !passed_by(*departure, barrier)) continue;
    if (!first) first = thread;
    ++n;
  }
  if (!first) return false;
  findings().add({.kind = Kind::divergent_barrier,
                  .kernel = current_kernel(),
                  .sides = {block.side("waits at this barrier", barrier.first, barrier.place),
                            block.side("ended here without it", *first, block.departure_of(*first)->place)},
                  .target = std::nullopt,
                  .detail = std::to_string(n) + (n == 1 ? " thread" : " threads") +
                            " of the block did not take the branch or iteration with the barrier"});
  return true;
}

// A note unless --strict is given: from compute capability 7.0 on, an exited thread counts as arrived.
[[gnu::cold, gnu::noinline]] void report_exited_before_barrier(const Block& block, const Barrier& barrier) {
  if (report_passed_by(block, barrier)) return;
  unsigned exited = 0;
  while (exited < block.n_threads && !block.has_exited(exited)) ++exited;
  const rafter_simt::Departure* const departure = block.departure_of(exited);
  const unsigned n = block.n_threads - block.n_live;
  findings().add({.kind = Kind::exited_before_barrier,
                  .kernel = current_kernel(),
                  .sides = {block.side("waits at this barrier", barrier.first, barrier.place),
                            block.side("had returned already", exited, departure ? departure->place : nullptr)},
                  .target = std::nullopt,
                  .detail = std::to_string(n) + (n == 1 ? " thread" : " threads") +
                            " of the block returned before a barrier that the others wait at",
                  .is_note = !options().strict});
}

}  // namespace

void Block::restart(uint3 at, std::int64_t linear_index, const rafter_simt::Launch& launch) {
  index = at;
  linear = linear_index;
  shape = launch.block;
  n_threads = n_live = shape.x * shape.y * shape.z;
  state = BlockState::running;
  epoch = epoch_at_grid_barrier = 0;
  async.clear();
  wgmmas.clear();
  at_grid_barrier = 0;
  progress = progress_at_yield = 0;
  run_begin = 0;
  is_prepared = false;
  if (dynamic_shared.size() < launch.shared_bytes + shared_redzone_bytes + dynamic_shared_alignment) {
    dynamic_shared.resize(launch.shared_bytes + shared_redzone_bytes + dynamic_shared_alignment);
  }
  shared_image.forget();
  cluster.reset();
}

void Block::prepare() {
  is_prepared = true;
  number_threads();
  const unsigned n_warps = (n_threads + 31) / 32;
  if (warps.size() < n_warps) warps.resize(n_warps);
  for (unsigned w = 0; w < n_warps; ++w) {
    const unsigned lanes = std::min(32u, n_threads - w * 32);
    if (options().in_step) warps[w].step_place.fill(nullptr), warps[w].step_behind.fill(nullptr);
    warps[w].restart(lanes == 32 ? ~0u : (1u << lanes) - 1);
    warps[w].threads = threads.data() + std::size_t{w} * 32;
  }
  ready_warps_ = n_warps == 32 ? ~0u : (1u << n_warps) - 1;
}

// Consecutive blocks have the same shape as a rule.
void Block::number_threads() {
  const dim3& was = numbered_shape_;
  if (was.x == shape.x && was.y == shape.y && was.z == shape.z) return;
  numbered_shape_ = shape;
  if (threads.size() < n_threads) threads.resize(n_threads);
  for (unsigned thread = 0; thread < n_threads; ++thread) threads[thread].number = {thread_index(thread), thread};
}

void Block::forget() {
  for (Thread& thread : threads) thread.fiber = nullptr, thread.waiting = Waiting::nothing;
  barriers.fill(Barrier{});
  open_barriers_ = 0;
}

void Block::end_run(unsigned thread) {
  n_live -= thread - run_begin;
  progress += thread - run_begin;
  for (unsigned w = run_begin / 32; w <= thread / 32; ++w) {
    const unsigned from = std::max(run_begin, w * 32) - w * 32, to = std::min(thread, w * 32 + 32) - w * 32;
    const unsigned lanes = static_cast<unsigned>((std::uint64_t{1} << to) - (std::uint64_t{1} << from));
    warps[w].live &= ~lanes;
    warps[w].ready &= ~lanes;
    if (const unsigned met = warps[w].complete_after_exit()) make_ready(w, met);
  }
  run_begin = thread;
}

void Block::exited(unsigned thread) {
  const unsigned w = thread / 32;
  Warp& warp = warps[w];
  warp.live &= ~(1u << (thread % 32));
  threads[thread].fiber = nullptr;
  --n_live;
  ++progress;
  if (const unsigned lanes = warp.complete_after_exit()) make_ready(w, lanes);
  if (!open_barriers_ || n_live == 0) return;
  for (Barrier& barrier : barriers) {
    if (barrier.arrived > 0 && barrier_is_complete(barrier)) release(barrier);
  }
}

void Block::yielded(unsigned thread) { warps[thread / 32].yielded |= 1u << (thread % 32); }

bool Block::wake_yielded() {
  bool any = false;
  for (unsigned w = 0; w * 32 < n_threads; ++w) {
    if (!warps[w].yielded) continue;
    make_ready(w, warps[w].yielded);
    warps[w].yielded = 0;
    any = true;
  }
  return any;
}

// Lanes in __activemask wait until no other lane of their warp can run. Then the lanes at the same call are active
// together.
void Block::resolve_active_masks(unsigned w) {
  Warp& warp = warps[w];
  const unsigned asking = warp.asking_active;
  const int line = warp.asking_line[static_cast<unsigned>(std::countr_zero(asking))];
  unsigned together = 0;
  for (unsigned lanes = asking; lanes; lanes &= lanes - 1) {
    const auto lane = static_cast<unsigned>(std::countr_zero(lanes));
    if (warp.asking_line[lane] == line) together |= 1u << lane;
  }
  warp.asking_active &= ~together;
  for (unsigned lanes = together; lanes; lanes &= lanes - 1) {
    warp.active_result[static_cast<unsigned>(std::countr_zero(lanes))] = together;
  }
  make_ready(w, together);
}

std::optional<unsigned> Block::pick(unsigned current, std::minstd_rand* shuffle) {
  unsigned w = current / 32;
  if (warps[w].ready == 0 && warps[w].asking_active) resolve_active_masks(w);
  if (warps[w].ready == 0 || shuffle) {
    if (warps[w].ready == 0) ready_warps_ &= ~(1u << w);
    for (;;) {
      if (ready_warps_ == 0) {
        for (unsigned i = 0; i * 32 < n_threads; ++i) {
          if (warps[i].asking_active) resolve_active_masks(i);
        }
        if (ready_warps_ == 0) return std::nullopt;
      }
      // Round robin: the warps after the current one, then the first again.
      const unsigned later = ready_warps_ & ~((2u << w) - 1);
      w = choose(!shuffle && later ? later : ready_warps_, shuffle);
      if (warps[w].ready) break;
      ready_warps_ &= ~(1u << w);
    }
  }
  const unsigned lane = options().in_step ? warps[w].furthest_behind(warps[w].ready) : choose(warps[w].ready, shuffle);
  warps[w].ready &= ~(1u << lane);
  return w * 32 + lane;
}

bool Block::barrier_is_complete(const Barrier& barrier) const {
  return barrier.arrived >= (barrier.expected > 0 ? barrier.expected : static_cast<int>(n_live));
}

bool Block::arrive(unsigned thread, const Arrival& arrival, bool waits) {
  Barrier& barrier = barriers[static_cast<unsigned>(arrival.id)];
  if (barrier.arrived == 0) {
    open_barriers_ |= std::uint64_t{1} << arrival.id;
    barrier.expected = arrival.expected;
    barrier.line = arrival.line;
    barrier.first = thread;
    barrier.place = arrival.place;
    barrier.kind = arrival.kind;
  } else if (barrier.line != arrival.line && barrier.line && arrival.line) {
    report_divergent_barrier(*this, barrier, thread, arrival);
  } else if (barrier.place != arrival.place && barrier.line && barrier.first / 32 == thread / 32 && observing()) {
    report_two_calls(*this, barrier, thread, arrival);
  }
  ++barrier.arrived;
  ++progress;
  barrier.n_true += arrival.predicate != 0;
  if (waits) barrier.waiting[thread / 32] |= 1u << (thread % 32);
  if (!barrier_is_complete(barrier)) return false;
  release(barrier);
  warps[thread / 32].ready &= ~(1u << (thread % 32));  // the caller continues
  return true;
}

void Block::release(Barrier& barrier) {
  const bool whole = barrier.expected == 0 || barrier.expected == static_cast<int>(n_threads);
  if (barrier.expected == 0 && n_live < n_threads) report_exited_before_barrier(*this, barrier);
  barrier.result = barrier.kind == BarrierKind::all   ? barrier.n_true == barrier.arrived
                   : barrier.kind == BarrierKind::any ? barrier.n_true > 0
                                                      : barrier.n_true;
  if (Observer* observer = observing())
    whole ? observer->block_barrier_completed(*this) : observer->partial_barrier_completed(*this, barrier);
  if (whole) ++epoch;
  ++n_barriers;
  for (unsigned w = 0; w * 32 < n_threads; ++w) {
    // At a barrier of the whole block every live thread waits.
    const unsigned lanes = barrier.expected == 0 ? warps[w].live : barrier.waiting[w];
    if (lanes) make_ready(w, lanes);
    barrier.waiting[w] = 0;
  }
  barrier.arrived = barrier.n_true = 0;
  open_barriers_ &= ~(std::uint64_t{1} << (&barrier - barriers.data()));
}

}  // namespace rafter::simt
