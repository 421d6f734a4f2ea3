// The elements that the CPU scatter's loops process: keys, and the source of their values. 16-bit values are converted
// to floats block by block, in the caches, so that no loop is compiled again for them.
#pragma once

#include <algorithm>
#include <cstdint>

#include "library/core/cpu/blocks.hpp"
#include "library/core/cpu/prefetch.hpp"

namespace rafter::scatter_ladder::cpu {

template <class T>
struct InPlace {
  using Value = T;
  const T* values;
  T operator()(std::int64_t i) const { return values[i]; }
  void prefetch(std::int64_t i) const { core::prefetch<core::CacheLevel::second>(values, i); }
  void widen(std::int64_t first, std::int64_t n, float* out) const { core::widen(values + first, n, out); }
};
template <class T>
struct Permuted {
  using Value = T;
  const T* values;
  const std::int64_t* order;
  T operator()(std::int64_t i) const { return values[order[i]]; }
  void widen(std::int64_t first, std::int64_t n, float* out) const {
    T fetched[core::block_elements];
    for (std::int64_t i = 0; i < n; ++i) fetched[i] = values[order[first + i]];
    core::widen(fetched, n, out);
  }
};
struct Ones {
  using Value = std::int64_t;
  std::int64_t operator()(std::int64_t) const { return 1; }
  void prefetch(std::int64_t) const {}
};

template <class T, class Key, class Source>
struct KeyedElements {
  const Key* keys;
  Source source;
  std::int64_t n;
  T* out;  // [n_keys], the identity before
  std::int64_t n_keys;

  bool has(Key key) const { return key >= 0 && static_cast<std::int64_t>(key) < n_keys; }
};

/// Calls visit(part, begin, end) for the elements [first, last), which are [begin, end) of `part`: all at once, or for
/// 16-bit values at most Size at a time, as floats. An empty range is visited once.
template <std::int64_t Size = core::block_elements, class T, class Key, class Source, class Visit>
void in_blocks(const KeyedElements<T, Key, Source>& elements, std::int64_t first, std::int64_t last,
               const Visit& visit) {
  if constexpr (core::SixteenBits<typename Source::Value>) {
    alignas(64) float block[Size];
    do {
      const std::int64_t n = std::min(Size, last - first);
      elements.source.widen(first, n, block);
      visit(KeyedElements<T, Key, InPlace<float>>{elements.keys + first, {block}, n, elements.out, elements.n_keys},
            std::int64_t{0}, n);
      first += n;
    } while (first < last);
  } else {
    visit(elements, first, last);
  }
}

}  // namespace rafter::scatter_ladder::cpu
