// cooperative_groups: the block, the grid, and thread_group, to which they and sets of lanes convert.
#pragma once

#include "rafter_simt/cluster.hpp"
#include "rafter_simt/groups/lanes.hpp"
#include "rafter_simt/sync.hpp"

namespace cooperative_groups {

class thread_group {
 public:
  void sync() const {
    if (kind_ == Kind::block) return __syncthreads();
    if (kind_ == Kind::grid) return rafter_simt_grid_barrier();
    if (kind_ == Kind::cluster) {
      __cluster_barrier_arrive();
      return __cluster_barrier_wait();
    }
    __syncwarp(mask_);
  }
  unsigned long long size() const {
    if (kind_ == Kind::lanes) return rafter_simt::n_lanes(mask_);
    const unsigned long long n_threads = rafter_simt::threads_of_block();
    if (kind_ == Kind::cluster) return n_threads * __clusterSizeInBlocks();
    return kind_ == Kind::block ? n_threads : n_threads * gridDim.x * gridDim.y * gridDim.z;
  }
  unsigned long long num_threads() const { return size(); }
  unsigned long long thread_rank() const {
    if (kind_ == Kind::lanes) return rafter_simt::lane_rank(mask_, rafter_simt::current_lane());
    if (kind_ == Kind::block) return rafter_simt::current_thread();
    const unsigned long long block = kind_ == Kind::cluster ? __clusterRelativeBlockRank() : block_of_grid();
    return block * rafter_simt::threads_of_block() + rafter_simt::current_thread();
  }

 protected:
  enum class Kind : unsigned { block, cluster, grid, lanes };

  explicit thread_group(Kind kind, unsigned mask = 0) : kind_(kind), mask_(mask) {}
  static unsigned long long block_of_grid() {
    return (static_cast<unsigned long long>(blockIdx.z) * gridDim.y + blockIdx.y) * gridDim.x + blockIdx.x;
  }
  unsigned mask() const { return mask_; }

 private:
  friend thread_group tiled_partition(const thread_group& parent, unsigned int n_threads);

  Kind kind_;
  unsigned mask_;
};

class thread_block : public thread_group {
 public:
  struct arrival_token {};

  thread_block() : thread_group(Kind::block) {}
  static void sync() { __syncthreads(); }
  /// Early arrival is not modelled: the whole barrier is at the wait.
  arrival_token barrier_arrive() const { return {}; }
  void barrier_wait(arrival_token&&) const { sync(); }
  void barrier_wait() const { sync(); }
  static unsigned int thread_rank() { return rafter_simt::current_thread(); }
  static unsigned int size() { return rafter_simt::threads_of_block(); }
  static unsigned int num_threads() { return size(); }
  static dim3 group_index() { return dim3(blockIdx.x, blockIdx.y, blockIdx.z); }
  static dim3 thread_index() { return dim3(threadIdx.x, threadIdx.y, threadIdx.z); }
  static dim3 dim_threads() { return dim3(blockDim.x, blockDim.y, blockDim.z); }
  static dim3 group_dim() { return dim_threads(); }
};

inline thread_block this_thread_block() { return {}; }

class grid_group : public thread_group {
 public:
  struct arrival_token {};

  grid_group() : thread_group(Kind::grid) {}
  /// Always true: sync() reports a launch that is not cooperative.
  bool is_valid() const { return true; }
  void sync() const { rafter_simt_grid_barrier(); }
  arrival_token barrier_arrive() const { return {}; }
  void barrier_wait(arrival_token&&) const { sync(); }
  unsigned long long block_rank() const { return block_of_grid(); }
  unsigned long long num_blocks() const { return static_cast<unsigned long long>(gridDim.x) * gridDim.y * gridDim.z; }
  dim3 block_index() const { return dim3(blockIdx.x, blockIdx.y, blockIdx.z); }
  dim3 dim_blocks() const { return dim3(gridDim.x, gridDim.y, gridDim.z); }
  static dim3 group_dim() { return dim3(gridDim.x, gridDim.y, gridDim.z); }
};

inline grid_group this_grid() { return {}; }

/// Returns a run-time tile: lanes by position in a block, by rank in a set of lanes.
inline thread_group tiled_partition(const thread_group& parent, unsigned int n_threads) {
  using Kind = thread_group::Kind;
  const unsigned lane = rafter_simt::current_lane();
  if (n_threads == 0 || n_threads > 32 || parent.kind_ == Kind::grid || parent.kind_ == Kind::cluster)
    rafter_simt_unsupported("cooperative_groups::tiled_partition of more than 32 threads, of a cluster or of a grid");
  if (parent.kind_ == Kind::block) return thread_group(Kind::lanes, rafter_simt::tile_mask(n_threads, lane));
  const unsigned tile = rafter_simt::lane_rank(parent.mask_, lane) / n_threads;
  unsigned mask = 0;
  for (unsigned other = 0; other < 32; ++other)
    if ((parent.mask_ >> other & 1u) && rafter_simt::lane_rank(parent.mask_, other) / n_threads == tile)
      mask |= 1u << other;
  return thread_group(Kind::lanes, mask);
}

template <class Group>
void sync(const Group& group) {
  group.sync();
}
template <class Group>
auto thread_rank(const Group& group) {
  return group.thread_rank();
}
template <class Group>
auto group_size(const Group& group) {
  return group.size();
}

/// Memory for tiles of more than 32 threads, which have their own here.
template <unsigned int MaxBlockSize = 1024>
struct block_tile_memory {};
template <unsigned int MaxBlockSize>
thread_block this_thread_block(block_tile_memory<MaxBlockSize>&) {
  return {};
}

}  // namespace cooperative_groups
