// One memory request: the accesses of the active lanes of a warp, and their cost in the memory system.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>

namespace rafter::simt {

struct LaneAccess {
  /// aligned: the compiler relies on natural alignment (for 16 bytes, on 8); unaligned: it does not, as for a
  /// structure; bulk: an asynchronous bulk copy, not a load or store of a thread.
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
  unsigned sectors() const;              // distinct aligned 32-byte sectors
  unsigned ideal_sectors() const;        // for the same distinct bytes, contiguous
  unsigned wavefronts() const;           // passes over 32 banks of 4 bytes
  unsigned ideal_wavefronts() const;
  /// Atomics at one address are serialised. atomic_wavefronts() counts passes over the banks of shared memory,
  /// atomic_sectors() the sectors of all rounds in global memory.
  unsigned atomic_wavefronts() const;
  unsigned atomic_sectors() const;
  unsigned most_at_one_address() const;
  /// Returns the distance in bytes between adjacent lanes if it is the same for all of them; otherwise 0.
  std::int64_t stride() const;

  /// Returns the accesses to [offset, offset + bytes_each) of each lane that has as many bytes.
  Request piece(std::uint32_t offset, std::uint32_t bytes_each) const;
};

}  // namespace rafter::simt
