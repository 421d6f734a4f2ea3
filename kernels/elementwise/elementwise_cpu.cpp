// threads: out[i] = f(i), one contiguous part per thread, vectorised, with streaming stores where the caches could not
// hold the output. 16-bit floats are processed as floats, in blocks that stay in the L1 cache.
// Bound by memory bandwidth: every element is read and written once.
#include <algorithm>
#include <cstring>
#include <type_traits>

#include "elementwise/elementwise_rung.hpp"
#include "elementwise/elementwise_simd.hpp"
#include "library/core/cpu/blocks.hpp"
#include "library/core/parts.hpp"

namespace rafter::elementwise_ladder::cpu {

namespace {

constexpr std::int64_t most_in_block = 2048;  // 8 KiB of floats

/// Calls f(first, n) for blocks of [0, n) that end at cache-line boundaries of `out`.
template <class T, class F>
void for_blocks(std::int64_t n, const T* out, const F& f) {
  const auto past_line = static_cast<std::int64_t>(reinterpret_cast<std::uintptr_t>(out) % 64 / sizeof(T));
  for (std::int64_t first = 0, last; first < n; first = last) {
    last = std::min(first == 0 ? most_in_block - past_line : first + most_in_block, n);
    f(first, last - first);
  }
}

/// The map of the elements from `first` on.
template <class T>
Multiplication<T> tail(const Multiplication<T>& map, std::int64_t first) {
  return {map.a + first, map.b + first};
}
template <class T>
Scaling<T> tail(const Scaling<T>& map, std::int64_t first) {
  return {map.a + first, map.factor};
}
template <class From, class To>
Conversion<From, To> tail(const Conversion<From, To>& map, std::int64_t first) {
  return {map.in + first};
}
template <class T>
Sequence<T> tail(const Sequence<T>& map, std::int64_t first) {
  return {map.start, map.step, map.first + first};
}

/// Computes a part of the output, on one thread.
template <class Map>
void compute_part(const Map& map, std::int64_t n, typename Map::Out* out, Stores stores) {
  elementwise_loops()(map, n, out, stores);
}

template <core::SixteenBits T>
void compute_part(const Multiplication<T>& map, std::int64_t n, T* out, Stores stores) {
  alignas(64) float a[most_in_block], b[most_in_block];
  for_blocks(n, out, [&](std::int64_t first, std::int64_t size) {
    core::widen(map.a + first, size, a);
    core::widen(map.b + first, size, b);
    elementwise_loops()(Multiplication<float>{a, b}, size, a, Stores::cached);
    core::round(a, size, out + first, stores);
  });
}

template <core::SixteenBits T>
void compute_part(const Scaling<T>& map, std::int64_t n, T* out, Stores stores) {
  alignas(64) float block[most_in_block];
  for_blocks(n, out, [&](std::int64_t first, std::int64_t size) {
    core::widen(map.a + first, size, block);
    elementwise_loops()(Scaling<float>{block, static_cast<float>(map.factor)}, size, block, Stores::cached);
    core::round(block, size, out + first, stores);
  });
}

template <class T>
void copy_part(const Conversion<T, T>& map, std::int64_t n, T* out) {
  if (map.in != out) std::memcpy(static_cast<void*>(out), map.in, static_cast<std::size_t>(n) * sizeof(T));
}

template <class From, class To>
requires(core::SixteenBits<From> || core::SixteenBits<To>) void compute_part(const Conversion<From, To>& map,
                                                                             std::int64_t n, To* out, Stores stores) {
  if constexpr (std::is_same_v<From, To>) {
    copy_part(map, n, out);
  } else {
    alignas(64) float block[most_in_block];
    for_blocks(n, out, [&](std::int64_t first, std::int64_t size) {
      if constexpr (core::SixteenBits<From>) core::widen(map.in + first, size, block);
      if constexpr (!core::SixteenBits<To>) {
        using FromFloat = std::conditional_t<std::is_same_v<To, float>, OddFloats<float>, Conversion<float, To>>;
        elementwise_loops()(FromFloat{block}, size, out + first, stores);
      } else {
        if constexpr (core::SixteenBits<From>) {
          elementwise_loops()(OddFloats<float>{block}, size, block, Stores::cached);
        } else {
          elementwise_loops()(OddFloats<From>{map.in + first}, size, block, Stores::cached);
        }
        core::round(block, size, out + first, stores);
      }
    });
  }
}

template <core::SixteenBits T>
void compute_part(const Sequence<T>& map, std::int64_t n, T* out, Stores stores) {
  alignas(64) float block[most_in_block];
  const auto start = static_cast<double>(map.start), step = static_cast<double>(map.step);
  for_blocks(n, out, [&](std::int64_t first, std::int64_t size) {
    elementwise_loops()(OddSequence{start, step, map.first + first}, size, block, Stores::cached);
    core::round(block, size, out + first, stores);
  });
}

/// The bytes read per element, and whether an input is overwritten: it is in the caches then.
struct Reads {
  std::int64_t bytes_per_element;
  bool in_place;
};
template <class T>
Reads reads(const Multiplication<T>& map, const void* out) {
  return {2 * sizeof(T), map.a == out || map.b == out};
}
template <class T>
Reads reads(const Scaling<T>& map, const void* out) {
  return {sizeof(T), map.a == out};
}
template <class From, class To>
Reads reads(const Conversion<From, To>& map, const void* out) {
  return {sizeof(From), map.in == out};
}
template <class T>
Reads reads(const Sequence<T>&, const void*) {
  return {0, false};
}

}  // namespace

extern const ElementwiseRung threads{[]<class Map>(const Stream& stream, ElementwiseArgs<Map> args) {
  constexpr std::int64_t min_part_elements = 16384;  // a smaller part does not pay for waking a thread
  const std::int64_t n = std::ssize(args.out);
  const auto [read_bytes, in_place] = reads(args.map, args.out.data());
  const auto bytes = n * (read_bytes + static_cast<std::int64_t>(sizeof(typename Map::Out)));
  const Stores stores = in_place ? Stores::cached : core::stores_for(bytes);
  core::for_parts(core::threads_for(stream, n, min_part_elements), n, [&](std::int64_t first, std::int64_t last) {
    compute_part(tail(args.map, first), last - first, args.out.data() + first, stores);
  });
}};

}  // namespace rafter::elementwise_ladder::cpu
