#include "library/core/cuda/launch.cuh"
#include "library/ptx/fragment.cuh"
#include "library/ptx/memory_order.cuh"
#include "library/ptx/wgmma.cuh"
#include "wrappers.hpp"

namespace rafter::test::RAFTER_BACKEND {
namespace {

using ptx::Major;
using ptx::Swizzle;

/// The layout of a matrix in shared memory: consecutive pieces of 8 rows, as wide as the swizzle.
struct Layout {
  Swizzle swizzle;
  Major major;
  int element_bytes;
  int n_k;

  __device__ int width() const { return swizzle == Swizzle::none ? 16 : static_cast<int>(swizzle); }
  __device__ int piece() const { return 8 * width(); }
  __device__ int n_pieces_k() const { return major == Major::k ? n_k * element_bytes / width() : n_k / 8; }
  // Offsets between pieces: first along k, then along m or n.
  __device__ int along_k() const { return piece(); }
  __device__ int along_mn() const { return piece() * n_pieces_k(); }

  __device__ int offset(int mn, int k) const {
    const int row = major == Major::k ? mn : k, column = (major == Major::k ? k : mn) * element_bytes;
    const int along_rows = major == Major::k ? along_mn() : along_k();
    const int along_columns = major == Major::k ? along_k() : along_mn();
    const int at = row / 8 * along_rows + column / width() * along_columns + row % 8 * width() + column % width();
    return ptx::swizzled(swizzle, at);
  }
  __device__ ptx::MatrixDescriptor describe(const unsigned char* shared) const {
    const bool is_plain = swizzle == Swizzle::none;
    // The leading offset is along k without a swizzle and along m or n with one; the stride is the other. For k major
    // with a swizzle only the stride, from 8 rows to the next, is used.
    if (major == Major::k) return ptx::matrix_descriptor(shared, swizzle, is_plain ? along_k() : 0, along_mn());
    return ptx::matrix_descriptor(shared, swizzle, is_plain ? along_k() : along_mn(),
                                  is_plain ? along_mn() : along_k());
  }
};

template <class T>
__device__ void put(unsigned char* at, unsigned bits) {
  if constexpr (std::is_same_v<T, ptx::tf32>) {
    *reinterpret_cast<unsigned*>(at) = bits;
  } else if constexpr (sizeof(T) == 1) {
    *at = static_cast<unsigned char>(bits);
  } else {
    *reinterpret_cast<unsigned short*>(at) = static_cast<unsigned short>(bits);
  }
}

template <int Columns, class T, Major MajorA, Major MajorB, bool InRegisters>
__global__ void multiply(Swizzle swizzle, int n_k, const unsigned* a, const unsigned* b, const float* c, float* d) {
  __shared__ __align__(1024) unsigned char shared_a[64 * 128];
  __shared__ __align__(1024) unsigned char shared_b[Columns * 128];
  constexpr int element_bytes = std::is_same_v<T, ptx::tf32> ? 4 : static_cast<int>(sizeof(T));
  constexpr int step = 32 / element_bytes;
  const int t = static_cast<int>(threadIdx.x);
  const Layout layout_a{swizzle, MajorA, element_bytes, n_k}, layout_b{swizzle, MajorB, element_bytes, n_k};
  for (int i = t; i < 64 * n_k; i += 128) put<T>(shared_a + layout_a.offset(i / n_k, i % n_k), a[i]);
  for (int i = t; i < Columns * n_k; i += 128) put<T>(shared_b + layout_b.offset(i / n_k, i % n_k), b[i]);
  ptx::fence_proxy_async_shared();
  __syncthreads();  // both matrices are written

  const auto place = [&](int i) {
    return ptx::WgmmaAccumulator::row(t, i) * Columns + ptx::WgmmaAccumulator::column(t, i);
  };
  float sums[Columns / 2];
#pragma unroll
  for (int i = 0; i < Columns / 2; ++i) sums[i] = c[place(i)];
  ptx::wgmma_fence(sums);
  for (int k = 0; k < n_k; k += step) {
    // Advances by k: within the swizzle's width, or by pieces.
    const auto at = [&](const Layout& layout, const unsigned char* shared) {
      const int bytes = layout.major == Major::mn         ? k / 8 * layout.along_k()
                        : layout.swizzle == Swizzle::none ? k * element_bytes / 16 * layout.along_k()
                                                          : k * element_bytes;
      return ptx::advanced(layout.describe(shared), bytes);
    };
    if constexpr (InRegisters) {
      unsigned fragment[4];
      for (int i = 0; i < 4; ++i) {
        const int of_row = ptx::WgmmaAccumulator::row(t, 0) + i % 2 * 8;
        constexpr int per_word = 4 / element_bytes;
        const int first = of_row * n_k + k + (t % 4 + i / 2 * 4) * per_word;
        fragment[i] = 0;
        for (int e = 0; e < per_word; ++e) fragment[i] |= a[first + e] << 8 * element_bytes * e;
      }
      ptx::wgmma_fence(sums);
      ptx::wgmma<Columns, T>(sums, fragment, at(layout_b, shared_b), ptx::Accumulate::yes);
      ptx::wgmma_commit();
      ptx::wgmma_wait<0>(sums);
    } else {
      ptx::wgmma<Columns, T, MajorA, MajorB>(sums, at(layout_a, shared_a), at(layout_b, shared_b),
                                             ptx::Accumulate::yes);
    }
  }
  ptx::wgmma_commit();
  ptx::wgmma_wait<0>(sums);
#pragma unroll
  for (int i = 0; i < Columns / 2; ++i) d[place(i)] = sums[i];
}

void wgmma(const Stream& stream, const WgmmaCase& which, const unsigned* a, const unsigned* b, const float* c,
           float* d) {
  using ptx::tf32;
  const auto run = [&](auto kernel) {
    core::launch(kernel, 1, 128, 0, stream, static_cast<Swizzle>(which.swizzle), which.n_k, a, b, c, d);
  };
  switch (which.shape) {
    case WgmmaShape::half_8: return run(multiply<8, __half, Major::k, Major::k, false>);
    case WgmmaShape::half_64: return run(multiply<64, __half, Major::k, Major::k, false>);
    case WgmmaShape::half_128_mn: return run(multiply<128, __half, Major::mn, Major::mn, false>);
    case WgmmaShape::bfloat16_64_mn: return run(multiply<64, __nv_bfloat16, Major::mn, Major::k, false>);
    case WgmmaShape::bfloat16_256: return run(multiply<256, __nv_bfloat16, Major::k, Major::k, false>);
    case WgmmaShape::tf32_40: return run(multiply<40, tf32, Major::k, Major::k, false>);
    case WgmmaShape::half_64_registers: return run(multiply<64, __half, Major::k, Major::k, true>);
    case WgmmaShape::e4m3_64: return run(multiply<64, __nv_fp8_e4m3, Major::k, Major::k, false>);
    case WgmmaShape::e5m2_128: return run(multiply<128, __nv_fp8_e5m2, Major::k, Major::k, false>);
    case WgmmaShape::e4m3_16_registers: return run(multiply<16, __nv_fp8_e4m3, Major::k, Major::k, true>);
    case WgmmaShape::tf32_32_registers: return run(multiply<32, tf32, Major::k, Major::k, true>);
  }
}

}  // namespace

WgmmaWrappers wgmma_wrappers() { return {wgmma}; }

}  // namespace rafter::test::RAFTER_BACKEND
