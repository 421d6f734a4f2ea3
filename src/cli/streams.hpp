// The device and the stream a subcommand works on.
#pragma once

#include <string>
#include <vector>

#include "rafter/stream.hpp"

namespace rafter::cli {

/// The device of that name, or for no name the best one present. Throws Error (bad_argument) for a name that is not
/// among `known`, (unsupported) for a device that is not here.
Device device_wanted(const std::string& name, const std::vector<std::string>& known);

/// Throws that Error for a name that is not known.
[[noreturn]] void refuse_device(const std::string& name, const std::vector<std::string>& known);

/// A stream of the device, with its CPU threads pinned; `n_threads` 0 means all this process may use. Throws Error
/// (bad_argument) for more threads than cores: they would only wait for each other.
Stream stream_on(Device device, int n_threads);

}  // namespace rafter::cli
