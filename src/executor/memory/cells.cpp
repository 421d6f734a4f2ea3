#include "executor/memory/cells.hpp"

#include <sys/mman.h>

namespace rafter::simt {

void* reserve_bytes(std::size_t bytes) {
  void* memory = mmap(nullptr, bytes, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
  return memory == MAP_FAILED ? nullptr : memory;
}

bool Cells::reserve(std::size_t n_words) {
  first = static_cast<Record*>(reserve_bytes(n_words * sizeof(Record)));
  second = static_cast<Record*>(reserve_bytes(n_words * sizeof(Record)));
  rest = static_cast<Rest*>(reserve_bytes(n_words * sizeof(Rest)));
  return first && second && rest;
}

void Cells::drop(std::size_t n_words) {
  if (first) munmap(first, n_words * sizeof(Record));
  if (second) munmap(second, n_words * sizeof(Record));
  if (rest) munmap(rest, n_words * sizeof(Rest));
  *this = {};
}

void Cells::forget(std::size_t n_words) {
  if (first) madvise(first, n_words * sizeof(Record), MADV_DONTNEED);
  if (second) madvise(second, n_words * sizeof(Record), MADV_DONTNEED);
  if (rest) madvise(rest, n_words * sizeof(Rest), MADV_DONTNEED);
}

Cell Cells::load(std::size_t word, SegmentRange valid) const {
  const auto kept = [&](const Record& record) { return valid.contains(record) ? record : Record{}; };
  const Record one = kept(plain(first[word]));
  switch (form_of(first[word])) {
    case written: return {.write = one, .atomic = {}, .read = {}, .more_reads = {}};
    case read: return {.write = {}, .atomic = {}, .read = one, .more_reads = {}};
    case two: {
      const Record other = second[word];
      if (other.accessor == Cell::reader_lanes) return {.write = {}, .atomic = {}, .read = one, .more_reads = other};
      if (other.details & is_reader) return {.write = one, .atomic = {}, .read = kept(plain(other)), .more_reads = {}};
      return {.write = {}, .atomic = {}, .read = one, .more_reads = kept(other)};
    }
    case four: break;
  }
  if (is_split(first[word])) return one.accessor ? Cell{one, {}, {}, {Cell::split, 0}} : Cell{};
  const Rest& others = rest[word];
  const bool is_odd = others.more_reads.accessor >= Cell::reader_list;
  return {one, kept(others.atomic), is_odd ? second[word] : kept(second[word]),
          is_odd ? others.more_reads : kept(others.more_reads)};
}

void Cells::store(std::size_t word, const Cell& cell, SegmentRange valid) {
  const bool has_write = valid.contains(cell.write), has_read = valid.contains(cell.read);
  const Record& more = cell.more_reads;
  if (more.accessor == Cell::split) {
    first[word] = split_by(cell.write.accessor);
    return;
  }
  const bool has_more = has_read && more.accessor != 0;
  const bool is_lanes = more.accessor == Cell::reader_lanes;
  const bool is_odd = more.accessor == Cell::reader_list || valid.contains(cell.atomic) ||
                      (has_read && cell.read.mode() != 0) || (has_more && !is_lanes && more.mode() != 0);
  if (is_odd || (has_write && has_more)) {
    first[word] = with(cell.write, four);
    second[word] = cell.read;
    rest[word] = {cell.atomic, more};
  } else if (has_write) {
    first[word] = with(cell.write, has_read ? two : written);
    if (has_read) second[word] = {cell.read.accessor, cell.read.details | is_reader};
  } else if (has_read) {
    first[word] = with(cell.read, has_more ? two : read);
    if (has_more) second[word] = more;
  } else {
    first[word] = {};
  }
}

}  // namespace rafter::simt
