#include "executor/engine/clusters/cluster.hpp"

#include <algorithm>
#include <utility>

#include "executor/engine/block.hpp"

namespace rafter::simt {

void Cluster::add(Block& block) { members_.push_back({&block, 0, std::vector<ThreadState>(block.n_threads)}); }

unsigned Cluster::rank_of(const Block& block) const {
  unsigned rank = 0;
  while (members_[rank].block != &block) ++rank;
  return rank;
}

bool Cluster::is_over() const {
  return std::all_of(members_.begin(), members_.end(),
                     [](const Member& member) { return member.block->state == BlockState::finished; });
}

void Cluster::arrive(const Block& block, unsigned thread) {
  Member& member = members_[rank_of(block)];
  ++member.threads[thread].arrivals;
  ++member.n_arrived;
  complete_if_due();
}

void Cluster::exited(const Block& block, unsigned thread) {
  Member& member = members_[rank_of(block)];
  if (member.threads[thread].arrivals > phase_) --member.n_arrived;
  complete_if_due();
}

unsigned Cluster::n_missing(unsigned rank) const { return members_[rank].block->n_live - members_[rank].n_arrived; }

bool Cluster::is_awaited() const {
  return std::any_of(members_.begin(), members_.end(), [](const Member& member) { return member.n_arrived > 0; });
}

void Cluster::complete_if_due() {
  for (unsigned rank = 0; rank < size(); ++rank) {
    if (n_missing(rank) > 0) return;
  }
  if (!is_awaited()) return;
  ++phase_;
  for (Member& member : members_) {
    member.n_arrived = 0;
    Block& block = *member.block;
    ++block.progress;
    if (!block.is_prepared) continue;
    for (unsigned thread = 0; thread < block.n_threads; ++thread) {
      if (block.has_exited(thread) || block.threads[thread].waiting != Waiting::cluster) continue;
      block.threads[thread].waiting = Waiting::nothing;
      block.make_ready(thread / 32, 1u << thread % 32);
    }
  }
}

}  // namespace rafter::simt
