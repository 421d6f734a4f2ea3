// Problems of others as exercises: a host function `extern "C" void solve(pointers, sizes)`, and cases with answers.
// The problem is read from the user's own copy: one of LeetGPU (challenge.py) or Tensara (def.py), or a definition of
// FlashInfer-Trace or SOL-ExecBench (JSON), with a reference in Python.
#pragma once

#include <filesystem>
#include <nlohmann/json.hpp>
#include <string>
#include <vector>

#include "workbench/lab/workload/exercise.hpp"

namespace rafter::trial {

/// Whether the name of an exercise is the path of a challenge: challenge.py, def.py, a definition, or a folder with
/// challenge.py, def.py or definition.json.
bool is_challenge(const std::string& name);

/// Whether it is the path of a definition, whose submissions may be solutions (solution.hpp).
bool is_definition(const std::string& name);

struct Challenge {
  lab::Exercise exercise{};
  int n_left_out = 0;  ///< Cases that are too large for the executor, which are not tried.
  /// The extents of a definition's arrays, as names of axes or numbers, their types, and the constant axes.
  nlohmann::json layout{};
};

/// Runs the challenge's Python code, which makes the cases and calculates the answers, and writes them to an empty
/// folder. Throws Error: unsupported without Python or PyTorch, bad_argument with Python's message.
void write_challenge(const std::string& name, const std::filesystem::path& folder);

/// The file of a challenge.
std::filesystem::path challenge_file(const std::string& name);

/// All files that its cases depend on: of a definition, its workloads and its answers made earlier, too.
std::vector<std::filesystem::path> challenge_files(const std::string& name);

/// Reads what write_challenge() wrote. `name` is the exercise's, for messages.
Challenge read_challenge(const std::string& name, const std::filesystem::path& folder);

}  // namespace rafter::trial
