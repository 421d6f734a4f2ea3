// What bench and tune make of their words.
#pragma once

#include "cli/options.hpp"
#include "rafter/device.hpp"
#include "workbench/bench/request.hpp"

namespace rafter::cli {

bench::Request request_of(const BenchOptions& options);

/// The one that was named; a GPU if there is one, and the executor otherwise. Throws Error as device_wanted() does.
Device device_of(const BenchOptions& options);

}  // namespace rafter::cli
