// Which bytes of global memory a launch lanes at all, and each of its blocks: what has to come from memory whatever
// the caches do, and what the caches next to the multiprocessors are asked to keep.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <memory>
#include <unordered_map>
#include <vector>

namespace rafter::simt {

/// Distinct ones, of launches or blocks added up.
struct FootprintCounts {
  std::uint64_t read_sectors = 0, read_bytes = 0;
  std::uint64_t written_sectors = 0, written_bytes = 0;
  std::uint64_t block_read_sectors = 0, block_lines = 0;  // by each block anew; lines of 128 bytes, read or written
  std::uint64_t block_fetched_sectors = 0;  // read anew by a block that keeps what its threads touched of late
  std::uint64_t shared_sectors = 0;         // of the launch's, touched by more than one block
  std::uint64_t read_span_sectors = 0;      // from the first to the last that is read, of every allocation
};

class Footprint {
 public:
  /// `when`: accesses of the thread before this one. Threads run one after the other, but on a GPU those of a block are
  /// about as far as each other: what another one touched as its last accesses is still in the first-level cache.
  void add(const std::byte* address, std::uint32_t bytes, bool writes, std::size_t when);
  void block_ended(FootprintCounts& counts);
  /// `allocation_of`: something that addresses of one allocation have in common.
  void launch_ended(FootprintCounts& counts, const std::function<std::uintptr_t(std::uintptr_t)>& allocation_of);

 private:
  static constexpr std::uintptr_t sector_bytes = 32, sectors_per_page = 128,
                                  page_bytes = sector_bytes * sectors_per_page;
  static constexpr std::uint32_t kept = 16;  // accesses: 2048 threads with 4 to 8 bytes each fill a first-level cache

  struct Sector {
    std::uint32_t read = 0, written = 0;  // bytes, by the launch
    std::uint32_t when = 0;               // of the block's last touch
    std::uint8_t of_block = 0;            // 1: read, 2: written, by the block under way
    bool of_other = false, is_shared = false;
  };
  using Page = std::array<Sector, sectors_per_page>;

  Page& page(std::uintptr_t number);

  std::unordered_map<std::uintptr_t, std::unique_ptr<Page>> pages_;
  std::vector<Sector*> of_block_;  // that the block under way has touched
  std::vector<std::uintptr_t> lines_;
  std::uint64_t n_fetched_ = 0;  // by the block under way
  std::uintptr_t last_ = ~std::uintptr_t{0};
  Page* last_page_ = nullptr;
};

}  // namespace rafter::simt
