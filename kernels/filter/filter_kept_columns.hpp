// The columns of which a filter writes the kept elements.
#pragma once

#include <cstdint>

namespace rafter::filter_ladder {

struct KeptColumn {
  const void* in;  // [n]; null: the column of the indices 0, 1, ..., n - 1
  void* out;       // [capacity]
  int element_bytes;
};

struct KeptColumns {
  static constexpr int most = 8;
  KeptColumn column[most];
  int n;
  std::int64_t capacity;

  constexpr std::int64_t size() const { return capacity; }
};

}  // namespace rafter::filter_ladder
