// Cells of single bytes, for words whose bytes different threads touch. Most words have none: address space is reserved
// for a stretch of words when the first of them needs it.
#pragma once

#include <cstddef>

#include "executor/memory/cells.hpp"

namespace rafter::simt {

struct ByteCells {
  static constexpr std::size_t stretch = std::size_t{1} << 18;  // words

  /// Where a word's bytes have their cells: four in a row.
  struct Place {
    Cells& cells;
    std::size_t first;
  };
  Place of(std::size_t word) {
    Cells& cells = stretches[word / stretch];
    if (__atomic_load_n(&cells.first, __ATOMIC_ACQUIRE) == nullptr) [[unlikely]]
      make(cells);
    return {cells, word % stretch * 4};
  }

  bool reserve(std::size_t n_words);
  void drop(std::size_t n_words);
  void forget(std::size_t n_words);

  Cells* stretches = nullptr;

 private:
  /// Several workers may come at once.
  static void make(Cells& cells);
};

}  // namespace rafter::simt
