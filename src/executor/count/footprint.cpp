#include "executor/count/footprint.hpp"

#include <algorithm>
#include <bit>

namespace rafter::simt {

Footprint::Page& Footprint::page(std::uintptr_t number) {
  if (number == last_) return *last_page_;
  auto& found = pages_[number];
  if (!found) found = std::make_unique<Page>();
  last_ = number;
  last_page_ = found.get();
  return *last_page_;
}

void Footprint::add(const std::byte* address, std::uint32_t bytes, bool writes, std::size_t when) {
  auto at = reinterpret_cast<std::uintptr_t>(address);
  const std::uintptr_t end = at + bytes;
  const auto now = static_cast<std::uint32_t>(when);
  while (at < end) {
    const std::uintptr_t in_sector = at % sector_bytes, n = std::min(end - at, sector_bytes - in_sector);
    const auto mask = static_cast<std::uint32_t>(((std::uint64_t{1} << n) - 1) << in_sector);
    Sector& sector = page(at / page_bytes)[at / sector_bytes % sectors_per_page];
    (writes ? sector.written : sector.read) |= mask;
    const bool is_kept = sector.of_block != 0 && now - sector.when + kept <= 2 * kept;
    n_fetched_ += !writes && !is_kept;
    sector.when = now;
    if (sector.of_block == 0) {
      of_block_.push_back(&sector);
      lines_.push_back(at / 128);
      sector.is_shared = sector.is_shared || sector.of_other;
      sector.of_other = true;
    }
    sector.of_block = static_cast<std::uint8_t>(sector.of_block | (writes ? 2U : 1U));
    at += n;
  }
}

void Footprint::block_ended(FootprintCounts& counts) {
  for (Sector* sector : of_block_) {
    counts.block_read_sectors += sector->of_block & 1U;
    sector->of_block = 0;
  }
  std::sort(lines_.begin(), lines_.end());
  counts.block_lines += static_cast<std::uint64_t>(std::unique(lines_.begin(), lines_.end()) - lines_.begin());
  counts.block_fetched_sectors += n_fetched_;
  n_fetched_ = 0;
  of_block_.clear();
  lines_.clear();
}

void Footprint::launch_ended(FootprintCounts& counts,
                             const std::function<std::uintptr_t(std::uintptr_t)>& allocation_of) {
  struct Span {
    std::uintptr_t first = ~std::uintptr_t{0}, last = 0;
  };
  std::unordered_map<std::uintptr_t, Span> spans;
  for (const auto& [number, page] : pages_) {
    Span* span = nullptr;  // a page never spans two allocations
    for (std::size_t i = 0; i < page->size(); ++i) {
      const Sector& sector = (*page)[i];
      if (sector.read != 0) {
        const std::uintptr_t at = number * sectors_per_page + i;
        if (!span) span = &spans[allocation_of(at * sector_bytes)];
        span->first = std::min(span->first, at);
        span->last = std::max(span->last, at);
      }
      counts.read_sectors += sector.read != 0;
      counts.written_sectors += sector.written != 0;
      counts.read_bytes += static_cast<std::uint64_t>(std::popcount(sector.read));
      counts.written_bytes += static_cast<std::uint64_t>(std::popcount(sector.written));
      counts.shared_sectors += sector.is_shared;
    }
  }
  for (const auto& [allocation, span] : spans) counts.read_span_sectors += span.last - span.first + 1;
  pages_.clear();
  last_ = ~std::uintptr_t{0};
}

}  // namespace rafter::simt
