// Shadow cells: the last accesses to each word of an address range, packed. Most words need one record, few need four.
#pragma once

#include <bit>
#include <cstddef>
#include <cstdint>

namespace rafter::simt {

/// One access to a word. `accessor` is a warp's segment and the lane; 0: none.
struct Record {
  std::uint32_t accessor = 0;
  std::uint32_t details = 0;  // site << 6 | mode << 4 | bytes of the word
  // Set in `details` of an atomic that came after the word's last plain write and overwrote it.
  static constexpr std::uint32_t after_write = 1u << 31;

  std::uint32_t segment() const { return accessor >> 5; }
  unsigned lane() const { return accessor & 31; }
  std::uint32_t site() const { return (details & ~after_write) >> 6; }
  unsigned mode() const { return details >> 4 & 3; }
  unsigned bytes() const { return details & 15; }
  bool is_after_write() const { return (details & after_write) != 0; }
};

/// The segments with valid records. Records of other segments belong to another launch, block or worker.
struct SegmentRange {
  std::uint32_t first, end;
  int shift = 0;  // workers that share a launch number their segments in steps of 1 << shift

  bool contains(const Record& record) const {
    return std::rotr(record.segment() - first, shift) < (end - first) >> shift;
  }
};

/// The accesses to one word that the race checker needs. Atomic writes are kept in addition to plain ones, because
/// other atomics race only with the plain one.
struct Cell {
  Record write;
  Record atomic;
  Record read;
  Record more_reads;

  // Values of more_reads.accessor other than 0 (none) and that of one more reader.
  //   split         each byte of the word has a cell; `write` is the last access to the word
  //   reader_lanes  `details` is a mask of the lanes of read's warp that have read, including read's own
  //   reader_list   `details` is the number of a list of all readers (check/races/readers.hpp)
  static constexpr std::uint32_t split = ~0u, reader_lanes = ~1u, reader_list = ~2u;
};

/// The cells of a range. A word with one write or one reader needs only the 8 bytes of `first`; two records also use
/// `second`, and all others use `rest`. Untouched pages of each array cost no memory.
struct Cells {
  /// The records that a word has, stored in the mode bits of `first`. In the first three forms all accesses are plain.
  enum Form : std::uint32_t {
    written,  // one write, or no access
    read,     // one reader
    two,      // two readers; reader_lanes; or a write and a reader, marked with `is_reader`
    four
  };
  static constexpr std::uint32_t form_shift = 4;
  static constexpr std::uint32_t is_reader = 1u << form_shift;
  static Form form_of(const Record& first) { return static_cast<Form>(first.mode()); }
  static Record with(const Record& record, Form form) {
    return {record.accessor, plain(record).details | form << form_shift};
  }
  static Record plain(const Record& record) { return {record.accessor, record.details & ~(3u << form_shift)}; }
  /// The record of a word with separate cells for its bytes: only the last access to the word. If that is not valid,
  /// neither are the cells of the bytes.
  static Record split_by(std::uint32_t accessor) { return {accessor, four << form_shift}; }
  static bool is_split(const Record& first) { return first.details == four << form_shift && first.accessor != 0; }

  struct Rest {
    Record atomic, more_reads;
  };
  Record* first = nullptr;
  Record* second = nullptr;
  Rest* rest = nullptr;

  /// Reserves address space; pages take memory when they are first used. Returns false if there is not enough.
  bool reserve(std::size_t n_words);
  void drop(std::size_t n_words);
  void forget(std::size_t n_words);

  // Both ignore the records of a cell that are not valid.
  Cell load(std::size_t word, SegmentRange valid) const;
  void store(std::size_t word, const Cell& cell, SegmentRange valid);
};

/// Reserves address space; pages take memory when they are first used. Returns nullptr if there is not enough.
void* reserve_bytes(std::size_t bytes);

/// Cells of single bytes, for words that are accessed in parts. Few words need them, so address space is
/// reserved per chunk of words, when the first word of the chunk needs it.
struct ByteCells {
  static constexpr std::size_t chunk_words = std::size_t{1} << 18;

  /// The cells of a word's bytes: four in a row, from `first`.
  struct Place {
    Cells& cells;
    std::size_t first;
  };
  Place of(std::size_t word) {
    Cells& cells = chunks[word / chunk_words];
    if (__atomic_load_n(&cells.first, __ATOMIC_ACQUIRE) == nullptr) [[unlikely]]
      make(cells);
    return {cells, word % chunk_words * 4};
  }

  bool reserve(std::size_t n_words);
  void drop(std::size_t n_words);
  void forget(std::size_t n_words);

  Cells* chunks = nullptr;

 private:
  /// Allocates a chunk. Several workers may call it concurrently.
  static void make(Cells& cells);
};

}  // namespace rafter::simt
