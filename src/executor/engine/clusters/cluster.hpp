// A thread block cluster: blocks that run concurrently, synchronise at the cluster's barrier and access each other's
// shared memory.
#pragma once

#include <cstdint>
#include <vector>

#include "rafter_simt/abi.hpp"

namespace rafter::simt {

class Block;

class Cluster {
 public:
  Cluster(dim3 shape, uint3 index) : shape_(shape), index_(index) {}

  /// Adds the next block, in the order of the ranks: x fastest.
  void add(Block& block);
  const dim3& shape() const { return shape_; }
  /// Returns the cluster's index in the grid of clusters.
  const uint3& index() const { return index_; }
  unsigned size() const { return static_cast<unsigned>(members_.size()); }
  Block& block(unsigned rank) const { return *members_[rank].block; }
  unsigned rank_of(const Block& block) const;
  /// Whether all blocks have ended.
  bool is_over() const;

  // The barrier. Each thread alternates between arriving and waiting. Exited threads count as arrived.
  std::uint32_t n_arrivals(const Block& block, unsigned thread) const { return state_of(block, thread).arrivals; }
  std::uint32_t n_waits(const Block& block, unsigned thread) const { return state_of(block, thread).waits; }
  void arrive(const Block& block, unsigned thread);
  /// Whether the barrier that the thread arrived at last is complete.
  bool is_complete(const Block& block, unsigned thread) const { return n_arrivals(block, thread) <= phase_; }
  void waited(const Block& block, unsigned thread) { ++state_of(block, thread).waits; }
  void exited(const Block& block, unsigned thread);
  /// Completes the barrier if no thread is missing, and makes its waiting threads ready.
  void complete_if_due();
  /// Returns the number of live threads of a block that have not arrived.
  unsigned n_missing(unsigned rank) const;
  /// Whether any thread has arrived.
  bool is_awaited() const;

 private:
  struct ThreadState {
    std::uint32_t arrivals = 0, waits = 0;
  };
  struct Member {
    Block* block;
    unsigned n_arrived = 0;  // live threads at the current barrier
    std::vector<ThreadState> threads;
  };
  ThreadState& state_of(const Block& block, unsigned thread) { return members_[rank_of(block)].threads[thread]; }
  const ThreadState& state_of(const Block& block, unsigned thread) const {
    return members_[rank_of(block)].threads[thread];
  }

  dim3 shape_;
  uint3 index_;
  std::vector<Member> members_;
  std::uint32_t phase_ = 0;  // completed barriers
};

}  // namespace rafter::simt
