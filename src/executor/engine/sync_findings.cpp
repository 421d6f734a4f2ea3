#include "executor/engine/sync_findings.hpp"

#include <algorithm>
#include <bit>
#include <cstdio>
#include <string>
#include <vector>

#include "executor/engine/async/async_findings.hpp"
#include "executor/engine/clusters/cluster.hpp"
#include "executor/engine/current_thread.hpp"
#include "executor/process/findings.hpp"
#include "executor/process/options.hpp"

namespace rafter::simt {
namespace {

void add(Kind kind, std::vector<Side> sides, std::string detail) {
  findings().add({kind, Space::none, current_kernel(), std::move(sides), std::nullopt, std::move(detail)});
}

const char* waiting_in(const Thread& thread) {
  switch (thread.waiting) {
    case Waiting::barrier: return "waits at a barrier";
    case Waiting::warp: return "waits for lanes of its mask";
    case Waiting::active_mask: return "is in __activemask";
    case Waiting::cluster: return "waits at the cluster's barrier";
    case Waiting::grid: return "waits for the whole grid";
    case Waiting::mbarrier: return "waits for an mbarrier";
    case Waiting::nothing: return "spins";
  }
  return "waits";
}

// Returns one side per place at which threads wait, in the order of the threads, with the number of threads there.
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
  for (const Waiters& waiters : places) {
    std::string action = waiting_in(block.threads[waiters.first]);
    if (waiters.n > 1) action += ", as do " + std::to_string(waiters.n - 1) + " more threads of the block";
    sides.push_back(block.side(action.c_str(), waiters.first, block.threads[waiters.first].place));
  }
  return sides;
}

Side waiting_for_grid(const Block& block) {
  unsigned t = 0;
  while (t + 1 < block.n_threads && block.threads[t].waiting != Waiting::grid) ++t;
  return block.side("waits for the whole grid", t, block.threads[t].place);
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
        {block.side("waits for the whole grid", first, block.threads[first].place),
         block.side("waits for it here", t, block.threads[t].place)},
        "threads of one block arrived at a grid-wide barrier from different places");
    return;
  }
}

void report_blocks_gone(const Block& block) {
  add(Kind::exited_before_barrier, {waiting_for_grid(block)},
      "whole blocks returned before a grid-wide barrier that others wait at");
}

static Side waiting_lane(const Block& block, unsigned thread) {
  return block.side("waits here", thread, block.threads[thread].place);
}

// Reports two meetings with masks that share a lane: they can never both complete.
static bool report_conflicting_masks(const Block& block) {
  for (unsigned w = 0; w * 32 < block.n_threads; ++w) {
    const auto& meetings = block.warps[w].under_way();
    for (std::size_t i = 0; i < meetings.size(); ++i) {
      for (std::size_t j = 0; j < i; ++j) {
        const Meeting &a = meetings[i], &b = meetings[j];
        if (!(a.key.mask & b.arrived) && !(b.key.mask & a.arrived)) continue;
        const auto first = [w](const Meeting& m) {
          return w * 32 + static_cast<unsigned>(std::countr_zero(m.arrived));
        };
        add(Kind::bad_mask, {waiting_lane(block, first(b)), waiting_lane(block, first(a))},
            "lanes of one warp wait for each other with different masks, " + mask_text(b.key.mask) + " and " +
                mask_text(a.key.mask));
        return true;
      }
    }
  }
  return false;
}

void report_deadlock(const Block& block) {
  if (report_conflicting_masks(block)) return;
  add(Kind::deadlock, waiting_places(block), "no thread of the block can continue" + stuck_mbarriers(block));
}

void report_cluster_deadlock(const Cluster& cluster) {
  std::vector<Side> sides;
  std::string detail = "no thread of the cluster can continue";
  for (unsigned rank = 0; rank < cluster.size(); ++rank) {
    const Block& block = cluster.block(rank);
    if (block.state == BlockState::finished) continue;
    if (report_conflicting_masks(block)) return;
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

void report_cluster_order(const Block& block, const void* place, const char* action, const char* detail) {
  add(Kind::arrival_count, {block.side(action, rafter_simt_now.linear, place)}, detail);
}

void report_bad_map(const Block& block, const void* place, const std::string& action, const std::string& detail) {
  findings().add({Kind::out_of_bounds,
                  Space::shared,
                  current_kernel(),
                  {block.side(action.c_str(), rafter_simt_now.linear, place)},
                  std::nullopt,
                  detail});
}

void report_no_progress(const Block& block, double limit_s) {
  char text[96];
  std::snprintf(text, sizeof text, "the remaining threads have only spun for %.3g s", limit_s);
  add(Kind::no_progress, waiting_places(block), text + stuck_mbarriers(block));
}

void report_too_many_blocks(const Block& block, const Grid& grid) {
  const std::int64_t n = grid.n_resident_at_most(), n_multiprocessors = grid.n_multiprocessors();
  add(Kind::too_many_blocks, waiting_places(block),
      "the grid has " + std::to_string(grid.n_blocks()) + " blocks, of which at most " + std::to_string(n) +
          " run at the same time (" + std::to_string(n_multiprocessors) + " multiprocessors, " +
          std::to_string(n / n_multiprocessors) +
          " blocks on each); all of them wait for one that has not started\n    "
          "RAFTER_SIMT_MULTIPROCESSORS sets the number of multiprocessors; a cooperative launch would be refused");
}

void report_timeout(const Block& block, Timeout timeout, const void* place) {
  char text[96];
  if (const double limit_s = options().program_limit_s; limit_s > 0) {
    const char* what = timeout == Timeout::slice ? "the thread neither waits nor ends" : "no thread of the launch ends";
    std::snprintf(text, sizeof text, "%s, and the program's time limit of %.3g s has expired", what, limit_s);
  } else if (timeout == Timeout::slice) {
    std::snprintf(text, sizeof text, "the thread ran for %.3g s without waiting; --time-limit S raises the limit",
                  options().patience_s());
  } else if (timeout == Timeout::stall) {
    std::snprintf(text, sizeof text, "no thread of the launch has ended for %.3g s; --time-limit S raises the limit",
                  options().time_limit_s);
  } else {
    std::snprintf(text, sizeof text, "the launch had run for %.3g s", options().launch_limit_s);
  }
  // For a thread that has waited before, the place of that wait says more than its current place.
  const Thread* thread = block.is_prepared ? &block.threads[rafter_simt_now.linear] : nullptr;
  if (timeout == Timeout::stall && thread && thread->fiber) place = thread->place;
  add(Kind::no_progress, {current_side("runs without end", place)}, text);
}

void report_not_in_mask(const Block& block, unsigned thread, const WarpCall& call) {
  add(Kind::bad_mask, {block.side("calls", thread, call.place)},
      "lane " + std::to_string(thread % 32) + " is not in the mask it gives, " + mask_text(call.mask));
}

void report_unsupported(const char* what, const void* place) {
  findings().add({Kind::unsupported, Space::none, current_kernel(), {{"uses", place, 0, {}, {}}}, std::nullopt, what});
}

}  // namespace rafter::simt
