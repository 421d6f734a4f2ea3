// What the files of this room share: which target a piece of PTX needs, and shared memory's own addresses.
//
// Every file has one subject, with the PTX of a GPU and, beside it, the executor's twin: the same order of things, seen
// by the checkers. Twins are calls into the executor (rafter_simt/async/async.hpp); they stand inline in the kernel, so
// that a finding names the kernel's line. What a GPU is too old for traps there, and is a finding on the executor.
#pragma once

#include "library/ptx/device_build.cuh"
#ifdef RAFTER_SIMT
#include "rafter_simt/async/async.hpp"
#include "rafter_simt/cluster.hpp"
#include "rafter_simt/matrix.hpp"
#endif

#ifndef RAFTER_SIMT
// For instructions from compute capability 9.0 on.
#if !defined(__CUDA_ARCH__) || __CUDA_ARCH__ >= 900
#define RAFTER_PTX_90(...) asm volatile(__VA_ARGS__)
#else
#define RAFTER_PTX_90(...) __trap()
#endif
// For those of 9.0 alone, which need the target sm_90a.
#if !defined(__CUDA_ARCH__) || defined(__CUDA_ARCH_FEAT_SM90_ALL)
#define RAFTER_PTX_90A(...) asm volatile(__VA_ARGS__)
#else
#define RAFTER_PTX_90A(...) __trap()
#endif
#endif

namespace rafter::ptx {
inline namespace RAFTER_BACKEND {

#ifndef RAFTER_SIMT
/// An address within the block's shared memory, as PTX's .shared space counts.
__device__ inline unsigned shared_address(const void* shared) {
  return static_cast<unsigned>(__cvta_generic_to_shared(shared));
}
#endif

}  // namespace RAFTER_BACKEND
}  // namespace rafter::ptx
