// Which exercises are meant, and how they are shown.
#pragma once

#include <string>
#include <vector>

#include "workbench/lab/workload/exercise.hpp"
#include "workbench/trial/source.hpp"

namespace rafter::trial {

inline constexpr std::int64_t most_threads = 1024;  ///< of a block

/// The exercises of a workload or the one of that kernel; throws Error (bad_argument) that suggests near names.
std::vector<lab::Exercise> exercises_called(const std::vector<lab::Exercise>& all, const std::string& name);

std::string exercise_list(const std::vector<lab::Exercise>& all);
std::string exercise_list_csv(const std::vector<lab::Exercise>& all);
std::string exercise_list_json(const std::vector<lab::Exercise>& all);

/// A file that compiles, with the signature and what to compute.
std::string starter(const lab::Exercise& exercise);

/// Whether a file has what the exercise asks for, by its name.
bool has_solution(const LearnerSource& source, const lab::Exercise& exercise);

/// "X[,Y[,Z]]" as the threads of a block, or the exercise's own; throws Error (bad_argument) for more than a GPU takes.
lab::Extents block_of(const std::string& text, const lab::Exercise& exercise);

}  // namespace rafter::trial
