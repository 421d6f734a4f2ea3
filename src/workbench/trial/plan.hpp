// The contents of the files exchanged by the tool and the program around a user's kernel; executor/runtime/exercise.cpp
// is the other side.
#pragma once

#include <cstddef>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "workbench/lab/workload/exercise.hpp"

namespace rafter::trial {

/// The index of the exercise's parameter for each parameter of the kernel.
using ArgumentOrder = std::vector<std::size_t>;

/// Returns a launch as a file: blocks, threads and arguments.
std::string plan_of(const lab::ExerciseCase& one, const ArgumentOrder& order);

/// Splits what a run saved into arrays, in the exercise's order; returns nullopt if they are incomplete.
std::optional<lab::ArraysAfter> arrays_in(std::string_view saved, const lab::ExerciseCase& one,
                                          const ArgumentOrder& order);

}  // namespace rafter::trial
