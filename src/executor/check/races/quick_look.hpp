// The race checker's short way: a plain access to one word whose past leaves no question. Everything else is left to
// RaceChecker::access, which would come to the same here.
//
// While one block of a worker runs at a time, numbers of segments tell most of what orders two accesses. Segments below
// `block_first` are of blocks that have ended, and nothing orders those before this one. Those from there up to
// `horizon` are of this block, from before its last barrier: a barrier orders them.
//
// Where threads touch parts of a word (chars, halves), each byte has a cell of its own, and the same questions.
#pragma once

#include "executor/check/races/race_checker.hpp"

namespace rafter::simt {

// A warp has no segment when its block begins.
inline std::uint32_t RaceChecker::me_quickly() {
  Warp& warp = block_->warps[rafter_simt_now.linear / 32];
  if (warp.segment == 0 || warp.segment_epoch != block_->epoch || warp.segment_time != warp.clock.time()) [[unlikely]] {
    begin_segment(warp);
  }
  return warp.segment << 5 | rafter_simt_now.linear % 32;
}

inline bool RaceChecker::is_past_barrier(std::uint32_t segment) const {
  return segment - block_first_ < horizon_ - block_first_;
}

/// Whether nothing but a hand-over can order what was done under `segment` before the running thread, which did it not
/// itself.
inline bool RaceChecker::is_unordered(std::uint32_t segment, std::uint32_t mine) const {
  if (segment == mine || segment < block_first_) return true;
  return segment >= horizon_ && segments_[index_of(segment)].warp != rafter_simt_now.linear / 32;
}

inline bool RaceChecker::lists_readers_now() const {
  return lists_readers_ || !hand_over_.is_unused() ||
         block_->warps[rafter_simt_now.linear / 32].clock.has_met_in_part();
}

[[gnu::always_inline]] inline bool RaceChecker::quick_cell_write(Cells& cells, std::size_t at, const Record& mine,
                                                                 Segments counting) {
  const Record first = cells.first[at];
  const auto form = Cells::form_of(first);
  if (form == Cells::four) return false;
  if (counting.hold(first)) {
    const auto is_settled = [&](const Record& r) {
      return r.bytes() == mine.bytes() && (r.who == mine.who || is_past_barrier(r.segment()));
    };
    if (!is_settled(first)) return false;
    if (form == Cells::two) {
      const Record second = cells.second[at];
      if (second.who == Cell::of_lanes || !(second.what & Cells::is_reader)) {
        // Two readers, or more: that one of them is the thread itself says nothing of the others.
        if (!is_past_barrier(first.segment())) return false;
        if (second.who != Cell::of_lanes && (!is_settled(second) || second.who == mine.who)) return false;
      } else if (!is_settled(second)) {
        return false;
      }
    }
  }
  cells.first[at] = mine;  // Cells::written
  return true;
}

[[gnu::always_inline]] inline bool RaceChecker::quick_cell_read(Cells& cells, std::size_t at, const Record& mine,
                                                                Segments counting) {
  Record& place = cells.first[at];
  const Record first = place;
  const auto form = Cells::form_of(first);
  if (form == Cells::four) return false;
  const Record alone{mine.who, mine.what | Cells::read << Cells::form_shift};
  if (!counting.hold(first)) {
    place = alone;
    return true;
  }
  if (first.bytes() != mine.bytes()) return false;
  const bool is_settled = first.who == mine.who || is_past_barrier(first.segment());
  if (form == Cells::read && is_settled) {
    place = alone;
    return true;
  }
  if (form == Cells::written) {
    if (!is_settled) return false;
    cells.second[at] = {mine.who, mine.what | Cells::is_reader};
    place.what = first.what | Cells::two << Cells::form_shift;
    return true;
  }
  return quick_second_read(cells, at, mine, counting);
}

[[gnu::always_inline]] inline bool RaceChecker::quick_write(Shadow& shadow, std::size_t word, const Record& mine,
                                                            Segments counting) {
  return quick_cell_write(shadow.cells, word, mine, counting) || quick_bytes<true>(shadow, word, mine, counting);
}

[[gnu::always_inline]] inline bool RaceChecker::quick_read(Shadow& shadow, std::size_t word, const Record& mine,
                                                           Segments counting) {
  return quick_cell_read(shadow.cells, word, mine, counting) || quick_bytes<false>(shadow, word, mine, counting);
}

}  // namespace rafter::simt
