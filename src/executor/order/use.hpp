// Ways to touch memory, as far as order matters.
#pragma once

#include <cstddef>
#include <cstdint>

namespace rafter::simt {

/// Atomic and volatile accesses need no order among themselves.
enum class Use : std::uint8_t { reads, writes, reads_atomically, updates };
constexpr std::size_t n_uses = 4;

constexpr Use use_of(bool writes, bool is_plain) {
  if (is_plain) return writes ? Use::writes : Use::reads;
  return writes ? Use::updates : Use::reads_atomically;
}

/// Whether two uses of the same bytes need an order.
constexpr bool conflict(Use a, Use b) {
  const bool writes = a == Use::writes || a == Use::updates || b == Use::writes || b == Use::updates;
  const bool are_atomic = a >= Use::reads_atomically && b >= Use::reads_atomically;
  return writes && !are_atomic;
}

}  // namespace rafter::simt
