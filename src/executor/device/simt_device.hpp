// The executor as a device of the workbench: CUDA source, run on this CPU with all checkers on.
#pragma once

#include <functional>
#include <string>

namespace rafter::simt {

/// Makes Device::simt usable in this process.
void provide_device();

/// Does the work with counters in place of checkers; returns what the executor counted, as its report has it (JSON).
std::string count_accesses(const std::function<void()>& work);

}  // namespace rafter::simt
