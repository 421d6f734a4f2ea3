// The executor as a device of the library: CUDA source, run on this CPU with all checkers enabled.
#pragma once

#include <functional>
#include <string>

namespace rafter::simt {

/// Makes Device::simt usable in this process.
void provide_device();

/// Runs `work` with counters instead of checkers. Returns the executor's report as JSON.
std::string count_accesses(const std::function<void()>& work);

}  // namespace rafter::simt
