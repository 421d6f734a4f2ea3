// Order between threads that no barrier orders. A fence followed by an atomic or volatile write to a variable is a
// release; a read of that variable followed by a fence is an acquire, and synchronizes with it. Tickets, flags,
// decoupled look-back and locks all work like this. The releasing fence may be that of the writer, or that of another
// thread before a block barrier; the acquiring fence that of the reader, or that of another thread after a block
// barrier.
#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <unordered_map>
#include <vector>

#include "executor/check/races/critical_sections.hpp"
#include "executor/check/races/logical_time.hpp"
#include "rafter_simt/abi.hpp"

namespace rafter::simt {

/// The fences that an order needs. Current GPUs mostly work without the acquiring fence, but the memory model requires
/// it.
enum class FenceRequirement : std::uint8_t {
  release,  // a fence before the write
  // Also a fence after acquiring a lock: for volatile accesses, which neither caches nor the compiler delay.
  lock_acquire,
  acquire  // also a fence after every read
};

class ReleaseAcquireLog {
 public:
  void clear();

  /// Begins a cluster of blocks. A block is in at most one cluster.
  ClusterBarriers& begin_cluster(std::vector<std::uint32_t> blocks);
  ClusterBarriers* cluster_of(std::uint32_t block) const;

  void fence(const Moment& now, rafter_simt::Scope scope);
  /// Returns the time of the thread's last fence of cluster scope or wider; a default WarpTime if there is none.
  WarpTime last_cluster_fence(std::uint32_t block, std::uint32_t thread) const;
  /// The thread wrote `variable`: releases its accesses before its last fence. `too_early`: if the write releases a
  /// lock, the accesses that may have taken effect before the lock was acquired.
  void release(const void* variable, const Moment& now, const CriticalSections::EarlyAccesses* too_early = nullptr);
  /// The thread acquired the lock `variable` by a compare-and-swap.
  void lock_taken(const void* variable);

  /// The memory order of a read. An acquire, as at barriers, needs no fence after it.
  enum class ReadOrder : std::uint8_t { relaxed, block_acquire, acquire };
  /// The thread read `variable`: synchronizes with all its releases so far.
  void acquire(const void* variable, const Moment& now, ReadOrder read = ReadOrder::relaxed) {
    acquire(variable, now, n_releases(variable), read);
  }
  /// Synchronizes with the first `n_releases` releases only.
  void acquire(const void* variable, const Moment& now, std::uint32_t n_releases, ReadOrder read);
  std::uint32_t n_releases(const void* variable) const;
  /// A release that needs no fence: arrival at a barrier of part of a block, or at an mbarrier.
  void release_at_barrier(const void* variable, const Moment& now,
                          rafter_simt::Scope scope = rafter_simt::Scope::block);
  /// Releases the accesses of an agent (an asynchronous copy), and nothing else.
  void release_agent(const void* variable, const Moment& agent);

  /// Whether the access of a lane in `segment` to `word` happens before `now`, through any chain of releases and
  /// acquires.
  bool happens_before(const Segment& segment, unsigned lane, const Moment& now,
                      FenceRequirement requirement = FenceRequirement::release, const void* word = nullptr) const;
  /// The defect of a flag that the thread at `now` read after the lane in `segment` wrote it.
  enum class Lack : std::uint8_t {
    flag,         // it read none
    fence,        // a fence before the flag
    later_fence,  // the fence comes before the access
    wider_fence   // the fence has too small a scope
  };
  Lack lack(const Segment& segment, unsigned lane, const Moment& now) const;
  bool is_unused() const { return variables_.empty(); }
  /// Whether results may differ between words, because a word was accessed before a lock was held.
  bool has_early_accesses() const { return has_early_accesses_; }
  /// Whether the variable has ordered any two accesses.
  bool has_ordered(const void* variable) const;
  /// The number of searches that took too many steps and were answered with true.
  std::uint64_t n_abandoned() const { return n_abandoned_; }

 private:
  using Scope = rafter_simt::Scope;

  struct Fence {
    Moment moment;
    Scope scope;

    /// The segment after the fence: the fence advances the warp's clock.
    Segment segment_after() const { return {moment.block, moment.thread / 32, moment.epoch, moment.time + 1}; }
  };
  using Fences = std::vector<Fence>;  // of one thread, in order
  struct Release {
    Moment moment;
    Fence fence;               // the last fence of the thread; thread ~0: none
    std::uint32_t n_acquired;  // entries of its block's `acquired` at that time
    CriticalSections::EarlyAccesses too_early{};
  };
  using Positions = std::vector<std::uint32_t>;                  // in a log, ascending
  using OfBlock = std::unordered_map<std::uint32_t, Positions>;  // by releasing thread
  /// The part of a variable's log that a search has visited.
  struct SearchProgress {
    std::uint64_t search = 0;
    std::uint32_t for_block = 0;
    std::uint32_t n_direct = 0;  // releases tested for the access itself, for `for_block`
    std::uint32_t n_steps = 0;   // releases added to the worklist
  };
  struct Variable {
    std::vector<Release> log;
    std::unordered_map<std::uint32_t, OfBlock> by_block;
    bool was_unlocked = false, was_locked = false;  // by the thread that held it; by a compare-and-swap
    mutable bool has_ordered = false;
    mutable SearchProgress progress;

    bool is_lock() const { return was_unlocked && was_locked; }
  };
  struct Acquired {
    struct Time {
      std::uint32_t n_releases;
      std::uint32_t epoch;
      std::uint32_t time;
      std::uint32_t lanes;           // that read this many releases
      std::uint32_t block_acquires;  // lanes that read with an acquire of block scope or wider
      std::uint32_t acquires;        // lanes that read with an acquire of device scope or wider
      std::uint32_t before;          // the most releases that any lane had read before
    };
    const Variable* variable;
    std::uint32_t warp;
    std::uint32_t first_epoch;  // of the first entry in `times`
    std::vector<Time> times;    // reads at which lanes saw new releases

    std::uint32_t block;

    /// A quick test, false for most: another warp's reads without a block barrier since.
    bool may_be_known_at(const Moment& at) const {
      return block != at.block || first_epoch < at.epoch || at.thread / 32 == warp || at.cluster;
    }
    Segment segment(const Time& when) const { return {block, warp, when.epoch, when.time}; }
    /// Returns the number of releases that `at` is ordered after through this warp: those of the latest read for which
    /// `knows(when, lane)` holds.
    template <class Knows>
    std::uint32_t n_known(const Moment& at, const Knows& knows) const;
    std::uint32_t n_known(const Moment& at) const;
  };
  struct BlockHistory {
    std::vector<Acquired> acquired;                                         // one for each warp and variable
    std::unordered_map<std::uint32_t, std::vector<std::uint32_t>> by_warp;  // indices into `acquired`
    std::unordered_map<std::uint32_t, Fences> fences;                       // by thread
  };
  struct Search;
  class Worklist;

  void add(const void* variable, Release release);
  const Fences* fences_of(std::uint32_t block, std::uint32_t thread) const;
  static bool scope_includes(Scope scope, const Moment& from, std::uint32_t to_block);
  static bool covers(const Release& release, const Search& search, std::uint32_t to_block);
  /// Whether the acquired variable itself released the access. `n_releases(block)` is the number of that block's
  /// releases that count.
  template <class NReleases>
  static bool is_direct(const Variable& variable, const NReleases& n_releases, const Search& search,
                        std::uint32_t to_block);
  bool is_direct(const Acquired& entry, const Search& search, const Moment& at) const;
  bool is_direct(const BlockHistory& past, const Search& search, const Moment& at, std::uint32_t n_acquired,
                 const Variable** found) const;
  /// Returns the number of releases of `from_block` that `at` is ordered after through `entry` with an acquiring fence
  /// of sufficient scope.
  std::uint32_t n_fenced(const Acquired& entry, const Moment& at, std::uint32_t from_block) const;
  void add_predecessors(const Acquired& entry, const Search& search, std::uint32_t from, const Moment& asked,
                        Worklist& steps) const;
  /// Calls f(history, number of its acquired entries that count) for the block of `at`, then for the other blocks of
  /// its cluster, until f returns true.
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
