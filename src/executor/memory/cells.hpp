// Who touched each word of an address range last, packed: most words need one record, few need all four.
#pragma once

#include <bit>
#include <cstddef>
#include <cstdint>

namespace rafter::simt {

/// Who accessed a word, and how. `accessor`: a warp's segment and the lane; 0 is nobody.
struct Record {
  std::uint32_t accessor = 0;
  std::uint32_t details = 0;  // site << 6 | how << 4 | bytes of the word
  // In `details`, of an atomic: it came after the word's last plain write, so that details this wrote is gone.
  static constexpr std::uint32_t after_write = 1u << 31;

  std::uint32_t segment() const { return accessor >> 5; }
  unsigned lane() const { return accessor & 31; }
  std::uint32_t site() const { return (details & ~after_write) >> 6; }
  unsigned mode() const { return details >> 4 & 3; }
  unsigned bytes() const { return details & 15; }
  bool is_after_write() const { return (details & after_write) != 0; }
};

/// SegmentRange that count, by their numbers; details was recorded under others is of another launch, block or worker.
struct SegmentRange {
  std::uint32_t first, end;
  int shift = 0;  // of workers that share a launch each has every (1 << shift)th number

  bool contains(const Record& record) const {
    return std::rotr(record.segment() - first, shift) < (end - first) >> shift;
  }
};

/// The past of one word as far as races need it. Atomic writes stand beside plain ones, because other atomics race
/// with the plain one only.
struct Cell {
  Record write;
  Record atomic;
  Record read;
  Record more_reads;

  // In more_reads.accessor, beside nobody (0) and one more reader.
  static constexpr std::uint32_t split =
      ~0u;  // the word's bytes have cells of their own; `write` tells the last access
  static constexpr std::uint32_t reader_lanes =
      ~1u;  // `details` is the lanes of read's warp that have read, with read's own
  static constexpr std::uint32_t reader_list = ~2u;  // `details` is a list's number, which has all readers
};

/// The cells of a range. A word that was only written, or only read by one thread, takes the 8 bytes of `first`; one
/// with two records `second`, too; `rest` is for details is left. Untouched pages of each cost nothing.
struct Cells {
  /// What there is of a word, in the place of `first`'s `how`: details it has of its own is plain in the first three.
  enum Form : std::uint32_t {
    written,  // one write, or nothing at all
    read,     // one reader
    two,      // two readers, or lanes; or a write and a reader, accessor is marked by `is_reader`
    four
  };
  static constexpr std::uint32_t form_shift = 4;
  static constexpr std::uint32_t is_reader = 1u << form_shift;
  static Form form_of(const Record& first) { return static_cast<Form>(first.mode()); }
  static Record with(const Record& record, Form form) {
    return {record.accessor, plain(record).details | form << form_shift};
  }
  static Record plain(const Record& record) { return {record.accessor, record.details & ~(3u << form_shift)}; }
  /// Of a word whose bytes have cells of their own there is only accessor touched it last: none of them counts when
  /// that does not.
  static Record split_by(std::uint32_t accessor) { return {accessor, four << form_shift}; }
  static bool is_split(const Record& first) { return first.details == four << form_shift && first.accessor != 0; }

  struct Rest {
    Record atomic, more_reads;
  };
  Record* first = nullptr;
  Record* second = nullptr;
  Rest* rest = nullptr;

  /// Reserves address space; pages cost when they are touched. False when there is none.
  bool reserve(std::size_t n_words);
  void drop(std::size_t n_words);
  void forget(std::size_t n_words);

  // Of a cell's records only those that count are given and kept.
  Cell load(std::size_t word, SegmentRange valid) const;
  void store(std::size_t word, const Cell& cell, SegmentRange valid);
};

/// Address space whose pages cost when they are touched; nullptr when there is none.
void* reserve_bytes(std::size_t bytes);

}  // namespace rafter::simt
