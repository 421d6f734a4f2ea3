// Walks the happens-before relation backwards: from a thread to the releases it synchronizes with, and on from these.
#include <algorithm>
#include <bit>
#include <tuple>
#include <utility>

#include "executor/check/races/release_acquire_log.hpp"

namespace rafter::simt {

template <class Knows>
std::uint32_t ReleaseAcquireLog::Acquired::n_known(const Moment& at, const Knows& knows) const {
  const bool is_own = at.thread / 32 == warp;
  const auto may_know = [&](const Time& when) {
    return at.cluster || when.epoch < at.epoch || (is_own && when.epoch == at.epoch && when.time <= at.time);
  };
  const auto any_knows = [&](const Time& when) {
    for (std::uint32_t lanes = when.lanes; lanes != 0; lanes &= lanes - 1) {
      if (knows(when, static_cast<unsigned>(std::countr_zero(lanes)))) return true;
    }
    return false;
  };
  std::uint32_t most = 0;
  for (auto when = std::partition_point(times.begin(), times.end(), may_know); when != times.begin();) {
    --when;
    if (when->n_releases > most && any_knows(*when)) most = when->n_releases;
    if (when->before <= most) break;
  }
  return most;
}

std::uint32_t ReleaseAcquireLog::Acquired::n_known(const Moment& at) const {
  return n_known(at, [&](const Time& when, unsigned lane) { return at.is_after(segment(when), lane); });
}

std::uint32_t ReleaseAcquireLog::n_fenced(const Acquired& entry, const Moment& at, std::uint32_t from_block) const {
  const ClusterBarriers* cluster = cluster_of(entry.block);
  const Scope needed = from_block == entry.block             ? Scope::block
                       : cluster && cluster->has(from_block) ? Scope::cluster
                                                             : Scope::device;
  const auto is_wide = [&](const Fence& fence) { return fence.scope >= needed; };
  const Fences* own = fences_of(at.block, at.thread);
  const auto knows = [&](const Acquired::Time& when, unsigned lane) {
    const Segment read = entry.segment(when);
    if (!at.is_after(read, lane)) return false;
    if ((needed == Scope::block ? when.block_acquires : when.acquires) >> lane & 1) return true;
    if (const Fences* fences = fences_of(entry.block, entry.warp * 32 + lane)) {
      const auto is_before = [&](const Fence& fence) { return fence.moment.time < when.time; };
      const auto behind = std::partition_point(fences->begin(), fences->end(), is_before);
      const auto fence = std::find_if(behind, fences->end(), is_wide);
      if (fence != fences->end() && at.is_after(fence->segment_after(), lane)) return true;
    }
    if (!own) return false;
    const auto last = std::find_if(own->rbegin(), own->rend(), is_wide);
    return last != own->rend() && last->moment.is_after(read, lane);
  };
  return entry.n_known(at, knows);
}

/// One search: the access that was asked about, and the fences of the thread that made it.
struct ReleaseAcquireLog::Search {
  std::uint64_t number;
  const Segment& segment;
  unsigned lane;
  const void* word;
  FenceRequirement requirement;  // of the first step; in later steps the releasing fence also acquires
  const Fences* fences;
  const ClusterBarriers* cluster;  // of the thread that made the access

  std::uint32_t thread() const { return segment.warp * 32 + lane; }
  bool needs_fence(const Variable& variable) const {
    return requirement == FenceRequirement::acquire ||
           (requirement == FenceRequirement::lock_acquire && variable.is_lock());
  }
  SearchProgress& progress_in(const Variable& variable) const {
    if (variable.progress.search != number) variable.progress = {.search = number};
    return variable.progress;
  }
  bool is_too_early(const Release& release, std::uint32_t to_block) const {
    return release.moment.block == segment.block && release.moment.thread == thread() &&
           std::any_of(release.too_early.begin(), release.too_early.end(),
                       [&](const CriticalSections::EarlyAccess& access) {
                         return access.word == word &&
                                !(access.fence && scope_includes(*access.fence, release.moment, to_block));
                       });
  }
};

bool ReleaseAcquireLog::scope_includes(Scope scope, const Moment& from, std::uint32_t to_block) {
  if (from.block == to_block || scope >= Scope::device) return true;
  return scope == Scope::cluster && from.cluster && from.cluster->has(to_block);
}

bool ReleaseAcquireLog::covers(const Release& release, const Search& search, std::uint32_t to_block) {
  const Segment& segment = search.segment;
  if (release.fence.moment.thread != ~0u && release.fence.moment.is_after(segment, search.lane) &&
      scope_includes(release.fence.scope, release.moment, to_block)) {
    return true;
  }
  if (search.fences == nullptr) return false;
  // A fence of the accessing thread between the access and the release. Fences are in order, so the search stops early.
  const auto is_before = [&](const Fence& fence) { return fence.moment.time < segment.time; };
  auto fence = std::partition_point(search.fences->begin(), search.fences->end(), is_before);
  for (; fence != search.fences->end(); ++fence) {
    if (!release.moment.is_after(fence->segment_after(), search.lane)) return false;
    if (scope_includes(fence->scope, release.moment, to_block)) return true;
  }
  return false;
}

template <class NReleases>
bool ReleaseAcquireLog::is_direct(const Variable& variable, const NReleases& n_releases, const Search& search,
                                  std::uint32_t to_block) {
  const bool is_lock = search.needs_fence(variable) && variable.is_lock();
  const auto block_covers = [&](std::uint32_t block) {
    const auto of_block = variable.by_block.find(block);
    if (of_block == variable.by_block.end()) return false;
    const std::uint32_t n = n_releases(block);
    // The latest release of a thread includes its earlier ones.
    const auto latest_covers = [&](const Positions& positions) {
      const auto end = std::lower_bound(positions.begin(), positions.end(), n);
      if (end == positions.begin()) return false;
      const Release& release = variable.log[*(end - 1)];
      return covers(release, search, to_block) && !(is_lock && search.is_too_early(release, to_block));
    };
    const auto own = of_block->second.find(search.thread());
    if (own != of_block->second.end() && latest_covers(own->second)) return true;
    if (search.segment.is_of_agent()) return false;  // only the agent itself releases its accesses
    return std::any_of(of_block->second.begin(), of_block->second.end(),
                       [&](const auto& of_thread) { return latest_covers(of_thread.second); });
  };
  if (block_covers(search.segment.block)) return true;
  return search.cluster && std::any_of(search.cluster->blocks().begin(), search.cluster->blocks().end(), block_covers);
}

bool ReleaseAcquireLog::is_direct(const Acquired& entry, const Search& search, const Moment& at) const {
  if (!entry.may_be_known_at(at)) return false;
  const Variable& variable = *entry.variable;
  if (search.needs_fence(variable)) {
    return is_direct(
        variable, [&](std::uint32_t from) { return n_fenced(entry, at, from); }, search, entry.block);
  }
  const std::uint32_t n_known = entry.n_known(at);
  SearchProgress& progress = search.progress_in(variable);
  if (n_known == 0 || (progress.for_block == entry.block && n_known <= progress.n_direct)) return false;
  progress.for_block = entry.block;
  progress.n_direct = n_known;
  return is_direct(
      variable, [&](std::uint32_t) { return n_known; }, search, entry.block);
}

bool ReleaseAcquireLog::is_direct(const BlockHistory& past, const Search& search, const Moment& at,
                                  std::uint32_t n_acquired, const Variable** found) const {
  const auto is_direct_by = [&](const Acquired& entry) {
    *found = entry.variable;
    return is_direct(entry, search, at);
  };
  if (const auto own = past.by_warp.find(at.thread / 32); own != past.by_warp.end()) {
    for (const std::uint32_t position : own->second) {
      if (position < n_acquired && is_direct_by(past.acquired[position])) return true;
    }
  }
  for (std::uint32_t i = n_acquired; i-- > 0;) {
    if (past.acquired[i].warp != at.thread / 32 && is_direct_by(past.acquired[i])) return true;
  }
  return false;
}

/// The worklist of a search: threads at the time of a release, to be searched for what they had acquired by then. A
/// later release of a thread includes its earlier ones.
class ReleaseAcquireLog::Worklist {
 public:
  struct Step {
    const Moment* at;
    std::uint32_t n_acquired;
    std::uint32_t from = 0;         // index of the previous step
    const Variable* via = nullptr;  // variable that links it to the previous step; nullptr: the first step

    bool is_before(const Step& other) const {
      return std::tie(at->epoch, at->time, n_acquired) < std::tie(other.at->epoch, other.at->time, other.n_acquired);
    }
  };

  bool is_empty() const { return next_ == steps_.size(); }
  const Step& next() { return steps_[next_++]; }

  void add(const Step& step) {
    const auto [latest, is_first] = latest_.try_emplace(std::uint64_t{step.at->block} << 32 | step.at->thread, step);
    if (!is_first && !latest->second.is_before(step)) return;
    latest->second = step;
    steps_.push_back(step);
  }

  /// Marks the variables on the path to the last step.
  void mark_path() const {
    for (const Step* step = &steps_[next_ - 1]; step->via; step = &steps_[step->from]) step->via->has_ordered = true;
  }

 private:
  std::vector<Step> steps_;
  std::size_t next_ = 0;
  std::unordered_map<std::uint64_t, Step> latest_;  // by block << 32 | thread
};

void ReleaseAcquireLog::add_predecessors(const Acquired& entry, const Search& search, std::uint32_t from,
                                         const Moment& asked, Worklist& steps) const {
  if (!entry.may_be_known_at(asked)) return;
  const Variable& variable = *entry.variable;
  const bool needs_fence = search.needs_fence(variable);
  const std::uint32_t n_known = needs_fence ? 0 : entry.n_known(asked);
  if (!needs_fence) {
    std::uint32_t& n_visited = search.progress_in(variable).n_steps;
    if (n_known <= n_visited) return;
    n_visited = n_known;
  }
  for (const auto& [block, threads] : variable.by_block) {
    const std::uint32_t n = needs_fence ? n_fenced(entry, asked, block) : n_known;
    for (const auto& [thread, positions] : threads) {
      const auto end = std::lower_bound(positions.begin(), positions.end(), n);
      if (end == positions.begin()) continue;
      const Release& release = variable.log[*(end - 1)];
      if (release.n_acquired > 0 || release.moment.cluster)
        steps.add({&release.moment, release.n_acquired, from, &variable});
    }
  }
}

template <class F>
bool ReleaseAcquireLog::any_history(const Moment& at, std::uint32_t n_acquired, F&& f) const {
  if (const auto own = blocks_.find(at.block); own != blocks_.end() && f(own->second, n_acquired)) return true;
  if (!at.cluster) return false;
  for (const std::uint32_t block : at.cluster->blocks()) {
    const auto past = block == at.block ? blocks_.end() : blocks_.find(block);
    if (past != blocks_.end() && f(past->second, static_cast<std::uint32_t>(past->second.acquired.size()))) return true;
  }
  return false;
}

// Breadth-first search over synchronizes-with edges. A search that takes too many steps is answered with true: a missed
// race is better than a false one.
bool ReleaseAcquireLog::happens_before(const Segment& segment, unsigned lane, const Moment& now,
                                       FenceRequirement requirement, const void* word) const {
  constexpr std::size_t most_steps = 20000;
  if (variables_.empty()) return false;
  const auto block = blocks_.find(now.block);
  if (block == blocks_.end() && !now.cluster) return false;
  Search search{++n_searches_,
                segment,
                lane,
                word,
                requirement,
                fences_of(segment.block, segment.warp * 32 + lane),
                cluster_of(segment.block)};
  Worklist steps;
  steps.add({&now, block == blocks_.end() ? 0 : static_cast<std::uint32_t>(block->second.acquired.size())});
  for (std::uint32_t taken = 0; !steps.is_empty(); ++taken) {
    if (taken == most_steps) {
      ++n_abandoned_;
      return true;
    }
    const Worklist::Step step = steps.next();
    const Variable* found = nullptr;
    const auto is_direct_in = [&](const BlockHistory& past, std::uint32_t n) {
      return is_direct(past, search, *step.at, n, &found);
    };
    if (any_history(*step.at, step.n_acquired, is_direct_in)) {
      found->has_ordered = true;
      steps.mark_path();
      return true;
    }
    any_history(*step.at, step.n_acquired, [&](const BlockHistory& past, std::uint32_t n) {
      for (std::uint32_t i = n; i-- > 0;) add_predecessors(past.acquired[i], search, taken, *step.at, steps);
      return false;
    });
    search.requirement = FenceRequirement::release;
  }
  return false;
}

// Looks only at flags that the thread's own warp read, which is the usual form.
ReleaseAcquireLog::Lack ReleaseAcquireLog::lack(const Segment& segment, unsigned lane, const Moment& now) const {
  const auto history = blocks_.find(now.block);
  if (history == blocks_.end()) return Lack::flag;
  const std::uint32_t thread = segment.warp * 32 + lane;
  const auto is_after_access = [&](const Moment& moment) {
    return moment.epoch > segment.epoch || (moment.epoch == segment.epoch && moment.time >= segment.time);
  };
  for (const Acquired& entry : history->second.acquired) {
    if (entry.warp != now.thread / 32) continue;
    const std::uint32_t n = entry.n_known(now);
    for (std::uint32_t i = 0; i < n; ++i) {
      const Release& release = entry.variable->log[i];
      if (release.moment.block != segment.block || release.moment.thread != thread || !is_after_access(release.moment))
        continue;
      if (release.fence.moment.thread == ~0u) return Lack::fence;
      return is_after_access(release.fence.moment) ? Lack::wider_fence : Lack::later_fence;
    }
  }
  return Lack::flag;
}

}  // namespace rafter::simt
