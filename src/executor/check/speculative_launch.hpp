// What it takes to let several workers share a checked launch on trial (process/speculation.hpp): which words each of
// them hook_access, and what stood in device memory before.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <deque>
#include <memory>
#include <mutex>
#include <unordered_map>
#include <vector>

#include "executor/memory/shadow.hpp"

namespace rafter::simt {

class SpeculativeLaunch;

class ReadWriteSet {
 public:
  static constexpr std::size_t page_bytes = 4096;
  /// Two bits for every word of a page: it was read, it was written.
  struct Page {
    std::array<std::uint64_t, page_bytes / 4 / 32> words{};
    bool is_saved = false;  // what stood there before the launch
  };

  ReadWriteSet(SpeculativeLaunch& launch, std::byte* base, std::size_t bytes);
  ~ReadWriteSet();
  ReadWriteSet(const ReadWriteSet&) = delete;
  ReadWriteSet& operator=(const ReadWriteSet&) = delete;
  /// Whether there was address space for it.
  bool is_good() const { return pages_ != nullptr; }

  /// Before the access happens, which must lie within the range. False: it must not, there is no room to undo it.
  [[gnu::always_inline]] bool add(const std::byte* address, std::size_t bytes, bool writes) {
    const auto first = static_cast<std::size_t>(address - base_), last = first + bytes - 1;
    if (first / page_bytes != last / page_bytes) return add_pages(first, last, writes);
    return add_words(first / page_bytes, first % page_bytes / 4, last % page_bytes / 4, writes);
  }

  Page* find(std::size_t number) const { return pages_[number]; }
  const std::vector<std::size_t>& numbers() const { return numbers_; }
  /// Takes what another worker did for its own; false when one of the two wrote what the other hook_access.
  bool merge(std::size_t number, Page& other);
  void clear();

 private:
  [[gnu::always_inline]] bool add_words(std::size_t number, std::size_t first, std::size_t last, bool writes) {
    Page* page = pages_[number];
    if (!page) page = &make(number);
    if (writes && !page->is_saved && !save(number, *page)) return false;
    for (std::size_t word = first; word <= last; ++word) {
      page->words[word / 32] |= std::uint64_t{writes ? 2u : 1u} << word % 32 * 2;
    }
    return true;
  }
  bool add_pages(std::size_t first, std::size_t last, bool writes);
  Page& make(std::size_t number);
  bool save(std::size_t number, Page& page);

  SpeculativeLaunch& launch_;
  std::byte* base_;
  std::size_t bytes_;
  Page** pages_;                      // by number
  std::vector<std::size_t> numbers_;  // of those there are
  std::deque<Page> made_;
  std::size_t n_made_ = 0;
};

class SpeculativeLaunch {
 public:
  explicit SpeculativeLaunch(Shadow& memory) : memory_(memory) {}

  /// False: there is no room for it.
  bool begin(int n_workers);
  ReadWriteSet& read_write_set(int worker) { return *read_write_sets_[static_cast<std::size_t>(worker)]; }

  /// For a worker that is about to write to a page for the first time. False: that is more than can be kept.
  bool save(std::size_t page);

  /// After the launch: whether two workers hook_access one word, and one of them wrote it.
  bool has_conflict();
  /// Puts everything back.
  void roll_back();
  void end();

 private:
  static constexpr std::size_t page_bytes = ReadWriteSet::page_bytes;
  static constexpr std::size_t most_saved = (std::size_t{1} << 30) / page_bytes;
  struct Saved {
    std::array<std::byte, page_bytes> bytes;
    std::array<std::uint8_t, page_bytes / 4> states;
  };
  /// The part of a page that the memory's range has.
  std::size_t bytes_of(std::size_t page) const;

  Shadow& memory_;
  int n_workers_ = 0;
  std::vector<std::unique_ptr<ReadWriteSet>> read_write_sets_;
  std::mutex mutex_;
  std::unordered_map<std::size_t, std::unique_ptr<Saved>> saved_;
};

}  // namespace rafter::simt
