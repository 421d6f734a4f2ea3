// A histogram whose bins are distributed over the shared memory of a cluster's blocks, as in NVIDIA's programming guide:
// each thread adds to the bin in the block that holds it.
#include <cooperative_groups.h>

#include <cstdio>
#include <cstdlib>
#include <vector>

namespace cg = cooperative_groups;

__global__ void cluster_histogram(int* bins, const int nbins, const int bins_per_block, const int* __restrict__ input,
                                  size_t array_size) {
  extern __shared__ int smem[];
  const int tid = cg::this_grid().thread_rank();

  cg::cluster_group cluster = cg::this_cluster();
  const unsigned int cluster_block_rank = cluster.block_rank();
  const int cluster_size = cluster.dim_blocks().x;

  for (int i = threadIdx.x; i < bins_per_block; i += blockDim.x) smem[i] = 0;
  cluster.sync();  // all bins are zero, and all blocks have started

  for (int i = tid; i < array_size; i += blockDim.x * gridDim.x) {
    const int bin = input[i];
    int binid = bin;
    if (bin < 0) {
      binid = 0;
    } else if (bin >= nbins) {
      binid = nbins - 1;
    }
    const int dst_block_rank = binid / bins_per_block;
    const int dst_offset = binid % bins_per_block;
    int* dst_smem = cluster.map_shared_rank(smem, dst_block_rank);
    atomicAdd(dst_smem + dst_offset, 1);
  }
  cluster.sync();  // all additions are done, and no block accesses another's shared memory any more

  int* lbins = bins + cluster_block_rank * bins_per_block;
  for (int i = threadIdx.x; i < bins_per_block; i += blockDim.x) atomicAdd(&lbins[i], smem[i]);
}

int main() {
  const int array_size = 20000, threads_per_block = 128, nbins = 300;
  std::vector<int> input(array_size), expected(nbins), bins(nbins);
  for (int i = 0; i < array_size; ++i) {
    input[i] = i * 7919 % 320 - 10;
    ++expected[input[i] < 0 ? 0 : input[i] >= nbins ? nbins - 1 : input[i]];
  }
  int *device_input, *device_bins;
  cudaMalloc(&device_input, array_size * sizeof(int));
  cudaMalloc(&device_bins, nbins * sizeof(int));
  cudaMemcpy(device_input, input.data(), array_size * sizeof(int), cudaMemcpyHostToDevice);
  for (const int cluster_size : {1, 2, 4}) {
    const int nbins_per_block = nbins / cluster_size;
    cudaMemset(device_bins, 0, nbins * sizeof(int));
    cudaLaunchConfig_t config = {0};
    config.gridDim = 16;
    config.blockDim = threads_per_block;
    config.dynamicSmemBytes = nbins_per_block * sizeof(int);
    cudaFuncSetAttribute((void*)cluster_histogram, cudaFuncAttributeMaxDynamicSharedMemorySize, config.dynamicSmemBytes);
    cudaLaunchAttribute attribute[1];
    attribute[0].id = cudaLaunchAttributeClusterDimension;
    attribute[0].val.clusterDim.x = cluster_size;
    attribute[0].val.clusterDim.y = 1;
    attribute[0].val.clusterDim.z = 1;
    config.numAttrs = 1;
    config.attrs = attribute;
    int active_clusters = 0;
    cudaOccupancyMaxActiveClusters(&active_clusters, (void*)cluster_histogram, &config);
    if (active_clusters < 1) return 3;
    cudaLaunchKernelEx(&config, cluster_histogram, device_bins, nbins, nbins_per_block, (const int*)device_input,
                       (size_t)array_size);
    if (cudaDeviceSynchronize() != cudaSuccess) return 2;
    cudaMemcpy(bins.data(), device_bins, nbins * sizeof(int), cudaMemcpyDeviceToHost);
    if (bins != expected) {
      std::printf("clusters of %d: the histogram is WRONG\n", cluster_size);
      return 1;
    }
  }
  cudaFree(device_input);
  cudaFree(device_bins);
  std::printf("cluster_histogram: right with clusters of 1, 2 and 4\n");
  return 0;
}
