#include "executor/check/races/readers.hpp"

namespace rafter::simt {

void Readers::make_list(Cell& cell) {
  List list;
  list.warps[list.n++] = first(cell);
  if (!is_lanes(cell)) list.warps[list.n++] = one(cell.more_reads);
  if (unused_.empty()) {
    unused_.push_back(static_cast<std::uint32_t>(lists_.size()));
    lists_.emplace_back();
  }
  cell.more_reads = {Cell::of_list, unused_.back()};
  unused_.pop_back();
  lists_[cell.more_reads.what] = list;
}

void Readers::replace(Cell& cell, std::uint32_t who, std::uint32_t by) {
  if (is_list(cell)) {
    List& list = lists_[cell.more_reads.what];
    for (std::uint32_t i = 0; i < list.n; ++i) {
      if (list.warps[i].lanes == 1u << (who & 31) && list.warps[i].segment == who >> 5)
        list.warps[i] = {by >> 5, 1u << (by & 31), list.warps[i].what};
    }
  }
  if (cell.more_reads.who == who) cell.more_reads.who = by;
  if (cell.read.who == who && !is_lanes(cell)) cell.read.who = by;
}

}  // namespace rafter::simt
