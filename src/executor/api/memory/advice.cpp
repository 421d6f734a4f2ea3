// Hints about managed memory. Their arguments are checked as on a GPU; they have no effect.
#include "executor/api/call.hpp"
#include "executor/api/memory/extents.hpp"
#include "executor/api/memory/symbols.hpp"
#include "executor/api/streams.hpp"
#include "executor/memory/memory.hpp"
#include "rafter_simt/api/functions.hpp"

using namespace rafter::simt;

namespace {

cudaError_t check_managed(const void* address, std::size_t bytes) {
  const Allocation* const found = memory().find(address);
  const auto variable = symbols().find(address);
  const bool managed = found != nullptr ? found->kind == MemoryKind::managed
                                        : variable.has_value() && variable->kind == SymbolKind::managed;
  if (!managed || bytes == 0 || reach(address, bytes, MemorySide::either) != Reach::fits) return cudaErrorInvalidValue;
  return cudaSuccess;
}

cudaError_t check_location(cudaMemLocation location) {
  switch (location.type) {
    case cudaMemLocationTypeDevice: return location.id == 0 ? cudaSuccess : cudaErrorInvalidDevice;
    case cudaMemLocationTypeHost:
    case cudaMemLocationTypeHostNuma:
    case cudaMemLocationTypeHostNumaCurrent: return cudaSuccess;
    default: return cudaErrorInvalidValue;
  }
}

bool needs_location(cudaMemoryAdvise advice) {
  return advice == cudaMemAdviseSetPreferredLocation || advice == cudaMemAdviseSetAccessedBy ||
         advice == cudaMemAdviseUnsetAccessedBy;
}

}  // namespace

cudaError_t cudaMemPrefetchAsync(const void* memory, std::size_t bytes, cudaMemLocation location, unsigned flags,
                                 cudaStream_t stream) {
  return call([&] {
    if (!streams().known(stream)) return cudaErrorInvalidResourceHandle;
    if (flags != 0) return cudaErrorInvalidValue;
    const cudaError_t error = check_location(location);
    return error == cudaSuccess ? check_managed(memory, bytes) : error;
  });
}

cudaError_t cudaMemAdvise(const void* memory, std::size_t bytes, cudaMemoryAdvise advice, cudaMemLocation location) {
  return call([&] {
    if (advice < cudaMemAdviseSetReadMostly || advice > cudaMemAdviseUnsetAccessedBy) return cudaErrorInvalidValue;
    const cudaError_t error = needs_location(advice) ? check_location(location) : cudaSuccess;
    return error == cudaSuccess ? check_managed(memory, bytes) : error;
  });
}

cudaError_t cudaStreamAttachMemAsync(cudaStream_t stream, void* memory, std::size_t bytes, unsigned) {
  return call([&] {
    if (!streams().known(stream)) return cudaErrorInvalidResourceHandle;
    return check_managed(memory, bytes == 0 ? 1 : bytes);
  });
}
