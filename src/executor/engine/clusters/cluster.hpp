// A thread block cluster: blocks that run at the same time, wait for each other at the cluster's barrier and reach each
// other's shared memory.
#pragma once

#include <cstdint>
#include <vector>

#include "rafter_simt/abi.hpp"

namespace rafter::simt {

class Block;

class Cluster {
 public:
  Cluster(dim3 shape, uint3 index) : shape_(shape), index_(index) {}

  /// Blocks come by their rank, x fastest.
  void add(Block& block);
  const dim3& shape() const { return shape_; }
  /// Its place among the clusters of the grid.
  const uint3& index() const { return index_; }
  unsigned size() const { return static_cast<unsigned>(members_.size()); }
  Block& block(unsigned rank) const { return *members_[rank].block; }
  unsigned rank_of(const Block& block) const;
  /// Whether all of its blocks have ended.
  bool is_over() const;

  // The barrier. A thread arrives and later waits, in turns; who has exited counts as arrived.
  std::uint32_t n_arrivals(const Block& block, unsigned thread) const { return state_of(block, thread).arrivals; }
  std::uint32_t n_waits(const Block& block, unsigned thread) const { return state_of(block, thread).waits; }
  void arrive(const Block& block, unsigned thread);
  /// Whether the barrier that the thread arrived at last is complete.
  bool is_complete(const Block& block, unsigned thread) const { return n_arrivals(block, thread) <= phase_; }
  void waited(const Block& block, unsigned thread) { ++state_of(block, thread).waits; }
  void exited(const Block& block, unsigned thread);
  /// Lets those go on who wait for what is complete now.
  void complete_if_due();
  /// Threads of a block that the barrier under way lacks.
  unsigned n_missing(unsigned rank) const;
  bool is_awaited() const;

 private:
  struct ThreadState {
    std::uint32_t arrivals = 0, waits = 0;
  };
  struct Member {
    Block* block;
    unsigned n_arrived = 0;  // live threads, at the barrier under way
    std::vector<ThreadState> threads;
  };
  ThreadState& state_of(const Block& block, unsigned thread) { return members_[rank_of(block)].threads[thread]; }
  const ThreadState& state_of(const Block& block, unsigned thread) const {
    return members_[rank_of(block)].threads[thread];
  }

  dim3 shape_;
  uint3 index_;
  std::vector<Member> members_;
  std::uint32_t phase_ = 0;  // barriers that are complete
};

}  // namespace rafter::simt
