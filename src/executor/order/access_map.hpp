// The bytes that a segment of a stream's work touched, how, and who did so first. Kernels access words, which are kept
// in pages; API calls access ranges.
#pragma once

#include <array>
#include <memory>
#include <optional>
#include <unordered_map>

#include "executor/order/intervals.hpp"
#include "executor/order/use.hpp"

namespace rafter::simt {

/// A word: for each use which of its four bytes, and the first site of each kind. Nobody is 0.
struct WordAccesses {
  std::uint16_t bytes = 0;  // four bits for each use
  SiteNumber reader = 0, writer = 0, updater = 0;

  static constexpr std::uint16_t mask(Use use, unsigned bytes_of_word) {
    return static_cast<std::uint16_t>(bytes_of_word << 4 * static_cast<int>(use));
  }
  SiteNumber& site(Use use) { return use == Use::writes ? writer : use == Use::updates ? updater : reader; }
  SiteNumber site(Use use) const { return const_cast<WordAccesses*>(this)->site(use); }
};

class AccessMap {
 public:
  static constexpr std::uintptr_t page_bytes = 4096;
  struct Page {
    std::array<WordAccesses, page_bytes / 4> words;
  };
  struct Overlap {
    Use use;
    SiteNumber site;
    Bytes bytes;
  };

  AccessMap() = default;
  ~AccessMap();
  AccessMap(const AccessMap&) = delete;
  AccessMap& operator=(const AccessMap&) = delete;

  /// Made if it is not there. `number` is an address divided by page_bytes.
  Page& page(std::uintptr_t number);
  void add(Bytes range, Use use, SiteNumber site);
  /// Whether anything of this page was touched.
  bool has_page(std::uintptr_t number) const;
  /// Bytes among these that were touched in a way that conflicts with `use`.
  std::optional<Overlap> find(Bytes bytes, Use use) const;
  /// Other memory lies at these addresses from now on.
  void forget(Bytes bytes);
  void merge(AccessMap& other);

  /// Of all that there are in this process.
  static std::size_t n_pages();

 private:
  template <class F>
  void for_pages(Bytes bytes, F&& f) const;

  std::unordered_map<std::uintptr_t, std::unique_ptr<Page>> pages_;
  std::array<Intervals, n_uses> ranges_;
};

}  // namespace rafter::simt
