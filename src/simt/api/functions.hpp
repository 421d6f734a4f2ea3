// What the runtime knows about kernels: how much dynamic shared memory they may ask for, how to launch them, their
// names.
#pragma once

#include <cstddef>

namespace rafter::simt {

/// The most dynamic shared memory that any kernel was allowed with cudaFuncSetAttribute: 49152 bytes unless raised.
std::size_t dynamic_shared_limit();

/// The most blocks of a cluster: 8 unless cudaFuncAttributeNonPortableClusterSizeAllowed was set for any kernel.
int cluster_limit();

/// Where the program calls cudaLaunchKernel or its kin, while it does; nullptr for a launch by <<<>>>.
const void* launch_site();

/// Forgets attributes, as cudaDeviceReset does.
void forget_functions();

}  // namespace rafter::simt
