// Checksums of device memory: they show whether a large array changed without copying it to the host.
#pragma once

#include <cstdint>

#include "rafter/stream.hpp"

namespace rafter::lab {

/// Returns a checksum that changes when any byte does. Waits for the stream.
std::uint64_t checksum(const Stream& stream, const void* memory, std::int64_t bytes);

/// The contribution of the 4-byte word at index `place` to the checksum.
constexpr std::uint64_t checksum_share(std::uint32_t word, std::int64_t place) {
  std::uint64_t x = (static_cast<std::uint64_t>(place) << 32) + word + 0x9e3779b97f4a7c15u;
  x = (x ^ (x >> 30)) * 0xbf58476d1ce4e5b9u;
  x = (x ^ (x >> 27)) * 0x94d049bb133111ebu;
  return x ^ (x >> 31);
}

/// Computes the checksum of `n` words on a GPU.
std::uint64_t checksum_cuda(const Stream& stream, const std::uint32_t* words, std::int64_t n);

}  // namespace rafter::lab
