#include "executor/memory/shadow.hpp"

#include <sys/mman.h>

#include <algorithm>
#include <cstring>

namespace rafter::simt {

bool Shadow::reserve(std::byte* range, std::size_t range_bytes) {
  base = reinterpret_cast<std::byte*>(reinterpret_cast<std::uintptr_t>(range) & ~std::uintptr_t{3});
  bytes = range_bytes + static_cast<std::size_t>(range - base);
  state = static_cast<std::uint8_t*>(reserve_bytes(n_words()));
  return cells.reserve(n_words()) && byte_cells.reserve(n_words()) && state;
}

void Shadow::drop() {
  if (state) munmap(state, n_words());
  cells.drop(n_words());
  byte_cells.drop(n_words());
  *this = {};
}

void Shadow::set(Part part, const void* from, std::size_t n, bool value) {
  const auto first = static_cast<std::size_t>(static_cast<const std::byte*>(from) - base), last = first + n;
  const auto all = static_cast<std::uint8_t>(part);
  const auto put = [&](std::size_t word, std::uint8_t mask) {
    state[word] = static_cast<std::uint8_t>(value ? state[word] | mask : state[word] & ~mask);
  };
  const auto byte_mask = [&](std::size_t byte) { return static_cast<std::uint8_t>((0x11 << byte % 4) & all); };
  std::size_t at = first;
  for (; at < last && at % 4; ++at) put(at / 4, byte_mask(at));
  constexpr std::size_t many = 8;  // states set at once
  const std::uint64_t pattern = all * 0x0101010101010101U;
  for (; at + 4 * many <= last; at += 4 * many) {
    std::uint64_t states = 0;
    std::memcpy(&states, state + at / 4, many);
    states = value ? states | pattern : states & ~pattern;
    std::memcpy(state + at / 4, &states, many);
  }
  for (; at + 4 <= last; at += 4) put(at / 4, all);
  for (; at < last; ++at) put(at / 4, byte_mask(at));
}

bool Shadow::any_written(const void* from, std::size_t n) const {
  const auto first = static_cast<std::size_t>(static_cast<const std::byte*>(from) - base);
  for (std::size_t at = first; at < first + n; ++at) {
    if (state[at / 4] >> at % 4 & 1) return true;
  }
  return false;
}

Shadow::Unwritten Shadow::unwritten(const void* from, std::size_t n) const {
  const auto first = static_cast<std::size_t>(static_cast<const std::byte*>(from) - base);
  Unwritten missing;
  for (std::size_t at = first; at < first + n; ++at) {
    if (at % 4 == 0) {
      while (at + 4 <= first + n && (state[at / 4] & 0xf) == 0xf) at += 4;
      if (at >= first + n) break;
    }
    if (state[at / 4] >> at % 4 & 1) continue;
    if (missing.bytes++ == 0) missing.first = static_cast<std::int64_t>(at - first);
  }
  return missing;
}

void Shadow::copy_written(const void* to, const Shadow& source, const void* from, std::size_t n) {
  const auto target = static_cast<std::size_t>(static_cast<const std::byte*>(to) - base);
  const auto origin = static_cast<std::size_t>(static_cast<const std::byte*>(from) - source.base);
  for (std::size_t i = 0; i < n; ++i) {
    const unsigned bit = source.state[(origin + i) / 4] >> (origin + i) % 4 & 1;
    std::uint8_t& state_of = state[(target + i) / 4];
    const auto mask = static_cast<std::uint8_t>(1 << (target + i) % 4);
    state_of = static_cast<std::uint8_t>(bit ? state_of | mask : state_of & ~mask);
  }
}

void Shadow::forget_accesses() {
  cells.forget(n_words());
  byte_cells.forget(n_words());
}

}  // namespace rafter::simt
