#include "library/core/cuda/launch.cuh"
#include "library/ptx/fragment.cuh"
#include "library/ptx/matrix.cuh"
#include "wrappers.hpp"

namespace rafter::test::RAFTER_BACKEND {
namespace {

// The index of element i of a lane in a 16 x 8 matrix.
__device__ int place(int lane, int i) {
  using Sum = ptx::Accumulator16x8;
  return Sum::row(lane, i) * Sum::columns + Sum::column(lane, i);
}

template <class T>
__global__ void multiply(const std::uint16_t* a, const std::uint16_t* b, const float* c, float* d) {
  __shared__ __align__(16) std::uint16_t rows_a[16][16];
  __shared__ __align__(16) std::uint16_t columns_b[8][16];
  const int lane = static_cast<int>(threadIdx.x);
  for (int i = lane; i < 256; i += 32) rows_a[i / 16][i % 16] = a[i];
  for (int i = lane; i < 128; i += 32) columns_b[i / 16][i % 16] = b[i];
  __syncwarp();
  unsigned fragment_a[4], fragment_b[2];
  ptx::ldmatrix<4>(fragment_a, &rows_a[lane % 16][lane / 16 * 8]);
  ptx::ldmatrix<2>(fragment_b, &columns_b[lane % 8][lane / 8 % 2 * 8]);
  if constexpr (std::is_same_v<T, float>) {  // accumulates in half
    unsigned sums[2];
    for (int i = 0; i < 2; ++i) {
      const __half2 pair = __floats2half2_rn(c[place(lane, 2 * i)], c[place(lane, 2 * i + 1)]);
      memcpy(&sums[i], &pair, 4);
    }
    ptx::mma_m16n8k16_half(sums, fragment_a, fragment_b);
    for (int i = 0; i < 2; ++i) {
      __half2 pair;
      memcpy(&pair, &sums[i], 4);
      d[place(lane, 2 * i)] = __low2float(pair);
      d[place(lane, 2 * i + 1)] = __high2float(pair);
    }
  } else {
    float sums[4];
    for (int i = 0; i < 4; ++i) sums[i] = c[place(lane, i)];
    ptx::mma_m16n8k16<T>(sums, fragment_a, fragment_b);
    for (int i = 0; i < 4; ++i) d[place(lane, i)] = sums[i];
  }
}

__global__ void multiply_tf32(const float* a, const float* b, const float* c, float* d) {
  using A = ptx::OperandA16x8;
  using B = ptx::OperandB8x8;
  const int lane = static_cast<int>(threadIdx.x);
  unsigned fragment_a[4], fragment_b[2];
  for (int i = 0; i < 4; ++i) fragment_a[i] = ptx::to_tf32(a[A::row(lane, i) * A::depth + A::k(lane, i)]);
  for (int i = 0; i < 2; ++i) fragment_b[i] = ptx::to_tf32(b[B::column(lane) * B::depth + B::k(lane, i)]);
  float sums[4];
  for (int i = 0; i < 4; ++i) sums[i] = c[place(lane, i)];
  ptx::mma_m16n8k8_tf32(sums, fragment_a, fragment_b);
  for (int i = 0; i < 4; ++i) d[place(lane, i)] = sums[i];
}

void mma(const Stream& stream, Product product, const void* a, const void* b, const float* c, float* d) {
  if (product == Product::tf32)
    return core::launch(multiply_tf32, 1, 32, 0, stream, static_cast<const float*>(a), static_cast<const float*>(b), c,
                        d);
  const auto kernel = product == Product::half       ? multiply<__half>
                      : product == Product::bfloat16 ? multiply<__nv_bfloat16>
                                                     : multiply<float>;
  core::launch(kernel, 1, 32, 0, stream, static_cast<const std::uint16_t*>(a), static_cast<const std::uint16_t*>(b), c,
               d);
}

template <int N, ptx::Transposed Way>
__global__ void move(const std::uint16_t* in, std::uint16_t* out) {
  __shared__ __align__(16) std::uint16_t from[8 * N][8];
  __shared__ __align__(16) std::uint16_t to[8 * N][8];
  const int lane = static_cast<int>(threadIdx.x);
  for (int i = lane; i < 64 * N; i += 32) from[i / 8][i % 8] = in[i];
  __syncwarp();
  unsigned fragment[N];
  ptx::ldmatrix<N, Way>(fragment, from[lane % (8 * N)]);
  ptx::stmatrix<N>(to[lane % (8 * N)], fragment);
  __syncwarp();
  for (int i = lane; i < 64 * N; i += 32) out[i] = to[i / 8][i % 8];
}

void move_matrices(const Stream& stream, int n, bool transposed, const std::uint16_t* in, std::uint16_t* out) {
  using ptx::Transposed;
  const auto kernel = n == 1       ? transposed ? move<1, Transposed::yes> : move<1, Transposed::no>
                            : n == 2 ? transposed ? move<2, Transposed::yes> : move<2, Transposed::no>
                            : transposed ? move<4, Transposed::yes>
                                   : move<4, Transposed::no>;
  core::launch(kernel, 1, 32, 0, stream, in, out);
}

}  // namespace

MatrixWrappers matrix_wrappers() { return {mma, move_matrices}; }

}  // namespace rafter::test::RAFTER_BACKEND
