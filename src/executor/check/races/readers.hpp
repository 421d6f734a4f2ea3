// The readers of a word. A write must be ordered after all earlier reads, not only after the last one.
//
// Most words have one reader, several lanes of one warp, or readers in several warps or blocks. In the last case two
// readers represent all: any writer is in another warp than one of them, and a barrier that orders it after that reader
// orders it after the others. This fits into the word's cell. Where threads order each other pairwise, by
// release/acquire or by __syncwarp of some lanes, every reader counts, and the readers are kept in a list.
#pragma once

#include <array>
#include <bit>
#include <cstdint>
#include <deque>
#include <vector>

#include "executor/memory/cells.hpp"

namespace rafter::simt {

/// Lanes of one segment of a warp that read at one place.
struct WarpReaders {
  std::uint32_t segment = 0;
  std::uint32_t lanes = 0;
  std::uint32_t details = 0;  // as in a Record

  Record record(unsigned lane) const { return {segment << 5 | lane, details}; }
  Record any() const { return record(static_cast<unsigned>(std::countr_zero(lanes))); }
};

class Readers {
 public:
  /// Called when no cell has a reader.
  void clear() { lists_.clear(), unused_.clear(); }

  /// The rules for adding a read of the running thread.
  struct Order {
    SegmentRange valid;
    bool lists;  // threads may order each other pairwise
  };

  /// Adds a read. `is_ordered(record)` tells whether barriers order the running thread after a record, which then is
  /// redundant; `warp_of(record)` returns block and warp as one number.
  template <class IsOrdered, class WarpOf>
  void add(Cell& cell, const Record& mine, const Order& order, const IsOrdered& is_ordered, const WarpOf& warp_of);

  /// Calls f(WarpReaders) for all known readers.
  template <class F>
  void for_each(const Cell& cell, SegmentRange valid, F&& f) const;

  /// Whether readers of the word were dropped. `listed`: readers were listed from the start of the launch.
  bool may_have_forgotten(const Cell& cell, bool listed) const {
    if (is_list(cell)) return lists_[cell.more_reads.details].has_forgotten;
    return !listed && cell.more_reads.accessor != 0 && !is_lanes(cell);
  }

  void forget(Cell& cell) { restart(cell, {}); }

  /// Replaces a reader by a thread that is ordered after it.
  void replace(Cell& cell, std::uint32_t accessor, std::uint32_t by);

 private:
  struct List {
    static constexpr std::uint32_t most = 8;
    std::array<WarpReaders, most> warps;
    std::uint32_t n = 0;
    bool has_forgotten = false;
  };
  static bool is_lanes(const Cell& cell) { return cell.more_reads.accessor == Cell::reader_lanes; }
  static bool is_list(const Cell& cell) { return cell.more_reads.accessor == Cell::reader_list; }
  static WarpReaders one(const Record& record) { return {record.segment(), 1u << record.lane(), record.details}; }
  static WarpReaders first(const Cell& cell) {
    return {cell.read.segment(), is_lanes(cell) ? cell.more_reads.details : 1u << cell.read.lane(), cell.read.details};
  }
  static bool is_same_segment(const WarpReaders& warp, const Record& record) {
    return warp.segment == record.segment() && warp.details == record.details;
  }

  template <class IsOrdered>
  static bool is_past(const WarpReaders& warp, const IsOrdered& is_ordered) {
    for (std::uint32_t lanes = warp.lanes; lanes; lanes &= lanes - 1) {
      if (!is_ordered(warp.record(static_cast<unsigned>(std::countr_zero(lanes))))) return false;
    }
    return true;
  }
  template <class IsOrdered>
  static void add_to(List& list, const Record& mine, const IsOrdered& is_ordered);
  void make_list(Cell& cell);
  void restart(Cell& cell, const Record& read) {
    if (is_list(cell)) unused_.push_back(cell.more_reads.details);
    cell.read = read;
    cell.more_reads = {};
  }

  std::deque<List> lists_;             // each used by one cell
  std::vector<std::uint32_t> unused_;  // indices of free lists
};

template <class F>
void Readers::for_each(const Cell& cell, SegmentRange valid, F&& f) const {
  if (!valid.contains(cell.read)) return;
  if (is_list(cell)) {
    const List& list = lists_[cell.more_reads.details];
    for (std::uint32_t i = 0; i < list.n; ++i) f(list.warps[i]);
    return;
  }
  f(first(cell));
  if (cell.more_reads.accessor != 0 && !is_lanes(cell)) f(one(cell.more_reads));
}

template <class IsOrdered>
void Readers::add_to(List& list, const Record& mine, const IsOrdered& is_ordered) {
  const std::uint32_t segment = mine.segment(), lane = 1u << mine.lane();
  for (std::uint32_t i = list.n; i-- > 0;) {
    WarpReaders& warp = list.warps[i];
    if (warp.segment != segment) continue;
    if (warp.details == mine.details) warp.lanes |= lane;
    if (warp.lanes & lane) return;  // the first place it read at is enough
  }
  if (list.has_forgotten && !is_past(list.warps[0], is_ordered)) return;
  std::uint32_t n = 0;
  for (std::uint32_t i = 0; i < list.n; ++i) {
    if (!is_past(list.warps[i], is_ordered)) list.warps[n++] = list.warps[i];
  }
  if (n < List::most) {
    list.warps[n++] = one(mine);
  } else {
    list.has_forgotten = true;
  }
  list.n = n;
}

template <class IsOrdered, class WarpOf>
void Readers::add(Cell& cell, const Record& mine, const Order& order, const IsOrdered& is_ordered,
                  const WarpOf& warp_of) {
  if (!order.valid.contains(cell.read)) return restart(cell, mine);
  if (is_list(cell)) {
    add_to(lists_[cell.more_reads.details], mine, is_ordered);
    cell.read = mine;  // keeps the list valid
    return;
  }
  const bool has_other = cell.more_reads.accessor != 0 && !is_lanes(cell);
  if (cell.read.accessor == mine.accessor && !is_lanes(cell)) {
    cell.read = mine;
    return;
  }
  if (!has_other && is_same_segment(first(cell), mine)) {
    cell.more_reads = {Cell::reader_lanes, first(cell).lanes | 1u << mine.lane()};
    return;
  }
  if (is_past(first(cell), is_ordered)) {
    cell.read = mine;
    if (!has_other || is_ordered(cell.more_reads)) cell.more_reads = {};
    return;
  }
  if (has_other ? cell.more_reads.accessor == mine.accessor || is_ordered(cell.more_reads)
                : cell.more_reads.accessor == 0) {
    cell.more_reads = mine;
    return;
  }
  // The cell has no space for another reader.
  const auto warp = warp_of(mine), warp_of_read = warp_of(cell.read);
  const auto other_warp = has_other ? warp_of(cell.more_reads) : warp_of_read;
  if (order.lists) {
    make_list(cell);
    add_to(lists_[cell.more_reads.details], mine, is_ordered);
    return;
  }
  // Prefer two readers of different blocks to two of one block, and readers of different warps to lanes of one warp.
  const auto block_of = [](auto w) { return w >> 32; };
  const bool is_other_block = block_of(warp) != block_of(warp_of_read);
  if (warp_of_read == other_warp ? warp != warp_of_read
                                 : is_other_block && block_of(other_warp) == block_of(warp_of_read)) {
    cell.more_reads = mine;
  }
}

}  // namespace rafter::simt
