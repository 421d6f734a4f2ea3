// Building and running the program of a plan.
#pragma once

#include <filesystem>
#include <string>
#include <vector>

#include "base/process.hpp"
#include "executor/build/program.hpp"
#include "executor/command/plan.hpp"

namespace rafter::simt::command {

/// Builds the program from its sources, or a driver around the kernel, or returns a program that is built already.
/// Throws Error if there is none.
build::Built make_program(const ProgramPlan& plan);

/// Runs the program on the executor. It leaves its findings or counts in the report file, sealed with the key
/// (base/seal.hpp) unless that is empty.
base::Outcome run_program(const ProgramPlan& plan, const std::filesystem::path& program,
                          const std::filesystem::path& report_path, const std::string& key = "");

/// Returns the files and folders that a plan names, which its build has to read.
std::vector<std::filesystem::path> files_of(const ProgramPlan& plan);

}  // namespace rafter::simt::command
