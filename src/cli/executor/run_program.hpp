// Starts what was built for rafter exec, check, profile or explain.
#pragma once

#include <filesystem>

#include "base/process.hpp"
#include "cli/options.hpp"

namespace rafter::cli {

/// Runs the program on the executor, as the options say; what it found or counted is then in the file. Throws Error
/// (bad_argument) for options that are none.
base::Outcome run_program(const ExecutorOptions& options, const std::filesystem::path& program,
                          const std::filesystem::path& report_path);

}  // namespace rafter::cli
