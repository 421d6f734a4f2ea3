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
  cell.more_reads = {Cell::reader_list, unused_.back()};
  unused_.pop_back();
  lists_[cell.more_reads.details] = list;
}

void Readers::replace(Cell& cell, std::uint32_t accessor, std::uint32_t by) {
  if (is_list(cell)) {
    List& list = lists_[cell.more_reads.details];
    for (std::uint32_t i = 0; i < list.n; ++i) {
      if (list.warps[i].lanes == 1u << (accessor & 31) && list.warps[i].segment == accessor >> 5)
        list.warps[i] = {by >> 5, 1u << (by & 31), list.warps[i].details};
    }
  }
  if (cell.more_reads.accessor == accessor) cell.more_reads.accessor = by;
  if (cell.read.accessor == accessor && !is_lanes(cell)) cell.read.accessor = by;
}

}  // namespace rafter::simt
