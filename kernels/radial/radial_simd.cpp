// Rows of radial functions on one thread, with centres in the lanes of vectors. Rows are computed in a block that stays
// in the L1, so the last vector of a row may reach into the next row. Limited by the multiply-adds of the exponential.
#include "radial/radial_simd.hpp"

#include "library/core/cpu/float_vector.hpp"

namespace rafter::radial_ladder::cpu {

namespace {

constexpr int block_values = 1024;
constexpr float log2_e = 1.44269504F;

using core::fma, core::in_all_lanes, core::load, core::n_lanes, core::store, core::Vector;
typedef std::uint32_t Bits __attribute__((vector_size(core::vector_bytes)));  // NOLINT: an alias cannot have it

/// Evaluates the polynomial with these coefficients, the constant first.
template <int N>
inline Vector polynomial(const float (&coefficients)[N], Vector x) {
  Vector value = in_all_lanes(coefficients[N - 1]);
  RAFTER_UNROLL
  for (int i = N - 2; i >= 0; --i) value = fma(value, x, in_all_lanes(coefficients[i]));
  return value;
}

// Interpolation at Chebyshev nodes, with error bounds: 2^x for |x| <= 1/2 within 2e-9; for 0 <= s <= 1,
// cos(pi/2 sqrt s) within 2.3e-10 and sin(pi/2 sqrt s) / sqrt s within 7e-9.
constexpr float power_of_2[] = {
    1.F, 0.693147207F, 0.240226509F, 0.0555032723F, 0.00961805668F, 0.00134004282F, 0.000154614447F};
constexpr float half_cosine[] = {1.F, -1.23370053F, 0.253669322F, -0.0208626867F, 0.000917722924F, -2.38241526e-05F};
constexpr float half_sine[] = {1.57079632F, -0.64596376F, 0.0796899183F, -0.00467414384F, 0.000151671704F};

/// Computes 2^x for x <= 0, flushed to 0 below x = -100: products with smaller numbers could be denormal, which takes a
/// hundred times as long. Propagates NaN.
inline Vector exp2_of(Vector x) {
  const Vector shift = in_all_lanes(0x1.8p23F);  // adding it leaves the nearest integer in the lowest bits
  const auto is_small = x < in_all_lanes(-100);
  x = is_small ? in_all_lanes(-100) : x;
  const Vector shifted = x + shift;
  Bits bits;
  __builtin_memcpy(&bits, &shifted, sizeof bits);
  bits = (bits + 127U) << 23U;
  Vector scale;
  __builtin_memcpy(&scale, &bits, sizeof scale);
  return polynomial(power_of_2, x - (shifted - shift)) * (is_small ? Vector{} : scale);
}

/// A range of rows, and of columns if rows are too long: the values of one block.
struct Block {
  std::int64_t first_row, first_column;
  int n_rows, n_columns;

  int n() const { return n_rows * n_columns; }
  std::size_t bytes() const { return sizeof(float) * static_cast<std::size_t>(n()); }
};

/// Calls f(block, index of its first value) for blocks that cover all values.
template <class F>
inline void for_blocks(const RadialInput& in, const F& f) {
  if (in.n_centres == 0) return;
  const std::int64_t columns = in.n_centres < block_values ? in.n_centres : block_values;
  const std::int64_t rows = block_values / columns;
  for (std::int64_t column = 0; column < in.n_centres; column += columns) {
    const std::int64_t n_columns = in.n_centres - column < columns ? in.n_centres - column : columns;
    for (std::int64_t row = 0; row < in.n_edges; row += rows) {
      const std::int64_t n_rows = in.n_edges - row < rows ? in.n_edges - row : rows;
      f(Block{row, column, static_cast<int>(n_rows), static_cast<int>(n_columns)}, row * in.n_centres + column);
    }
  }
}

/// The values that depend on a block's row or column alone. Elements past the last row or column are unspecified.
struct Factors {
  static constexpr int capacity = block_values + n_lanes;
  alignas(64) float distance[capacity], envelope[capacity], slope[capacity];  // of rows
  alignas(64) float centre[capacity];                                         // of columns
  std::int64_t first_column = -1;

  void fill(const RadialInput& in, const Block& block) {
    __builtin_memcpy(distance, in.distances + block.first_row, sizeof(float) * static_cast<std::size_t>(block.n_rows));
    const Vector limit = in_all_lanes(in.cutoff);
    for (int r = 0; r < block.n_rows; r += n_lanes) {
      const Vector d = load(distance + r), share = d / limit, squared = share * share;
      const Vector cosine = polynomial(half_cosine, squared), sine = share * polynomial(half_sine, squared);
      store(envelope + r, d >= limit ? Vector{} : cosine * cosine);
      store(slope + r, d >= limit ? Vector{} : in_all_lanes(-3.14159265F / in.cutoff) * sine * cosine);
    }
    if (first_column == block.first_column) return;
    first_column = block.first_column;
    __builtin_memcpy(centre, in.centres + first_column, sizeof(float) * static_cast<std::size_t>(block.n_columns));
  }
};

/// Copies n values with streaming stores of whole cache lines, for an output that exceeds the caches.
inline void write_streamed(const float* from, int n, float* to) {
  constexpr int line = 16;
  int i = 0;
  for (; i < n && reinterpret_cast<std::uintptr_t>(to + i) % 64 != 0; ++i) to[i] = from[i];
  for (; i + line <= n; i += line) core::streaming_copy_line(to + i, from + i);
  for (; i < n; ++i) to[i] = from[i];
}

void forward(const RadialInput& in, float* out, core::Stores stores) {
  Factors factors{};
  alignas(64) float values[Factors::capacity];
  const Vector scale = in_all_lanes(-in.gamma * log2_e);
  for_blocks(in, [&](const Block& block, std::int64_t offset) {
    factors.fill(in, block);
    for (int r = 0; r < block.n_rows; ++r) {
      const Vector d = in_all_lanes(factors.distance[r]), envelope = in_all_lanes(factors.envelope[r]);
      for (int k = 0; k < block.n_columns; k += n_lanes) {
        const Vector t = d - load(factors.centre + k);
        store(values + r * block.n_columns + k, exp2_of(scale * t * t) * envelope);
      }
    }
    if (stores == core::Stores::streamed) return write_streamed(values, block.n(), out + offset);
    __builtin_memcpy(out + offset, values, block.bytes());
  });
  core::streaming_fence();
}

/// Returns v with all lanes but the first `n` set to 0.
inline Vector first_lanes(Vector v, int n) {
  constexpr int numbers[16] = {0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15};
  typedef int Lanes __attribute__((vector_size(core::vector_bytes)));  // NOLINT: an alias cannot have it
  Lanes lanes;
  __builtin_memcpy(&lanes, numbers, sizeof lanes);
  return lanes < n ? v : Vector{};
}

inline float sum_of_lanes(Vector v) {
  typedef float Quad __attribute__((vector_size(16)));  // NOLINT: an alias cannot have it
  Quad quads[n_lanes / 4];
  __builtin_memcpy(quads, &v, sizeof v);
  Quad sum = quads[0];
  RAFTER_UNROLL
  for (int i = 1; i < n_lanes / 4; ++i) sum += quads[i];
  return (sum[0] + sum[1]) + (sum[2] + sum[3]);
}

void backward(const RadialInput& in, const float* out_gradient, float* gradient) {
  Factors factors{};
  alignas(64) float values[Factors::capacity];
  const Vector scale = in_all_lanes(-in.gamma * log2_e), steepness = in_all_lanes(-2 * in.gamma);
  for (std::int64_t e = 0; e < in.n_edges; ++e) gradient[e] = 0;
  for_blocks(in, [&](const Block& block, std::int64_t offset) {
    factors.fill(in, block);
    __builtin_memcpy(values, out_gradient + offset, block.bytes());
    for (int r = 0; r < block.n_rows; ++r) {
      const Vector d = in_all_lanes(factors.distance[r]);
      const Vector envelope = in_all_lanes(factors.envelope[r]), slope = in_all_lanes(factors.slope[r]);
      Vector sum{};
      for (int k = 0; k < block.n_columns; k += n_lanes) {
        const Vector t = d - load(factors.centre + k);
        const Vector derivative = exp2_of(scale * t * t) * fma(steepness * t, envelope, slope);
        sum += first_lanes(load(values + r * block.n_columns + k) * derivative, block.n_columns - k);
      }
      if (!(factors.distance[r] >= in.cutoff)) gradient[block.first_row + r] += sum_of_lanes(sum);
    }
  });
}

}  // namespace

RAFTER_ISA_TABLE(RadialLoops, radial_loops) = {forward, backward};

}  // namespace rafter::radial_ladder::cpu
