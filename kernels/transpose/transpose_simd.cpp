// Transposes a tile by one thread: squares of 16-byte vectors are transposed in registers and put into a buffer that
// stays in the first-level cache, from which the output's rows are written in one run each. So lines of both matrices
// are touched once and whole, wherever a power of two between rows would put them in the caches.
#include "transpose/transpose_simd.hpp"

namespace rafter::transpose_ladder::cpu {

namespace {

template <int Bytes>
struct Lane;
template <>
struct Lane<1> {
  using type = std::uint8_t;
};
template <>
struct Lane<2> {
  using type = std::uint16_t;
};
template <>
struct Lane<4> {
  using type = std::uint32_t;
};
template <>
struct Lane<8> {
  using type = std::uint64_t;
};

/// A vector of 16 bytes, whatever the lanes mean.
template <int Bytes>
struct Vectors {
  static constexpr int n_lanes = 16 / Bytes;
  typedef typename Lane<Bytes>::type Vector __attribute__((vector_size(16)));

  /// Lanes of the lower halves of `a` and `b` in turn; of the upper halves.
  static Vector zip_low(Vector a, Vector b) {
    if constexpr (Bytes == 1)
      return __builtin_shufflevector(a, b, 0, 16, 1, 17, 2, 18, 3, 19, 4, 20, 5, 21, 6, 22, 7, 23);
    if constexpr (Bytes == 2) return __builtin_shufflevector(a, b, 0, 8, 1, 9, 2, 10, 3, 11);
    if constexpr (Bytes == 4) return __builtin_shufflevector(a, b, 0, 4, 1, 5);
    if constexpr (Bytes == 8) return __builtin_shufflevector(a, b, 0, 2);
  }
  static Vector zip_high(Vector a, Vector b) {
    if constexpr (Bytes == 1)
      return __builtin_shufflevector(a, b, 8, 24, 9, 25, 10, 26, 11, 27, 12, 28, 13, 29, 14, 30, 15, 31);
    if constexpr (Bytes == 2) return __builtin_shufflevector(a, b, 4, 12, 5, 13, 6, 14, 7, 15);
    if constexpr (Bytes == 4) return __builtin_shufflevector(a, b, 2, 6, 3, 7);
    if constexpr (Bytes == 8) return __builtin_shufflevector(a, b, 1, 3);
  }
};

/// A square of 16 bytes times 16 bytes. Zipping the first half of the vectors with the second, log2(n_lanes) times,
/// is the transpose.
template <int Bytes>
__attribute__((always_inline)) inline void square(const char* in, std::int64_t in_pitch, char* out,
                                                  std::int64_t out_pitch) {
  using V = Vectors<Bytes>;
  constexpr int n = V::n_lanes;
  typename V::Vector v[n];
  for (int i = 0; i < n; ++i) __builtin_memcpy(&v[i], in + i * in_pitch, 16);
  for (int round = 1; round < n; round *= 2) {
    typename V::Vector zipped[n];
    for (int i = 0; i < n / 2; ++i) {
      zipped[2 * i] = V::zip_low(v[i], v[i + n / 2]);
      zipped[2 * i + 1] = V::zip_high(v[i], v[i + n / 2]);
    }
    for (int i = 0; i < n; ++i) v[i] = zipped[i];
  }
  for (int i = 0; i < n; ++i) __builtin_memcpy(out + i * out_pitch, &v[i], 16);
}
template <>
inline void square<16>(const char* in, std::int64_t, char* out, std::int64_t) {
  __builtin_memcpy(out, in, 16);
}

/// Rows far apart keep few lines in flight: asks for those of the next tile while this one is worked on.
void prefetch(const char* from, std::int64_t bytes) {
  for (std::int64_t i = 0; i < bytes; i += 64) __builtin_prefetch(from + i, 0, 2);
}

/// In squares; the last ones overlap those before them. Single elements where a side is shorter than a square.
template <int Bytes>
void in_squares(const TileArgs& args, char* out, std::int64_t out_pitch) {
  constexpr std::int64_t side = 16 / Bytes;
  const auto* in = static_cast<const char*>(args.in);
  const auto* next = static_cast<const char*>(args.next_in);
  const std::int64_t in_pitch = args.in_pitch;
  const std::int64_t n_rows = args.n_rows;
  const std::int64_t n_cols = args.n_cols;
  if (n_rows < side || n_cols < side) {
    for (std::int64_t row = 0; row < n_rows; ++row) {
      for (std::int64_t col = 0; col < n_cols; ++col)
        __builtin_memcpy(out + col * out_pitch + row * Bytes, in + row * in_pitch + col * Bytes, Bytes);
    }
    return;
  }
  for (std::int64_t r = 0; r < n_rows; r += side) {
    const std::int64_t row = r + side <= n_rows ? r : n_rows - side;
    const char* from = in + row * in_pitch;
    char* to = out + row * Bytes;
    for (std::int64_t i = r; next != nullptr && i < r + side; ++i) prefetch(next + i * in_pitch, n_cols * Bytes);
    std::int64_t col = 0;
    for (; col + side <= n_cols; col += side)
      square<Bytes>(from + col * Bytes, in_pitch, to + col * out_pitch, out_pitch);
    if (col < n_cols)
      square<Bytes>(from + (n_cols - side) * Bytes, in_pitch, to + (n_cols - side) * out_pitch, out_pitch);
  }
}

/// One run of the output.
void write_run(const char* from, std::int64_t bytes, char* to, core::Stores stores) {
  std::int64_t i = 0;
#if defined(__x86_64__)  // elsewhere both are the same stores
  if (stores == core::Stores::streamed && bytes >= 64) {
    i = static_cast<std::int64_t>(-reinterpret_cast<std::uintptr_t>(to) % 16);
    __builtin_memcpy(to, from, 16);  // up to the boundary, and what comes is written again
    for (; i + 16 <= bytes; i += 16) {
      core::Bytes16 v;
      __builtin_memcpy(&v, from + i, 16);
      core::streaming_store(to + i, v);
    }
  }
#endif
  static_cast<void>(stores);
  __builtin_memcpy(to + i, from + i, static_cast<std::size_t>(bytes - i));
}

template <int Bytes>
void tile(const TileArgs& args) {
  alignas(64) char buffer[tile_bytes];
  const std::int64_t run_bytes = args.n_rows * Bytes;
  in_squares<Bytes>(args, buffer, run_bytes);
  auto* out = static_cast<char*>(args.out);
  if (run_bytes == args.out_pitch) return write_run(buffer, args.n_cols * run_bytes, out, args.stores);
  for (std::int64_t col = 0; col < args.n_cols; ++col)
    write_run(buffer + col * run_bytes, run_bytes, out + col * args.out_pitch, args.stores);
}

}  // namespace

RAFTER_ISA_TABLE(TransposeLoops, transpose_loops) = {tile<1>, tile<2>, tile<4>, tile<8>, tile<16>};

}  // namespace rafter::transpose_ladder::cpu
