// Building and running the program of a plan.
#pragma once

#include <filesystem>

#include "base/process.hpp"
#include "executor/build/program.hpp"
#include "executor/command/plan.hpp"

namespace rafter::simt::command {

/// Builds the program from its sources, or a driver around the kernel, or returns a program that is built already.
/// Throws Error if there is none.
build::Built make_program(const ProgramPlan& plan);

/// Runs the program on the executor. It leaves its findings or counts in the report file.
base::Outcome run_program(const ProgramPlan& plan, const std::filesystem::path& program,
                          const std::filesystem::path& report_path);

}  // namespace rafter::simt::command
