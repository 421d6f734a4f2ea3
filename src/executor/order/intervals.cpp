#include "executor/order/intervals.hpp"

#include <algorithm>
#include <iterator>

namespace rafter::simt {

/// Returns the first interval that ends after `address`.
Intervals::Map::const_iterator Intervals::first_over(std::uintptr_t address) const {
  auto at = by_begin_.upper_bound(address);
  if (at != by_begin_.begin() && std::prev(at)->second.end > address) --at;
  return at;
}

void Intervals::add(Bytes bytes, SiteNumber site) {
  std::uintptr_t begin = bytes.begin;
  for (auto at = first_over(begin); begin < bytes.end; ++at) {  // fills the gaps between existing intervals
    const std::uintptr_t gap_end = at == by_begin_.end() ? bytes.end : std::min(at->first, bytes.end);
    if (begin < gap_end) {
      const auto before = at == by_begin_.begin() ? by_begin_.end() : by_begin_.find(std::prev(at)->first);
      if (before != by_begin_.end() && before->second.end == begin && before->second.site == site) {
        before->second.end = gap_end;
      } else {
        by_begin_.emplace_hint(at, begin, Interval{gap_end, site});
      }
    }
    if (at == by_begin_.end()) break;
    begin = std::max(begin, at->second.end);
  }
}

void Intervals::remove(Bytes bytes) {
  for (auto at = first_over(bytes.begin); at != by_begin_.end() && at->first < bytes.end;) {
    const auto [begin, interval] = *at;
    at = by_begin_.erase(at);
    if (begin < bytes.begin) by_begin_.emplace(begin, Interval{bytes.begin, interval.site});
    if (interval.end > bytes.end) at = by_begin_.emplace(bytes.end, interval).first;
  }
}

std::optional<Intervals::Overlap> Intervals::find(Bytes bytes) const {
  const auto at = first_over(bytes.begin);
  if (at == by_begin_.end() || at->first >= bytes.end) return std::nullopt;
  return Overlap{{std::max(at->first, bytes.begin), std::min(at->second.end, bytes.end)}, at->second.site};
}

void Intervals::merge(const Intervals& other) {
  for (const auto& [begin, interval] : other.by_begin_) add({begin, interval.end}, interval.site);
}

}  // namespace rafter::simt
