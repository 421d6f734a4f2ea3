// Shadow memory: for every word what may be touched, what was written, and who touched it last.
#pragma once

#include <cstddef>
#include <cstdint>

namespace rafter::simt {

/// Who accessed a word, and how. `who`: a warp's segment and the lane; 0 is nobody.
struct Record {
  std::uint32_t who = 0;
  std::uint32_t what = 0;  // site << 6 | how << 4 | bytes of the word

  std::uint32_t segment() const { return who >> 5; }
  unsigned lane() const { return who & 31; }
  std::uint32_t site() const { return what >> 6; }
  unsigned how() const { return what >> 4 & 3; }
  unsigned bytes() const { return what & 15; }
};

/// The past of one word as far as races need it. Atomic writes stand beside plain ones, because other atomics race
/// with the plain one only.
struct Cell {
  Record write;
  Record atomic;
  Record read;
  Record more_reads;  // check/readers.hpp says what it can be
};

/// The shadow of one address range. `state` has a byte per word: low half what was written, high half what exists.
struct Shadow {
  std::byte* base = nullptr;
  std::size_t bytes = 0;
  std::uint8_t* state = nullptr;
  Cell* cells = nullptr;

  /// Reserves address space; pages cost when they are touched. False when there is none.
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
  /// Whether a byte of [from, from + n) was written.
  bool any_written(const void* from, std::size_t n) const;
  /// How many bytes of [from, from + n) nobody has written, and which is the first.
  struct Unwritten {
    std::size_t bytes = 0;
    std::int64_t first = 0;  // from `from`
  };
  Unwritten unwritten(const void* from, std::size_t n) const;
  /// Copies the written half from [from, from + n) of another range.
  void copy_written(const void* to, const Shadow& source, const void* from, std::size_t n);
  void forget_accesses();
};

}  // namespace rafter::simt
