// Kernel attributes and occupancy.
#include "executor/api/functions.hpp"

#include <algorithm>
#include <mutex>
#include <unordered_map>

#include "executor/api/call.hpp"
#include "executor/api/device_properties.hpp"
#include "rafter_simt/api/launch.hpp"

namespace rafter::simt {
namespace {

constexpr int default_shared_limit = 49152;

struct FunctionAttributes {
  int shared_limit = default_shared_limit;
  int carveout = cudaSharedmemCarveoutDefault;
  int large_clusters = 0;
};

class Functions {
 public:
  FunctionAttributes of(const void* kernel) const {
    const std::lock_guard lock(mutex_);
    const auto found = attributes_.find(kernel);
    return found == attributes_.end() ? FunctionAttributes{} : found->second;
  }

  void set(const void* kernel, FunctionAttributes attributes) {
    const std::lock_guard lock(mutex_);
    attributes_[kernel] = attributes;
    largest_shared_ = std::max(largest_shared_, attributes.shared_limit);
    large_clusters_ = large_clusters_ || attributes.large_clusters;
  }

  void forget() {
    const std::lock_guard lock(mutex_);
    attributes_.clear();
    largest_shared_ = default_shared_limit;
    large_clusters_ = false;
  }

  int largest_shared() const {
    const std::lock_guard lock(mutex_);
    return largest_shared_;
  }

  bool large_clusters() const {
    const std::lock_guard lock(mutex_);
    return large_clusters_;
  }

 private:
  mutable std::mutex mutex_;
  std::unordered_map<const void*, FunctionAttributes> attributes_;
  int largest_shared_ = default_shared_limit;
  bool large_clusters_ = false;
};

Functions& functions() {
  static Functions& functions = *new Functions;  // never destroyed: destructors of the program may still use it
  return functions;
}

int optin_limit() { return static_cast<int>(device_properties().sharedMemPerBlockOptin); }

cudaError_t set_attribute(const void* kernel, cudaFuncAttribute attribute, int value) {
  if (kernel == nullptr) return cudaErrorInvalidDeviceFunction;
  FunctionAttributes attributes = functions().of(kernel);
  switch (attribute) {
    case cudaFuncAttributeMaxDynamicSharedMemorySize:
      if (value < 0 || value > optin_limit()) return cudaErrorInvalidValue;
      attributes.shared_limit = value;
      break;
    case cudaFuncAttributePreferredSharedMemoryCarveout:
      if (value < -1 || value > 100) return cudaErrorInvalidValue;
      attributes.carveout = value;
      break;
    case cudaFuncAttributeNonPortableClusterSizeAllowed: attributes.large_clusters = value != 0; break;
    case cudaFuncAttributeClusterSchedulingPolicyPreference: break;
    default: return cudaErrorInvalidValue;
  }
  functions().set(kernel, attributes);
  return cudaSuccess;
}

// Static shared memory and registers are not known; the values assume no static shared memory and 32 registers.
cudaFuncAttributes describe(const void* kernel) {
  const FunctionAttributes known = functions().of(kernel);
  cudaFuncAttributes attributes{};
  attributes.maxThreadsPerBlock = device_properties().maxThreadsPerBlock;
  attributes.numRegs = 32;
  attributes.ptxVersion = attributes.binaryVersion = 90;
  attributes.maxDynamicSharedSizeBytes = known.shared_limit;
  attributes.preferredShmemCarveout = known.carveout;
  attributes.nonPortableClusterSizeAllowed = known.large_clusters;
  return attributes;
}

/// Returns the blocks that fit on a multiprocessor.
int fitting_blocks(int block_threads, std::size_t shared_bytes) {
  const cudaDeviceProp p = device_properties();
  const int warps = (block_threads + p.warpSize - 1) / p.warpSize;
  const int by_threads = p.maxThreadsPerMultiProcessor / (warps * p.warpSize);
  const auto by_shared = static_cast<int>(p.sharedMemPerMultiprocessor / (shared_bytes + p.reservedSharedMemPerBlock));
  return std::min({p.maxBlocksPerMultiProcessor, by_threads, by_shared});
}

int resident_blocks(const void* kernel, int block_threads, std::size_t shared_bytes) {
  const auto limit = static_cast<std::size_t>(functions().of(kernel).shared_limit);
  if (block_threads > device_properties().maxThreadsPerBlock || shared_bytes > limit) return 0;
  return fitting_blocks(block_threads, shared_bytes);
}

cudaError_t store_resident(int* blocks, const void* kernel, int block_threads, std::size_t shared_bytes) {
  if (kernel == nullptr) return cudaErrorInvalidDeviceFunction;
  if (block_threads <= 0) return cudaErrorInvalidValue;
  return store_result(blocks, resident_blocks(kernel, block_threads, shared_bytes));
}

}  // namespace

std::size_t dynamic_shared_limit() { return static_cast<std::size_t>(functions().largest_shared()); }
int cluster_limit() { return functions().large_clusters() ? 16 : 8; }
std::int64_t cooperative_limit(int block_threads, std::size_t shared_bytes) {
  return std::int64_t{device_properties().multiProcessorCount} * fitting_blocks(block_threads, shared_bytes);
}
void forget_functions() { functions().forget(); }

}  // namespace rafter::simt

using namespace rafter::simt;

/// Raises the limit of dynamic shared memory, like cudaFuncSetAttribute, for programs that link the executor and use a
/// GPU. Returns false if a block cannot have that much.
extern "C" __attribute__((visibility("default"))) bool rafter_simt_allow_shared(const void* kernel, int bytes) {
  return set_attribute(kernel, cudaFuncAttributeMaxDynamicSharedMemorySize, bytes) == cudaSuccess;
}

cudaError_t cudaFuncSetAttribute(const void* kernel, cudaFuncAttribute attribute, int value) {
  return call([&] { return set_attribute(kernel, attribute, value); });
}

cudaError_t cudaFuncGetAttributes(cudaFuncAttributes* attributes, const void* kernel) {
  return call(
      [&] { return kernel == nullptr ? cudaErrorInvalidDeviceFunction : store_result(attributes, describe(kernel)); });
}

cudaError_t cudaFuncSetCacheConfig(const void* kernel, cudaFuncCache) {
  return call([&] { return kernel == nullptr ? cudaErrorInvalidDeviceFunction : cudaSuccess; });
}

cudaError_t cudaFuncSetSharedMemConfig(const void* kernel, cudaSharedMemConfig) {
  return call([&] { return kernel == nullptr ? cudaErrorInvalidDeviceFunction : cudaSuccess; });
}

cudaError_t cudaFuncGetName(const char** name, const void* kernel) {
  return call([&] {
    return kernel == nullptr ? cudaErrorInvalidDeviceFunction : store_result(name, rafter_simt_kernel_name(kernel));
  });
}

cudaError_t cudaOccupancyMaxActiveBlocksPerMultiprocessor(int* blocks, const void* kernel, int block_threads,
                                                          std::size_t shared_bytes) {
  return call([&] { return store_resident(blocks, kernel, block_threads, shared_bytes); });
}

cudaError_t cudaOccupancyMaxActiveBlocksPerMultiprocessorWithFlags(int* blocks, const void* kernel, int block_threads,
                                                                   std::size_t shared_bytes, unsigned flags) {
  return call([&] {
    if (flags > cudaOccupancyDisableCachingOverride) return cudaErrorInvalidValue;
    return store_resident(blocks, kernel, block_threads, shared_bytes);
  });
}

cudaError_t cudaOccupancyMaxActiveClusters(int* clusters, const void* kernel, const cudaLaunchConfig_t* config) {
  return call([&] {
    if (kernel == nullptr) return cudaErrorInvalidDeviceFunction;
    if (config == nullptr) return cudaErrorInvalidValue;
    rafter_simt::Shape shape(config->gridDim, config->blockDim);
    rafter_simt_launch_attributes(config, &shape);
    const dim3 &cluster = shape.cluster, &block = config->blockDim;
    const auto size = static_cast<int>(cluster.x * cluster.y * cluster.z);
    if (size < 1 || size > (functions().of(kernel).large_clusters ? 16 : 8)) return cudaErrorInvalidClusterSize;
    const int resident =
        resident_blocks(kernel, static_cast<int>(block.x * block.y * block.z), config->dynamicSmemBytes);
    return store_result(clusters, device_properties().multiProcessorCount * resident / size);
  });
}

cudaError_t cudaOccupancyMaxPotentialClusterSize(int* size, const void* kernel, const cudaLaunchConfig_t* config) {
  return call([&] {
    if (kernel == nullptr) return cudaErrorInvalidDeviceFunction;
    if (config == nullptr) return cudaErrorInvalidValue;
    return store_result(size, functions().of(kernel).large_clusters ? 16 : 8);
  });
}

cudaError_t cudaOccupancyAvailableDynamicSMemPerBlock(std::size_t* shared_bytes, const void* kernel, int blocks,
                                                      int block_threads) {
  return call([&] {
    const cudaDeviceProp p = device_properties();
    if (kernel == nullptr) return cudaErrorInvalidDeviceFunction;
    if (blocks <= 0 || blocks > resident_blocks(kernel, std::max(block_threads, 1), 0)) return cudaErrorInvalidValue;
    const std::size_t share = p.sharedMemPerMultiprocessor / static_cast<std::size_t>(blocks);
    return store_result(shared_bytes, std::min(share - p.reservedSharedMemPerBlock, p.sharedMemPerBlockOptin));
  });
}
