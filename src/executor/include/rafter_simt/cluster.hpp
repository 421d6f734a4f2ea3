// Thread block clusters: CUDA's intrinsics for their registers, their barrier and distributed shared memory.
#pragma once

#include "rafter_simt/builtins.hpp"

namespace rafter_simt {

inline unsigned cluster_value(ClusterValue which, int axis = 0) {
  return rafter_simt_cluster_value(static_cast<int>(which) + axis);
}
inline dim3 cluster_triple(ClusterValue which) {
  return dim3(cluster_value(which, 0), cluster_value(which, 1), cluster_value(which, 2));
}

/// Sets the cluster size; the rewriter inserts the call for __cluster_dims__ at the start of the kernel's body.
inline void cluster_dims(unsigned x, unsigned y = 1, unsigned z = 1) { rafter_simt_cluster_dims(x, y, z); }

}  // namespace rafter_simt

inline dim3 __clusterDim() { return rafter_simt::cluster_triple(rafter_simt::ClusterValue::shape); }
inline dim3 __clusterRelativeBlockIdx() { return rafter_simt::cluster_triple(rafter_simt::ClusterValue::block); }
inline dim3 __clusterIdx() { return rafter_simt::cluster_triple(rafter_simt::ClusterValue::index); }
inline dim3 __clusterGridDimInClusters() { return rafter_simt::cluster_triple(rafter_simt::ClusterValue::n_clusters); }
inline unsigned __clusterRelativeBlockRank() { return rafter_simt::cluster_value(rafter_simt::ClusterValue::rank); }
inline unsigned __clusterSizeInBlocks() { return rafter_simt::cluster_value(rafter_simt::ClusterValue::size); }
inline unsigned __clusterDimIsSpecified() { return __clusterSizeInBlocks() > 1; }

inline void __cluster_barrier_arrive() { rafter_simt_cluster_arrive(rafter_simt::ClusterArrive::release); }
inline void __cluster_barrier_arrive_relaxed() { rafter_simt_cluster_arrive(rafter_simt::ClusterArrive::relaxed); }
inline void __cluster_barrier_wait() { rafter_simt_cluster_wait(); }

inline void* __cluster_map_shared_rank(const void* address, unsigned rank) {
  return rafter_simt_map_shared(address, rank);
}
inline unsigned __cluster_query_shared_rank(const void* address) { return rafter_simt_shared_rank(address); }
