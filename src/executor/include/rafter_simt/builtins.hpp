// CUDA's qualifiers for a host compiler, and the built-in variables.
#pragma once

#include "rafter_simt/abi.hpp"

#define __host__
#define __device__
#define __global__
#define __constant__
#define __managed__
#define __grid_constant__
#define __launch_bounds__(...)
#define __maxnreg__(...)
#define __cluster_dims__(...)
#define __align__(n) __attribute__((aligned(n)))
#define __forceinline__ inline __attribute__((always_inline))
#define __builtin_assume(condition)            \
  do {                                         \
    if (!(condition)) __builtin_unreachable(); \
  } while (0)
#define __nv_is_extended_device_lambda_closure_type(type) false
#define __nv_is_extended_host_device_lambda_closure_type(type) false

// A block runs on one OS thread at a time, so a variable local to the OS thread is shared by exactly the block's
// threads.
#define __shared__ static thread_local

// The rewriter puts variables in device memory into these sections.
#define RAFTER_SIMT_DEVICE_VARIABLE __attribute__((section("rafter_device")))
#define RAFTER_SIMT_CONSTANT_VARIABLE __attribute__((section("rafter_constant")))
#define RAFTER_SIMT_MANAGED_VARIABLE __attribute__((section("rafter_managed")))

extern "C" {
extern char __start_rafter_device[] __attribute__((weak, visibility("hidden")));
extern char __stop_rafter_device[] __attribute__((weak, visibility("hidden")));
extern char __start_rafter_constant[] __attribute__((weak, visibility("hidden")));
extern char __stop_rafter_constant[] __attribute__((weak, visibility("hidden")));
extern char __start_rafter_managed[] __attribute__((weak, visibility("hidden")));
extern char __stop_rafter_managed[] __attribute__((weak, visibility("hidden")));
void rafter_simt_register_variables(const rafter_simt::VariableRanges* ranges);
}

namespace rafter_simt {

#ifdef RAFTER_SIMT_REWRITTEN
struct RegisterVariables {
  RegisterVariables() {
    const VariableRanges ranges{{__start_rafter_device, __stop_rafter_device},
                                {__start_rafter_constant, __stop_rafter_constant},
                                {__start_rafter_managed, __stop_rafter_managed}};
    rafter_simt_register_variables(&ranges);
  }
};
inline const RegisterVariables register_variables;
#endif

}  // namespace rafter_simt

constexpr int warpSize = 32;
