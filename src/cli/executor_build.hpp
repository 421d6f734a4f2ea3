// The program that rafter exec, check or profile runs.
#pragma once

#include <filesystem>

#include "cli/options.hpp"

namespace rafter::cli {

/// Whether every load and store calls the runtime.
bool is_hooked(const ExecutorOptions& options);

/// Builds it from sources, or with the driver around one kernel of the one source; or it is one that was built before.
/// Throws Error when there is none.
std::filesystem::path make_program(const ExecutorOptions& options);

}  // namespace rafter::cli
