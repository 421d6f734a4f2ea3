// Host memory that the device may access: allocated by cudaHostAlloc, or registered by cudaHostRegister.
#pragma once

#include <cstddef>
#include <cstdint>
#include <map>
#include <mutex>
#include <optional>

namespace rafter::simt {

class HostMemory {
 public:
  void allocated(const void* memory, unsigned flags);
  void released(const void* memory);

  /// Registers memory. Returns false if a part of it is registered already.
  bool add(const void* begin, std::size_t bytes, unsigned flags);
  /// Unregisters the memory that begins at `begin`. Returns its size, or nothing if none begins there.
  std::optional<std::size_t> remove(const void* begin);
  /// Whether all of [address, address + bytes) is registered.
  bool registered(const void* address, std::size_t bytes) const;
  /// Returns the flags of the registered or allocated memory that contains `address`.
  std::optional<unsigned> flags(const void* address, const void* allocation) const;

 private:
  struct Range {
    std::size_t bytes;
    unsigned flags;
  };
  using Ranges = std::map<std::uintptr_t, Range>;
  Ranges::const_iterator containing(std::uintptr_t address) const;

  mutable std::mutex mutex_;
  Ranges ranges_;                          // registered, by start address; disjoint
  std::map<const void*, unsigned> flags_;  // of allocations, by start address
};

HostMemory& host_memory();

}  // namespace rafter::simt
