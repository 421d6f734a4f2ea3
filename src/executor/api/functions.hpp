// Kernels as the runtime knows them: limits of dynamic shared memory and cluster size, launches by address, names.
#pragma once

#include <cstddef>
#include <cstdint>

#include "rafter_simt/api/launch.hpp"

namespace rafter::simt {

/// Returns the limit of dynamic shared memory: the largest set with cudaFuncSetAttribute for any kernel, or 49152
/// bytes.
std::size_t dynamic_shared_limit();

/// Returns the largest cluster size: 8, or 16 if cudaFuncAttributeNonPortableClusterSizeAllowed is set for any kernel.
int cluster_limit();

/// Returns the most blocks that a cooperative launch may have: those that the device can run at the same time.
std::int64_t cooperative_limit(int block_threads, std::size_t shared_bytes);

/// Launches a kernel of a type that is known from an earlier call; `site` is the program's call.
cudaError_t launch_by_address(const void* kernel, const rafter_simt::Shape& shape, void** arguments,
                              rafter_simt::Cooperative cooperative, const void* site);

/// Returns the place of the current call of cudaLaunchKernel or a variant; null for a launch by <<<>>>.
const void* launch_site();

/// Clears the attributes of all kernels, as cudaDeviceReset does.
void forget_functions();

}  // namespace rafter::simt
