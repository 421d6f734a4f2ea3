// The C functions that kernels call for cluster barriers and distributed shared memory.
#include "executor/engine/async/async_findings.hpp"
#include "executor/engine/failure.hpp"
#include "executor/engine/workers/worker.hpp"
#include "executor/process/observer.hpp"
#include "executor/process/options.hpp"

using namespace rafter::simt;
using rafter_simt::ClusterValue;

#define RAFTER_SIMT_EXPORT extern "C" __attribute__((visibility("default")))
#define RAFTER_SIMT_HERE __builtin_return_address(0)

namespace {

Worker& worker_90(const void* place) {
  Worker& worker = *this_worker();
  worker.catch_up();
  if (options().capability >= 90) return worker;
  report_too_old("thread block clusters", place);
  worker.abandon(launch_failure);
}

template <class Triple>
unsigned axis(const Triple& triple, int which) {
  return which == 0 ? triple.x : which == 1 ? triple.y : triple.z;
}

}  // namespace

RAFTER_SIMT_EXPORT void rafter_simt_cluster_dims(unsigned x, unsigned y, unsigned z) {
  if (!is_inside()) return;
  Grid& grid = this_worker()->grid();
  const dim3& now = grid.launch().cluster;
  if (now.x == x && now.y == y && now.z == z) return;
  grid.ask_for_clusters(dim3(x, y, z));
  this_worker()->abandon(invalid_cluster_size);
}

RAFTER_SIMT_EXPORT unsigned rafter_simt_cluster_value(int which) {
  if (!is_inside()) return 0;
  Worker& worker = worker_90(RAFTER_SIMT_HERE);
  const Cluster& cluster = worker.cluster();
  const dim3 &shape = cluster.shape(), &grid = worker.grid().launch().grid;
  const uint3& block = worker.block().index;
  const auto from = [which](ClusterValue first) { return which - static_cast<int>(first); };
  if (which >= static_cast<int>(ClusterValue::n_clusters)) {
    const int a = from(ClusterValue::n_clusters);
    return axis(grid, a) / axis(shape, a);
  }
  if (which >= static_cast<int>(ClusterValue::index)) return axis(cluster.index(), from(ClusterValue::index));
  if (which >= static_cast<int>(ClusterValue::shape)) return axis(shape, from(ClusterValue::shape));
  if (which >= static_cast<int>(ClusterValue::block)) {
    const int a = from(ClusterValue::block);
    return axis(block, a) % axis(shape, a);
  }
  return which == static_cast<int>(ClusterValue::size) ? cluster.size() : cluster.rank_of(worker.block());
}

RAFTER_SIMT_EXPORT void rafter_simt_cluster_arrive(rafter_simt::ClusterArrive order) {
  if (!is_inside()) return;
  Worker& worker = worker_90(RAFTER_SIMT_HERE);
  if (Observer* observer = observing()) observer->barrier(RAFTER_SIMT_HERE);
  worker.cluster_arrive(order, RAFTER_SIMT_HERE);
}

RAFTER_SIMT_EXPORT void rafter_simt_cluster_wait() {
  if (is_inside()) worker_90(RAFTER_SIMT_HERE).cluster_wait(RAFTER_SIMT_HERE);
}

RAFTER_SIMT_EXPORT void* rafter_simt_map_shared(const void* address, unsigned rank) {
  return is_inside() ? worker_90(RAFTER_SIMT_HERE).map_shared(address, rank, RAFTER_SIMT_HERE)
                     : const_cast<void*>(address);
}

RAFTER_SIMT_EXPORT unsigned rafter_simt_shared_rank(const void* address) {
  if (!is_inside()) return 0;
  Worker& worker = worker_90(RAFTER_SIMT_HERE);
  const Cluster& cluster = worker.cluster();
  const Block* owner = worker.owner_of(address);
  return owner ? cluster.rank_of(*owner) : 0;
}
