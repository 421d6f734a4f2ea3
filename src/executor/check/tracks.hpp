// Which words of device memory one of several workers has read and written in a launch that they share.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <deque>
#include <vector>

namespace rafter::simt {

class SharedLaunch;

class Tracks {
 public:
  static constexpr std::size_t page_bytes = 4096;
  /// Two bits for every word of a page: it was read, it was written.
  struct Page {
    std::array<std::uint64_t, page_bytes / 4 / 32> words{};
    bool is_saved = false;  // what stood there before the launch
  };

  Tracks(SharedLaunch& launch, std::byte* base, std::size_t bytes);
  ~Tracks();
  Tracks(const Tracks&) = delete;
  Tracks& operator=(const Tracks&) = delete;
  /// Whether there was address space for it.
  bool is_good() const { return pages_ != nullptr; }

  /// Before the access happens, which must lie within the range. False: it must not, there is no room to undo it.
  [[gnu::always_inline]] bool note(const std::byte* address, std::size_t bytes, bool writes) {
    const auto first = static_cast<std::size_t>(address - base_), last = first + bytes - 1;
    if (first / page_bytes != last / page_bytes) return note_pages(first, last, writes);
    return note_words(first / page_bytes, first % page_bytes / 4, last % page_bytes / 4, writes);
  }

  Page* find(std::size_t number) const { return pages_[number]; }
  const std::vector<std::size_t>& numbers() const { return numbers_; }
  /// Takes what another worker did for its own; false when one of the two wrote what the other touched.
  bool merge(std::size_t number, Page& other);
  void clear();

 private:
  [[gnu::always_inline]] bool note_words(std::size_t number, std::size_t first, std::size_t last, bool writes) {
    Page* page = pages_[number];
    if (!page) page = &make(number);
    if (writes && !page->is_saved && !save(number, *page)) return false;
    for (std::size_t word = first; word <= last; ++word) {
      page->words[word / 32] |= std::uint64_t{writes ? 2u : 1u} << word % 32 * 2;
    }
    return true;
  }
  bool note_pages(std::size_t first, std::size_t last, bool writes);
  Page& make(std::size_t number);
  bool save(std::size_t number, Page& page);

  SharedLaunch& launch_;
  std::byte* base_;
  std::size_t bytes_;
  Page** pages_;                      // by number
  std::vector<std::size_t> numbers_;  // of those there are
  std::deque<Page> made_;
  std::size_t n_made_ = 0;
};

}  // namespace rafter::simt
