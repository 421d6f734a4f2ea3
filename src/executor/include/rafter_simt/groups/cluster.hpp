// cooperative_groups: the cluster that contains a thread's block.
#pragma once

#include "rafter_simt/cluster.hpp"
#include "rafter_simt/groups/thread_group.hpp"

namespace cooperative_groups {

class cluster_group : public thread_group {
 public:
  struct arrival_token {};

  cluster_group() : thread_group(Kind::cluster) {}
  static void sync() {
    __cluster_barrier_arrive();
    __cluster_barrier_wait();
  }
  static arrival_token barrier_arrive() {
    __cluster_barrier_arrive();
    return {};
  }
  static void barrier_wait() { __cluster_barrier_wait(); }
  static void barrier_wait(arrival_token&&) { __cluster_barrier_wait(); }

  template <class T>
  static T* map_shared_rank(T* address, int rank) {
    return static_cast<T*>(__cluster_map_shared_rank((const void*)address, static_cast<unsigned>(rank)));
  }
  static unsigned query_shared_rank(const void* address) { return __cluster_query_shared_rank(address); }

  static dim3 block_index() { return __clusterRelativeBlockIdx(); }
  static unsigned block_rank() { return __clusterRelativeBlockRank(); }
  static dim3 dim_blocks() { return __clusterDim(); }
  static unsigned num_blocks() { return __clusterSizeInBlocks(); }
  static dim3 thread_index() {
    const dim3 block = block_index();
    return dim3(block.x * blockDim.x + threadIdx.x, block.y * blockDim.y + threadIdx.y,
                block.z * blockDim.z + threadIdx.z);
  }
  static unsigned thread_rank() {
    return block_rank() * rafter_simt::threads_of_block() + rafter_simt::current_thread();
  }
  static dim3 dim_threads() {
    const dim3 blocks = dim_blocks();
    return dim3(blocks.x * blockDim.x, blocks.y * blockDim.y, blocks.z * blockDim.z);
  }
  static unsigned num_threads() { return num_blocks() * rafter_simt::threads_of_block(); }
  static unsigned size() { return num_threads(); }
};

inline cluster_group this_cluster() { return {}; }

}  // namespace cooperative_groups
