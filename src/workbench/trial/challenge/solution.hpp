// Solutions of FlashInfer-Trace and SOL-ExecBench: a JSON file with CUDA sources and the name of a function, as a
// source that the executor builds.
#pragma once

#include <filesystem>
#include <string>
#include <vector>

#include "workbench/trial/challenge/challenge.hpp"
#include "workbench/trial/source.hpp"

namespace rafter::trial {

/// Whether the file is JSON with the parts of a solution.
bool is_solution(const std::string& file);

struct Solution {
  std::filesystem::path file{};  ///< Includes the sources and calls the function.
  std::string function{};        ///< The function in it, which has the exercise's parameters.
};

/// Writes the sources of a solution to an empty folder. Throws Error: io, bad_argument for a file that is no solution
/// or that of another definition, and unsupported with the reason for a solution that is not taken: in Python, with
/// PyTorch's tensors, or one that returns its results.
Solution unpack_solution(const std::string& file, const Challenge& challenge, const std::filesystem::path& folder);

/// A file that was submitted, as a source.
struct Submitted {
  LearnerSource source{};
  std::string kernel{};                           ///< The function to call; empty: the exercise's.
  std::vector<std::filesystem::path> readable{};  ///< What its sandbox must be able to read.
};

/// Reads a submission: a CUDA source, or, if `definition` is not null, perhaps a solution, which is unpacked to the
/// folder. Throws Error as read_source() and unpack_solution() do.
Submitted read_submitted(const std::string& file, const std::string& kernel, const Challenge* definition,
                         const std::filesystem::path& folder);

}  // namespace rafter::trial
