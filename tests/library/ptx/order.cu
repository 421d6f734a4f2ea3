#include "library/core/cuda/launch.cuh"
#include "library/core/cuda/policy.cuh"
#include "library/ptx/cluster.cuh"
#include "library/ptx/elect.cuh"
#include "library/ptx/memory_order.cuh"
#include "wrappers.hpp"

namespace rafter::test::RAFTER_BACKEND {
namespace {

// Block b waits until the previous block has written its part of `work`, and adds to it.
__global__ void add_after_neighbour(const float* in, float* work, int* flags, float* out) {
  const int block = static_cast<int>(blockIdx.x), t = static_cast<int>(threadIdx.x);
  const int i = block * 64 + t, before = i - 64;
  float value = 0;
  if (block > 0) {
    if (t == 0) {
      while (ptx::load_acquire(&flags[block - 1]) < 3) __nanosleep(20);
    }
    __syncthreads();  // the data that thread 0 acquired are visible to all
    value = ptx::load_cg(&work[before]) - 2 * in[before];
  }
  work[i] = 2 * in[i] + value;
  __syncthreads();  // the block's part is written
  if (t == 0) block % 2 == 0 ? ptx::red_release(&flags[block], 3) : ptx::store_release(&flags[block], 3);
  out[i] = work[i] + in[i];
}

void chain(const Stream& stream, int n_blocks, const float* in, float* work, int* flags, float* out) {
  core::launch_cooperative(add_after_neighbour, n_blocks, 64, 0, stream, in, work, flags, out);
}

template <class T>
__device__ void copy_streaming(const unsigned* in, unsigned* out, int t) {
  const auto* from = reinterpret_cast<const T*>(in);
  ptx::prefetch_l2(from + t);
  ptx::store_streaming(reinterpret_cast<T*>(out) + t, ptx::load_streaming(from + t));
}

__global__ void copy_with_hints(const unsigned* in, unsigned* out) {
  const int t = static_cast<int>(threadIdx.x);
  copy_streaming<unsigned>(in, out, t);
  copy_streaming<uint2>(in + 256, out + 256, t);
  const auto once = ptx::cache_policy<ptx::Evict::first>(), often = ptx::cache_policy<ptx::Evict::last>();
  const uint4 value = ptx::load_cg(reinterpret_cast<const uint4*>(in + 3 * 256) + t);
  const uint4 hinted = ptx::load_hinted(reinterpret_cast<const uint4*>(in + 7 * 256) + t, once);
  ptx::store_hinted(reinterpret_cast<uint4*>(out + 7 * 256) + t, hinted, often);
  ptx::store_if(t % 2 == 0, reinterpret_cast<uint4*>(out + 3 * 256) + t, value);
  ptx::store_if(t % 2 == 1, reinterpret_cast<uint4*>(out + 3 * 256) + t, value);
}

void hints(const Stream& stream, const unsigned* in, unsigned* out) {
  core::launch(copy_with_hints, 1, 256, 0, stream, in, out);
}

__global__ void ask_neighbour(int* out) {
  __shared__ int rank, from_before;
  const unsigned own = ptx::cluster_rank(), next = (own + 1) % ptx::cluster_size();
  if (threadIdx.x == 0) rank = static_cast<int>(own);
  ptx::cluster_sync();  // all ranks are written
  if (threadIdx.x == 0) {
    const int of_next = ptx::RemoteShared<int>(&rank, next).load();
    ptx::RemoteShared<int>(&from_before, next).store(static_cast<int>(own));
    out[blockIdx.x] = 100 * of_next + static_cast<int>(own);
  }
  ptx::cluster_sync();  // no block accesses another's memory any more
  if (threadIdx.x == 0 && from_before != static_cast<int>((own + ptx::cluster_size() - 1) % ptx::cluster_size()))
    out[blockIdx.x] = -1;
}

void clusters(const Stream& stream, int* out) { core::launch_clusters(ask_neighbour, 8, 4, 64, 0, stream, out); }

__global__ void count_elected(int* out) {
  if (ptx::elect_one()) atomicAdd(&out[threadIdx.x / 32], 1);
}

void elect(const Stream& stream, int n_warps, int* out) {
  core::launch(count_elected, 1, n_warps * 32, 0, stream, out);
}

template <int Capability>
struct PolicyFor {
  static constexpr int capability = Capability;
};

int policy(int capability) {
  return core::select_policy(core::PolicyList<PolicyFor<100>, PolicyFor<90>, PolicyFor<80>>{}, capability,
                             [](auto chosen) { return chosen.capability; });
}

}  // namespace

OrderWrappers order_wrappers() { return {chain, hints, clusters, elect, policy}; }

}  // namespace rafter::test::RAFTER_BACKEND
