// The bytes accessed by a segment of a stream's work, by kind of access, with the first access site of each. Accesses
// of kernels are kept per word in pages, those of API calls as ranges.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>
#include <unordered_map>

#include "executor/order/intervals.hpp"

namespace rafter::simt {

/// Kinds of access. Atomic and volatile accesses need no order among themselves.
enum class Use : std::uint8_t { reads, writes, reads_atomically, updates };
constexpr std::size_t n_uses = 4;

constexpr Use use_of(bool writes, bool is_plain) {
  if (is_plain) return writes ? Use::writes : Use::reads;
  return writes ? Use::updates : Use::reads_atomically;
}

/// Whether two accesses to the same bytes must be ordered.
constexpr bool conflict(Use a, Use b) {
  const bool writes = a == Use::writes || a == Use::updates || b == Use::writes || b == Use::updates;
  const bool are_atomic = a >= Use::reads_atomically && b >= Use::reads_atomically;
  return writes && !are_atomic;
}

/// The accesses to a word: its accessed bytes for each kind of access, and the first reader, writer and updater (0:
/// none).
struct WordAccesses {
  std::uint16_t bytes = 0;  // four bits for each kind of access
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

  /// Returns the page with this number (address / page_bytes); creates it if needed.
  Page& page(std::uintptr_t number);
  void add(Bytes range, Use use, SiteNumber site);
  /// Whether any byte of the page was accessed.
  bool has_page(std::uintptr_t number) const;
  /// Returns an earlier access to some of `bytes` that conflicts with `use`.
  std::optional<Overlap> find(Bytes bytes, Use use) const;
  /// Drops all accesses to `bytes`: the memory there was replaced.
  void forget(Bytes bytes);
  void merge(AccessMap& other);

  /// The number of pages of all access maps in this process.
  static std::size_t n_pages();

 private:
  template <class F>
  void for_pages(Bytes bytes, F&& f) const;

  std::unordered_map<std::uintptr_t, std::unique_ptr<Page>> pages_;
  std::array<Intervals, n_uses> ranges_;
};

}  // namespace rafter::simt
