// Exercises from a file: a JSON file that describes one, with a reference next to it, or a folder with a course of
// several. docs/cuda-day.md, "Exercises of your own", has the format.
#pragma once

#include <filesystem>
#include <string>
#include <vector>

#include "workbench/lab/workload/exercise.hpp"

namespace rafter::trial {

/// Whether the name of an exercise is the path of an exercise file, NAME.json, or of a folder with a course.json.
bool is_own_exercise(const std::string& name);

/// Reads the exercise, or all exercises of the course in its order. Throws Error: io, and bad_argument with the file,
/// what is wrong in it, and similar names for an unknown one. Nothing is built: a reference is when its answers are
/// needed.
std::vector<lab::Exercise> own_exercises(const std::string& name);

/// Returns the files that the verdicts of an own exercise depend on.
std::vector<std::filesystem::path> own_files(const std::string& name);

}  // namespace rafter::trial
