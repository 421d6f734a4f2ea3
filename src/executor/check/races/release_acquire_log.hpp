// Order between threads that no barrier orders: a fence, then a write to a variable that somebody else reads
// atomically, and a fence of his, hand over what was done before the first fence. Tickets, flags, progress-back and
// locks all work like that. The releasing fence may be the writer's own, or the one of the thread whose work is handed
// over, before a barrier; the acquiring one that of the reader, or of the thread that goes on, behind a barrier.
#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <unordered_map>
#include <vector>

#include "executor/check/races/logical_time.hpp"
#include "executor/check/races/critical_sections.hpp"
#include "rafter_simt/abi.hpp"

namespace rafter::simt {

/// What a search asks for: GPUs of today do without the acquiring fence, mostly; the memory model does not.
enum class FenceRequirement : std::uint8_t {
  release,       // a fence before the write is enough
  lock_acquire,  // and behind taking a lock: for accesses through volatile, which no cache or compiler puts off
  acquire        // and behind every read
};

class ReleaseAcquireLog {
 public:
  void clear();

  /// Blocks whose threads meet at a barrier of theirs, of which each is in one such cluster at most.
  ClusterBarriers& begin_cluster(std::vector<std::uint32_t> blocks);
  ClusterBarriers* cluster_of(std::uint32_t block) const;

  void fence(const Moment& now, rafter_simt::Scope scope);
  /// The last fence of a thread that happens_before others of its cluster; before everything when there is none.
  WarpTime last_cluster_fence(std::uint32_t block, std::uint32_t thread) const;
  /// The thread wrote `variable` so that others can see it: what it did before its last fence comes with it.
  /// `too_early`: when it gives a lock back, what it access before the lock was its own.
  void release(const void* variable, const Moment& now, const CriticalSections::EarlyAccesses* too_early = nullptr);
  /// The thread took the lock `variable`, by a compare-and-swap.
  void lock_taken(const void* variable);

  /// Whether a read needs a fence behind it: not where it is an acquire itself, as at barriers.
  enum class ReadOrder : std::uint8_t { relaxed, block_acquire, acquire };
  /// The thread read `variable` in the same way.
  void acquire(const void* variable, const Moment& now, ReadOrder read = ReadOrder::relaxed) {
    acquire(variable, now, n_releases(variable), read);
  }
  /// The same, but only of what the first so many releases of it tell.
  void acquire(const void* variable, const Moment& now, std::uint32_t n_releases, ReadOrder read);
  std::uint32_t n_releases(const void* variable) const;
  /// A release that needs no fence: a barrier of part of a block, an mbarrier.
  void release_at_barrier(const void* variable, const Moment& now,
                          rafter_simt::Scope scope = rafter_simt::Scope::block);
  /// What an agent did, a copy that goes on by itself, and nothing else.
  void release_agent(const void* variable, const Moment& agent);

  /// Whether `now` knows what a lane did in `segment`, to `word`, through any chain of hand-overs.
  bool happens_before(const Segment& segment, unsigned lane, const Moment& now,
                      FenceRequirement requirement = FenceRequirement::release, const void* word = nullptr) const;
  bool is_unused() const { return variables_.empty(); }
  /// Whether answers may differ from word to word: somebody access words before a lock was his own.
  bool has_early_accesses() const { return has_early_accesses_; }
  /// Whether any answer was yes because of this variable.
  bool has_ordered(const void* variable) const;
  /// Questions that took too many steps, and were answered with yes.
  std::uint64_t n_abandoned() const { return n_abandoned_; }

 private:
  using Scope = rafter_simt::Scope;

  struct Fence {
    Moment moment;
    Scope scope;

    /// Whoever is after this segment is behind the fence: it moved the warp's clock on.
    Segment behind() const { return {moment.block, moment.thread / 32, moment.epoch, moment.time + 1}; }
  };
  using Fences = std::vector<Fence>;  // of one thread, in order
  struct Release {
    Moment moment;
    Fence fence;               // the thread's own last one; block 0, thread ~0: none
    std::uint32_t n_acquired;  // how much its block had acquired by then
    CriticalSections::EarlyAccesses too_early{};
  };
  using Positions = std::vector<std::uint32_t>;                  // in a log, in order
  using OfBlock = std::unordered_map<std::uint32_t, Positions>;  // by the thread that released
  /// How much of a log one search has looked at.
  struct SearchProgress {
    std::uint64_t search = 0;
    std::uint32_t for_block = 0;
    std::uint32_t n_direct = 0;  // for what they themselves handed over to that block
    std::uint32_t n_steps = 0;   // for whom they lead to
  };
  struct Variable {
    std::vector<Release> log;
    std::unordered_map<std::uint32_t, OfBlock> by_block;
    bool was_unlocked = false, was_locked = false;
    mutable bool has_ordered = false;
    mutable SearchProgress progress;

    bool is_lock() const { return was_unlocked && was_locked; }
  };
  struct Acquired {
    struct Time {
      std::uint32_t n_releases;
      std::uint32_t epoch;
      std::uint32_t time;
      std::uint32_t lanes;           // that found as much there
      std::uint32_t block_acquires;  // of them, those whose read was an acquire, at least within the block
      std::uint32_t acquires;        // and of these, everywhere
      std::uint32_t before;          // the most that any of them had found before
    };
    const Variable* variable;
    std::uint32_t warp;
    std::uint32_t first_epoch;  // of the times
    std::vector<Time> times;    // at which lanes found something new there

    std::uint32_t block;

    /// False for most: another warp's, and no barrier of the block since then.
    bool may_be_known_at(const Moment& at) const {
      return block != at.block || first_epoch < at.epoch || at.thread / 32 == warp || at.cluster;
    }
    Segment segment(const Time& when) const { return {block, warp, when.epoch, when.time}; }
    /// The releases that somebody of the block, or of its cluster, knows of by way of this warp: those found at the
    /// times of which `knows(when, lane)`.
    template <class Knows>
    std::uint32_t n_known(const Moment& at, const Knows& knows) const;
    std::uint32_t n_known(const Moment& at) const;
  };
  struct BlockHistory {
    std::vector<Acquired> acquired;                                         // one for each warp and variable
    std::unordered_map<std::uint32_t, std::vector<std::uint32_t>> by_warp;  // positions among them
    std::unordered_map<std::uint32_t, Fences> fences;                       // of each thread
  };
  struct Search;
  class Worklist;

  void add(const void* variable, Release release);
  const Fences* fences_of(std::uint32_t block, std::uint32_t thread) const;
  static bool scope_includes(Scope scope, const Moment& from, std::uint32_t to_block);
  static bool covers(const Release& release, const Search& search, std::uint32_t to_block);
  /// Whether the access was handed over by the very variable that was acquired; n_releases(block): how much of what
  /// that block released counts.
  template <class NReleases>
  static bool is_direct(const Variable& variable, const NReleases& n_releases, const Search& search,
                        std::uint32_t to_block);
  bool is_direct(const Acquired& entry, const Search& search, const Moment& at) const;
  bool is_direct(const BlockHistory& past, const Search& search, const Moment& at, std::uint32_t n_acquired,
                 const Variable** found) const;
  /// The releases of `from_block` that `at` knows of by way of `entry`, with an acquiring fence that happens_before as
  /// far.
  std::uint32_t n_fenced(const Acquired& entry, const Moment& at, std::uint32_t from_block) const;
  void add_predecessors(const Acquired& entry, const Search& search, std::uint32_t from, const Moment& asked,
                        Worklist& steps) const;
  /// Calls f(past, how much of what it acquired counts) for the block of `at`, then for others of its cluster, until
  /// one returns true.
  template <class F>
  bool any_history(const Moment& at, std::uint32_t n_acquired, F&& f) const;

  std::unordered_map<const void*, Variable> variables_;
  std::unordered_map<std::uint32_t, BlockHistory> blocks_;
  std::vector<std::unique_ptr<ClusterBarriers>> clusters_;
  std::unordered_map<std::uint32_t, ClusterBarriers*> cluster_of_;  // by block
  bool has_early_accesses_ = false;
  mutable std::uint64_t n_searches_ = 0;
  mutable std::uint64_t n_abandoned_ = 0;
};

}  // namespace rafter::simt
