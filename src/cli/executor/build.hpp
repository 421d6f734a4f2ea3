// The program that rafter exec, check or profile runs.
#pragma once

#include "cli/options.hpp"
#include "executor/build/program.hpp"

namespace rafter::cli {

/// Whether every load and store calls the runtime.
bool is_hooked(const ExecutorOptions& options);

/// Builds it from sources, or with the driver around one kernel of the one source; or it is one that was built before.
/// Throws Error when there is none.
simt::build::Built make_program(const ExecutorOptions& options);

}  // namespace rafter::cli
