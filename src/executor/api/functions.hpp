// What the runtime knows about kernels: how much dynamic shared memory they may ask for, how to launch them, their
// names.
#pragma once

#include <cstddef>

#include "rafter_simt/api/launch.hpp"

namespace rafter::simt {

/// The most dynamic shared memory that any kernel was allowed with cudaFuncSetAttribute: 49152 bytes unless raised.
std::size_t dynamic_shared_limit();

/// The most blocks of a cluster: 8 unless cudaFuncAttributeNonPortableClusterSizeAllowed was set for any kernel.
int cluster_limit();

/// Launches a kernel that was met with its type before; `site` is the program's call.
cudaError_t launch_by_address(const void* kernel, const rafter_simt::Shape& shape, void** arguments,
                              rafter_simt::Cooperative cooperative, const void* site);

/// Where the program calls cudaLaunchKernel or its kin, while it does; nullptr for a launch by <<<>>>.
const void* launch_site();

/// Forgets attributes, as cudaDeviceReset does.
void forget_functions();

}  // namespace rafter::simt
