#include "executor/memory/byte_cells.hpp"

#include <sys/mman.h>

#include <mutex>
#include <new>

namespace rafter::simt {
namespace {

std::size_t n_stretches(std::size_t n_words) { return n_words / ByteCells::stretch + 1; }

template <class F>
void for_each(Cells* stretches, std::size_t n_words, F&& f) {
  for (std::size_t i = 0; stretches && i < n_stretches(n_words); ++i) {
    if (stretches[i].first) f(stretches[i]);
  }
}

}  // namespace

bool ByteCells::reserve(std::size_t n_words) {
  stretches = static_cast<Cells*>(reserve_bytes(n_stretches(n_words) * sizeof(Cells)));
  return stretches != nullptr;
}

void ByteCells::drop(std::size_t n_words) {
  for_each(stretches, n_words, [](Cells& cells) { cells.drop(4 * stretch); });
  if (stretches) munmap(stretches, n_stretches(n_words) * sizeof(Cells));
  stretches = nullptr;
}

void ByteCells::forget(std::size_t n_words) {
  for_each(stretches, n_words, [](Cells& cells) { cells.forget(4 * stretch); });
}

void ByteCells::make(Cells& cells) {
  static std::mutex making;
  const std::lock_guard lock(making);
  if (cells.first) return;
  Cells made;
  if (!made.reserve(4 * stretch)) throw std::bad_alloc();
  cells.second = made.second;
  cells.rest = made.rest;
  __atomic_store_n(&cells.first, made.first, __ATOMIC_RELEASE);
}

}  // namespace rafter::simt
