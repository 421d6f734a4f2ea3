// Blocks of host memory that the program allocated with malloc or new, so that a copy past the end of one is found.
// Only checked runs record them.
#pragma once

#include <cstddef>
#include <cstdint>
#include <map>
#include <mutex>
#include <optional>

namespace rafter::simt {

struct HostBlock {
  const std::byte* base;
  std::size_t bytes;
  const void* made_at;
};

class HostBlocks {
 public:
  void add(const void* base, std::size_t bytes, const void* place);
  void remove(const void* base);
  /// Returns the block that the address is in; nothing if that is unknown.
  std::optional<HostBlock> find(const void* address) const;

 private:
  mutable std::mutex mutex_;
  std::map<std::uintptr_t, HostBlock> blocks_;
};

HostBlocks& host_blocks();

/// Reports a copy that reads or writes past the end of a host block.
void check_host_block(const void* address, std::size_t bytes, bool writes, const void* call_site);

}  // namespace rafter::simt
