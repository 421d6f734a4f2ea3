// Bare kernels: a program around one kernel of a file, so that it can be run with arguments from the command line.
#pragma once

#include <filesystem>
#include <string>
#include <vector>

namespace rafter::simt::build {

/// The text of a .cu that runs `kernel`, such as "sum" or "ns::sum<float>", of `file`; built in the folder the caller
/// likes (with build_program), it takes
///   --grid X[,Y,Z] --block X[,Y,Z] [--shared BYTES] --arg NAME=TYPE[SHAPE]:FILL ... [--save NAME=FILE.npy ...]
/// and exits with 2 when they do not fit the kernel. Throws Error: io, or bad_argument that lists the file's kernels.
std::string generate_bare_driver(const std::filesystem::path& file, const std::string& kernel);

/// The same around a kernel that is given its arguments in a file: see rafter_simt/launch/exercise.hpp.
std::string generate_exercise_driver(const std::filesystem::path& file, const std::string& kernel);

/// The same around a host function, which is called in place of a launch.
std::string generate_host_exercise_driver(const std::filesystem::path& file, const std::string& function);

/// The text of a .cu that is built into a shared object with a table of these kernels and host functions of the file:
/// see rafter_simt/launch/kernel_table.hpp, which is included by its path, `table_header`, so that nvcc can build it,
/// too.
std::string generate_kernel_table(const std::filesystem::path& file, const std::vector<std::string>& kernels,
                                  const std::vector<std::string>& functions, const std::filesystem::path& table_header);

}  // namespace rafter::simt::build
