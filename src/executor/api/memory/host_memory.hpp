// Host memory that the device may use: what cudaHostAlloc gave with which flags, and what cudaHostRegister pinned.
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

  /// False: a part of it is registered already.
  bool add(const void* begin, std::size_t bytes, unsigned flags);
  /// The size of what was registered there; nothing when no registered memory begins at `begin`.
  std::optional<std::size_t> remove(const void* begin);
  /// Whether all of [address, address + bytes) is registered.
  bool registered(const void* address, std::size_t bytes) const;
  /// Flags of the registered or allocated memory that begins at or contains `address`.
  std::optional<unsigned> flags(const void* address, const void* allocation) const;

 private:
  struct Range {
    std::size_t bytes;
    unsigned flags;
  };
  using Ranges = std::map<std::uintptr_t, Range>;
  Ranges::const_iterator containing(std::uintptr_t address) const;

  mutable std::mutex mutex_;
  Ranges ranges_;                          // registered, by their beginning; they do not overlap
  std::map<const void*, unsigned> flags_;  // of allocations, by their beginning
};

HostMemory& host_memory();

}  // namespace rafter::simt
