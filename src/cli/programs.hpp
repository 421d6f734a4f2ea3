// The programs that the tool is made of. Each is built when a command first asks for it.
#pragma once

#include <string>

#include "cli/options.hpp"

namespace rafter::cli {

/// "rafter-bench" for run, list, show and device; "rafter-plot" for plot and for a run that draws;
/// "rafter-report"; "rafter-compare"; "rafter-executor" for exec, check, profile and nvcc; "rafter-trial" for try and
/// for what runs our own CUDA rungs on the executor; "rafter-solve"; "rafter-classify".
std::string program_of(const Command& command);

/// Becomes the program of that name, which stands beside this one, with the same words. Returns only by throwing Error
/// (io) where there is none, with what would build it.
[[noreturn]] void become(const std::string& program, char** argv);

}  // namespace rafter::cli
