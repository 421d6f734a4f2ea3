// Included first by a source that is compiled once for the host and once for the device. The program's object gets each
// marked function from the device's compilation (build/sides): the compiler lists functions with a patchable entry, a
// single `nop` here, in a section of its assembly.
#pragma once

#define RAFTER_SIMT_MARK __attribute__((patchable_function_entry(1)))

// Kernels are called from the other side: they are emitted, and called in the standard way.
#undef __global__

#ifdef RAFTER_SIMT_HOST_SIDE
#define __global__ __attribute__((noipa)) RAFTER_SIMT_MARK
#define RAFTER_SIMT_DEVICE_FUNCTION
// Only kernels have shared variables, and none runs here: each block's memory would have to hold these as well.
#undef __shared__
#define __shared__ static
#else
#define __global__ __attribute__((noipa, used)) RAFTER_SIMT_MARK
#define RAFTER_SIMT_DEVICE_FUNCTION RAFTER_SIMT_MARK
#endif

// `used`: the other side may write the variable.
#undef RAFTER_SIMT_DEVICE_VARIABLE
#undef RAFTER_SIMT_CONSTANT_VARIABLE
#undef RAFTER_SIMT_MANAGED_VARIABLE
#define RAFTER_SIMT_DEVICE_VARIABLE __attribute__((section("rafter_device"), used))
#define RAFTER_SIMT_CONSTANT_VARIABLE __attribute__((section("rafter_constant"), used))
#define RAFTER_SIMT_MANAGED_VARIABLE __attribute__((section("rafter_managed"), used))
