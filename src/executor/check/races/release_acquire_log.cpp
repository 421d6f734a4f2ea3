#include "executor/check/races/release_acquire_log.hpp"

#include <algorithm>
#include <utility>

namespace rafter::simt {

bool Moment::is_after(const Segment& segment, unsigned lane) const {
  if (segment.block == block) {
    if (segment.epoch < epoch) return true;
    if (segment.warp == thread / 32 && segment.time <= (lane == thread % 32 ? time : view[lane])) return true;
  }
  return cluster && cluster->is_before(segment, lane, n_cluster_waits);
}

void ReleaseAcquireLog::clear() {
  variables_.clear();
  blocks_.clear();
  clusters_.clear();
  cluster_of_.clear();
  has_early_accesses_ = false;
  n_abandoned_ = 0;
}

ClusterBarriers& ReleaseAcquireLog::begin_cluster(std::vector<std::uint32_t> blocks) {
  clusters_.push_back(std::make_unique<ClusterBarriers>(std::move(blocks)));
  for (const std::uint32_t block : clusters_.back()->blocks()) cluster_of_[block] = clusters_.back().get();
  return *clusters_.back();
}

ClusterBarriers* ReleaseAcquireLog::cluster_of(std::uint32_t block) const {
  const auto found = cluster_of_.find(block);
  return found == cluster_of_.end() ? nullptr : found->second;
}

const ReleaseAcquireLog::Fences* ReleaseAcquireLog::fences_of(std::uint32_t block, std::uint32_t thread) const {
  const auto past = blocks_.find(block);
  if (past == blocks_.end()) return nullptr;
  const auto fences = past->second.fences.find(thread);
  return fences == past->second.fences.end() ? nullptr : &fences->second;
}

WarpTime ReleaseAcquireLog::last_cluster_fence(std::uint32_t block, std::uint32_t thread) const {
  const Fences* fences = fences_of(block, thread);
  if (!fences) return {};
  const auto last =
      std::find_if(fences->rbegin(), fences->rend(), [](const Fence& fence) { return fence.scope != Scope::block; });
  return last == fences->rend() ? WarpTime{} : WarpTime{last->moment.epoch, last->moment.time};
}

void ReleaseAcquireLog::fence(const Moment& now, Scope scope) {
  blocks_[now.block].fences[now.thread].push_back({now, scope});
}

void ReleaseAcquireLog::add(const void* variable, Release release) {
  Variable& v = variables_[variable];
  v.by_block[release.moment.block][release.moment.thread].push_back(static_cast<std::uint32_t>(v.log.size()));
  v.log.push_back(std::move(release));
}

void ReleaseAcquireLog::release(const void* variable, const Moment& now,
                                const CriticalSections::EarlyAccesses* too_early) {
  const auto block = blocks_.find(now.block);
  if (block == blocks_.end() || block->second.fences.empty()) return;
  const auto own = block->second.fences.find(now.thread);
  const Fence none{{now.block, ~0u, 0, 0, {}}, Scope::block};
  const auto n_acquired = static_cast<std::uint32_t>(block->second.acquired.size());
  add(variable, {now, own == block->second.fences.end() ? none : own->second.back(), n_acquired,
                 too_early ? *too_early : CriticalSections::EarlyAccesses{}});
  if (!too_early) return;
  variables_.at(variable).was_unlocked = true;
  has_early_accesses_ = has_early_accesses_ || !too_early->empty();
}

void ReleaseAcquireLog::lock_taken(const void* variable) {
  if (const auto at = variables_.find(variable); at != variables_.end()) at->second.was_locked = true;
}

void ReleaseAcquireLog::release_at_barrier(const void* variable, const Moment& now, Scope scope) {
  const auto n_acquired = static_cast<std::uint32_t>(blocks_[now.block].acquired.size());
  add(variable, {now, {now, scope}, n_acquired});
}

void ReleaseAcquireLog::release_agent(const void* variable, const Moment& agent) {
  add(variable, {agent, {agent, Scope::device}, 0});
}

std::uint32_t ReleaseAcquireLog::n_releases(const void* variable) const {
  const auto at = variables_.find(variable);
  return at == variables_.end() ? 0 : static_cast<std::uint32_t>(at->second.log.size());
}

bool ReleaseAcquireLog::has_ordered(const void* variable) const {
  const auto at = variables_.find(variable);
  return at != variables_.end() && at->second.has_ordered;
}

void ReleaseAcquireLog::acquire(const void* variable, const Moment& now, std::uint32_t n_releases, ReadOrder read) {
  if (n_releases == 0) return;
  const Variable& acquired = variables_.at(variable);
  const std::uint32_t lane = 1u << now.thread % 32, acquires = read == ReadOrder::acquire ? lane : 0,
                      block_acquires = read == ReadOrder::relaxed ? 0 : lane;
  BlockHistory& past = blocks_[now.block];
  auto& own = past.by_warp[now.thread / 32];
  for (const std::uint32_t position : own) {
    Acquired& entry = past.acquired[position];
    if (entry.variable != &acquired) continue;
    Acquired::Time& last = entry.times.back();
    if (last.n_releases == n_releases && last.epoch == now.epoch && last.time == now.time) {
      last.lanes |= lane;
      last.block_acquires |= block_acquires;
      last.acquires |= acquires;
      return;
    }
    const auto seen = std::find_if(entry.times.rbegin(), entry.times.rend(),
                                   [&](const Acquired::Time& when) { return (when.lanes & lane) != 0; });
    const bool is_known = seen != entry.times.rend() && seen->n_releases >= n_releases;
    if (is_known && !(acquires & ~seen->acquires) && !(block_acquires & ~seen->block_acquires)) return;
    entry.times.push_back(
        {n_releases, now.epoch, now.time, lane, block_acquires, acquires, std::max(last.before, last.n_releases)});
    return;
  }
  own.push_back(static_cast<std::uint32_t>(past.acquired.size()));
  past.acquired.push_back({&acquired,
                           now.thread / 32,
                           now.epoch,
                           {{n_releases, now.epoch, now.time, lane, block_acquires, acquires, 0}},
                           now.block});
}

}  // namespace rafter::simt
