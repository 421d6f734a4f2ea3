// Cells of single bytes, for words whose bytes different threads touch. Most words have none: address space is reserved
// for a chunk_words of words when the first of them needs it.
#pragma once

#include <cstddef>

#include "executor/memory/cells.hpp"

namespace rafter::simt {

struct ByteCells {
  static constexpr std::size_t chunk_words = std::size_t{1} << 18;  // words

  /// Where a word's bytes have their cells: four in a row.
  struct Place {
    Cells& cells;
    std::size_t first;
  };
  Place of(std::size_t word) {
    Cells& cells = chunks[word / chunk_words];
    if (__atomic_load_n(&cells.first, __ATOMIC_ACQUIRE) == nullptr) [[unlikely]]
      make(cells);
    return {cells, word % chunk_words * 4};
  }

  bool reserve(std::size_t n_words);
  void drop(std::size_t n_words);
  void forget(std::size_t n_words);

  Cells* chunks = nullptr;

 private:
  /// Several workers may come at once.
  static void make(Cells& cells);
};

}  // namespace rafter::simt
