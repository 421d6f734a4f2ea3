// The course: the order of its exercises, hints in steps, and what became of the tries so far.
#pragma once

#include <string>
#include <vector>

#include "workbench/lab/workload/exercise.hpp"

namespace rafter::trial {

/// Returns the hints of an exercise, from the idea to almost the code.
const std::vector<std::string>& hints_of(const lab::Exercise& exercise);

/// Returns hint `step`, counted from 1, and how to get the next one. Throws Error (bad_argument) if there is none.
std::string hint(const lab::Exercise& exercise, int step);

/// Notes a verdict, as `rafter try --json` writes it, in the user's cache. Does nothing where that cannot be written.
void note_progress(const lab::Exercise& exercise, const std::string& verdict, const std::string& file);

/// Returns the built-in exercises in the order of docs/cuda-day.md.
std::vector<lab::Exercise> in_order_of_course(const std::vector<lab::Exercise>& all);

/// Returns which exercises are right so far, and the next one in the order of the course.
std::string progress_text(const std::vector<lab::Exercise>& course);

}  // namespace rafter::trial
