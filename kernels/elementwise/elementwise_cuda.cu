// vectorised: out[i] = f(i) for the maps of elementwise, n elements, with several accesses of up to 16 bytes in flight
// per thread. Bound by DRAM: every element is read and written once.
//
// A piece is as many elements as 16 bytes hold of the larger type, so that both sides of a conversion are contiguous
// across a warp. Arrays with different offsets from a piece's boundary are accessed element by element.
#include <algorithm>

#include "elementwise/cuda/elementwise_element.cuh"
#include "elementwise/elementwise_rung.hpp"
#include "library/core/cuda/launch.cuh"

namespace rafter::elementwise_ladder::RAFTER_BACKEND {

/// The shape of mul_add, whose accesses are the same. Not measured.
template <class Map>
struct ElementwisePolicy {
  static constexpr int threads = 256;
  static constexpr int pieces = 4;  // per array and thread
  static constexpr bool valid() { return threads % 32 == 0 && threads <= 1024 && pieces > 0; }
};
template <class T>
struct ElementwisePolicy<Multiplication<T>> : ElementwisePolicy<void> {
  static constexpr int pieces = 2;  // of two arrays
};
static_assert(ElementwisePolicy<void>::valid());

/// Computes `pieces` pieces per thread; the first block also computes the `head` elements before the first aligned
/// piece and the tail after the last. Every thread reads and writes its own elements only, so `out` may be an input.
template <class Map, int Width, class Policy>
__global__ void __launch_bounds__(Policy::threads)
    map_pieces(Map map, std::int64_t n, int head, typename Map::Out* out) {
  using Out = typename Map::Out;
  constexpr int pieces = Policy::pieces;
  constexpr std::int64_t stride = std::int64_t{Policy::threads} * Width;
  const int t = static_cast<int>(threadIdx.x);
  const std::int64_t first = head + blockIdx.x * stride * pieces + std::int64_t{t} * Width;

  Inputs<Map, Width> inputs[pieces];
#pragma unroll
  for (int k = 0; k < pieces; ++k) {
    if (first + k * stride + Width > n) break;
    inputs[k].load(map, first + k * stride);
  }
#pragma unroll
  for (int k = 0; k < pieces; ++k) {
    const std::int64_t i = first + k * stride;
    if (i + Width > n) break;
    *reinterpret_cast<Piece<Out, Width>*>(out + i) = inputs[k].out_of(map, i);
  }
  if (blockIdx.x == 0) {
    const auto tail = static_cast<int>((n - head) % Width);
    if (t < head) compute_one(map, t, out);
    if (t < tail) compute_one(map, n - 1 - t, out);
  }
}

template <class Map, int Width>
void launch_pieces(const Stream& stream, const Map& map, std::span<typename Map::Out> out, int head) {
  using Policy = ElementwisePolicy<Map>;
  const std::int64_t n = std::ssize(out);
  constexpr std::int64_t tile = std::int64_t{Policy::threads} * Policy::pieces * Width;
  core::launch(map_pieces<Map, Width, Policy>, ceil_div(n, tile), Policy::threads, 0, stream, map, n, head, out.data());
}

/// Returns the number of elements from `at` to the next boundary of `width` elements.
template <class T>
int elements_to_boundary(const T* at, std::uintptr_t width) {
  return static_cast<int>((width - reinterpret_cast<std::uintptr_t>(at) / sizeof(T) % width) % width);
}

/// Whether all inputs of a map have pieces from index `head` on.
template <class T>
bool has_pieces(const Multiplication<T>& map, int head, std::uintptr_t width) {
  return elements_to_boundary(map.a, width) == head && elements_to_boundary(map.b, width) == head;
}
template <class T>
bool has_pieces(const Scaling<T>& map, int head, std::uintptr_t width) {
  return elements_to_boundary(map.a, width) == head;
}
template <class From, class To>
bool has_pieces(const Conversion<From, To>& map, int head, std::uintptr_t width) {
  return elements_to_boundary(map.in, width) == head;
}
template <class T>
bool has_pieces(const Sequence<T>&, int, std::uintptr_t) {
  return true;
}

/// The elements of a piece.
template <class Map>
inline constexpr int piece_width = 16 / static_cast<int>(sizeof(typename Map::Out));
template <class From, class To>
inline constexpr int piece_width<Conversion<From, To>> = 16 / static_cast<int>(std::max(sizeof(From), sizeof(To)));

extern const ElementwiseRung vectorised{[]<class Map>(const Stream& stream, ElementwiseArgs<Map> args) {
  constexpr int width = piece_width<Map>;
  const int head = elements_to_boundary<typename Map::Out>(args.out.data(), width);
  head <= std::ssize(args.out) && has_pieces(args.map, head, width)
      ? launch_pieces<Map, width>(stream, args.map, args.out, head)
      : launch_pieces<Map, 1>(stream, args.map, args.out, 0);
}};

}  // namespace rafter::elementwise_ladder::RAFTER_BACKEND
