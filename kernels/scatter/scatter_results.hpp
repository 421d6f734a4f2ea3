// The results of a scatter while it runs: 16-bit floats are reduced as floats in the stream's scratch and rounded once
// at the end; all others are reduced in place.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>

#include "library/core/arithmetic.hpp"
#include "library/core/dtype.hpp"
#include "library/core/stream/scratch.hpp"
#include "rafter/stream.hpp"

namespace rafter::scatter_ladder {

/// Returns the bytes of scratch that the results of elements of T take.
template <class T>
std::int64_t result_bytes(std::int64_t n_keys) {
  constexpr std::int64_t alignment = 256;
  if (core::OwnAccumulator<T>) return 0;
  return ceil_div(n_keys * std::int64_t{sizeof(core::Accumulator<T>)}, alignment) * alignment;
}

template <class T>
struct Results {
  std::span<core::Accumulator<T>> all;  // [n_keys]
  std::span<std::byte> scratch;         // the rung's own scratch

  Results(const Stream& stream, std::span<T> out, std::int64_t own_bytes = 0) {
    const std::int64_t behind = result_bytes<T>(std::ssize(out));
    std::byte* memory = behind + own_bytes > 0 ? core::scratch(stream, behind + own_bytes) : nullptr;
    scratch = {memory + behind, static_cast<std::size_t>(own_bytes)};
    if constexpr (core::OwnAccumulator<T>) {
      all = out;
    } else {
      all = {reinterpret_cast<core::Accumulator<T>*>(memory), out.size()};
    }
  }
};

}  // namespace rafter::scatter_ladder
