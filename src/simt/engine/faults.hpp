// Faults in kernels: an address that is not mapped, a stack that is too small.
#pragma once

namespace rafter::simt {

/// Makes faults in kernels on the calling worker end the launch instead of the process.
void catch_faults_on_this_thread();

}  // namespace rafter::simt
