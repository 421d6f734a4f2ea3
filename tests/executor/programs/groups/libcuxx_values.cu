// nvcc: --extended-lambda
// libcu++ without synchronisation: cuda::std's types and functions in kernels and on the host, and the operators of
// <cuda/functional>.
#include <cuda/cmath>
#include <cuda/functional>
#include <cuda/std/array>
#include <cuda/std/bit>
#include <cuda/std/cassert>
#include <cuda/std/chrono>
#include <cuda/std/cmath>
#include <cuda/std/complex>
#include <cuda/std/cstddef>
#include <cuda/std/cstdint>
#include <cuda/std/functional>
#include <cuda/std/initializer_list>
#include <cuda/std/iterator>
#include <cuda/std/limits>
#include <cuda/std/numeric>
#include <cuda/std/optional>
#include <cuda/std/ratio>
#include <cuda/std/span>
#include <cuda/std/tuple>
#include <cuda/std/type_traits>
#include <cuda/std/utility>
#include <cuda/std/variant>

#include "expect.hpp"

using Complex = cuda::std::complex<float>;

/// Iterates z -> z * z + c `n` times and returns the distance from the origin.
__global__ void iterate(const Complex* in, float* out, int n) {
  const Complex c = in[threadIdx.x];
  Complex z(0.0f, 0.0f);
  for (int i = 0; i < n; ++i) z = z * z + c;
  out[threadIdx.x] = cuda::std::abs(z);
}

struct Extremes {
  int least, greatest;
};

__device__ cuda::std::tuple<int, int> ordered(int a, int b) {
  if (b < a) cuda::std::swap(a, b);
  return cuda::std::make_tuple(a, b);
}

__device__ cuda::std::optional<int> index_of(cuda::std::span<const int> values, int wanted) {
  for (cuda::std::size_t i = 0; i < values.size(); ++i) {
    if (values[i] == wanted) return static_cast<int>(i);
  }
  return cuda::std::nullopt;
}

__global__ void search(const int* values, int n, int* out) {
  __shared__ cuda::std::array<int, 64> found;
  const int t = static_cast<int>(threadIdx.x);
  const auto at = index_of(cuda::std::span<const int>(values, static_cast<cuda::std::size_t>(n)), t);
  found[t] = at.value_or(-1);
  __syncthreads();
  const auto [low, high] = ordered(found[t], found[(t + 1) % 64]);
  out[t] = low + high;
}

template <class Op>
__global__ void combine(const int* values, int n, int first, Op op, int* out) {
  int all = first;
  for (int i = 0; i < n; ++i) all = op(all, values[i]);
  *out = all;
}

__global__ void bits(const unsigned* in, int* out) {
  const unsigned x = in[threadIdx.x];
  int* mine = out + threadIdx.x * 8;
  mine[0] = cuda::std::popcount(x);
  mine[1] = cuda::std::countl_zero(x);
  mine[2] = cuda::std::countr_zero(x);
  mine[3] = cuda::std::bit_width(x);
  mine[4] = static_cast<int>(cuda::std::rotl(x, 5) ^ cuda::std::rotr(x, 27));
  mine[5] = cuda::std::has_single_bit(x);
  mine[6] = cuda::std::bit_cast<int>(x) == static_cast<int>(x);
  mine[7] = static_cast<int>(cuda::std::min(x, 7u) + cuda::std::max(x, 3u) - cuda::std::max(x, 3u));
}

__global__ void choose(int* out) {
  cuda::std::variant<int, float> value = 2.5f;
  if (threadIdx.x % 2 == 0) value = 7;
  out[threadIdx.x] = cuda::std::holds_alternative<int>(value) ? cuda::std::get<int>(value) : -1;
  static_assert(cuda::std::is_same_v<cuda::std::remove_cvref_t<const int&>, int>, "type traits");
  static_assert(cuda::std::numeric_limits<cuda::std::int16_t>::max() == 32767, "limits");
  static_assert(cuda::ceil_div(10, 4) == 3 && cuda::round_up(10, 4) == 12 && cuda::round_down(10, 4) == 8, "cuda/cmath");
}

int main() {
  const DeviceArray<Complex> points(std::vector<Complex>{{0.0f, 0.0f}, {-1.0f, 0.0f}, {0.0f, 1.0f}, {1.0f, 0.0f}});
  const DeviceArray<float> far(4);
  iterate<<<1, 4>>>(points.get(), far.get(), 4);
  expect_equal(far.values(), std::vector<float>{0.0f, 0.0f, std::sqrt(2.0f), 26.0f}, "complex numbers");

  std::vector<int> numbers(50);
  for (int i = 0; i < 50; ++i) numbers[i] = 49 - i;
  const DeviceArray<int> values(numbers), out(64), one(1);
  search<<<1, 64>>>(values.get(), 50, out.get());
  std::vector<int> sums(64);
  const auto place = [](int t) { return t % 64 < 50 ? 49 - t % 64 : -1; };
  for (int t = 0; t < 64; ++t) sums[t] = place(t) + place(t + 1);
  expect_equal(out.values(), sums, "arrays, spans, optionals, tuples");

  combine<<<1, 1>>>(values.get(), 50, -1, cuda::maximum<int>(), one.get());
  expect_equal(one.values(), std::vector<int>{49}, "maximum");
  combine<<<1, 1>>>(values.get(), 50, 99, cuda::minimum<>(), one.get());
  expect_equal(one.values(), std::vector<int>{0}, "minimum");
  combine<<<1, 1>>>(values.get(), 50, 0, cuda::std::plus<int>(), one.get());
  expect_equal(one.values(), std::vector<int>{49 * 25}, "plus");
  const auto squares = cuda::proclaim_return_type<int>([] __device__(int a, int b) { return a + b * b; });
  combine<<<1, 1>>>(values.get(), 4, 0, squares, one.get());
  expect_equal(one.values(), std::vector<int>{49 * 49 + 48 * 48 + 47 * 47 + 46 * 46}, "a lambda that says its result");

  const DeviceArray<unsigned> words(std::vector<unsigned>{0, 1, 0x80000000u, 0xf0f0u});
  const DeviceArray<int> facts(32);
  bits<<<1, 4>>>(words.get(), facts.get());
  expect_equal(facts.values(),
               std::vector<int>{0,  32, 32, 0,  0, 0, 1, 0, 1,  31, 0, 1,  0, 1, 1, 1,
                                1,  0,  31, 32, 0, 1, 1, 7, 8,  16, 4, 16, 0, 0, 1, 7},
               "bits");
  const DeviceArray<int> chosen(4);
  choose<<<1, 4>>>(chosen.get());
  expect_equal(chosen.values(), std::vector<int>{7, -1, 7, -1}, "variants");

  const cuda::std::chrono::milliseconds half(500);
  expect(half < cuda::std::chrono::seconds(1), "durations");
  const Extremes both{cuda::std::numeric_limits<int>::min(), cuda::std::numeric_limits<int>::max()};
  expect(both.least < both.greatest, "limits on the host");
  return report();
}
