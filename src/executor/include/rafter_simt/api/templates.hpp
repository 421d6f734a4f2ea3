// The runtime API's C++ overloads: pointers of any type, symbols by name, kernels by name. They are always inlined, so
// that the function with C linkage sees the user's line as its caller.
#pragma once

#include <type_traits>
#include <utility>

#include "rafter_simt/api/functions.hpp"

#define RAFTER_SIMT_INLINE inline __attribute__((always_inline))

namespace rafter_simt {

/// A variable in device memory; `bytes` 0 when its size is unknown (`extern __constant__ float table[];`).
struct Symbol {
  const void* address;
  std::size_t bytes;
};

template <class Variable>
constexpr std::size_t symbol_bytes() {
  if constexpr (std::is_array_v<Variable> && std::extent_v<Variable> == 0)
    return 0;
  else
    return sizeof(Variable);
}

/// Returns a null symbol for a temporary (`&symbol`, as CUDA 4 took it).
template <class Variable>
RAFTER_SIMT_INLINE Symbol symbol_of(std::remove_reference_t<Variable>& variable) {
  if constexpr (std::is_lvalue_reference_v<Variable>)
    return {const_cast<const void*>(static_cast<const volatile void*>(std::addressof(variable))),
            symbol_bytes<std::remove_reference_t<Variable>>()};
  else
    return {nullptr, 0};
}

}  // namespace rafter_simt

#pragma GCC visibility push(default)
extern "C" {
cudaError_t rafter_simt_copy_to_symbol(rafter_simt::Symbol symbol, std::size_t offset, const void* from,
                                       std::size_t bytes, cudaMemcpyKind kind);
cudaError_t rafter_simt_copy_from_symbol(void* to, rafter_simt::Symbol symbol, std::size_t offset, std::size_t bytes,
                                         cudaMemcpyKind kind);
cudaError_t rafter_simt_copy_to_symbol_async(rafter_simt::Symbol symbol, std::size_t offset, const void* from,
                                             std::size_t bytes, cudaMemcpyKind kind, cudaStream_t stream);
cudaError_t rafter_simt_copy_from_symbol_async(void* to, rafter_simt::Symbol symbol, std::size_t offset,
                                               std::size_t bytes, cudaMemcpyKind kind, cudaStream_t stream);
cudaError_t rafter_simt_symbol_address(void** address, rafter_simt::Symbol symbol);
cudaError_t rafter_simt_symbol_size(std::size_t* bytes, rafter_simt::Symbol symbol);
}
#pragma GCC visibility pop

template <class T>
RAFTER_SIMT_INLINE cudaError_t cudaMalloc(T** memory, std::size_t bytes) {
  return cudaMalloc((void**)(void*)memory, bytes);
}

template <class T>
RAFTER_SIMT_INLINE cudaError_t cudaMallocManaged(T** memory, std::size_t bytes, unsigned flags = cudaMemAttachGlobal) {
  return cudaMallocManaged((void**)(void*)memory, bytes, flags);
}

template <class T>
RAFTER_SIMT_INLINE cudaError_t cudaMallocHost(T** memory, std::size_t bytes, unsigned flags = 0) {
  return cudaHostAlloc((void**)(void*)memory, bytes, flags);
}

template <class T>
RAFTER_SIMT_INLINE cudaError_t cudaHostAlloc(T** memory, std::size_t bytes, unsigned flags) {
  return cudaHostAlloc((void**)(void*)memory, bytes, flags);
}

template <class T>
RAFTER_SIMT_INLINE cudaError_t cudaHostGetDevicePointer(T** device, void* host, unsigned flags) {
  return cudaHostGetDevicePointer((void**)(void*)device, host, flags);
}

template <class T>
RAFTER_SIMT_INLINE cudaError_t cudaMallocPitch(T** memory, std::size_t* pitch, std::size_t width, std::size_t height) {
  return cudaMallocPitch((void**)(void*)memory, pitch, width, height);
}

template <class T>
RAFTER_SIMT_INLINE cudaError_t cudaMallocAsync(T** memory, std::size_t bytes, cudaStream_t stream) {
  return cudaMallocAsync((void**)(void*)memory, bytes, stream);
}

template <class T>
RAFTER_SIMT_INLINE cudaError_t cudaMallocAsync(T** memory, std::size_t bytes, cudaMemPool_t pool, cudaStream_t stream) {
  return cudaMallocFromPoolAsync((void**)(void*)memory, bytes, pool, stream);
}

template <class T>
RAFTER_SIMT_INLINE cudaError_t cudaMallocFromPoolAsync(T** memory, std::size_t bytes, cudaMemPool_t pool,
                                                       cudaStream_t stream) {
  return cudaMallocFromPoolAsync((void**)(void*)memory, bytes, pool, stream);
}

RAFTER_SIMT_INLINE cudaError_t cudaEventCreate(cudaEvent_t* event, unsigned flags) {
  return cudaEventCreateWithFlags(event, flags);
}

template <class T>
RAFTER_SIMT_INLINE cudaError_t cudaStreamAttachMemAsync(cudaStream_t stream, T* memory, std::size_t bytes = 0,
                                                        unsigned flags = cudaMemAttachSingle) {
  return cudaStreamAttachMemAsync(stream, (void*)memory, bytes, flags);
}

// The signatures of CUDA 12 and older: a device number where CUDA 13 takes a location.
RAFTER_SIMT_INLINE cudaMemLocation rafter_simt_location(int device) {
  return device == cudaCpuDeviceId ? cudaMemLocation{cudaMemLocationTypeHost, 0}
                                   : cudaMemLocation{cudaMemLocationTypeDevice, device};
}

RAFTER_SIMT_INLINE cudaError_t cudaMemPrefetchAsync(const void* memory, std::size_t bytes, int device,
                                                    cudaStream_t stream = nullptr) {
  return cudaMemPrefetchAsync(memory, bytes, rafter_simt_location(device), 0, stream);
}

RAFTER_SIMT_INLINE cudaError_t cudaMemAdvise(const void* memory, std::size_t bytes, cudaMemoryAdvise advice,
                                             int device) {
  return cudaMemAdvise(memory, bytes, advice, rafter_simt_location(device));
}

RAFTER_SIMT_INLINE cudaError_t cudaGetDeviceProperties_v2(cudaDeviceProp* properties, int device) {
  return cudaGetDeviceProperties(properties, device);
}

template <class Variable>
RAFTER_SIMT_INLINE cudaError_t cudaMemcpyToSymbol(Variable&& symbol, const void* from, std::size_t bytes,
                                                  std::size_t offset = 0,
                                                  cudaMemcpyKind kind = cudaMemcpyHostToDevice) {
  return rafter_simt_copy_to_symbol(rafter_simt::symbol_of<Variable>(symbol), offset, from, bytes, kind);
}

template <class Variable>
RAFTER_SIMT_INLINE cudaError_t cudaMemcpyToSymbolAsync(Variable&& symbol, const void* from, std::size_t bytes,
                                                       std::size_t offset = 0,
                                                       cudaMemcpyKind kind = cudaMemcpyHostToDevice,
                                                       cudaStream_t stream = nullptr) {
  return rafter_simt_copy_to_symbol_async(rafter_simt::symbol_of<Variable>(symbol), offset, from, bytes, kind, stream);
}

template <class Variable>
RAFTER_SIMT_INLINE cudaError_t cudaMemcpyFromSymbol(void* to, Variable&& symbol, std::size_t bytes,
                                                    std::size_t offset = 0,
                                                    cudaMemcpyKind kind = cudaMemcpyDeviceToHost) {
  return rafter_simt_copy_from_symbol(to, rafter_simt::symbol_of<Variable>(symbol), offset, bytes, kind);
}

template <class Variable>
RAFTER_SIMT_INLINE cudaError_t cudaMemcpyFromSymbolAsync(void* to, Variable&& symbol, std::size_t bytes,
                                                         std::size_t offset = 0,
                                                         cudaMemcpyKind kind = cudaMemcpyDeviceToHost,
                                                         cudaStream_t stream = nullptr) {
  return rafter_simt_copy_from_symbol_async(to, rafter_simt::symbol_of<Variable>(symbol), offset, bytes, kind, stream);
}

template <class Variable>
RAFTER_SIMT_INLINE cudaError_t cudaGetSymbolAddress(void** address, Variable&& symbol) {
  return rafter_simt_symbol_address(address, rafter_simt::symbol_of<Variable>(symbol));
}

template <class Variable>
RAFTER_SIMT_INLINE cudaError_t cudaGetSymbolSize(std::size_t* bytes, Variable&& symbol) {
  return rafter_simt_symbol_size(bytes, rafter_simt::symbol_of<Variable>(symbol));
}
