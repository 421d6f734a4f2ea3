// Memory allocated by CUDA calls: one address range per kind, so that the kind of an address takes one comparison.
#pragma once

#include <atomic>
#include <cstddef>
#include <cstdint>
#include <map>
#include <mutex>
#include <vector>

namespace rafter::simt {

enum class MemoryKind : std::uint8_t { device, managed, pinned };
constexpr int n_memory_kinds = 3;
const char* name(MemoryKind kind);

struct Allocation {
  std::byte* base;
  std::size_t bytes;
  MemoryKind kind;
  const void* made_at;   // of the call
  const void* freed_at;  // of the call; nullptr while it is live
  std::uint64_t serial;
  bool live;
  bool on_device;  // allocated by a kernel
};

class Memory {
 public:
  Memory();

  /// Returns memory aligned to 256 bytes, followed by a redzone; nullptr if out of memory.
  void* allocate(MemoryKind kind, std::size_t bytes, const void* call_site);
  /// Returns false and reports a finding if `memory` is not the start of a live allocation of that kind.
  bool release(void* memory, MemoryKind kind, const void* call_site);
  /// Returns the allocation, live or freed, that contains `address`; nullptr if there is none.
  const Allocation* find(const void* address) const;
  /// Returns the allocation nearest below or above `address`, for reports about the gaps between allocations.
  const Allocation* nearest(const void* address) const;

  void host_registered(const void* begin, std::size_t bytes, bool registered);
  bool is_registered(const void* address) const;
  /// Returns the size of the host memory registered at this address; 0: none.
  std::size_t registered_bytes(const void* begin) const;
  bool has_registered() const { return n_registered_ > 0; }

  /// An API call at `call_site` is about to read `from` and write `to`. Either may be host memory.
  void copied(void* to, const void* from, std::size_t bytes, const void* call_site);
  void filled(void* to, std::size_t bytes, const void* call_site);

  std::size_t total_bytes() const { return total_bytes_; }
  std::size_t free_bytes() const { return total_bytes_ - used_bytes_; }

  std::byte* base() const { return base_; }
  std::size_t range_bytes() const { return n_memory_kinds * part_bytes_; }
  bool holds(const void* address) const {
    return static_cast<std::size_t>(static_cast<const std::byte*>(address) - base_) < range_bytes();
  }
  MemoryKind kind_at(const void* address) const {
    return static_cast<MemoryKind>(static_cast<std::size_t>(static_cast<const std::byte*>(address) - base_) /
                                   part_bytes_);
  }
  /// Whether an address that the memory holds is in the accessible range around the allocations.
  bool is_mapped(const void* address) const {
    const auto offset = static_cast<std::size_t>(static_cast<const std::byte*>(address) - base_);
    return offset % part_bytes_ < mapped_[offset / part_bytes_].load(std::memory_order_relaxed);
  }
  std::vector<Allocation> live() const;

 private:
  std::byte* place(MemoryKind kind, std::size_t reserved);
  bool map_up_to(std::size_t kind, std::size_t end);

  mutable std::mutex mutex_;
  std::byte* base_ = nullptr;
  std::size_t part_bytes_ = 0;
  std::size_t total_bytes_ = 0;
  std::size_t used_bytes_ = 0;
  std::size_t next_[n_memory_kinds] = {};
  std::atomic<std::size_t> mapped_[n_memory_kinds] = {};  // the accessible bytes of each part
  std::uint64_t serial_ = 0;
  std::map<std::byte*, Allocation> allocations_;                     // by base
  std::multimap<std::size_t, std::byte*> reusable_[n_memory_kinds];  // freed blocks, by size
  std::map<const std::byte*, std::size_t> registered_;
  std::atomic<std::size_t> n_registered_ = 0;
};

Memory& memory();

}  // namespace rafter::simt
