// Disjoint ranges of bytes, each with the site that accessed it first. Keeps copies and fills, which would be many
// words.
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

/// The number of an access site (access_sites.hpp).
using SiteNumber = std::uint16_t;

class Intervals {
 public:
  struct Overlap {
    Bytes bytes;  // in both ranges
    SiteNumber site;
  };

  /// Adds `bytes`. A byte keeps the first site that accessed it.
  void add(Bytes bytes, SiteNumber site);
  void remove(Bytes bytes);
  /// Returns the first overlap with `bytes`.
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

  Map by_begin_;  // disjoint
};

}  // namespace rafter::simt
