// Sorting by one thread: both algorithms compute a stable order of the items as indices.
#pragma once

#include <cstdint>
#include <type_traits>

namespace rafter_simt {
namespace collective {

/// Returns the unsigned integer that sorts like `key`; -0.0 sorts like 0.0.
template <class Key>
std::uint64_t sortable_bits(const Key& key) {
  static_assert(sizeof(Key) <= 8, "rafter: radix sort keys of more than 8 bytes are not supported");
  static_assert(std::is_arithmetic<Key>::value || std::is_enum<Key>::value || sizeof(Key) == 2,
                "rafter: radix sort keys must be numbers");
  constexpr std::uint64_t sign = std::uint64_t{1} << (sizeof(Key) * 8 - 1);
  std::uint64_t bits = 0;
  __builtin_memcpy(&bits, &key, sizeof(Key));
  if constexpr (std::is_integral<Key>::value || std::is_enum<Key>::value) {
    return std::is_signed<Key>::value ? bits ^ sign : bits;
  } else {
    if (bits == sign) bits = 0;
    return (bits & sign) != 0 ? ~bits & (sign | (sign - 1)) : bits ^ sign;
  }
}

struct BitRange {
  int begin, end;
  bool descending;
};

/// Computes the order of the n keys by their bits [begin, end), least significant digit first. `order` and `spare` hold
/// n indices, `counts` 256. Returns the one of the two that holds the result.
template <class Keys, class Index, class Count>
Index* order_by_bits(Keys keys, Count n, BitRange range, Index* order, Index* spare, Count* counts) {
  const auto digit_of = [&](Index i, int shift, unsigned mask) {
    const std::uint64_t bits = sortable_bits(keys[i]);
    return static_cast<unsigned>((range.descending ? ~bits : bits) >> shift) & mask;
  };
  for (Count i = 0; i < n; ++i) order[i] = static_cast<Index>(i);
  for (int shift = range.begin; shift < range.end; shift += 8) {
    const unsigned mask = range.end - shift >= 8 ? 255u : (1u << (range.end - shift)) - 1u;
    for (unsigned digit = 0; digit <= mask; ++digit) counts[digit] = 0;
    for (Count i = 0; i < n; ++i) ++counts[digit_of(order[i], shift, mask)];
    Count sum = 0;
    for (unsigned digit = 0; digit <= mask; ++digit) {
      const Count count = counts[digit];
      counts[digit] = sum;
      sum += count;
    }
    for (Count i = 0; i < n; ++i) spare[counts[digit_of(order[i], shift, mask)]++] = order[i];
    Index* const done = spare;
    spare = order;
    order = done;
  }
  return order;
}

/// Computes the order of n items under less(i, j) by merging runs of doubling length.
template <class Less, class Index, class Count>
Index* order_by_merging(Less less, Count n, Index* order, Index* spare) {
  for (Count i = 0; i < n; ++i) order[i] = static_cast<Index>(i);
  for (Count run = 1; run < n; run *= 2) {
    for (Count begin = 0; begin < n; begin += 2 * run) {
      const Count middle = begin + run < n ? begin + run : n, end = middle + run < n ? middle + run : n;
      Count left = begin, right = middle;
      for (Count to = begin; to < end; ++to) {
        const bool take_right = left == middle || (right < end && less(order[right], order[left]));
        spare[to] = take_right ? order[right++] : order[left++];
      }
    }
    Index* const done = spare;
    spare = order;
    order = done;
  }
  return order;
}

}  // namespace collective
}  // namespace rafter_simt
