// One request: what the active lanes of a warp ask for together, and what it costs the memory system.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>

namespace rafter::simt {

struct LaneAccess {
  /// aligned: the compiler counts on its alignment, but for 16 bytes only on 8; unaligned: it does not, as of a
  /// structure; whole: nobody's loads, but a copy by hardware.
  enum class Kind : std::uint8_t { aligned, unaligned, bulk };

  const std::byte* address;
  std::uint32_t bytes;
  Kind kind = Kind::aligned;
};

struct Request {
  std::array<LaneAccess, 32> lanes;
  unsigned n = 0;

  std::uint64_t bytes() const;
  std::uint64_t distinct_bytes() const;  // lanes at one address count once
  unsigned sectors() const;              // distinct aligned 32-byte pieces
  unsigned ideal_sectors() const;        // for the same distinct bytes, packed
  unsigned wavefronts() const;           // passes over 32 banks of 4 bytes
  unsigned ideal_wavefronts() const;
  /// Of atomics lanes at one address take turns: passes on shared memory, and on global memory the sectors of all
  /// turns.
  unsigned atomic_wavefronts() const;
  unsigned atomic_sectors() const;
  unsigned most_at_one_address() const;
  /// Bytes from each lane to the next, where that is the same for all; otherwise 0.
  std::int64_t stride() const;

  /// The part of the lanes' bytes that begins there, of those that have as many.
  Request piece(std::uint32_t offset, std::uint32_t bytes_each) const;
};

}  // namespace rafter::simt
