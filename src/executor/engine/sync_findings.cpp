#include "executor/engine/sync_findings.hpp"

#include <algorithm>
#include <bit>
#include <cstdio>
#include <string>
#include <vector>

#include "executor/engine/async/async_findings.hpp"
#include "executor/engine/side.hpp"
#include "executor/engine/workers/worker.hpp"
#include "executor/process/findings.hpp"

namespace rafter::simt {
namespace {

Side side(const char* action, const Block& block, unsigned thread, const void* place) {
  return {action, place, 0, block.index, block.thread_index(thread)};
}

void add(Kind kind, std::vector<Side> sides, std::string detail) {
  findings().add({kind, Space::none, kernel_here(), std::move(sides), std::nullopt, std::move(detail)});
}

const char* waiting_in(const Thread& thread) {
  switch (thread.waiting) {
    case Waiting::barrier: return "waits at a barrier";
    case Waiting::warp: return "waits for lanes of its mask";
    case Waiting::active_mask: return "is in __activemask";
    case Waiting::cluster: return "waits at the cluster's barrier";
    case Waiting::grid: return "waits for the whole grid";
    case Waiting::mbarrier: return "waits for an mbarrier";
    case Waiting::nothing: return "tries again and again";
  }
  return "waits";
}

// One side per place that threads wait at, with how many do, in the order of the threads.
std::vector<Side> waiting_places(const Block& block) {
  struct Waiters {
    unsigned first, n;
  };
  std::vector<Waiters> places;
  for (unsigned t = 0; t < block.n_threads; ++t) {
    if (block.has_exited(t) || !block.threads[t].fiber) continue;
    const auto same = [&](const Waiters& w) { return block.threads[w.first].place == block.threads[t].place; };
    const auto at = std::find_if(places.begin(), places.end(), same);
    at == places.end() ? places.push_back({t, 1}) : static_cast<void>(++at->n);
  }
  std::vector<Side> sides;
  for (const Waiters& who : places) {
    std::string action = waiting_in(block.threads[who.first]);
    if (who.n > 1) action += ", as do " + std::to_string(who.n - 1) + " more threads of the block";
    sides.push_back(side(action.c_str(), block, who.first, block.threads[who.first].place));
  }
  return sides;
}

std::string hex(unsigned mask) {
  char text[16];
  std::snprintf(text, sizeof text, "0x%08x", mask);
  return text;
}

unsigned thread_of(const Warp& warp, unsigned lane) {
  const Block& block = this_worker()->block();
  return static_cast<unsigned>(&warp - block.warps.data()) * 32 + lane;
}

}  // namespace

// Hardware counts arrivals, wherever they are made; in different rounds of a loop they are made at one place.
void report_divergent_barrier(const Block& block, const Barrier& barrier, unsigned thread,
                              const Block::Arrival& arrival) {
  constexpr int line_bits = 0xfffff;
  const bool is_one_line = (barrier.line & line_bits) == (arrival.line & line_bits);
  findings().add({.kind = Kind::divergent_barrier,
                  .kernel = kernel_here(),
                  .sides = {side("waits here", block, barrier.first, barrier.place),
                            side("arrives here", block, thread, arrival.place)},
                  .target = std::nullopt,
                  .detail = is_one_line
                                ? "threads of one block arrived at the same barrier in different rounds of a loop"
                                : "threads of one block arrived at the same barrier from different places",
                  .is_note = is_one_line && !options().strict});
}

void report_exited_before_barrier(const Block& block, const Barrier& barrier) {
  unsigned gone = 0;
  while (gone < block.n_threads && !block.has_exited(gone)) ++gone;
  const unsigned n = block.n_threads - block.n_live;
  // From compute capability 7.0 on a thread that has exited counts as arrived.
  findings().add({.kind = Kind::exited_before_barrier,
                  .kernel = kernel_here(),
                  .sides = {side("waits at this barrier", block, barrier.first, barrier.place),
                            side("had returned already", block, gone, nullptr)},
                  .target = std::nullopt,
                  .detail = std::to_string(n) + (n == 1 ? " thread" : " threads") +
                            " of the block returned before a barrier that the others wait at",
                  .is_note = !options().strict});
}

namespace {

Side waiting_for_grid(const Block& block) {
  unsigned t = 0;
  while (t + 1 < block.n_threads && block.threads[t].waiting != Waiting::grid) ++t;
  return side("waits for the whole grid", block, t, block.threads[t].place);
}

}  // namespace

void report_threads_gone(const Block& block) {
  const unsigned n = block.n_threads - block.n_live;
  add(Kind::exited_before_barrier, {waiting_for_grid(block)},
      std::to_string(n) + (n == 1 ? " thread" : " threads") +
          " of the block returned before a grid-wide barrier, which all threads of the grid must reach");
}

void check_grid_barrier(const Block& block) {
  unsigned first = 0;
  while (block.has_exited(first)) ++first;
  for (unsigned t = first + 1; t < block.n_threads; ++t) {
    if (block.has_exited(t) || block.threads[t].place == block.threads[first].place) continue;
    add(Kind::divergent_barrier,
        {side("waits for the whole grid", block, first, block.threads[first].place),
         side("waits for it here", block, t, block.threads[t].place)},
        "threads of one block arrived at a grid-wide barrier from different places");
    return;
  }
}

void report_blocks_gone(const Block& block) {
  add(Kind::exited_before_barrier, {waiting_for_grid(block)},
      "whole blocks returned before a grid-wide barrier that others wait at");
}

static Side waiting_lane(const Block& block, unsigned thread) {
  return side("waits here", block, thread, block.threads[thread].place);
}

// Two masks that share a lane can never both be complete: the lanes do not agree.
static bool masks_disagree(const Block& block) {
  for (unsigned w = 0; w * 32 < block.n_threads; ++w) {
    const auto& meetings = block.warps[w].under_way();
    for (std::size_t i = 0; i < meetings.size(); ++i) {
      for (std::size_t j = 0; j < i; ++j) {
        const Meeting &a = meetings[i], &b = meetings[j];
        if (!(a.of.mask & b.arrived) && !(b.of.mask & a.arrived)) continue;
        const auto first = [w](const Meeting& m) {
          return w * 32 + static_cast<unsigned>(std::countr_zero(m.arrived));
        };
        add(Kind::bad_mask, {waiting_lane(block, first(b)), waiting_lane(block, first(a))},
            "lanes of one warp wait for each other with different masks, " + hex(b.of.mask) + " and " + hex(a.of.mask));
        return true;
      }
    }
  }
  return false;
}

void report_deadlock(const Block& block) {
  if (masks_disagree(block)) return;
  add(Kind::deadlock, waiting_places(block), "no thread of the block can go on" + stuck_mbarriers(block));
}

void report_cluster_deadlock(const Cluster& cluster) {
  std::vector<Side> sides;
  std::string detail = "no thread of the cluster can go on";
  for (unsigned rank = 0; rank < cluster.size(); ++rank) {
    const Block& block = cluster.block(rank);
    if (block.state == BlockState::finished) continue;
    if (masks_disagree(block)) return;
    for (Side& one : waiting_places(block)) sides.push_back(std::move(one));
    const unsigned n_missing = cluster.is_awaited() ? cluster.n_missing(rank) : 0;
    if (n_missing > 0) {
      detail += "\n    the cluster's barrier lacks " + std::to_string(n_missing) +
                (n_missing == 1 ? " thread" : " threads") + " of the block of rank " + std::to_string(rank);
    }
    detail += stuck_mbarriers(block);
  }
  add(Kind::deadlock, std::move(sides), detail);
}

void report_cluster_turns(const Block& block, const void* place, const char* action, const char* detail) {
  add(Kind::arrival_count, {side(action, block, rafter_simt_now.linear, place)}, detail);
}

void report_bad_map(const Block& block, const void* place, const std::string& action, const std::string& detail) {
  findings().add({Kind::out_of_bounds,
                  Space::shared,
                  kernel_here(),
                  {side(action.c_str(), block, rafter_simt_now.linear, place)},
                  std::nullopt,
                  detail});
}

void report_no_progress(const Block& block, double limit_s) {
  char text[96];
  std::snprintf(text, sizeof text, "the threads that are left only spin, for %.3g s", limit_s);
  add(Kind::no_progress, waiting_places(block), text + stuck_mbarriers(block));
}

void report_overdue(const Block& block, Overdue overdue, const void* place) {
  char text[96];
  if (const double limit_s = options().program_limit_s; limit_s > 0) {
    const char* what =
        overdue == Overdue::turn ? "it waits for nobody and does not end" : "no thread of the launch ends";
    std::snprintf(text, sizeof text, "%s, and the program's time limit of %.3g s is up", what, limit_s);
  } else if (overdue == Overdue::turn) {
    std::snprintf(text, sizeof text, "it ran for %.3g s without waiting for anybody; --time-limit S gives it longer",
                  options().patience_s());
  } else if (overdue == Overdue::stall) {
    std::snprintf(text, sizeof text, "for %.3g s no thread of the launch has ended; --time-limit S gives it longer",
                  options().time_limit_s);
  } else {
    std::snprintf(text, sizeof text, "the launch had run for %.3g s", options().launch_limit_s);
  }
  // Of a thread that has waited before, that place says more than where it is at the moment.
  const Thread* thread = block.is_prepared ? &block.threads[rafter_simt_now.linear] : nullptr;
  if (overdue == Overdue::stall && thread && thread->fiber) place = thread->place;
  add(Kind::no_progress, {side_here("runs on and on", place)}, text);
}

void report_not_in_mask(const Block& block, unsigned thread, const WarpCall& call) {
  add(Kind::bad_mask, {side("calls", block, thread, call.place)},
      "lane " + std::to_string(thread % 32) + " is not in the mask it gives, " + hex(call.mask));
}

void report_mixed_operations(const Warp& warp, const Meeting& meeting, const WarpCall& call) {
  const Block& block = this_worker()->block();
  const unsigned other = thread_of(warp, static_cast<unsigned>(std::countr_zero(meeting.arrived)));
  add(Kind::bad_mask,
      {waiting_lane(block, other), side("does something else", block, rafter_simt_now.linear, call.place)},
      "lanes of the mask " + hex(call.mask) + " do not all do the same");
}

void report_bad_source(const Warp& warp, const Meeting& meeting, unsigned lane, unsigned source, const void* place) {
  const Block& block = this_worker()->block();
  const bool in_mask = meeting.of.mask >> source & 1;
  add(Kind::bad_source_lane, {side("shuffles", block, thread_of(warp, lane), place)},
      "lane " + std::to_string(lane) + " reads lane " + std::to_string(source) +
          (in_mask ? ", which has exited or does not exist" : ", which is not in the mask " + hex(meeting.of.mask)));
}

void report_other_mask(const Warp& warp, const Meeting& meeting, unsigned lane, unsigned mask) {
  const Block& block = this_worker()->block();
  const unsigned waiting = static_cast<unsigned>(std::countr_zero(meeting.arrived));
  add(Kind::bad_mask,
      {side("waits here", block, thread_of(warp, waiting), meeting.place),
       side("passed with another mask", block, thread_of(warp, lane), meeting.place)},
      "lane " + std::to_string(waiting) + " waits for lane " + std::to_string(lane) + " with the mask " +
          hex(meeting.of.mask) + ", which that lane passed with " + hex(mask));
}

void report_unsupported(const char* what, const void* place) {
  const Worker* worker = this_worker();
  findings().add(
      {Kind::unsupported, Space::none, worker ? kernel_here() : "", {{"uses", place, 0, {}, {}}}, std::nullopt, what});
}

}  // namespace rafter::simt
