// The fast path of the race checker: plain accesses to one word that its records decide. All others take the slow
// path, RaceChecker::access, which would have the same result for these.
//
// While one block of a worker runs at a time, the segment number of a record is enough to order most accesses. Segments
// below `block_first_` are of blocks that have ended; nothing orders them before this block. Segments from there up to
// `first_after_barrier_` are of this block before its last barrier, and so are ordered.
//
// Where threads access parts of a word (char, half), each byte has its own cell, checked in the same way.
#pragma once

#include "executor/check/races/race_checker.hpp"

namespace rafter::simt {

// A warp has no segment when its block begins.
inline std::uint32_t RaceChecker::running_thread_id() {
  Warp& warp = block_->warps[rafter_simt_now.linear / 32];
  if (warp.segment == 0 || warp.segment_epoch != block_->epoch || warp.segment_time != warp.clock.time()) [[unlikely]] {
    begin_segment(warp);
  }
  return warp.segment << 5 | rafter_simt_now.linear % 32;
}

inline bool RaceChecker::precedes_barrier(std::uint32_t segment) const {
  return segment - block_first_ < first_after_barrier_ - block_first_;
}

/// Whether only release/acquire can order an access in `segment` before the running thread. The thread must not have
/// made the access itself.
inline bool RaceChecker::is_unordered(std::uint32_t segment, std::uint32_t mine) const {
  if (segment == mine || segment < block_first_) return true;
  return segment >= first_after_barrier_ && segments_[index_of(segment)].warp != rafter_simt_now.linear / 32;
}

inline bool RaceChecker::lists_readers_now() const {
  return lists_readers_ || !release_log_.is_unused() ||
         block_->warps[rafter_simt_now.linear / 32].clock.has_met_in_part();
}

[[gnu::always_inline]] inline bool RaceChecker::fast_cell_write(Cells& cells, std::size_t at, const Record& mine,
                                                                SegmentRange valid) {
  const Record first = cells.first[at];
  const auto form = Cells::form_of(first);
  if (form == Cells::four) return false;
  if (valid.contains(first)) {
    const auto precedes = [&](const Record& r) {
      return r.bytes() == mine.bytes() && (r.accessor == mine.accessor || precedes_barrier(r.segment()));
    };
    if (!precedes(first)) return false;
    if (form == Cells::two) {
      const Record second = cells.second[at];
      if (second.accessor == Cell::reader_lanes || !(second.details & Cells::is_reader)) {
        // Two or more readers: the other readers may be unordered even if this thread is one of them.
        if (!precedes_barrier(first.segment())) return false;
        if (second.accessor != Cell::reader_lanes && (!precedes(second) || second.accessor == mine.accessor))
          return false;
      } else if (!precedes(second)) {
        return false;
      }
    }
  }
  cells.first[at] = mine;  // Cells::written
  return true;
}

[[gnu::always_inline]] inline bool RaceChecker::fast_cell_read(Cells& cells, std::size_t at, const Record& mine,
                                                               SegmentRange valid) {
  Record& place = cells.first[at];
  const Record first = place;
  const auto form = Cells::form_of(first);
  if (form == Cells::four) return false;
  const Record alone{mine.accessor, mine.details | Cells::read << Cells::form_shift};
  if (!valid.contains(first)) {
    place = alone;
    return true;
  }
  if (first.bytes() != mine.bytes()) return false;
  const bool precedes = first.accessor == mine.accessor || precedes_barrier(first.segment());
  if (form == Cells::read && precedes) {
    place = alone;
    return true;
  }
  if (form == Cells::written) {
    if (!precedes) return false;
    cells.second[at] = {mine.accessor, mine.details | Cells::is_reader};
    place.details = first.details | Cells::two << Cells::form_shift;
    return true;
  }
  return fast_additional_read(cells, at, mine, valid);
}

[[gnu::always_inline]] inline bool RaceChecker::fast_write(Shadow& shadow, std::size_t word, const Record& mine,
                                                           SegmentRange valid) {
  return fast_cell_write(shadow.cells, word, mine, valid) || fast_bytes<true>(shadow, word, mine, valid);
}

[[gnu::always_inline]] inline bool RaceChecker::fast_read(Shadow& shadow, std::size_t word, const Record& mine,
                                                          SegmentRange valid) {
  return fast_cell_read(shadow.cells, word, mine, valid) || fast_bytes<false>(shadow, word, mine, valid);
}

}  // namespace rafter::simt
