// Who touched each word of an address range last, packed: most words need one record, few need all four.
#pragma once

#include <bit>
#include <cstddef>
#include <cstdint>

namespace rafter::simt {

/// Who accessed a word, and how. `who`: a warp's segment and the lane; 0 is nobody.
struct Record {
  std::uint32_t who = 0;
  std::uint32_t what = 0;  // site << 6 | how << 4 | bytes of the word
  // In `what`, of an atomic: it came after the word's last plain write, so that what this wrote is gone.
  static constexpr std::uint32_t after_write = 1u << 31;

  std::uint32_t segment() const { return who >> 5; }
  unsigned lane() const { return who & 31; }
  std::uint32_t site() const { return (what & ~after_write) >> 6; }
  unsigned how() const { return what >> 4 & 3; }
  unsigned bytes() const { return what & 15; }
  bool is_after_write() const { return (what & after_write) != 0; }
};

/// Segments that count, by their numbers; what was recorded under others is of another launch, block or worker.
struct Segments {
  std::uint32_t first, end;
  int shift = 0;  // of workers that share a launch each has every (1 << shift)th number

  bool hold(const Record& record) const { return std::rotr(record.segment() - first, shift) < (end - first) >> shift; }
};

/// The past of one word as far as races need it. Atomic writes stand beside plain ones, because other atomics race
/// with the plain one only.
struct Cell {
  Record write;
  Record atomic;
  Record read;
  Record more_reads;

  // In more_reads.who, beside nobody (0) and one more reader.
  static constexpr std::uint32_t split =
      ~0u;  // the word's bytes have cells of their own; `write` tells the last access
  static constexpr std::uint32_t of_lanes = ~1u;  // `what` is the lanes of read's warp that have read, with read's own
  static constexpr std::uint32_t of_list = ~2u;   // `what` is a list's number, which has all readers
};

/// The cells of a range. A word that was only written, or only read by one thread, takes the 8 bytes of `first`; one
/// with two records `second`, too; `rest` is for what is left. Untouched pages of each cost nothing.
struct Cells {
  /// What there is of a word, in the place of `first`'s `how`: what it has of its own is plain in the first three.
  enum Form : std::uint32_t {
    written,  // one write, or nothing at all
    read,     // one reader
    two,      // two readers, or lanes; or a write and a reader, who is marked by `is_reader`
    four
  };
  static constexpr std::uint32_t form_shift = 4;
  static constexpr std::uint32_t is_reader = 1u << form_shift;
  static Form form_of(const Record& first) { return static_cast<Form>(first.how()); }
  static Record with(const Record& record, Form form) { return {record.who, plain(record).what | form << form_shift}; }
  static Record plain(const Record& record) { return {record.who, record.what & ~(3u << form_shift)}; }
  /// Of a word whose bytes have cells of their own there is only who touched it last: none of them counts when that
  /// does not.
  static Record split_by(std::uint32_t who) { return {who, four << form_shift}; }
  static bool is_split(const Record& first) { return first.what == four << form_shift && first.who != 0; }

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
  Cell load(std::size_t word, Segments counting) const;
  void store(std::size_t word, const Cell& cell, Segments counting);
};

/// Address space whose pages cost when they are touched; nullptr when there is none.
void* reserve_bytes(std::size_t bytes);

}  // namespace rafter::simt
