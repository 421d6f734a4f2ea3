// Logical time of warps and threads, and the order that barriers give.
#pragma once

#include <algorithm>
#include <array>
#include <compare>
#include <cstdint>
#include <utility>
#include <vector>

namespace rafter::simt {

class ClusterBarriers;

/// A time of a block as one of its warps counts it. Both members only increase.
struct WarpTime {
  std::uint32_t epoch = 0;  // block barriers passed
  std::uint32_t time = 0;   // of the warp's clock

  auto operator<=>(const WarpTime&) const = default;
};

/// A part of a warp's execution between two synchronisations. Accesses are recorded with their segment.
struct Segment {
  std::uint32_t block;
  std::uint32_t warp;
  std::uint32_t epoch;
  std::uint32_t time;

  /// Flag in `block` for agents (asynchronous copies), which form blocks of their own, so that no barrier orders them.
  static constexpr std::uint32_t of_agents = 1u << 31;

  WarpTime warp_time() const { return {epoch, time}; }
  bool is_of_agent() const { return (block & of_agents) != 0; }
};

/// A time of a thread: a vector clock over the lanes of its warp, and the cluster barriers it has waited for.
struct Moment {
  std::uint32_t block;
  std::uint32_t thread;
  std::uint32_t epoch;
  std::uint32_t time;
  std::array<std::uint32_t, 32> view;
  const ClusterBarriers* cluster = nullptr;
  std::uint32_t n_cluster_waits = 0;

  /// Whether the accesses of a lane in `segment` happen before this, by barriers and __syncwarp alone.
  bool is_after(const Segment& segment, unsigned lane) const;
};

/// The barriers of one cluster: when each of its threads arrived at each of them.
class ClusterBarriers {
 public:
  explicit ClusterBarriers(std::vector<std::uint32_t> blocks) : blocks_(std::move(blocks)), members_(blocks_.size()) {}

  const std::vector<std::uint32_t>& blocks() const { return blocks_; }
  bool has(std::uint32_t block) const { return rank_of(block) < blocks_.size(); }

  /// A thread arrives at the next barrier. Its accesses up to `until` (for a relaxed arrival, up to its last fence)
  /// happen before the accesses of threads that wait for this barrier.
  void arrived(std::uint32_t block, std::uint32_t thread, const WarpTime& until) {
    Member& member = members_[rank_of(block)];
    if (member.threads.size() <= thread) member.threads.resize(thread + 1);
    std::vector<WarpTime>& past = member.threads[thread];
    const std::size_t phase = past.size();
    past.push_back(past.empty() || past.back() < until ? until : past.back());
    if (member.epochs.size() <= phase) member.epochs.resize(phase + 1);
    member.epochs[phase] = std::max(member.epochs[phase], until.epoch);
  }

  /// Whether the accesses of a lane in `segment` happen before those of a thread that has waited `n_waits` times.
  bool is_before(const Segment& segment, unsigned lane, std::uint32_t n_waits) const {
    const std::size_t rank = rank_of(segment.block);
    if (n_waits == 0 || rank == blocks_.size()) return false;
    const Member& member = members_[rank];
    const std::size_t thread = segment.warp * 32 + lane;
    // Exited before the barrier.
    if (thread >= member.threads.size() || member.threads[thread].size() < n_waits) return true;
    if (!(member.threads[thread][n_waits - 1] < segment.warp_time())) return true;
    // Ordered by a barrier of its block.
    return n_waits <= member.epochs.size() && segment.epoch < member.epochs[n_waits - 1];
  }

 private:
  struct Member {
    std::vector<std::vector<WarpTime>> threads;  // arrivals of each thread
    std::vector<std::uint32_t> epochs;           // latest epoch of any thread at each barrier
  };
  std::size_t rank_of(std::uint32_t block) const {
    return static_cast<std::size_t>(std::find(blocks_.begin(), blocks_.end(), block) - blocks_.begin());
  }

  std::vector<std::uint32_t> blocks_;
  std::vector<Member> members_;
};

}  // namespace rafter::simt
