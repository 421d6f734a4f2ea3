// Order between threads that no barrier orders: a fence, then a write to a variable that somebody else reads
// atomically, hands over what was done before the fence. Tickets, flags, look-back and locks all work like that.
// The fence may be the writer's own, or the one of the thread whose work is handed over, before a barrier.
#pragma once

#include <cstdint>
#include <memory>
#include <unordered_map>
#include <vector>

#include "rafter_simt/abi.hpp"
#include "simt/check/cluster_past.hpp"

namespace rafter::simt {

class HandOver {
 public:
  void clear();

  /// Blocks whose threads meet at a barrier of theirs, of which each is in one such cluster at most.
  ClusterPast& begin_cluster(std::vector<std::uint32_t> blocks);
  ClusterPast* cluster_of(std::uint32_t block) const;

  void fence(const Moment& now, rafter_simt::Scope scope);
  /// The last fence of a thread that reaches others of its cluster; before everything when there is none.
  Instant last_cluster_fence(std::uint32_t block, std::uint32_t thread) const;
  /// The thread wrote `variable` so that others can see it: what it did before its last fence comes with it.
  void release(const void* variable, const Moment& now);
  /// The thread read `variable` in the same way.
  void acquire(const void* variable, const Moment& now) { acquire(variable, now, n_releases(variable)); }
  /// The same, but only of what the first so many releases of it tell.
  void acquire(const void* variable, const Moment& now, std::uint32_t n_releases);
  std::uint32_t n_releases(const void* variable) const;
  /// A release that needs no fence: a barrier of part of a block, an mbarrier.
  void release_all(const void* variable, const Moment& now, rafter_simt::Scope scope = rafter_simt::Scope::block);
  /// What an agent did, a copy that goes on by itself, and nothing else.
  void release_agent(const void* variable, const Moment& agent);

  /// Whether `now` knows what a lane did in `segment` through any chain of hand-overs.
  bool reaches(const Segment& segment, unsigned lane, const Moment& now) const;
  bool is_unused() const { return variables_.empty(); }

 private:
  struct Fence {
    Moment moment;
    rafter_simt::Scope scope;
  };
  struct Release {
    Moment moment;
    Fence fence;               // the thread's own last one; block 0, thread ~0: none
    std::uint32_t n_acquired;  // how much its block had acquired by then
  };
  using Positions = std::vector<std::uint32_t>;                  // in a log, in order
  using OfBlock = std::unordered_map<std::uint32_t, Positions>;  // by the thread that released
  /// How much of a log one question has looked at.
  struct Look {
    std::uint64_t question = 0;
    std::uint32_t for_block = 0;
    std::uint32_t n_direct = 0;  // for what they themselves handed over to that block
    std::uint32_t n_steps = 0;   // for whom they lead to
  };
  struct Variable {
    std::vector<Release> log;
    std::unordered_map<std::uint32_t, OfBlock> by_block;
    mutable Look look;
  };
  struct Acquired {
    struct Time {
      std::uint32_t n_releases;
      std::uint32_t epoch;
      std::uint32_t time;
      std::uint32_t lanes;   // that found as much there
      std::uint32_t before;  // the most that any of them had found before
    };
    const Variable* variable;
    std::uint32_t warp;
    std::uint32_t first_epoch;  // of the times
    std::vector<Time> times;    // at which lanes found something new there

    std::uint32_t block;

    /// False for most: another warp's, and no barrier of the block since then.
    bool may_tell(const Moment& at) const {
      return block != at.block || first_epoch < at.epoch || at.thread / 32 == warp || at.cluster;
    }
    /// The releases that somebody of the block, or of its cluster, knows of by way of this warp.
    std::uint32_t n_known(const Moment& at) const;
  };
  struct BlockPast {
    std::vector<Acquired> acquired;                                         // one for each warp and variable
    std::unordered_map<std::uint32_t, std::vector<std::uint32_t>> by_warp;  // positions among them
    std::unordered_map<std::uint32_t, std::vector<Fence>> fences;           // of each thread
  };
  struct Search;
  class Steps;

  void add(const void* variable, Release release);
  static bool covers(const Release& release, const Search& search, std::uint32_t to_block);
  static bool is_direct(const Variable& variable, std::uint32_t n_releases, const Search& search,
                        std::uint32_t to_block);
  static bool is_direct(const BlockPast& past, const Search& search, const Moment& at, std::uint32_t n_acquired);
  /// Calls f(past, how much of what it acquired counts) for the block of `at`, then for others of its cluster, until
  /// one returns true.
  template <class F>
  bool any_past(const Moment& at, std::uint32_t n_acquired, F&& f) const;

  std::unordered_map<const void*, Variable> variables_;
  std::unordered_map<std::uint32_t, BlockPast> blocks_;
  std::vector<std::unique_ptr<ClusterPast>> clusters_;
  std::unordered_map<std::uint32_t, ClusterPast*> cluster_of_;  // by block
  mutable std::uint64_t n_questions_ = 0;
};

}  // namespace rafter::simt
