// vectorised: out[i] = a[i] * b[i] + c[i], n elements, with several 16-byte loads and stores per thread.
// Bound by DRAM: three arrays are read and one is written, each byte once. Arrays with different offsets from a 16-byte
// boundary are accessed element by element, with as many accesses per thread.
#include "library/core/cuda/launch.cuh"
#include "mul_add/cuda/mul_add_element.cuh"
#include "mul_add/mul_add_rung.hpp"

namespace rafter::mul_add_ladder::RAFTER_BACKEND {

struct MulAddPolicy {
  static constexpr int threads = 256;
  static constexpr int pieces =
      2;  // 16-byte pieces per array and thread: 96 bytes in flight. H200: all shapes tie (NOTES.md)
  static constexpr bool valid() { return threads % 32 == 0 && threads <= 1024 && pieces > 0; }
};
static_assert(MulAddPolicy::valid());

/// The elements moved by one access.
template <class T, int Width>
struct alignas(Width * sizeof(T)) Piece {
  T lane[Width];
};

template <class T>
__device__ void mul_add_one(const Factors<T>& in, std::int64_t i, T* out) {
  out[i] = multiply_add_elements(in.a[i], in.b[i], in.c[i]);
}

/// Computes `pieces` pieces per thread; the first block also computes the `head` elements before the first aligned
/// piece and the tail after the last. Every thread reads and writes its own elements only, so `out` may be one of the
/// inputs.
template <class T, int Width, class Policy>
__global__ void __launch_bounds__(Policy::threads) mul_add_pieces(Factors<T> in, std::int64_t n, int head, T* out) {
  using P = Piece<T, Width>;
  constexpr int threads = Policy::threads;
  constexpr int pieces = Policy::pieces;
  const int t = static_cast<int>(threadIdx.x);
  const std::int64_t n_pieces = (n - head) / Width;
  const std::int64_t first = blockIdx.x * std::int64_t{threads * pieces} + t;
  const auto* a = reinterpret_cast<const P*>(in.a + head) + first;
  const auto* b = reinterpret_cast<const P*>(in.b + head) + first;
  const auto* c = reinterpret_cast<const P*>(in.c + head) + first;
  auto* to = reinterpret_cast<P*>(out + head) + first;

  P x[pieces];
  P y[pieces];
  P z[pieces];
#pragma unroll
  for (int k = 0; k < pieces; ++k) {
    if (first + k * threads >= n_pieces) break;
    x[k] = a[k * threads];
    y[k] = b[k * threads];
    z[k] = c[k * threads];
  }
#pragma unroll
  for (int k = 0; k < pieces; ++k) {
    if (first + k * threads >= n_pieces) break;
    core::Accumulator<T> result[Width];
#pragma unroll
    for (int i = 0; i < Width; ++i)
      result[i] = multiply_add(core::widen(x[k].lane[i]), core::widen(y[k].lane[i]), core::widen(z[k].lane[i]));
    core::round_lanes(result, x[k].lane);
    to[k * threads] = x[k];
  }
  if (blockIdx.x == 0) {
    const auto tail = static_cast<int>((n - head) % Width);
    if (t < head) mul_add_one(in, t, out);
    if (t < tail) mul_add_one(in, n - 1 - t, out);
  }
}

template <class T, int Width, class Policy>
void launch_pieces(const Stream& stream, Factors<T> in, std::span<T> out, int head) {
  constexpr std::int64_t tile = std::int64_t{Policy::threads} * Policy::pieces * Width;
  const std::int64_t n = std::ssize(out);
  core::launch(mul_add_pieces<T, Width, Policy>, ceil_div(n, tile), Policy::threads, 0, stream, in, n, head,
               out.data());
}

/// Returns the number of elements from `at` to the next 16-byte boundary.
template <class T>
int elements_to_boundary(const T* at) {
  constexpr std::uintptr_t width = 16 / sizeof(T);
  return static_cast<int>((width - reinterpret_cast<std::uintptr_t>(at) / sizeof(T) % width) % width);
}

extern const MulAddRung vectorised{[]<class T>(const Stream& stream, MulAddArgs<T> args) {
  const auto [in, out] = args;
  const int head = elements_to_boundary<T>(out.data());
  const bool alike = elements_to_boundary(in.a) == head && elements_to_boundary(in.b) == head &&
                     elements_to_boundary(in.c) == head && head <= std::ssize(out);
  alike ? launch_pieces<T, 16 / sizeof(T), MulAddPolicy>(stream, in, out, head)
        : launch_pieces<T, 1, MulAddPolicy>(stream, in, out, 0);
}};

}  // namespace rafter::mul_add_ladder::RAFTER_BACKEND
