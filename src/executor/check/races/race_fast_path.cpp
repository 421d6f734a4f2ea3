#include "executor/check/races/race_fast_path.hpp"

namespace rafter::simt {

// Adds a reader to a word that already has readers; has the same result as Readers::add.
bool RaceChecker::fast_additional_read(Cells& cells, std::size_t at, const Record& mine, SegmentRange valid) {
  Record& first = cells.first[at];
  Record& second = cells.second[at];
  const std::uint32_t segment = mine.segment();
  const bool is_same_place = Cells::plain(first).details == mine.details;
  const Record alone = Cells::with(mine, Cells::read);
  const auto make_two = [&](const Record& other) {
    second = other;
    first = Cells::with(first, Cells::two);
    return true;
  };
  if (Cells::form_of(first) == Cells::read) {
    if (first.segment() == segment && is_same_place)
      return make_two({Cell::reader_lanes, 1u << first.lane() | 1u << mine.lane()});
    return is_unordered(first.segment(), segment) && make_two(mine);
  }
  const auto precedes = [&](const Record& r) { return r.accessor == mine.accessor || precedes_barrier(r.segment()); };
  if (second.accessor == Cell::reader_lanes) {
    if (precedes_barrier(first.segment())) {
      first = alone;
      return true;
    }
    if (first.segment() == segment) {
      if (is_same_place) second.details |= 1u << mine.lane();
      return is_same_place || !lists_readers_now();  // lanes of this warp are already included
    }
    return is_unordered(first.segment(), segment) && !lists_readers_now() && make_two(mine);
  }
  if (second.bytes() != mine.bytes() || !valid.contains(second)) return false;
  if (second.details & Cells::is_reader) {  // reads what `first` wrote
    if (!precedes(first) || !precedes(second)) return false;
    second = {mine.accessor, mine.details | Cells::is_reader};
    return true;
  }
  if (first.accessor == mine.accessor) {
    first = Cells::with(mine, Cells::two);
    return true;
  }
  if (precedes_barrier(first.segment())) {
    if (!precedes_barrier(second.segment())) return false;
    first = alone;
    return true;
  }
  if (!is_unordered(first.segment(), segment)) return false;
  if (precedes(second)) return make_two(mine);
  if (!is_unordered(second.segment(), segment) || lists_readers_now()) return false;
  // Two readers are kept. Prefer readers of different blocks, then of different warps.
  const Segment &a = segment_of(first), &b = segment_of(second);
  const std::uint32_t block = number(*block_), warp = rafter_simt_now.linear / 32;
  const bool is_one_warp = a.block == b.block && a.warp == b.warp;
  const bool is_better = is_one_warp ? a.block != block || a.warp != warp : a.block != block && a.block == b.block;
  return !is_better || make_two(mine);
}

// A word that is accessed in parts: it is already split, or its only record is of another part.
template <bool writes>
bool RaceChecker::fast_bytes(Shadow& shadow, std::size_t word, const Record& mine, SegmentRange valid) {
  Record& first = shadow.cells.first[word];
  const bool is_split = Cells::is_split(first), counts = valid.contains(first);
  const auto form = Cells::form_of(first);
  const bool is_one = form == Cells::written || form == Cells::read;
  if (!is_split && (!is_one || first.bytes() == mine.bytes() || !counts)) return false;
  if (!counts) {
    first = writes ? mine : Cells::with(mine, Cells::read);
    return true;
  }
  const auto [bytes, begin] = shadow.byte_cells.of(word);
  if (!is_split) {
    for (unsigned byte = 0; byte < 4; ++byte) {
      // It may have a list, which must be released.
      if (Cells::form_of(bytes.first[begin + byte]) == Cells::four) return false;
    }
    for (unsigned byte = 0; byte < 4; ++byte)
      bytes.first[begin + byte] = first.bytes() >> byte & 1 ? Record{first.accessor, first.details | 15} : Record{};
  }
  first = Cells::split_by(mine.accessor);
  const Record whole{mine.accessor, mine.details | 15};
  for (unsigned byte = 0; byte < 4; ++byte) {
    if (!(mine.bytes() >> byte & 1)) continue;
    if (!(writes ? fast_cell_write(bytes, begin + byte, whole, valid)
                 : fast_cell_read(bytes, begin + byte, whole, valid)))
      return false;
  }
  return true;
}
template bool RaceChecker::fast_bytes<true>(Shadow&, std::size_t, const Record&, SegmentRange);
template bool RaceChecker::fast_bytes<false>(Shadow&, std::size_t, const Record&, SegmentRange);

}  // namespace rafter::simt
