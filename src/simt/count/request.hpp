// One request: what the active lanes of a warp ask for together, and what it costs the memory system.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>

namespace rafter::simt {

struct Touch {
  const std::byte* address;
  std::uint32_t bytes;
};

struct Request {
  std::array<Touch, 32> touches;
  unsigned n = 0;

  std::uint64_t bytes() const;
  std::uint64_t distinct_bytes() const;  // lanes at one address count once
  unsigned sectors() const;              // distinct aligned 32-byte pieces
  unsigned ideal_sectors() const;        // for the same distinct bytes, packed
  unsigned wavefronts() const;           // passes over 32 banks of 4 bytes
  unsigned ideal_wavefronts() const;
  unsigned most_at_one_address() const;
};

}  // namespace rafter::simt
