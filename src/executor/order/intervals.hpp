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

/// Parties are numbers that the owner gives (Stretch).
using PartyNumber = std::uint16_t;

class Intervals {
 public:
  struct Met {
    Bytes bytes;  // what both touch
    PartyNumber party;
  };

  /// Bytes that somebody has touched before stay his.
  void add(Bytes bytes, PartyNumber party);
  void remove(Bytes bytes);
  /// The first of `bytes` that is here.
  std::optional<Met> find(Bytes bytes) const;
  void take(const Intervals& other);
  bool empty() const { return by_begin_.empty(); }

 private:
  struct Interval {
    std::uintptr_t end;
    PartyNumber party;
  };
  using Map = std::map<std::uintptr_t, Interval>;
  Map::const_iterator first_over(std::uintptr_t address) const;

  Map by_begin_;  // they do not overlap
};

}  // namespace rafter::simt
