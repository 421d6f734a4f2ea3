// Accesses of a counted run outside of all allocations and of the dynamic shared memory. A counted run has no shadow
// memory, so it finds only these; but counts of a program that reads past its arrays must not be shown without a
// warning.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>

#include "executor/process/observer.hpp"

namespace rafter::simt {

class Bounds {
 public:
  /// Drops the cache. Called when an allocation is made or freed.
  void forget() { n_known_ = 0; }
  /// Whether the bytes are inside one live allocation. `address` must be in the range of device memory.
  bool holds(const std::byte* address, std::uint32_t bytes);

 private:
  struct Extent {
    const std::byte* begin;
    std::size_t bytes;

    bool holds(const std::byte* at, std::uint32_t n) const {
      return at >= begin && static_cast<std::size_t>(at - begin) + n <= bytes;
    }
  };
  std::array<Extent, 8> known_{};  // recently used, replaced in rotation
  std::size_t n_known_ = 0, next_ = 0;
};

/// Whether the address is in the block's dynamic shared memory or just past its end.
bool is_near_dynamic_shared(const std::byte* address);

void report_outside_global(const Access& access);
void report_outside_dynamic_shared(const Access& access);

}  // namespace rafter::simt
