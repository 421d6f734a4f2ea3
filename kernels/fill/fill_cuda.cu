// vectorised: out[i] = value for n elements of 2, 4 or 8 bytes. A block of 256 threads writes a tile of 16 KiB by
// 16-byte stores, four per thread; elements before the first and after the last 16-byte boundary are stored one by one.
// Bound by DRAM write bandwidth: every byte is written once, in whole sectors.
#include "fill/fill_rung.hpp"
#include "library/core/cuda/launch.cuh"
#include "library/core/cuda/vector.cuh"

namespace rafter::fill_ladder::RAFTER_BACKEND {

// H200, 2^28 floats (NOTES.md, "block shape"): 232 us; 256 x 1, 512 x 4 and 1024 x 1 stores per thread take 231 to 233.
struct FillPolicy {
  static constexpr int threads = 256;
  static constexpr int vectors = 4;  // 16-byte stores per thread
  static constexpr bool valid() { return threads % 32 == 0 && threads <= 1024 && vectors > 0; }
};
static_assert(FillPolicy::valid());

template <class T, class Policy>
__global__ void __launch_bounds__(Policy::threads) fill_vectors(T* out, std::int64_t n, T value) {
  const int t = static_cast<int>(threadIdx.x);
  const core::VectorSplit split = core::split_in_vectors(out, n);
  auto* body = reinterpret_cast<core::Vector<T>*>(out + split.head);
  core::Vector<T> v;
#pragma unroll
  for (T& lane : v.lane) lane = value;

  const std::int64_t first = blockIdx.x * std::int64_t{Policy::threads * Policy::vectors} + t;
#pragma unroll
  for (int k = 0; k < Policy::vectors; ++k) {
    if (first + k * Policy::threads < split.body) body[first + k * Policy::threads] = v;
  }
  if (blockIdx.x == 0) {
    if (t < split.head) out[t] = value;
    if (t < split.tail) out[n - 1 - t] = value;
  }
}

extern const FillRung vectorised{[]<class T>(const Stream& stream, FillArgs<T> args) {
  using Policy = FillPolicy;
  constexpr std::int64_t tile = std::int64_t{Policy::threads} * Policy::vectors * core::Vector<T>::size;
  const std::int64_t n = std::ssize(args.out);
  core::launch(fill_vectors<T, Policy>, ceil_div(n, tile), Policy::threads, 0, stream, args.out.data(), n, args.value);
}};

}  // namespace rafter::fill_ladder::RAFTER_BACKEND
