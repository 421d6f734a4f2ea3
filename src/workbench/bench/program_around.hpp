// A program around a subject: it allocates the arrays, sets the variables and performs the calls once.
#pragma once

#include <filesystem>
#include <string>

#include "workbench/bench/plan.hpp"

namespace rafter::bench {

/// Whether `function` of the source in `build` is a host function that launches kernels.
bool is_launcher(const std::vector<std::string>& build, const std::string& function);

/// Returns the text of the program for the first subject of the plan and its first sizes. The contents of the arrays
/// are written to files in `folder`, which the program reads. Throws Error (bad_argument).
std::string program_around(const KernelPlan& plan, const std::filesystem::path& folder);

}  // namespace rafter::bench
