// The device and the stream that a command uses.
#pragma once

#include <string>
#include <vector>

#include "rafter/stream.hpp"

namespace rafter::lab {

/// Returns the device called `name`, or the best one of this machine for an empty name. Throws Error: bad_argument for
/// a name that is not in `known`, unsupported for a device that this machine does not have.
Device choose_device(const std::string& name, const std::vector<std::string>& known);

/// Throws the Error for an unknown device name.
[[noreturn]] void refuse_device(const std::string& name, const std::vector<std::string>& known);

/// Creates a stream of the device with pinned CPU threads. `n_threads` 0 uses every core this process may use. Throws
/// Error (bad_argument) for more threads than cores.
Stream make_stream(Device device, int n_threads);

}  // namespace rafter::lab
