// Inputs of transpose and the expected elements of its output.
#pragma once

#include "workbench/lab/cases/pitched.hpp"

namespace rafter::transpose_ladder {

/// Elements with arbitrary bits: a transpose must keep every bit.
template <class Word>
struct AnyBits {
  static constexpr bool has_device_code = true;
  std::uint64_t seed = 0;

  constexpr Word operator()(std::int64_t index) const {
    const std::uint64_t bits = lab::random_bits(seed, index);
    if constexpr (sizeof(Word) == 16) {
      return {bits, lab::mix(bits)};
    } else {
      return static_cast<Word>(bits);
    }
  }
};

template <class Word>
using TransposeElements = lab::PitchedGenerator<AnyBits<Word>>;

template <class Word>
struct Transposed {
  static constexpr bool has_device_code = true;
  TransposeElements<Word> in;
  std::int64_t n_rows;  // of the input
  std::int64_t out_stride;

  constexpr Word operator()(std::int64_t i) const {
    const std::int64_t row = i % out_stride;
    return row < n_rows ? in(row * in.row_stride + i / out_stride) : lab::all_bits_set<Word>();
  }
};

}  // namespace rafter::transpose_ladder
