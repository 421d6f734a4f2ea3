// Checksums of device memory, so that large arrays need not be copied to see that nobody changed them.
#pragma once

#include <cstdint>

#include "rafter/stream.hpp"

namespace rafter::lab {

/// A number that changes when one of the bytes does. Waits for the stream.
std::uint64_t checksum(const Stream& stream, const void* memory, std::int64_t bytes);

/// What the 4 bytes at a place add to it.
constexpr std::uint64_t checksum_share(std::uint32_t word, std::int64_t place) {
  std::uint64_t x = (static_cast<std::uint64_t>(place) << 32) + word + 0x9e3779b97f4a7c15u;
  x = (x ^ (x >> 30)) * 0xbf58476d1ce4e5b9u;
  x = (x ^ (x >> 27)) * 0x94d049bb133111ebu;
  return x ^ (x >> 31);
}

/// On a GPU; `n` words.
std::uint64_t checksum_cuda(const Stream& stream, const std::uint32_t* words, std::int64_t n);

}  // namespace rafter::lab
