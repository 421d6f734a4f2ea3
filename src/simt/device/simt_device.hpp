// The executor as a device of the workbench: CUDA source, run on this CPU with all checkers on.
#pragma once

namespace rafter::simt {

/// Makes Device::simt usable in this process.
void provide_device();

}  // namespace rafter::simt
