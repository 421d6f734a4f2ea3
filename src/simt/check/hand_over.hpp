// Order between threads that no barrier orders: a fence, then a write to a variable that somebody else reads
// atomically, hands over what was done before the fence. Tickets, flags, look-back and locks all work like that.
// The fence may be the writer's own, or the one of the thread whose work is handed over, before a barrier.
#pragma once

#include <array>
#include <cstdint>
#include <unordered_map>
#include <vector>

#include "rafter_simt/abi.hpp"

namespace rafter::simt {

/// A stretch of a warp's life between two synchronisations; accesses are recorded under it.
struct Segment {
  std::uint32_t block;
  std::uint32_t warp;
  std::uint32_t epoch;  // block barriers passed
  std::uint32_t time;   // of the warp's clock
};

/// A point in a thread's life, with what it knows of the other lanes of its warp.
struct Moment {
  std::uint32_t block;
  std::uint32_t thread;
  std::uint32_t epoch;
  std::uint32_t time;
  std::array<std::uint32_t, 32> view;

  /// Whether what a lane did in `segment` happened before, by barriers and __syncwarp alone.
  bool is_after(const Segment& segment, unsigned lane) const;
};

class HandOver {
 public:
  void clear();

  void fence(const Moment& now, rafter_simt::Scope scope);
  /// The thread wrote `variable` so that others can see it: what it did before its last fence comes with it.
  void release(const void* variable, const Moment& now);
  /// The thread read `variable` in the same way.
  void acquire(const void* variable, const Moment& now) { acquire(variable, now, n_releases(variable)); }
  /// The same, but only of what the first so many releases of it tell.
  void acquire(const void* variable, const Moment& now, std::uint32_t n_releases);
  std::uint32_t n_releases(const void* variable) const;
  /// A release that needs no fence: a barrier of part of a block, an mbarrier.
  void release_all(const void* variable, const Moment& now);
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

    /// False for most: another warp's, and no barrier of the block since then.
    bool may_tell(const Moment& at) const { return first_epoch < at.epoch || at.thread / 32 == warp; }
    /// The releases that somebody of the block knows of by way of this warp.
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

  std::unordered_map<const void*, Variable> variables_;
  std::unordered_map<std::uint32_t, BlockPast> blocks_;
  mutable std::uint64_t n_questions_ = 0;
};

}  // namespace rafter::simt
