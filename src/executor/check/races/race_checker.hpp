// The race checker: finds two accesses to one word, at least one a write and not both atomic, that the happens-before
// relation does not order. The result does not depend on the order in which the executor ran them.
#pragma once

#include <array>
#include <cstdint>
#include <unordered_map>
#include <unordered_set>
#include <vector>

#include "executor/check/array_names.hpp"
#include "executor/check/races/critical_sections.hpp"
#include "executor/check/races/readers.hpp"
#include "executor/check/races/release_acquire_log.hpp"
#include "executor/check/races/sites.hpp"
#include "executor/check/races/volatile_pairs.hpp"
#include "executor/check/races/volatile_places.hpp"
#include "executor/check/regions.hpp"
#include "executor/engine/block.hpp"
#include "executor/engine/grid.hpp"
#include "executor/memory/shadow.hpp"
#include "executor/process/findings.hpp"
#include "executor/process/observer.hpp"

namespace rafter::simt {

class RaceChecker {
 public:
  /// `regions` describes the memory of findings.
  explicit RaceChecker(const Regions& regions) : regions_(regions) {}

  /// The numbering of a launch's segments. All numbers are above those of earlier launches, and each worker has its own
  /// residue class, so that records of other workers are recognised and ignored.
  struct Numbers {
    std::uint32_t first;
    int shift;
  };
  static constexpr std::uint32_t most_segments = 1u << 27;
  void launch_began(Grid& grid, Numbers numbers);
  void launch_ended();
  /// Drops the results of the launch.
  void launch_rolled_back() {
    pending_.deferred.clear();
    set_simple(false);
  }
  /// Whether every access was checked and only barriers ordered the threads of each block.
  bool had_barriers_only() const { return release_log_.is_unused() && n_forgotten_ == 0; }
  /// Whether threads of the kernel may order each other pairwise (by release/acquire), as far as is known.
  bool may_order_pairwise(const Grid& grid) const;
  /// Called when all records were dropped from the shadows.
  void forget_accesses() { readers_.clear(); }
  void block_entered(Block& block);
  void block_ended(const Block& block) {
    if (open_ == &block) open_ = nullptr;
  }
  /// All threads of the block have passed a barrier.
  void block_barrier_completed() { first_after_barrier_ = next_segment(); }
  /// Records of a block's shared memory with a smaller segment belong to other blocks.
  std::uint32_t next_segment() const { return next_segment_; }
  SegmentRange valid_from(std::uint32_t first) const { return {first, next_segment(), shift_}; }
  std::uint32_t first_segment() const { return first_segment_; }

  /// Checks and records an access of the running thread, or of an agent that it starts.
  void access(const Access& access, const Found& found, const Agent* agent);

  /// Reports a texture fetch (stale_texture) or a load through the read-only cache (stale_read_only) of data that was
  /// written in the same launch, however it is ordered.
  void check_fetch(const Access& access, const Found& found, Kind kind);

  /// Notes the first word of the array that was written and then read in this launch.
  void check_read_only_array(Shadow& shadow, const ReadOnlyArray& array);

  // The fast path for plain accesses of the running thread to one word (race_fast_path.hpp). fast_write() and
  // fast_read() return false if they cannot decide; access() must then be called.
  bool has_fast_path() const { return has_fast_path_; }
  /// Whether a lane of the running warp has acquired a lock without a fence since, so that its accesses are recorded.
  bool is_entering_lock() const { return block_->warps[rafter_simt_now.linear / 32].unfenced_lock_lanes != 0; }
  Block& block() const { return *block_; }
  std::uint32_t running_thread_id();
  bool fast_write(Shadow& shadow, std::size_t word, const Record& mine, SegmentRange valid);
  bool fast_read(Shadow& shadow, std::size_t word, const Record& mine, SegmentRange valid);
  std::uint32_t site(const void* place) { return sites_.number(place); }

  void atomic_done(const void* address, rafter_simt::Effect effect);
  /// The running thread's last read of `address` was an acquire.
  void acquired(const void* address, rafter_simt::Scope scope);
  void fence(rafter_simt::Scope scope);
  void partial_barrier_arrived(const Barrier& barrier);
  void partial_barrier_completed(Block& block, const Barrier& barrier);
  void grid_barrier_released(const Block& block);

  // Clusters (race_clusters.cpp).
  void cluster_arrived(const Cluster& cluster, rafter_simt::ClusterArrive order);
  /// The running thread accesses shared memory of another block, which must have started and must not end before the
  /// access.
  void remote_access(const Access& access, const Block& owner);
  void thread_ended();
  void left_cluster(const Block& block);

  /// Starts an agent of the running thread. Its accesses are ordered before no others until it completes.
  std::uint32_t agent_began();
  void agent_completed(const Agent& agent, const void* where);
  void agent_joined(const Agent& agent, const Access& access, const Found& found);
  void mbarrier_arrived(const void* barrier, rafter_simt::Scope scope);
  std::uint32_t n_releases(const void* where) const { return release_log_.n_releases(where); }
  void waited(const void* where, std::uint32_t n_releases) {
    release_log_.acquire(where, now(), n_releases, ReleaseAcquireLog::ReadOrder::acquire);
  }
  void proxy_fence(rafter_simt::ProxyFence fence);

  /// Compares a write that conflicts with earlier writes, once it has happened, with what they wrote.
  void finish_pending() {
    if (!pending_.deferred.empty()) compare_written();
  }

 private:
  /// The kind of conflict of two accesses by different threads, regardless of order.
  enum class Conflict : std::uint8_t {
    none,       // both are sufficiently atomic
    volatile_,  // indivisible, but volatile gives no order
    race
  };
  /// The order of two accesses by release/acquire.
  enum class Order : std::uint8_t {
    none,
    unfenced,  // ordered, but the acquiring side has no fence
    fenced
  };
  struct EarlierAccess {
    const Record& record;
    bool writes;
    bool value_remains;  // the value it wrote is still there, and would be in any order
  };
  /// An access to one word, or to one byte of it.
  struct WordAccess {
    const Access& access;
    Space space;
    SegmentRange valid;
    Shadow& shadow;
    std::size_t word;
    std::uint32_t bytes;  // bytes of the access, as a mask over its first 32
  };
  /// A write that conflicts with earlier writes, before it has happened.
  struct Pending {
    struct DeferredRace {
      Finding finding;
      std::uint64_t pair;
      std::uint32_t bytes;  // written by both, as a mask
      bool differs;         // the result depends on the order, whatever the values are
    };
    std::vector<DeferredRace> deferred;  // empty: nothing is pending
    const void* word = nullptr;
    const std::byte* address = nullptr;
    std::array<std::byte, 32> before{};
  };

  /// A cached result: all accesses of `writer` up to `until` happen before the accesses of `reader`.
  struct KnownOrder {
    std::uint64_t reader, writer;  // block << 32 | thread
    std::uint64_t until;           // epoch << 32 | time
    FenceRequirement requirement;  // that the order satisfies
  };

  std::uint32_t accessor_id();
  void begin_segment(Warp& warp);
  void add_segment(const Segment& segment) {
    segments_.push_back(segment);
    next_segment_ += 1u << shift_;
  }
  void set_simple(bool is_simple) {
    is_simple_ = is_simple;
    has_fast_path_ = is_simple && pending_.deferred.empty();
  }
  static std::uint32_t number(const Block& block) { return static_cast<std::uint32_t>(block.linear); }
  Moment moment_of(const Block& block, unsigned thread) const;
  Moment now() const { return moment_of(*block_, rafter_simt_now.linear); }
  bool is_ordered_by_cluster(const Record& record) const;
  ClusterBarriers& cluster_barriers(const Cluster& cluster);
  bool has_begun(const Block& owner) const;
  void report_remote(Kind kind, const Record& record, const Block& owner, const char* detail);
  const Segment& segment_of(const Record& record) const { return segments_[index_of(record.segment())]; }
  std::size_t index_of(std::uint32_t segment) const { return (segment - first_segment_) >> shift_; }
  Side side_of(const Record& record, const char* action, std::uint32_t bytes) const;
  using Writes = std::array<Record, 4>;
  /// Returns the last write of a word, or those of its bytes.
  static Writes writes_of(const Cell& cell, const WordAccess& word_access);
  void check_proxy(const Record& write, const WordAccess& word_access);
  bool is_fenced(const Record& record, Space space) const;

  // Happens-before (race_order.cpp).
  bool is_ordered_by_barrier(const Segment& segment) const {
    if (segment.block == number(*block_)) return segment.epoch < block_->epoch;
    return grid_->is_cooperative() && is_ordered_by_grid(segment);
  }
  bool is_ordered_by_grid(const Segment& segment) const;
  bool precedes_barrier(std::uint32_t segment) const;
  bool is_unordered(std::uint32_t segment, std::uint32_t mine) const;
  bool is_ordered(const Record& record) const;
  Order order_of(const Record& record, FenceRequirement requirement, std::uint64_t pair);
  bool is_ordered_by_release(const Record& record) {
    return order_of(record, FenceRequirement::release, 0) != Order::none;
  }
  static std::uint64_t pair_of(const Record& a, const Record& b);
  Conflict conflict_of(const Record& record, const Record& mine) const;
  CriticalSections::Thread thread_here() const;

  Cell load(const Cells& cells, std::size_t at, SegmentRange valid) const;
  void check_cell(Cell& cell, const Record& mine, const WordAccess& word_access);
  void check_bytes(Cell& cell, const Record& mine, const WordAccess& word_access);
  void split(Cell& cell, const WordAccess& word_access);
  void check_record(const EarlierAccess& earlier, const Record& mine, const WordAccess& word_access);
  void check_readers(Cell& cell, const Record& mine, const WordAccess& word_access);
  void add_reader(Cell& cell, const Record& mine, SegmentRange valid);
  bool lists_readers_now() const;
  bool fast_cell_write(Cells& cells, std::size_t at, const Record& mine, SegmentRange valid);
  bool fast_cell_read(Cells& cells, std::size_t at, const Record& mine, SegmentRange valid);
  bool fast_additional_read(Cells& cells, std::size_t at, const Record& mine, SegmentRange valid);
  template <bool writes>
  bool fast_bytes(Shadow& shadow, std::size_t word, const Record& mine, SegmentRange valid);

  // Findings (race_findings.cpp).
  Finding finding_of(Kind kind, const EarlierAccess& earlier, const Record& mine, const WordAccess& word_access) const;
  std::string remedy_of(const Record& earlier, const Record& mine) const;
  Target target_of_word(const WordAccess& word_access) const;
  Finding unordered(const EarlierAccess& earlier, const Record& mine, const WordAccess& word_access) const;
  void report_race(const EarlierAccess& earlier, const Record& mine, const WordAccess& word_access);
  void report_unfenced(const EarlierAccess& earlier, const Record& mine, const WordAccess& word_access);
  void add_volatile_pair(const EarlierAccess& earlier, const Record& mine, const WordAccess& word_access);
  void defer(Kind kind, const EarlierAccess& earlier, const Record& mine, const WordAccess& word_access);
  void compare_written();

  struct ProxyFencePoint {
    Moment moment;
    Space space;
  };

  const Regions& regions_;
  Sites sites_;
  ReleaseAcquireLog release_log_;
  CriticalSections critical_sections_;
  Readers readers_;
  VolatilePairs volatile_pairs_;
  VolatilePlaces volatile_places_;
  const Agent* agent_ = nullptr;  // agent of the access being checked; nullptr: the running thread
  const void* word_ = nullptr;    // address of the access being checked
  std::uint32_t n_agents_ = 0;
  std::unordered_map<std::uint64_t, std::vector<ProxyFencePoint>> proxy_fences_;  // by block << 32 | thread
  Record fenced_{};                // the last write that was found to be fenced
  std::vector<KnownOrder> known_;  // cache of recent searches, indexed by hash
  Grid* grid_ = nullptr;
  Block* block_ = nullptr;
  const Block* open_ = nullptr;  // the block that has begun and not ended
  bool is_simple_ = false;       // one block runs at a time, and only barriers order its threads
  bool has_fast_path_ = false;   // is_simple_, and no write is pending
  std::uint32_t first_segment_ = 1;
  int shift_ = 0;
  bool is_shared_ = false;                 // several workers execute the launch speculatively
  std::uint32_t block_first_ = 1;          // first segment of the running block, in a simple launch
  std::uint32_t first_after_barrier_ = 1;  // first segment after its last barrier
  std::uint32_t next_segment_ = 1;
  std::vector<Segment> segments_;
  std::unordered_map<std::uint32_t, std::uint32_t> at_grid_barrier_;  // block -> its epoch at the last grid barrier
  // By block: the last access of each thread of other blocks (block << 32 | thread) to its shared memory.
  std::unordered_map<std::uint32_t, std::unordered_map<std::uint64_t, Record>> remote_accesses_;
  Pending pending_;
  std::string remedy_;                                // of the race being reported, if its pair of places is new
  bool reported_ = false;                             // one finding per access is enough
  std::unordered_set<std::uint64_t> known_pairs_;     // pairs of places that raced in this launch
  std::unordered_set<std::uint64_t> unfenced_pairs_;  // pairs of places ordered without an acquiring fence
  // Whether all readers are listed from the start of the launch: the source has operations that order threads pairwise,
  // and the last launch of the kernel, if any, used them.
  bool lists_readers_ = false;
  std::unordered_map<std::string, bool> ordered_pairwise_;  // by kernel
  bool is_pairwise_ = false;       // something other than a barrier orders the current write after a read
  std::uint64_t n_forgotten_ = 0;  // writes that may race with a dropped read
};

}  // namespace rafter::simt
