// The runtime interface for matrices that a warp keeps in registers (ldmatrix, stmatrix, mma.sync), and for the
// products of a warpgroup (wgmma).
#pragma once

#include "rafter_simt/abi.hpp"

namespace rafter_simt {
enum class MmaType : int { half, bfloat16, tf32, e4m3, e5m2 };  // the last two for wgmma only

/// A matrix in shared memory, as in wgmma's descriptors; offsets in bytes.
struct MatrixDescriptor {
  const void* at;
  int swizzle;  // 0, 32, 64 or 128
  int leading, stride;
};
}  // namespace rafter_simt

extern "C" {
void rafter_simt_ldmatrix(unsigned* to, int n, const void* row, int transposed);
void rafter_simt_stmatrix(void* row, const unsigned* from, int n);
/// Computes d[4] += a[4] b[2] in float; fragments as in PTX.
void rafter_simt_mma(rafter_simt::MmaType type, float* d, const unsigned* a, const unsigned* b);
/// Computes the product with d[2] of two halves each.
void rafter_simt_mma_half(unsigned* d, const unsigned* a, const unsigned* b);
unsigned rafter_simt_to_tf32(float value);

void rafter_simt_wgmma_fence();
void rafter_simt_wgmma_commit();
void rafter_simt_wgmma_wait(int later);
/// Computes d[columns / 2] = a b (+ d). a has 64 rows, in registers or described; `major` 0: k, 1: rows of a, columns
/// of b.
void rafter_simt_wgmma(rafter_simt::MmaType type, int columns, float* d, const unsigned* a_registers,
                       const rafter_simt::MatrixDescriptor* a, int major_a, const rafter_simt::MatrixDescriptor* b,
                       int major_b, int adds);
}
