// When something happened: points in the life of a warp and of a thread.
#pragma once

#include <algorithm>
#include <array>
#include <compare>
#include <cstdint>
#include <utility>
#include <vector>

namespace rafter::simt {

class ClusterBarriers;

/// A point in a block's life as one of its warps sees it; neither ever goes back.
struct WarpTime {
  std::uint32_t epoch = 0;  // block barriers passed
  std::uint32_t time = 0;   // of the warp's clock

  auto operator<=>(const WarpTime&) const = default;
};

/// A stretch of a warp's life between two synchronisations; accesses are recorded under it.
struct Segment {
  std::uint32_t block;
  std::uint32_t warp;
  std::uint32_t epoch;
  std::uint32_t time;

  /// In `block`: what goes on by itself, in a block of its own, so that no barrier orders it.
  static constexpr std::uint32_t of_agents = 1u << 31;

  WarpTime warp_time() const { return {epoch, time}; }
  bool is_of_agent() const { return (block & of_agents) != 0; }
};

/// A point in a thread's life, with what it knows of the other lanes of its warp, and of its cluster.
struct Moment {
  std::uint32_t block;
  std::uint32_t thread;
  std::uint32_t epoch;
  std::uint32_t time;
  std::array<std::uint32_t, 32> view;
  const ClusterBarriers* cluster = nullptr;
  std::uint32_t n_cluster_waits = 0;

  /// Whether what a lane did in `segment` happened before, by barriers and __syncwarp alone.
  bool is_after(const Segment& segment, unsigned lane) const;
};

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
