// Memory pools: handles that store their attributes. All pools allocate from the same memory.
#include <array>
#include <cstdint>
#include <cstring>

#include "executor/api/call.hpp"
#include "executor/memory/memory.hpp"
#include "rafter_simt/api/functions.hpp"

struct CUmemPoolHandle_st {
  std::array<int, 4> reuse{0, 1, 1, 1};  // by cudaMemPoolAttr, 1 to 3
  std::uint64_t release_threshold = 0;
};

using namespace rafter::simt;

namespace {

CUmemPoolHandle_st default_pool;
cudaMemPool_t current_pool = &default_pool;

cudaError_t store_pool(cudaMemPool_t* to, cudaMemPool_t pool, int device) {
  return device == 0 ? store_result(to, pool) : cudaErrorInvalidDevice;
}

template <class Value>
cudaError_t store(void* to, Value value) {
  std::memcpy(to, &value, sizeof value);
  return cudaSuccess;
}

}  // namespace

cudaError_t cudaDeviceGetDefaultMemPool(cudaMemPool_t* pool, int device) {
  return call([&] { return store_pool(pool, &default_pool, device); });
}

cudaError_t cudaDeviceGetMemPool(cudaMemPool_t* pool, int device) {
  return call([&] { return store_pool(pool, current_pool, device); });
}

cudaError_t cudaDeviceSetMemPool(int device, cudaMemPool_t pool) {
  return call([&] {
    if (device != 0) return cudaErrorInvalidDevice;
    return pool == nullptr ? cudaErrorInvalidValue : store_result(&current_pool, pool);
  });
}

cudaError_t cudaMemPoolCreate(cudaMemPool_t* pool, const cudaMemPoolProps* properties) {
  return call([&] {
    if (pool == nullptr || properties == nullptr) return cudaErrorInvalidValue;
    *pool = new CUmemPoolHandle_st;
    return cudaSuccess;
  });
}

cudaError_t cudaMemPoolDestroy(cudaMemPool_t pool) {
  return call([&] {
    if (pool == nullptr || pool == &default_pool) return cudaErrorInvalidValue;
    if (current_pool == pool) current_pool = &default_pool;
    delete pool;
    return cudaSuccess;
  });
}

cudaError_t cudaMemPoolTrimTo(cudaMemPool_t pool, std::size_t) {
  return call([&] { return pool == nullptr ? cudaErrorInvalidValue : cudaSuccess; });
}

cudaError_t cudaMemPoolSetAccess(cudaMemPool_t pool, const cudaMemAccessDesc*, std::size_t) {
  return call([&] { return pool == nullptr ? cudaErrorInvalidValue : cudaSuccess; });
}

cudaError_t cudaMemPoolSetAttribute(cudaMemPool_t pool, cudaMemPoolAttr attribute, void* value) {
  return call([&] {
    if (pool == nullptr || value == nullptr) return cudaErrorInvalidValue;
    switch (attribute) {
      case cudaMemPoolReuseFollowEventDependencies:
      case cudaMemPoolReuseAllowOpportunistic:
      case cudaMemPoolReuseAllowInternalDependencies: std::memcpy(&pool->reuse[attribute], value, sizeof(int)); break;
      case cudaMemPoolAttrReleaseThreshold: std::memcpy(&pool->release_threshold, value, sizeof(std::uint64_t)); break;
      case cudaMemPoolAttrReservedMemHigh:
      case cudaMemPoolAttrUsedMemHigh: break;  // high-water marks may be reset to 0
      default: return cudaErrorInvalidValue;
    }
    return cudaSuccess;
  });
}

cudaError_t cudaMemPoolGetAttribute(cudaMemPool_t pool, cudaMemPoolAttr attribute, void* value) {
  return call([&] {
    if (pool == nullptr || value == nullptr) return cudaErrorInvalidValue;
    switch (attribute) {
      case cudaMemPoolReuseFollowEventDependencies:
      case cudaMemPoolReuseAllowOpportunistic:
      case cudaMemPoolReuseAllowInternalDependencies: return store(value, pool->reuse[attribute]);
      case cudaMemPoolAttrReleaseThreshold: return store(value, pool->release_threshold);
      case cudaMemPoolAttrReservedMemCurrent:
      case cudaMemPoolAttrReservedMemHigh:
      case cudaMemPoolAttrUsedMemCurrent:
      case cudaMemPoolAttrUsedMemHigh:
        return store(value, std::uint64_t{memory().total_bytes() - memory().free_bytes()});
    }
    return cudaErrorInvalidValue;
  });
}
