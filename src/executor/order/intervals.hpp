// Ranges of bytes and who touched them first: what copies and fills leave behind, which would be many single words.
#pragma once

#include <cstdint>
#include <map>
#include <optional>

namespace rafter::simt {

struct Bytes {
  std::uintptr_t begin, end;

  static Bytes at(const void* address, std::size_t n) {
    const auto begin = reinterpret_cast<std::uintptr_t>(address);
    return {begin, begin + n};
  }
};

/// AccessSites are numbers that the owner gives (StreamSegment).
using SiteNumber = std::uint16_t;

class Intervals {
 public:
  struct Overlap {
    Bytes bytes;  // what both access
    SiteNumber site;
  };

  /// Bytes that somebody has touched before stay his.
  void add(Bytes bytes, SiteNumber site);
  void remove(Bytes bytes);
  /// The first of `bytes` that is here.
  std::optional<Overlap> find(Bytes bytes) const;
  void merge(const Intervals& other);
  bool empty() const { return by_begin_.empty(); }

 private:
  struct Interval {
    std::uintptr_t end;
    SiteNumber site;
  };
  using Map = std::map<std::uintptr_t, Interval>;
  Map::const_iterator first_over(std::uintptr_t address) const;

  Map by_begin_;  // they do not overlap
};

}  // namespace rafter::simt
