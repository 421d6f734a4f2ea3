#include "simt/check/hand_over.hpp"

#include <algorithm>
#include <bit>
#include <tuple>
#include <utility>

namespace rafter::simt {

bool Moment::is_after(const Segment& segment, unsigned lane) const {
  if (segment.block == block) {
    if (segment.epoch < epoch) return true;
    if (segment.warp == thread / 32 && segment.time <= (lane == thread % 32 ? time : view[lane])) return true;
  }
  return cluster && cluster->is_before(segment, lane, n_cluster_waits);
}

void HandOver::clear() {
  variables_.clear();
  blocks_.clear();
  clusters_.clear();
  cluster_of_.clear();
}

ClusterPast& HandOver::begin_cluster(std::vector<std::uint32_t> blocks) {
  clusters_.push_back(std::make_unique<ClusterPast>(std::move(blocks)));
  for (const std::uint32_t block : clusters_.back()->blocks()) cluster_of_[block] = clusters_.back().get();
  return *clusters_.back();
}

ClusterPast* HandOver::cluster_of(std::uint32_t block) const {
  const auto found = cluster_of_.find(block);
  return found == cluster_of_.end() ? nullptr : found->second;
}

Instant HandOver::last_cluster_fence(std::uint32_t block, std::uint32_t thread) const {
  const auto past = blocks_.find(block);
  if (past == blocks_.end()) return {};
  const auto fences = past->second.fences.find(thread);
  if (fences == past->second.fences.end()) return {};
  const auto last = std::find_if(fences->second.rbegin(), fences->second.rend(),
                                 [](const Fence& fence) { return fence.scope != rafter_simt::Scope::block; });
  return last == fences->second.rend() ? Instant{} : Instant{last->moment.epoch, last->moment.time};
}

void HandOver::fence(const Moment& now, rafter_simt::Scope scope) {
  blocks_[now.block].fences[now.thread].push_back({now, scope});
}

void HandOver::add(const void* variable, Release release) {
  Variable& v = variables_[variable];
  v.by_block[release.moment.block][release.moment.thread].push_back(static_cast<std::uint32_t>(v.log.size()));
  v.log.push_back(release);
}

void HandOver::release(const void* variable, const Moment& now) {
  const auto block = blocks_.find(now.block);
  if (block == blocks_.end() || block->second.fences.empty()) return;
  const auto own = block->second.fences.find(now.thread);
  const Fence none{{now.block, ~0u, 0, 0, {}}, rafter_simt::Scope::block};
  const auto n_acquired = static_cast<std::uint32_t>(block->second.acquired.size());
  add(variable, {now, own == block->second.fences.end() ? none : own->second.back(), n_acquired});
}

void HandOver::release_all(const void* variable, const Moment& now, rafter_simt::Scope scope) {
  const auto n_acquired = static_cast<std::uint32_t>(blocks_[now.block].acquired.size());
  add(variable, {now, {now, scope}, n_acquired});
}

void HandOver::release_agent(const void* variable, const Moment& agent) {
  add(variable, {agent, {agent, rafter_simt::Scope::device}, 0});
}

std::uint32_t HandOver::n_releases(const void* variable) const {
  const auto at = variables_.find(variable);
  return at == variables_.end() ? 0 : static_cast<std::uint32_t>(at->second.log.size());
}

void HandOver::acquire(const void* variable, const Moment& now, std::uint32_t n_releases) {
  if (n_releases == 0) return;
  const Variable& acquired = variables_.at(variable);
  const std::uint32_t lane = 1u << now.thread % 32;
  BlockPast& past = blocks_[now.block];
  auto& own = past.by_warp[now.thread / 32];
  for (const std::uint32_t position : own) {
    Acquired& entry = past.acquired[position];
    if (entry.variable != &acquired) continue;
    Acquired::Time& last = entry.times.back();
    if (last.n_releases == n_releases && last.epoch == now.epoch && last.time == now.time) {
      last.lanes |= lane;
      return;
    }
    const auto seen = std::find_if(entry.times.rbegin(), entry.times.rend(),
                                   [&](const Acquired::Time& when) { return (when.lanes & lane) != 0; });
    if (seen != entry.times.rend() && seen->n_releases >= n_releases) return;
    entry.times.push_back({n_releases, now.epoch, now.time, lane, std::max(last.before, last.n_releases)});
    return;
  }
  own.push_back(static_cast<std::uint32_t>(past.acquired.size()));
  past.acquired.push_back(
      {&acquired, now.thread / 32, now.epoch, {{n_releases, now.epoch, now.time, lane, 0}}, now.block});
}

std::uint32_t HandOver::Acquired::n_known(const Moment& at) const {
  const bool is_own = at.thread / 32 == warp;
  const auto may_know = [&](const Time& when) {
    return at.cluster || when.epoch < at.epoch || (is_own && when.epoch == at.epoch && when.time <= at.time);
  };
  const auto knows = [&](const Time& when) {
    for (std::uint32_t lanes = when.lanes; lanes != 0; lanes &= lanes - 1) {
      const auto lane = static_cast<unsigned>(std::countr_zero(lanes));
      if (at.is_after({block, warp, when.epoch, when.time}, lane)) return true;
    }
    return false;
  };
  std::uint32_t most = 0;
  for (auto when = std::partition_point(times.begin(), times.end(), may_know); when != times.begin();) {
    --when;
    if (when->n_releases > most && knows(*when)) most = when->n_releases;
    if (when->before <= most) break;
  }
  return most;
}

/// One question: the access asked about, and the fences of who made it.
struct HandOver::Search {
  std::uint64_t number;
  const Segment& segment;
  unsigned lane;
  const std::vector<Fence>* fences;
  const ClusterPast* cluster;  // of who made it

  std::uint32_t thread() const { return segment.warp * 32 + lane; }
  Look& look_at(const Variable& variable) const {
    if (variable.look.question != number) variable.look = {.question = number};
    return variable.look;
  }
};

bool HandOver::covers(const Release& release, const Search& search, std::uint32_t to_block) {
  const Segment& segment = search.segment;
  const auto reaches_far = [&](const Fence& fence) {
    if (release.moment.block == to_block || fence.scope >= rafter_simt::Scope::device) return true;
    const ClusterPast* cluster = release.moment.cluster;
    return fence.scope == rafter_simt::Scope::cluster && cluster && cluster->has(to_block);
  };
  if (release.fence.moment.thread != ~0u && release.fence.moment.is_after(segment, search.lane) &&
      reaches_far(release.fence)) {
    return true;
  }
  if (search.fences == nullptr) return false;
  // A fence of his own between the access and the release. They are in order, so the first ones are enough.
  const auto is_before = [&](const Fence& fence) { return fence.moment.time < segment.time; };
  auto fence = std::partition_point(search.fences->begin(), search.fences->end(), is_before);
  for (; fence != search.fences->end(); ++fence) {
    const Segment when{segment.block, segment.warp, fence->moment.epoch, fence->moment.time};
    if (!release.moment.is_after(when, search.lane)) return false;
    if (reaches_far(*fence)) return true;
  }
  return false;
}

// Whether the access was handed over by the very variable that was acquired.
bool HandOver::is_direct(const Variable& variable, std::uint32_t n_releases, const Search& search,
                         std::uint32_t to_block) {
  Look& look = search.look_at(variable);
  if (look.for_block == to_block && n_releases <= look.n_direct) return false;
  look.for_block = to_block;
  look.n_direct = n_releases;
  // The latest of each thread tells all that its earlier ones did.
  const auto latest_covers = [&](const Positions& positions) {
    const auto end = std::lower_bound(positions.begin(), positions.end(), n_releases);
    return end != positions.begin() && covers(variable.log[*(end - 1)], search, to_block);
  };
  const auto block_covers = [&](std::uint32_t block) {
    const auto of_block = variable.by_block.find(block);
    if (of_block == variable.by_block.end()) return false;
    const auto own = of_block->second.find(search.thread());
    if (own != of_block->second.end() && latest_covers(own->second)) return true;
    return std::any_of(of_block->second.begin(), of_block->second.end(),
                       [&](const auto& of_thread) { return latest_covers(of_thread.second); });
  };
  if (block_covers(search.segment.block)) return true;
  return search.cluster && std::any_of(search.cluster->blocks().begin(), search.cluster->blocks().end(), block_covers);
}

bool HandOver::is_direct(const BlockPast& past, const Search& search, const Moment& at, std::uint32_t n_acquired) {
  const auto is_direct_by = [&](const Acquired& entry) {
    const std::uint32_t n_releases = entry.may_tell(at) ? entry.n_known(at) : 0;
    return n_releases > 0 && is_direct(*entry.variable, n_releases, search, entry.block);
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

/// Who is asked what he had been handed, and as of when. A thread's later releases tell all that its earlier ones do.
class HandOver::Steps {
 public:
  struct Step {
    const Moment* at;
    std::uint32_t n_acquired;

    bool is_before(const Step& other) const {
      return std::tie(at->epoch, at->time, n_acquired) < std::tie(other.at->epoch, other.at->time, other.n_acquired);
    }
  };

  bool is_over() const { return next_ == steps_.size(); }
  Step next() { return steps_[next_++]; }
  std::size_t n_taken() const { return next_; }

  void add(const Step& step) {
    const auto [latest, is_first] = latest_.try_emplace(std::uint64_t{step.at->block} << 32 | step.at->thread, step);
    if (!is_first && !latest->second.is_before(step)) return;
    latest->second = step;
    steps_.push_back(step);
  }

 private:
  std::vector<Step> steps_;
  std::size_t next_ = 0;
  std::unordered_map<std::uint64_t, Step> latest_;  // of each thread
};

template <class F>
bool HandOver::any_past(const Moment& at, std::uint32_t n_acquired, F&& f) const {
  if (const auto own = blocks_.find(at.block); own != blocks_.end() && f(own->second, n_acquired)) return true;
  if (!at.cluster) return false;
  for (const std::uint32_t block : at.cluster->blocks()) {
    const auto past = block == at.block ? blocks_.end() : blocks_.find(block);
    if (past != blocks_.end() && f(past->second, static_cast<std::uint32_t>(past->second.acquired.size()))) return true;
  }
  return false;
}

// What was handed over directly is looked at first; then what those who handed over had been handed themselves, step
// by step. A question that takes too many steps is answered with yes: better a race missed than one invented.
bool HandOver::reaches(const Segment& segment, unsigned lane, const Moment& now) const {
  constexpr std::size_t most_steps = 20000;
  if (variables_.empty()) return false;
  const auto block = blocks_.find(now.block);
  if (block == blocks_.end() && !now.cluster) return false;
  const auto fences_of = [&]() -> const std::vector<Fence>* {
    const auto past = blocks_.find(segment.block);
    if (past == blocks_.end()) return nullptr;
    const auto fences = past->second.fences.find(segment.warp * 32 + lane);
    return fences == past->second.fences.end() ? nullptr : &fences->second;
  };
  const Search search{++n_questions_, segment, lane, fences_of(), cluster_of(segment.block)};
  Steps steps;
  steps.add({&now, block == blocks_.end() ? 0 : static_cast<std::uint32_t>(block->second.acquired.size())});
  while (!steps.is_over()) {
    if (steps.n_taken() == most_steps) return true;
    const auto [at, n_acquired] = steps.next();
    const Moment& asked = *at;
    if (any_past(asked, n_acquired,
                 [&](const BlockPast& past, std::uint32_t n) { return is_direct(past, search, asked, n); })) {
      return true;
    }
    any_past(asked, n_acquired, [&](const BlockPast& past, std::uint32_t n) {
      for (std::uint32_t i = n; i-- > 0;) {
        const Acquired& entry = past.acquired[i];
        if (!entry.may_tell(asked)) continue;
        const std::uint32_t n_known = entry.n_known(asked);
        std::uint32_t& looked_at = search.look_at(*entry.variable).n_steps;
        for (std::uint32_t position = n_known; position > looked_at;) {
          const Release& release = entry.variable->log[--position];
          if (release.n_acquired > 0 || release.moment.cluster) steps.add({&release.moment, release.n_acquired});
        }
        looked_at = std::max(looked_at, n_known);
      }
      return false;
    });
  }
  return false;
}

}  // namespace rafter::simt
