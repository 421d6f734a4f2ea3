// Definitions shared by the PTX wrappers: target checks and shared-memory addresses.
//
// Every file has one subject: each wrapper contains the PTX for a GPU and its emulation by the executor, with the same
// ordering rules, visible to the checkers. The emulation calls the executor (rafter_simt/async/async.hpp) inline in the
// kernel, so that a finding names the kernel's line. An instruction that the GPU does not support traps; on the
// executor it is a finding.
#pragma once

#include "library/ptx/device_build.cuh"
#ifdef RAFTER_SIMT
#include "rafter_simt/async/async.hpp"
#include "rafter_simt/cluster.hpp"
#include "rafter_simt/matrix.hpp"
#endif

#ifndef RAFTER_SIMT
// Instructions of compute capability 9.0 and later.
#if !defined(__CUDA_ARCH__) || __CUDA_ARCH__ >= 900
#define RAFTER_PTX_90(...) asm volatile(__VA_ARGS__)
#else
#define RAFTER_PTX_90(...) __trap()
#endif
// Instructions of 9.0 only, which require the target sm_90a.
#if !defined(__CUDA_ARCH__) || defined(__CUDA_ARCH_FEAT_SM90_ALL)
#define RAFTER_PTX_90A(...) asm volatile(__VA_ARGS__)
#else
#define RAFTER_PTX_90A(...) __trap()
#endif
#endif

namespace rafter::ptx {
inline namespace RAFTER_BACKEND {

#ifndef RAFTER_SIMT
/// Returns an address in the block's shared memory as an offset in PTX's .shared space.
__device__ inline unsigned shared_address(const void* shared) {
  return static_cast<unsigned>(__cvta_generic_to_shared(shared));
}
#endif

}  // namespace RAFTER_BACKEND
}  // namespace rafter::ptx
