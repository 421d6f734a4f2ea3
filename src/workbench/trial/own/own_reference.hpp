// The reference of an own exercise: a CPU function or a kernel, called `reference`, that computes the answers of a
// case.
#pragma once

#include <filesystem>
#include <string>
#include <vector>

#include "workbench/lab/workload/exercise.hpp"

namespace rafter::trial {

/// The answers of a case: its arrays after the reference, as the argument `type` says; empty for scalars and inputs.
struct ReferenceArray {
  std::string type{};  ///< that of the exercise, or f64 where the reference has doubles for floats
  std::vector<std::byte> bytes{};
};

/// Builds the reference on the executor, which keeps it, and runs it for each case. Throws Error (bad_argument) when it
/// does not compile, its parameters are not the exercise's, it fails, or it leaves elements of an output unset.
std::vector<std::vector<ReferenceArray>> reference_answers(const std::filesystem::path& file,
                                                           const lab::Exercise& exercise,
                                                           const std::vector<lab::ExerciseCase>& cases);

}  // namespace rafter::trial
