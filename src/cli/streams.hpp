// The stream a subcommand works on.
#pragma once

#include "rafter/stream.hpp"

namespace rafter::cli {

/// A stream of the device, with its CPU threads pinned; `n_threads` 0 means all this process may use. Throws Error
/// (bad_argument) for more threads than cores: they would only wait for each other.
Stream stream_on(Device device, int n_threads);

}  // namespace rafter::cli
