// Limits and cache preferences: stored and returned, without effect.
#include <array>
#include <atomic>

#include "executor/api/call.hpp"
#include "rafter_simt/api/functions.hpp"

using namespace rafter::simt;

namespace {

// Indexed by cudaLimit, with the defaults of an H100. Compute capability 9 has no limit of the synchronisation depth.
std::array<std::atomic<std::size_t>, 7> limits{1024, 1048576, 8388608, 0, 2048, 64, 0};
std::atomic<cudaFuncCache> cache_config{cudaFuncCachePreferNone};

cudaError_t check_limit(cudaLimit limit) {
  if (limit == cudaLimitDevRuntimeSyncDepth) return cudaErrorUnsupportedLimit;
  return limit >= cudaLimitStackSize && limit <= cudaLimitPersistingL2CacheSize ? cudaSuccess : cudaErrorInvalidValue;
}

}  // namespace

cudaError_t cudaDeviceSetLimit(cudaLimit limit, std::size_t value) {
  return call([&] {
    const cudaError_t error = check_limit(limit);
    if (error == cudaSuccess) limits[limit] = value;
    return error;
  });
}

cudaError_t cudaDeviceGetLimit(std::size_t* value, cudaLimit limit) {
  return call([&] {
    const cudaError_t error = check_limit(limit);
    return error == cudaSuccess ? store_result(value, limits[limit].load()) : error;
  });
}

cudaError_t cudaDeviceSetCacheConfig(cudaFuncCache config) {
  return call([&] {
    cache_config = config;
    return cudaSuccess;
  });
}

cudaError_t cudaDeviceGetCacheConfig(cudaFuncCache* config) {
  return call([&] { return store_result(config, cache_config.load()); });
}

cudaError_t cudaDeviceSetSharedMemConfig(cudaSharedMemConfig) {
  return call([] { return cudaSuccess; });
}

cudaError_t cudaDeviceGetSharedMemConfig(cudaSharedMemConfig* config) {
  return call([&] { return store_result(config, cudaSharedMemBankSizeFourByte); });
}
