// Pinned host memory: registration, device addresses, and the attributes of pointers.
#include "executor/api/call.hpp"
#include "executor/api/memory/extents.hpp"
#include "executor/api/memory/host_memory.hpp"
#include "executor/memory/memory.hpp"
#include "executor/process/observer.hpp"
#include "rafter_simt/api/functions.hpp"

using namespace rafter::simt;

namespace {

const Allocation* live_allocation(const void* address) {
  const Allocation* const found = memory().find(address);
  return found != nullptr && found->live ? found : nullptr;
}

bool pinned(const void* address) {
  const Allocation* const found = live_allocation(address);
  return (found != nullptr && found->kind == MemoryKind::pinned) || host_memory().registered(address, 1);
}

}  // namespace

cudaError_t cudaHostRegister(void* pointer, std::size_t bytes, unsigned flags) {
  return call([&] {
    if (pointer == nullptr || bytes == 0 || flags > 0xf) return cudaErrorInvalidValue;
    if (live_allocation(pointer) != nullptr || !host_memory().add(pointer, bytes, flags | cudaHostRegisterMapped))
      return cudaErrorHostMemoryAlreadyRegistered;
    if (StreamObserver* observer = observing_streams()) observer->host_memory_pinned();
    memory().host_registered(pointer, bytes, true);
    return cudaSuccess;
  });
}

cudaError_t cudaHostUnregister(void* pointer) {
  const void* const site = __builtin_return_address(0);
  return call([&] {
    if (pointer == nullptr) return cudaErrorInvalidValue;
    const auto bytes = host_memory().remove(pointer);
    if (!bytes) return cudaErrorHostMemoryNotRegistered;
    if (StreamObserver* observer = observing_streams()) observer->host_memory_gone(pointer, *bytes, "unpins it", site);
    memory().host_registered(pointer, *bytes, false);
    return cudaSuccess;
  });
}

cudaError_t cudaHostGetDevicePointer(void** device, void* host, unsigned flags) {
  return call([&] {
    if (flags != 0 || !pinned(host)) return cudaErrorInvalidValue;
    return store_result(device, host);
  });
}

cudaError_t cudaHostGetFlags(unsigned* flags, void* host) {
  return call([&] {
    const Allocation* const found = live_allocation(host);
    const auto known = host_memory().flags(host, found == nullptr ? nullptr : found->base);
    return known ? store_result(flags, *known) : cudaErrorInvalidValue;
  });
}

cudaError_t cudaPointerGetAttributes(cudaPointerAttributes* attributes, const void* address) {
  return call([&] {
    if (attributes == nullptr || address == nullptr) return cudaErrorInvalidValue;
    void* const pointer = const_cast<void*>(address);
    const cudaMemoryType type = memory_type(address);
    attributes->type = type;
    attributes->device = type == cudaMemoryTypeUnregistered ? cudaInvalidDeviceId : 0;
    attributes->devicePointer = type == cudaMemoryTypeUnregistered ? nullptr : pointer;
    attributes->hostPointer = type == cudaMemoryTypeDevice ? nullptr : pointer;
    return cudaSuccess;
  });
}
