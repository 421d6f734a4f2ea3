// Records the accesses of the running kernel, word by word. It is called for every access, so it caches recent pages
// and sites: an access that repeats a recorded one costs a single lookup.
#pragma once

#include <array>
#include <cstdint>

#include "executor/order/access_map.hpp"
#include "executor/order/access_sites.hpp"

namespace rafter::simt {

class Recorder {
 public:
  /// A page for the current task: where to record, and whether concurrent work accessed any byte of the page.
  struct Found {
    AccessMap::Page* page;
    bool may_conflict;
  };

  /// Invalidates the caches. Needed when the set of concurrent work changes.
  void clear() {
    round_ += std::uint64_t{1} << round_shift;
    if (round_ != 0) return;
    pages_.fill({});
    sites_.fill({});
    clear();
  }

  /// Whether recording the access would change nothing: it is within one word, already recorded, and cannot conflict.
  bool is_recorded(std::uintptr_t at, std::uint32_t bytes, Use use) const {
    const std::uintptr_t number = at / AccessMap::page_bytes;
    const Entry& entry = pages_[slot(number)];
    if (at % 4 + bytes > 4 || entry.key != (number | round_) || entry.found.may_conflict) return false;
    const std::uint16_t mask = WordAccesses::mask(use, ((1u << bytes) - 1) << at % 4);
    return (entry.found.page->words[at % AccessMap::page_bytes / 4].bytes & mask) == mask;
  }

  /// Records an access. Returns true if concurrent work accessed one of the pages. `find(number)` returns the Found of
  /// a page, `name(place)` a SiteNumber.
  template <class Find, class Name>
  bool record(Bytes bytes, Use use, const void* place, Find&& find, Name&& name) {
    bool may_conflict = false;
    for (std::uintptr_t at = bytes.begin; at < bytes.end;) {
      const std::uintptr_t stop = at / 4 * 4 + 4 < bytes.end ? at / 4 * 4 + 4 : bytes.end;
      const std::uintptr_t number = at / AccessMap::page_bytes;
      Entry& entry = pages_[slot(number)];
      if (entry.key != (number | round_)) entry = {number | round_, find(number)};
      may_conflict |= entry.found.may_conflict;
      WordAccesses& access = entry.found.page->words[at % AccessMap::page_bytes / 4];
      const std::uint16_t mask = WordAccesses::mask(use, ((1u << (stop - at)) - 1) << at % 4);
      if ((access.bytes & mask) != mask) {
        access.bytes = static_cast<std::uint16_t>(access.bytes | mask);
        if (SiteNumber& site = access.site(use); site == 0) site = number_of(place, name);
      }
      at = stop;
    }
    return may_conflict;
  }

 private:
  static constexpr int round_shift = 40;  // above any page number
  /// A hash, because arrays begin at multiples of large powers of two.
  static std::size_t slot(std::uintptr_t number) { return number * 0x9e3779b97f4a7c15u >> 56; }
  struct Entry {
    std::uint64_t key = 0;  // page number and round
    Found found{};
  };
  struct CachedSite {
    const void* place = nullptr;
    std::uint64_t round = 0;
    SiteNumber number = 0;
  };
  template <class Name>
  SiteNumber number_of(const void* place, Name&& name) {
    CachedSite& cached = sites_[reinterpret_cast<std::uintptr_t>(place) / 4 % sites_.size()];
    if (cached.place != place || cached.round != round_) cached = {place, round_, name(place)};
    return cached.number;
  }

  std::uint64_t round_ = std::uint64_t{1} << round_shift;
  std::array<Entry, 256> pages_;
  std::array<CachedSite, 64> sites_;
};

}  // namespace rafter::simt
