// Selects and prints exercises.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "workbench/lab/workload/exercise.hpp"
#include "workbench/trial/source.hpp"

namespace rafter::trial {

inline constexpr std::int64_t most_threads = 1024;  ///< threads per block

/// Returns the exercises of a workload, or the one of a kernel; throws Error (bad_argument) that suggests similar
/// names.
std::vector<lab::Exercise> exercises_called(const std::vector<lab::Exercise>& all, const std::string& name);

/// Narrows the exercises called `name` to the one that `kernel` names, or, if that is empty, to those with a kernel in
/// the file. Throws Error (bad_argument) if several remain possible.
std::vector<lab::Exercise> narrowed(std::vector<lab::Exercise> exercises, const std::string& name,
                                    const std::string& kernel, const LearnerSource* source);

/// Returns a new seed for the inputs of a run, short enough to type.
std::uint64_t fresh_case_seed();

std::string exercise_list(const std::vector<lab::Exercise>& all);
std::string exercise_list_csv(const std::vector<lab::Exercise>& all);
std::string exercise_list_json(const std::vector<lab::Exercise>& all);

/// Returns a file that compiles, with the signature and a description of the task.
std::string starter(const lab::Exercise& exercise);

/// Whether a file has the function that the exercise names.
bool has_solution(const LearnerSource& source, const lab::Exercise& exercise);

/// Parses "X[,Y[,Z]]" as the threads of a block; "" gives the exercise's own. Throws Error (bad_argument) for more
/// threads than a GPU supports.
lab::Extents block_of(const std::string& text, const lab::Exercise& exercise);

}  // namespace rafter::trial
