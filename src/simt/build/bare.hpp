// Bare kernels: a program around one kernel of a file, so that it can be run with arguments from the command line.
#pragma once

#include <filesystem>
#include <string>

namespace rafter::simt::build {

/// The text of a .cu that runs `kernel`, such as "sum" or "ns::sum<float>", of `file`; built in the folder the caller
/// likes (with build_program), it takes
///   --grid X[,Y,Z] --block X[,Y,Z] [--shared BYTES] --arg NAME=TYPE[SHAPE]:FILL ... [--save NAME=FILE.npy ...]
/// and exits with 2 when they do not fit the kernel. Throws Error: io, or bad_argument that lists the file's kernels.
std::string generate_bare_driver(const std::filesystem::path& file, const std::string& kernel);

/// The same around a kernel that is given its arguments in a file: see rafter_simt/exercise.hpp.
std::string generate_exercise_driver(const std::filesystem::path& file, const std::string& kernel);

/// The same around a host function, which is called in place of a launch.
std::string generate_host_exercise_driver(const std::filesystem::path& file, const std::string& function);

}  // namespace rafter::simt::build
