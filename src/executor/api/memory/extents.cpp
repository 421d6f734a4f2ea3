#include "executor/api/memory/extents.hpp"

#include "executor/api/memory/host_memory.hpp"
#include "executor/api/memory/symbols.hpp"
#include "executor/memory/memory.hpp"

namespace rafter::simt {
namespace {

bool within(const void* address, std::size_t bytes, const std::byte* base, std::size_t size) {
  const auto offset = static_cast<std::size_t>(static_cast<const std::byte*>(address) - base);
  return offset <= size && bytes <= size - offset;
}

}  // namespace

Reach reach(const void* address, std::size_t bytes, MemorySide side) {
  if (address == nullptr) return Reach::wrong_side;
  if (const Allocation* found = memory().find(address); found != nullptr) {
    if (!found->live) return Reach::outside;
    if (side == MemorySide::host && found->kind == MemoryKind::device) return Reach::wrong_side;
    return within(address, bytes, found->base, found->bytes) ? Reach::fits : Reach::outside;
  }
  if (memory().holds(address)) return Reach::outside;
  if (const auto variable = symbols().find(address)) {
    if (side == MemorySide::host && variable->kind == SymbolKind::device) return Reach::wrong_side;
    return within(address, bytes, variable->base, variable->bytes) ? Reach::fits : Reach::outside;
  }
  if (side == MemorySide::device && !host_memory().registered(address, bytes)) return Reach::wrong_side;
  return Reach::fits;
}

cudaMemoryType memory_type(const void* address) {
  if (const Allocation* const found = memory().find(address); found != nullptr && found->live) {
    if (found->kind == MemoryKind::pinned) return cudaMemoryTypeHost;
    return found->kind == MemoryKind::managed ? cudaMemoryTypeManaged : cudaMemoryTypeDevice;
  }
  if (const auto variable = symbols().find(address))
    return variable->kind == SymbolKind::managed ? cudaMemoryTypeManaged : cudaMemoryTypeDevice;
  return host_memory().registered(address, 1) ? cudaMemoryTypeHost : cudaMemoryTypeUnregistered;
}

Direction direction(cudaMemcpyKind kind) {
  switch (kind) {
    case cudaMemcpyHostToHost: return {MemorySide::host, MemorySide::host, true};
    case cudaMemcpyHostToDevice: return {MemorySide::device, MemorySide::host, true};
    case cudaMemcpyDeviceToHost: return {MemorySide::host, MemorySide::device, true};
    case cudaMemcpyDeviceToDevice: return {MemorySide::device, MemorySide::device, true};
    case cudaMemcpyDefault: return {MemorySide::either, MemorySide::either, true};
  }
  return {MemorySide::either, MemorySide::either, false};
}

}  // namespace rafter::simt
