// The files between the tool and the program around a learner's kernel; executor/runtime/exercise.cpp is the other
// side.
#pragma once

#include <cstddef>
#include <filesystem>
#include <optional>
#include <string>
#include <vector>

#include "workbench/lab/workload/exercise.hpp"

namespace rafter::trial {

/// For each parameter of the kernel, which one of the exercise's it stands for.
using ArgumentOrder = std::vector<std::size_t>;

/// A launch: blocks, threads and arguments.
std::string plan_of(const lab::ExerciseCase& one, const ArgumentOrder& order);

/// The arrays that a run saved, in the exercise's order; nothing when they are not all there.
std::optional<lab::ArraysAfter> read_arrays(const std::filesystem::path& path, const lab::ExerciseCase& one,
                                            const ArgumentOrder& order);

}  // namespace rafter::trial
