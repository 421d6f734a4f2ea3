// The form of every transpose: a function template `name(stream, in, shape, out)` in transpose_ladder::<device>.
#pragma once

#include <cstdint>
#include <span>

#include "rafter/matrix.hpp"
#include "rafter/stream.hpp"

namespace rafter::transpose_ladder {

/// An element of 16 bytes.
struct alignas(16) Word16 {
  std::uint64_t half[2];
};

}  // namespace rafter::transpose_ladder

// Declares the rung `name`.
#define RAFTER_TRANSPOSE_SIGNATURE(name) \
  template <class Word>                  \
  void name(const Stream& stream, std::span<const Word> in, MatrixShape shape, std::span<Word> out)

#define RAFTER_TRANSPOSE_OF(name, Word) \
  template void name<Word>(const Stream&, std::span<const Word>, MatrixShape, std::span<Word>)

// Ends a rung's file: instantiates it for elements of 1, 2, 4, 8 and 16 bytes.
#define RAFTER_TRANSPOSE_RUNG(name)         \
  RAFTER_TRANSPOSE_OF(name, std::uint8_t);  \
  RAFTER_TRANSPOSE_OF(name, std::uint16_t); \
  RAFTER_TRANSPOSE_OF(name, std::uint32_t); \
  RAFTER_TRANSPOSE_OF(name, std::uint64_t); \
  RAFTER_TRANSPOSE_OF(name, Word16)
