// What the barriers of one cluster order: when each of its threads arrived at each of them.
#pragma once

#include <algorithm>
#include <cstdint>
#include <utility>
#include <vector>

#include "executor/check/races/segment.hpp"

namespace rafter::simt {

class ClusterBarriers {
 public:
  explicit ClusterBarriers(std::vector<std::uint32_t> blocks) : blocks_(std::move(blocks)), members_(blocks_.size()) {}

  const std::vector<std::uint32_t>& blocks() const { return blocks_; }
  bool has(std::uint32_t block) const { return rank_of(block) < blocks_.size(); }

  /// A thread arrives: what it did until then, or (relaxed) until its last fence, comes before what others do accessor
  /// wait.
  void arrived(std::uint32_t block, std::uint32_t thread, const WarpTime& until) {
    Member& member = members_[rank_of(block)];
    if (member.threads.size() <= thread) member.threads.resize(thread + 1);
    std::vector<WarpTime>& past = member.threads[thread];
    const std::size_t phase = past.size();
    past.push_back(past.empty() || past.back() < until ? until : past.back());
    if (member.epochs.size() <= phase) member.epochs.resize(phase + 1);
    member.epochs[phase] = std::max(member.epochs[phase], until.epoch);
  }

  /// Whether what a lane did in `segment` comes before what a thread does that has waited so many times.
  bool is_before(const Segment& segment, unsigned lane, std::uint32_t n_waits) const {
    const std::size_t rank = rank_of(segment.block);
    if (n_waits == 0 || rank == blocks_.size()) return false;
    const Member& member = members_[rank];
    const std::size_t thread = segment.warp * 32 + lane;
    if (thread >= member.threads.size() || member.threads[thread].size() < n_waits) return true;  // it exited before
    if (!(member.threads[thread][n_waits - 1] < segment.warp_time())) return true;
    return n_waits <= member.epochs.size() && segment.epoch < member.epochs[n_waits - 1];  // by a barrier of its block
  }

 private:
  struct Member {
    std::vector<std::vector<WarpTime>> threads;  // each one's arrivals
    std::vector<std::uint32_t> epochs;           // the latest of any of its threads at each barrier
  };
  std::size_t rank_of(std::uint32_t block) const {
    return static_cast<std::size_t>(std::find(blocks_.begin(), blocks_.end(), block) - blocks_.begin());
  }

  std::vector<std::uint32_t> blocks_;
  std::vector<Member> members_;
};

}  // namespace rafter::simt
