// Transposes a tile in one thread. Squares as wide as the level's vectors are transposed in registers. Where that makes
// whole lines of the output, they are written directly with streaming stores; otherwise into a buffer in the
// first-level cache, from which each output row is written in one run. So lines of both matrices are accessed once and
// whole, even if a power of two between rows maps them to one cache set.
#include "transpose/transpose_simd.hpp"

#include <utility>

namespace rafter::transpose_ladder::cpu {

namespace {

constexpr int line_bytes = 64;

/// The width of the strips in which the columns of a tile are processed, each from top to bottom.
#if defined(__x86_64__)
constexpr std::int64_t strip_bytes = line_bytes;  // the two lines of an output row are written consecutively
#else
constexpr std::int64_t strip_bytes = tile_bytes;  // a whole row: its lines would not stay in a cache with four ways
#endif

/// Returns the width of a square for this element size: at most 16 vectors, which fit in the registers.
constexpr int square_bytes(int bytes) { return core::vector_bytes < 16 * bytes ? core::vector_bytes : 16 * bytes; }

template <int Bytes>
struct Word {
  using type = std::uint64_t;
};
template <>
struct Word<1> {
  using type = std::uint8_t;
};
template <>
struct Word<2> {
  using type = std::uint16_t;
};
template <>
struct Word<4> {
  using type = std::uint32_t;
};

/// A vector of `Width` bytes with elements of `Bytes` bytes.
template <int Bytes, int Width>
struct Vectors {
  using Element = typename Word<Bytes>::type;  // elements of 16 bytes are two of these
  static constexpr int n_words = Width / static_cast<int>(sizeof(Element));
  static constexpr int n_lanes = Width / Bytes;
  typedef Element Vector __attribute__((vector_size(Width)));

  /// Interleaves the lanes of the lower halves of `a` and `b`, or of the upper halves.
  template <int Half>
  __attribute__((always_inline)) static Vector zip(Vector a, Vector b) {
    constexpr int per_lane = n_words / n_lanes;
    return [&]<int... I>(std::integer_sequence<int, I...>) __attribute__((always_inline)) {
      return __builtin_shufflevector(
          a, b, ((I / per_lane / 2 + I / per_lane % 2 * n_lanes + Half * n_lanes / 2) * per_lane + I % per_lane)...);
    }
    (std::make_integer_sequence<int, n_words>());
  }
};

/// Transposes a square of n x n elements: log2(n) rounds of zipping the first half of the vectors with the second.
/// Streamed squares are whole lines of the output.
template <int Bytes, int Width, core::Stores Stores>
__attribute__((always_inline)) inline void square_inline(const char* in, std::int64_t in_pitch, char* out,
                                                         std::int64_t out_pitch) {
  using V = Vectors<Bytes, Width>;
  constexpr int n = V::n_lanes;
  typename V::Vector v[n];
  for (int i = 0; i < n; ++i) __builtin_memcpy(&v[i], in + i * in_pitch, Width);
  for (int round = 1; round < n; round *= 2) {
    typename V::Vector zipped[n];
    for (int i = 0; i < n / 2; ++i) {
      zipped[2 * i] = V::template zip<0>(v[i], v[i + n / 2]);
      zipped[2 * i + 1] = V::template zip<1>(v[i], v[i + n / 2]);
    }
    for (int i = 0; i < n; ++i) v[i] = zipped[i];
  }
  for (int i = 0; i < n; ++i) {
    if constexpr (Stores == core::Stores::streamed) {
      core::streaming_copy_line(out + i * out_pitch, &v[i]);
    } else {
      __builtin_memcpy(out + i * out_pitch, &v[i], Width);
    }
  }
}

/// Transposes a square out of line. In a loop the compiler would keep a multiple of the pitch for every row of a large
/// square, and compute all of them for a strip of few squares.
template <int Bytes, int Width, core::Stores Stores>
__attribute__((noinline)) void square_call(const char* in, std::int64_t in_pitch, char* out, std::int64_t out_pitch) {
  square_inline<Bytes, Width, Stores>(in, in_pitch, out, out_pitch);
}
template <int Bytes, int Width, core::Stores Stores>
__attribute__((always_inline)) inline void square(const char* in, std::int64_t in_pitch, char* out,
                                                  std::int64_t out_pitch) {
  if constexpr (Width > 16) {
    square_call<Bytes, Width, Stores>(in, in_pitch, out, out_pitch);
  } else {
    square_inline<Bytes, Width, Stores>(in, in_pitch, out, out_pitch);
  }
}

/// Prefetches `bytes` bytes of the next tile. Rows that are far apart keep few lines in flight.
void prefetch(const char* from, std::int64_t bytes) {
  for (std::int64_t i = 0; i < bytes; i += line_bytes) __builtin_prefetch(from + i, 0, 2);
}

template <int Bytes>
void single_elements(const TileArgs& args, char* out, std::int64_t out_pitch) {
  const auto* in = static_cast<const char*>(args.in);
  for (std::int64_t row = 0; row < args.n_rows; ++row) {
    for (std::int64_t col = 0; col < args.n_cols; ++col)
      __builtin_memcpy(out + col * out_pitch + row * Bytes, in + row * args.in_pitch + col * Bytes, Bytes);
  }
}

/// Transposes columns [first, last) of a tile from top to bottom; the last squares overlap the previous ones. Not
/// inlined: within the loop over strips it is 4 % slower at 10 columns (Neoverse-V1, GCC 12).
template <int Bytes, int Width, core::Stores Stores>
__attribute__((noinline)) void strip_in_squares(const TileArgs& args, std::int64_t first, std::int64_t last, char* out,
                                                std::int64_t out_pitch) {
  constexpr std::int64_t side = Width / Bytes;
  const auto* in = static_cast<const char*>(args.in);
  const auto* next = static_cast<const char*>(args.next_in);
  const std::int64_t in_pitch = args.in_pitch;
  const std::int64_t n_rows = args.n_rows;
  for (std::int64_t r = 0; r < n_rows; r += side) {
    const std::int64_t row = r + side <= n_rows ? r : n_rows - side;
    const char* from = in + row * in_pitch;
    char* to = out + row * Bytes;
    for (std::int64_t i = r; next != nullptr && i < r + side; ++i)
      prefetch(next + i * in_pitch + first * Bytes, (last - first) * Bytes);
    std::int64_t col = first;
    for (; col + side <= last; col += side)
      square<Bytes, Width, Stores>(from + col * Bytes, in_pitch, to + col * out_pitch, out_pitch);
    if (col < last) {
      col = last - side;
      square<Bytes, Width, Stores>(from + col * Bytes, in_pitch, to + col * out_pitch, out_pitch);
    }
  }
}

/// Transposes a tile in squares; in smaller squares or single elements if a side is shorter than a square.
template <int Bytes, int Width, core::Stores Stores>
void in_squares(const TileArgs& args, char* out, std::int64_t out_pitch) {
  constexpr std::int64_t side = Width / Bytes;
  constexpr std::int64_t strip = strip_bytes / Bytes;
  if (args.n_rows >= side && args.n_cols >= side) {
    for (std::int64_t first = 0; first < args.n_cols; first += strip) {
      const std::int64_t last = first + strip < args.n_cols ? first + strip : args.n_cols;
      strip_in_squares<Bytes, Width, Stores>(args, first, last, out, out_pitch);
    }
  } else if constexpr (Width > 16 && side > 1) {
    in_squares<Bytes, Width / 2, core::Stores::cached>(args, out, out_pitch);
  } else {
    single_elements<Bytes>(args, out, out_pitch);
  }
}

/// Writes one run of the output. A line is written by streaming or by ordinary stores, never by both: the second would
/// have to wait for the line.
void write_run(const char* from, std::int64_t bytes, char* to, core::Stores stores) {
  std::int64_t i = 0;
#if defined(__x86_64__)  // elsewhere both are the same instruction
  if (stores == core::Stores::streamed && bytes >= 2 * line_bytes) {
    i = static_cast<std::int64_t>(-reinterpret_cast<std::uintptr_t>(to) % line_bytes);
    __builtin_memcpy(to, from, static_cast<std::size_t>(i));
    for (; i + line_bytes <= bytes; i += line_bytes) core::streaming_copy_line(to + i, from + i);
  }
#endif
  static_cast<void>(stores);
  __builtin_memcpy(to + i, from + i, static_cast<std::size_t>(bytes - i));
}

/// Whether squares of a line's width are whole lines of the output.
template <int Bytes>
bool makes_lines(const TileArgs& args) {
  constexpr std::int64_t side = line_bytes / Bytes;
  const std::uintptr_t places =
      reinterpret_cast<std::uintptr_t>(args.out) | static_cast<std::uintptr_t>(args.out_pitch);
  return places % line_bytes == 0 && args.n_rows % side == 0 && args.n_cols >= side;
}

template <int Bytes>
void tile(const TileArgs& args) {
  constexpr int width = square_bytes(Bytes);
  auto* out = static_cast<char*>(args.out);
  if constexpr (width == line_bytes) {
    if (args.stores == core::Stores::streamed && makes_lines<Bytes>(args))
      return in_squares<Bytes, width, core::Stores::streamed>(args, out, args.out_pitch);
  }
  alignas(line_bytes) char buffer[tile_bytes];
  const std::int64_t run_bytes = args.n_rows * Bytes;
  in_squares<Bytes, width, core::Stores::cached>(args, buffer, run_bytes);
  if (run_bytes == args.out_pitch) return write_run(buffer, args.n_cols * run_bytes, out, args.stores);
  for (std::int64_t col = 0; col < args.n_cols; ++col)
    write_run(buffer + col * run_bytes, run_bytes, out + col * args.out_pitch, args.stores);
}

}  // namespace

RAFTER_ISA_TABLE(TransposeLoops, transpose_loops) = {tile<1>, tile<2>, tile<4>, tile<8>, tile<16>};

}  // namespace rafter::transpose_ladder::cpu
