#include <sys/mman.h>

#include <mutex>
#include <new>

#include "executor/memory/cells.hpp"

namespace rafter::simt {
namespace {

std::size_t n_chunks(std::size_t n_words) { return n_words / ByteCells::chunk_words + 1; }

template <class F>
void for_each(Cells* chunks, std::size_t n_words, F&& f) {
  for (std::size_t i = 0; chunks && i < n_chunks(n_words); ++i) {
    if (chunks[i].first) f(chunks[i]);
  }
}

}  // namespace

bool ByteCells::reserve(std::size_t n_words) {
  chunks = static_cast<Cells*>(reserve_bytes(n_chunks(n_words) * sizeof(Cells)));
  return chunks != nullptr;
}

void ByteCells::drop(std::size_t n_words) {
  for_each(chunks, n_words, [](Cells& cells) { cells.drop(4 * chunk_words); });
  if (chunks) munmap(chunks, n_chunks(n_words) * sizeof(Cells));
  chunks = nullptr;
}

void ByteCells::forget(std::size_t n_words) {
  for_each(chunks, n_words, [](Cells& cells) { cells.forget(4 * chunk_words); });
}

void ByteCells::make(Cells& cells) {
  static std::mutex making;
  const std::lock_guard lock(making);
  if (cells.first) return;
  Cells made;
  if (!made.reserve(4 * chunk_words)) throw std::bad_alloc();
  cells.second = made.second;
  cells.rest = made.rest;
  __atomic_store_n(&cells.first, made.first, __ATOMIC_RELEASE);
}

}  // namespace rafter::simt
