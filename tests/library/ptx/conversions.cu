#include "library/core/cuda/launch.cuh"
#include "library/ptx/convert.cuh"
#include "wrappers.hpp"

namespace rafter::test::RAFTER_BACKEND {
namespace {

template <class T>
__global__ void widen_all(const T* in, int n, float* out) {
  const int i = static_cast<int>(blockIdx.x * blockDim.x + threadIdx.x);
  if (i < n) out[i] = ptx::to_float(in[i]);
}

template <class T>
__global__ void round_all(const float* in, int n, T* singles, unsigned* pairs) {
  const int i = static_cast<int>(blockIdx.x * blockDim.x + threadIdx.x);
  if (i < n) singles[i] = ptx::from_float<T>(in[i]);
  if (2 * i + 1 < n) pairs[i] = ptx::pair_from_floats<T>(in[2 * i], in[2 * i + 1]);
}

template <class T>
void widen(const Stream& stream, const T* in, int n, float* out) {
  core::launch(widen_all<T>, (n + 255) / 256, 256, 0, stream, in, n, out);
}
template <class T>
void round(const Stream& stream, const float* in, int n, T* singles, unsigned* pairs) {
  core::launch(round_all<T>, (n + 255) / 256, 256, 0, stream, in, n, singles, pairs);
}

}  // namespace

ConvertWrappers<Half> half_wrappers() { return {widen<Half>, round<Half>}; }
ConvertWrappers<Bfloat16> bfloat16_wrappers() { return {widen<Bfloat16>, round<Bfloat16>}; }

}  // namespace rafter::test::RAFTER_BACKEND
