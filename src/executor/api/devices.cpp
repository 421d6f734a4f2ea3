// The calls that select, query, synchronise and reset the only device.
#include <atomic>
#include <cstdio>
#include <cstring>

#include "executor/api/call.hpp"
#include "executor/api/device_properties.hpp"
#include "executor/api/functions.hpp"
#include "executor/api/graphs/capture.hpp"
#include "executor/api/streams.hpp"
#include "executor/api/task.hpp"
#include "rafter_simt/api/functions.hpp"

using namespace rafter::simt;

namespace {

constexpr int runtime_version = CUDART_VERSION;
constexpr const char* pci_id = "0000:00:00.0";
std::atomic<unsigned> device_flags{cudaDeviceMapHost};

cudaError_t check_device(int device) { return device == 0 ? cudaSuccess : cudaErrorInvalidDevice; }

cudaError_t attribute_value(int* value, cudaDeviceAttr attribute) {
  const cudaDeviceProp p = device_properties();
  switch (attribute) {
#define RAFTER_SIMT_ATTRIBUTE(number, name, answer) \
  case cudaDevAttr##name:                           \
    return store_result(value, static_cast<int>(answer));
#include "rafter_simt/api/attributes.def"
#undef RAFTER_SIMT_ATTRIBUTE
  }
  return cudaErrorInvalidValue;
}

}  // namespace

// Works even after a sticky error, as in CUDA: programs call it to find out whether there is a device.
cudaError_t cudaGetDeviceCount(int* count) { return errors().report(store_result(count, 1)); }

cudaError_t cudaGetDevice(int* device) {
  return call([&] { return store_result(device, 0); });
}

cudaError_t cudaSetDevice(int device) {
  return call([&] { return check_device(device); });
}

cudaError_t cudaInitDevice(int device, unsigned, unsigned) {
  return call([&] { return check_device(device); });
}

cudaError_t cudaSetValidDevices(int* devices, int count) {
  return call([&] {
    if (devices == nullptr && count > 0) return cudaErrorInvalidValue;
    for (int i = 0; i < count; ++i)
      if (devices[i] != 0) return cudaErrorInvalidDevice;
    return cudaSuccess;
  });
}

cudaError_t cudaChooseDevice(int* device, const cudaDeviceProp* wanted) {
  return call([&] { return wanted == nullptr ? cudaErrorInvalidValue : store_result(device, 0); });
}

cudaError_t cudaGetDeviceProperties(cudaDeviceProp* properties, int device) {
  return call([&] { return device == 0 ? store_result(properties, device_properties()) : cudaErrorInvalidDevice; });
}

cudaError_t cudaDeviceGetAttribute(int* value, cudaDeviceAttr attribute, int device) {
  return call([&] { return device == 0 ? attribute_value(value, attribute) : cudaErrorInvalidDevice; });
}

cudaError_t cudaDeviceGetPCIBusId(char* id, int length, int device) {
  return call([&] {
    if (id == nullptr || length <= static_cast<int>(std::strlen(pci_id))) return cudaErrorInvalidValue;
    std::snprintf(id, static_cast<std::size_t>(length), "%s", pci_id);
    return check_device(device);
  });
}

cudaError_t cudaDeviceGetByPCIBusId(int* device, const char* id) {
  return call([&] {
    if (id == nullptr) return cudaErrorInvalidValue;
    return std::strcmp(id, pci_id) == 0 ? store_result(device, 0) : cudaErrorInvalidDevice;
  });
}

cudaError_t cudaSetDeviceFlags(unsigned flags) {
  return call([&] {
    if ((flags & ~unsigned{cudaDeviceMask}) != 0) return cudaErrorInvalidValue;
    device_flags = flags | cudaDeviceMapHost;
    return cudaSuccess;
  });
}

cudaError_t cudaGetDeviceFlags(unsigned* flags) {
  return call([&] { return store_result(flags, device_flags.load()); });
}

cudaError_t cudaDeviceSynchronize() {
  return call([] {
    if (const cudaError_t refused = refused_by_any_capture(); refused != cudaSuccess) return refused;
    host_waited_for_all();
    return cudaSuccess;
  });
}

cudaError_t cudaThreadSynchronize() { return cudaDeviceSynchronize(); }

cudaError_t cudaDeviceReset() {
  refuse_inside_kernels();
  host_waited_for_all();
  errors().reset();
  forget_functions();
  return cudaSuccess;
}

cudaError_t cudaThreadExit() { return cudaDeviceReset(); }

cudaError_t cudaDeviceGetStreamPriorityRange(int* least, int* greatest) {
  return call([&] {
    if (least != nullptr) *least = 0;
    if (greatest != nullptr) *greatest = greatest_priority;
    return cudaSuccess;
  });
}

cudaError_t cudaDeviceCanAccessPeer(int* can_access, int device, int peer) {
  return call([&] { return device == 0 && peer == 0 ? store_result(can_access, 0) : cudaErrorInvalidDevice; });
}

/// The attribute of two different devices, of which there is one.
cudaError_t cudaDeviceGetP2PAttribute(int* value, cudaDeviceP2PAttr attribute, int, int) {
  return call([&] {
    const bool is_known =
        attribute >= cudaDevP2PAttrPerformanceRank && attribute <= cudaDevP2PAttrOnlyPartialNativeAtomicSupported;
    return value != nullptr && is_known ? cudaErrorInvalidDevice : cudaErrorInvalidValue;
  });
}

cudaError_t cudaDeviceEnablePeerAccess(int, unsigned) {
  return call([] { return cudaErrorInvalidDevice; });
}

cudaError_t cudaDeviceDisablePeerAccess(int peer) {
  return call([&] { return peer == 0 ? cudaErrorPeerAccessNotEnabled : cudaErrorInvalidDevice; });
}

cudaError_t cudaCtxResetPersistingL2Cache() {
  return call([] { return cudaSuccess; });
}

cudaError_t cudaDriverGetVersion(int* number) { return errors().report(store_result(number, runtime_version)); }
cudaError_t cudaRuntimeGetVersion(int* number) { return errors().report(store_result(number, runtime_version)); }

cudaError_t cudaProfilerStart() {
  return call([] { return cudaSuccess; });
}

cudaError_t cudaProfilerStop() {
  return call([] { return cudaSuccess; });
}
