// Generates programs around one kernel of a file, so that the kernel runs with arguments from the command line.
#pragma once

#include <filesystem>
#include <string>
#include <vector>

#include "executor/build/declared.hpp"

namespace rafter::simt::build {

/// Returns the text of a .cu file that runs `kernel` (such as "sum" or "ns::sum<float>") of `file`. Built with
/// build_program, in a folder of the caller's choice, the program takes
/// --grid X[,Y,Z] --block X[,Y,Z] [--shared BYTES] --arg NAME=TYPE[SHAPE]:FILL ... [--save NAME=FILE.npy ...]
/// and exits with 2 if the arguments do not fit the kernel. Throws Error: io, or bad_argument with a list of the file's
/// kernels.
/// `declared` is that of the file; `text` the file to include: the user's, or a reduced copy of it.
std::string generate_kernel_driver(const Declared& declared, const std::filesystem::path& text,
                                   const std::string& kernel);

/// Returns a program that reads the kernel's arguments from a file: see rafter_simt/launch/exercise.hpp.
std::string generate_exercise_driver(const std::filesystem::path& file, const std::string& kernel);

/// Returns a program like generate_exercise_driver()'s that calls a host function instead of launching a kernel.
std::string generate_host_exercise_driver(const std::filesystem::path& file, const std::string& function);

/// The functions and variables of a file that a program loads and calls.
struct TableRequest {
  std::filesystem::path text{};          ///< The file to include: the user's, or a reduced copy of it.
  std::vector<std::string> kernels{};    ///< Names as parse_function_name() takes them.
  std::vector<std::string> functions{};  ///< Host functions.
  std::vector<std::string> symbols{};    ///< Variables in __constant__ or __device__ memory.
  std::filesystem::path table_header{};
};

/// Returns the text of a .cu file for a shared object with a table of functions and variables: see
/// rafter_simt/launch/kernel_table.hpp. The text includes that header by its path, so that nvcc can build it as well.
std::string generate_kernel_table(const Declared& declared, const TableRequest& request);

}  // namespace rafter::simt::build
