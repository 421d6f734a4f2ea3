// The state of a checked launch that several workers execute speculatively (process/speculation.hpp): the read and
// write set of each worker, and the old contents of the pages they wrote.
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
  /// Two bits for every word of a page: read, written.
  struct Page {
    std::array<std::uint64_t, page_bytes / 4 / 32> words{};
    bool is_saved = false;  // its contents before the launch
  };

  ReadWriteSet(SpeculativeLaunch& launch, std::byte* base, std::size_t bytes);
  ~ReadWriteSet();
  ReadWriteSet(const ReadWriteSet&) = delete;
  ReadWriteSet& operator=(const ReadWriteSet&) = delete;
  /// Whether the address space could be reserved.
  bool is_good() const { return pages_ != nullptr; }

  /// Adds an access inside the range, before it happens. Returns false if it cannot be rolled back and must not happen.
  [[gnu::always_inline]] bool add(const std::byte* address, std::size_t bytes, bool writes) {
    const auto first = static_cast<std::size_t>(address - base_), last = first + bytes - 1;
    if (first / page_bytes != last / page_bytes) return add_pages(first, last, writes);
    return add_words(first / page_bytes, first % page_bytes / 4, last % page_bytes / 4, writes);
  }

  Page* find(std::size_t number) const { return pages_[number]; }
  const std::vector<std::size_t>& numbers() const { return numbers_; }
  /// Merges a page of another worker. Returns false if one worker wrote a word that the other accessed.
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
  Page** pages_;                      // by page number
  std::vector<std::size_t> numbers_;  // of the pages in use
  std::deque<Page> made_;
  std::size_t n_made_ = 0;
};

class SpeculativeLaunch {
 public:
  explicit SpeculativeLaunch(Shadow& memory) : memory_(memory) {}

  /// Returns false if there is not enough address space.
  bool begin(int n_workers);
  ReadWriteSet& read_write_set(int worker) { return *read_write_sets_[static_cast<std::size_t>(worker)]; }

  /// Saves a page before a worker's first write to it. Returns false if the limit of saved pages is reached.
  bool save(std::size_t page);

  /// Whether two workers accessed the same word and one of them wrote it. Called after the launch.
  bool has_conflict();
  /// Restores the contents and states of all saved pages.
  void roll_back();
  void end();

 private:
  static constexpr std::size_t page_bytes = ReadWriteSet::page_bytes;
  static constexpr std::size_t most_saved = (std::size_t{1} << 30) / page_bytes;
  struct Saved {
    std::array<std::byte, page_bytes> bytes;
    std::array<std::uint8_t, page_bytes / 4> states;
  };
  /// Returns the bytes of a page that are inside the range.
  std::size_t bytes_of(std::size_t page) const;

  Shadow& memory_;
  int n_workers_ = 0;
  std::vector<std::unique_ptr<ReadWriteSet>> read_write_sets_;
  std::mutex mutex_;
  std::unordered_map<std::size_t, std::unique_ptr<Saved>> saved_;
};

}  // namespace rafter::simt
