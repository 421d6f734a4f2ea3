// Shadow memory: for every word, which bytes exist, which were written, and its last accesses.
#pragma once

#include <cstddef>
#include <cstdint>

#include "executor/memory/cells.hpp"

namespace rafter::simt {

/// The shadow of one address range. `state` has a byte per word: written bytes in the low half, existing ones in the
/// high half.
struct Shadow {
  std::byte* base = nullptr;
  std::size_t bytes = 0;
  std::uint8_t* state = nullptr;
  Cells cells{};
  ByteCells byte_cells{};

  /// Reserves address space; pages take memory when they are first used. Returns false if there is not enough.
  bool reserve(std::byte* range, std::size_t range_bytes);
  void drop();

  bool holds(const void* address) const {
    return static_cast<std::size_t>(static_cast<const std::byte*>(address) - base) < bytes;
  }
  std::size_t word(const void* address) const {
    return static_cast<std::size_t>(static_cast<const std::byte*>(address) - base) / 4;
  }

  enum class Part : std::uint8_t { written = 0x0f, exists = 0xf0 };
  /// Sets or clears one half for every byte in [from, from + n).
  void set(Part part, const void* from, std::size_t n, bool value);
  /// Whether any byte of [from, from + n) was written.
  bool any_written(const void* from, std::size_t n) const;
  /// The number of uninitialised bytes in [from, from + n), and the first of them.
  struct Unwritten {
    std::size_t bytes = 0;
    std::int64_t first = 0;  // relative to `from`
  };
  Unwritten unwritten(const void* from, std::size_t n) const;
  /// Copies the written half of [from, from + n) in another range.
  void copy_written(const void* to, const Shadow& source, const void* from, std::size_t n);
  void forget_accesses();

  std::size_t n_words() const { return bytes / 4 + 8; }
};

}  // namespace rafter::simt
