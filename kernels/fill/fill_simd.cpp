// Fills an array on one thread: by ordinary stores, or from a 64-byte boundary on by streaming stores of whole cache
// lines, which do not read a line before they write it. Bound by the write bandwidth of memory.
#include "fill/fill_simd.hpp"

namespace rafter::fill_ladder::cpu {

namespace {

/// Writes up to the first 64-byte boundary and returns the index there.
template <class T>
std::int64_t fill_to_line(T* out, std::int64_t n, T value) {
  std::int64_t i = 0;
  for (; i < n && reinterpret_cast<std::uintptr_t>(out + i) % 64 != 0; ++i) out[i] = value;
  return i;
}

template <class T>
void cached(T* out, std::int64_t n, T value) {
  constexpr std::int64_t worth_a_boundary = 512;  // stores that cross lines cost a quarter of the time of long arrays
  for (std::int64_t i = n < worth_a_boundary ? 0 : fill_to_line(out, n, value); i < n; ++i) out[i] = value;
}

template <class T>
void streamed(T* out, std::int64_t n, T value) {
  constexpr std::int64_t width = 16 / sizeof(T);
  typedef T Lanes __attribute__((vector_size(16)));
  std::int64_t i = fill_to_line(out, n, value);
  const Lanes lanes = value - Lanes{};
  for (; i + 4 * width <= n; i += 4 * width) {
    for (int k = 0; k < 4; ++k) core::streaming_store(out + i + k * width, reinterpret_cast<core::Bytes16>(lanes));
  }
  for (; i < n; ++i) out[i] = value;
  core::streaming_fence();
}

template <class T>
void array(T* out, std::int64_t n, T value, core::Stores stores) {
  stores == core::Stores::cached ? cached(out, n, value) : streamed(out, n, value);
}

}  // namespace

RAFTER_ISA_TABLE(FillLoops, fill_loops) = {array<std::uint16_t>, array<std::uint32_t>, array<std::uint64_t>};

}  // namespace rafter::fill_ladder::cpu
