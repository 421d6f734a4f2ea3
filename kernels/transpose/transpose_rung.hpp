// The signature of transpose's rungs: their arguments and element sizes.
#pragma once

#include <cstdint>

#include "library/core/rung.hpp"
#include "rafter/transpose.hpp"

namespace rafter::transpose_ladder {

/// An element of 16 bytes.
struct alignas(16) Word16 {
  std::uint64_t half[2];
};

/// The element types. Elements are copied bit for bit, so there is one type per size.
using TransposeWords = Types<std::uint8_t, std::uint16_t, std::uint32_t, std::uint64_t, Word16>;

template <class Word>
struct TransposeArgs {
  MatrixView<const Word> in;
  MatrixView<Word> out;  // [in.n_cols, in.n_rows]
};

using TransposeRung = core::RungOf<TransposeArgs, TransposeWords>;

}  // namespace rafter::transpose_ladder
