#include "executor/memory/host_blocks.hpp"

#include <malloc.h>

#include <string>

#include "executor/process/findings.hpp"

namespace rafter::simt {

void HostBlocks::add(const void* base, std::size_t bytes, const void* place) {
  if (!base) return;
  const std::lock_guard lock(mutex_);
  blocks_.insert_or_assign(reinterpret_cast<std::uintptr_t>(base),
                           HostBlock{static_cast<const std::byte*>(base), bytes, place});
}

void HostBlocks::remove(const void* base) {
  const std::lock_guard lock(mutex_);
  blocks_.erase(reinterpret_cast<std::uintptr_t>(base));
}

// A library may have freed a block, and malloc may have used its memory again: the size that malloc knows must still be
// that of the block.
std::optional<HostBlock> HostBlocks::find(const void* address) const {
  constexpr std::size_t most_padding = 32;
  const std::lock_guard lock(mutex_);
  auto at = blocks_.upper_bound(reinterpret_cast<std::uintptr_t>(address));
  if (at == blocks_.begin()) return std::nullopt;
  const HostBlock& block = (--at)->second;
  if (static_cast<const std::byte*>(address) >= block.base + block.bytes) return std::nullopt;
  const std::size_t usable = malloc_usable_size(const_cast<std::byte*>(block.base));
  const bool is_mapped = block.bytes >= (std::size_t{64} << 10);  // in pages of its own, or at the end of the heap
  if (usable < block.bytes || (!is_mapped && usable - block.bytes > most_padding)) return std::nullopt;
  return block;
}

HostBlocks& host_blocks() {
  static HostBlocks& all = *new HostBlocks;  // used after the program's static objects are destroyed
  return all;
}

void check_host_block(const void* address, std::size_t bytes, bool writes, const void* call_site) {
  const auto block = host_blocks().find(address);
  if (!block) return;
  const auto offset = static_cast<std::size_t>(static_cast<const std::byte*>(address) - block->base);
  if (bytes <= block->bytes - offset) return;
  findings().add({Kind::out_of_bounds,
                  Space::host,
                  "",
                  {{writes ? "copies to" : "copies from", call_site, bytes, {}, {}}},
                  Target{"host memory", block->bytes, static_cast<std::int64_t>(offset), block->made_at, nullptr},
                  "the copy ends " + std::to_string(offset + bytes - block->bytes) + " bytes past the end"});
}

}  // namespace rafter::simt
