#include "executor/order/access_map.hpp"

#include <algorithm>
#include <atomic>

namespace rafter::simt {
namespace {

std::atomic<std::size_t> pages_in_use = 0;

/// Returns the bytes of the word at `word` that are in `bytes`, as a mask.
unsigned covered(std::uintptr_t word, Bytes bytes) {
  const std::uintptr_t from = std::max(word, bytes.begin) - word, to = std::min(word + 4, bytes.end) - word;
  return (1u << to) - (1u << from);
}

constexpr std::array all_uses{Use::writes, Use::updates, Use::reads, Use::reads_atomically};

}  // namespace

std::size_t AccessMap::n_pages() { return pages_in_use; }

AccessMap::~AccessMap() { pages_in_use -= pages_.size(); }

AccessMap::Page& AccessMap::page(std::uintptr_t number) {
  auto& page = pages_[number];
  if (!page) {
    page = std::make_unique<Page>();
    ++pages_in_use;
  }
  return *page;
}

void AccessMap::add(Bytes range, Use use, SiteNumber site) { ranges_[static_cast<std::size_t>(use)].add(range, site); }

bool AccessMap::has_page(std::uintptr_t number) const {
  const Bytes bytes{number * page_bytes, (number + 1) * page_bytes};
  return pages_.contains(number) ||
         std::any_of(ranges_.begin(), ranges_.end(), [&](const Intervals& ranges) { return ranges.find(bytes); });
}

/// Calls f(address of the first word, page) for the pages that overlap `bytes`, in any order, until f returns true.
template <class F>
void AccessMap::for_pages(Bytes bytes, F&& f) const {
  const std::uintptr_t first = bytes.begin / page_bytes, last = (bytes.end - 1) / page_bytes;
  if (last - first < pages_.size()) {
    for (std::uintptr_t number = first; number <= last; ++number) {
      const auto at = pages_.find(number);
      if (at != pages_.end() && f(number * page_bytes, *at->second)) return;
    }
  } else {
    for (const auto& [number, page] : pages_) {
      if (number >= first && number <= last && f(number * page_bytes, *page)) return;
    }
  }
}

std::optional<AccessMap::Overlap> AccessMap::find(Bytes bytes, Use use) const {
  if (bytes.begin == bytes.end) return std::nullopt;
  std::optional<Overlap> overlap;
  for_pages(bytes, [&](std::uintptr_t base, const Page& page) {
    const std::uintptr_t end = std::min(bytes.end, base + page_bytes);
    for (std::uintptr_t word = std::max(bytes.begin, base) / 4 * 4; word < end; word += 4) {
      const WordAccesses& access = page.words[word % page_bytes / 4];
      if (access.bytes == 0) continue;
      for (const Use other : all_uses) {
        const unsigned both = access.bytes >> 4 * static_cast<int>(other) & covered(word, bytes);
        if (both == 0 || !conflict(use, other)) continue;
        const auto from = static_cast<std::uintptr_t>(__builtin_ctz(both));
        overlap =
            Overlap{other, access.site(other), {word + from, word + 32 - static_cast<unsigned>(__builtin_clz(both))}};
        return true;
      }
    }
    return false;
  });
  for (const Use other : all_uses) {
    if (overlap || !conflict(use, other)) continue;
    if (const auto range = ranges_[static_cast<std::size_t>(other)].find(bytes)) {
      overlap = Overlap{other, range->site, range->bytes};
    }
  }
  return overlap;
}

void AccessMap::forget(Bytes bytes) {
  if (bytes.begin == bytes.end) return;
  for (Intervals& ranges : ranges_) ranges.remove(bytes);
  for_pages(bytes, [&](std::uintptr_t base, Page& page) {
    const std::uintptr_t end = std::min(bytes.end, base + page_bytes);
    for (std::uintptr_t word = std::max(bytes.begin, base) / 4 * 4; word < end; word += 4) {
      page.words[word % page_bytes / 4] = {};  // allocations begin and end at word boundaries
    }
    return false;
  });
}

void AccessMap::merge(AccessMap& other) {
  for (std::size_t use = 0; use < n_uses; ++use) ranges_[use].merge(other.ranges_[use]);
  for (auto& [number, page] : other.pages_) {
    auto& mine = pages_[number];
    if (!mine) {
      mine = std::move(page);
      continue;
    }
    --pages_in_use;
    for (std::size_t i = 0; i < page->words.size(); ++i) {
      WordAccesses& access = mine->words[i];
      const WordAccesses& more = page->words[i];
      access.bytes |= more.bytes;
      for (const Use use : {Use::reads, Use::writes, Use::updates}) {
        if (access.site(use) == 0) access.site(use) = more.site(use);
      }
    }
  }
  other.pages_.clear();
}

}  // namespace rafter::simt
