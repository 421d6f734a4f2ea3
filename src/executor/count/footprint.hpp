// The memory footprint of a launch and of each of its blocks in global memory: the least traffic with DRAM for any
// cache, and the data that the first-level caches have to hold.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <memory>
#include <unordered_map>
#include <vector>

namespace rafter::simt {

/// Distinct sectors, lines and bytes, summed over launches or blocks.
struct FootprintCounts {
  std::uint64_t read_sectors = 0, read_bytes = 0;
  std::uint64_t written_sectors = 0, written_bytes = 0;
  std::uint64_t block_read_sectors = 0, block_lines = 0;  // summed over blocks; lines of 128 bytes, read or written
  std::uint64_t block_fetched_sectors = 0;  // read by a block with a cache of its threads' recent accesses
  std::uint64_t shared_sectors = 0;         // accessed by more than one block of the launch
  std::uint64_t read_span_sectors = 0;      // from the first to the last sector read in each allocation
};

class Footprint {
 public:
  /// Adds an access. `when` is the number of accesses that the thread made before. The executor runs threads one after
  /// the other, but on a GPU the threads of a block progress together: a sector that another thread accessed at about
  /// the same `when` is still in the first-level cache.
  void add(const std::byte* address, std::uint32_t bytes, bool writes, std::size_t when);
  void block_ended(FootprintCounts& counts);
  /// `allocation_of` maps all addresses of one allocation to the same value.
  void launch_ended(FootprintCounts& counts, const std::function<std::uintptr_t(std::uintptr_t)>& allocation_of);

 private:
  static constexpr std::uintptr_t sector_bytes = 32, sectors_per_page = 128,
                                  page_bytes = sector_bytes * sectors_per_page;
  // Accesses; 2048 threads with 4 to 8 bytes per access fill a first-level cache.
  static constexpr std::uint32_t kept = 16;

  struct Sector {
    std::uint32_t read = 0, written = 0;  // bytes accessed by the launch, as masks
    std::uint32_t when = 0;               // of the block's last access
    std::uint8_t of_block = 0;            // accessed by the current block; 1: read, 2: written
    bool of_other = false, is_shared = false;
  };
  using Page = std::array<Sector, sectors_per_page>;

  Page& page(std::uintptr_t number);

  std::unordered_map<std::uintptr_t, std::unique_ptr<Page>> pages_;
  std::vector<Sector*> of_block_;  // accessed by the current block
  std::vector<std::uintptr_t> lines_;
  std::uint64_t n_fetched_ = 0;  // by the current block
  std::uintptr_t last_ = ~std::uintptr_t{0};
  Page* last_page_ = nullptr;
};

}  // namespace rafter::simt
