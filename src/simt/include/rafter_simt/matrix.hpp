// The seam for matrices that a warp holds in registers: ldmatrix, stmatrix, mma.sync.
#pragma once

#include "rafter_simt/abi.hpp"

namespace rafter_simt {
enum class MmaType : int { half, bfloat16, tf32 };
}

extern "C" {
void rafter_simt_ldmatrix(unsigned* to, int n, const void* row, int transposed);
void rafter_simt_stmatrix(void* row, const unsigned* from, int n);
/// d[4] += a[4] b[2], in float; fragments as PTX has them.
void rafter_simt_mma(rafter_simt::MmaType type, float* d, const unsigned* a, const unsigned* b);
/// The same with d[2] of two halves each.
void rafter_simt_mma_half(unsigned* d, const unsigned* a, const unsigned* b);
unsigned rafter_simt_to_tf32(float value);
}
