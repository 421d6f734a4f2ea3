// One submission, in a process of its own.
#pragma once

#include <filesystem>
#include <string>
#include <vector>

#include "workbench/judge/request.hpp"
#include "workbench/judge/verdicts.hpp"
#include "workbench/lab/workload/workload.hpp"

namespace rafter::judge {

/// Judges a submission in a child process and returns its verdict. `scratch` is an empty folder for it; `challenge` has
/// the cases if the exercise is a challenge (trial/challenge), and is empty otherwise.
Judgement judge_apart(const JudgeRequest& request, const Submission& submission, const std::filesystem::path& scratch,
                      const std::filesystem::path& challenge);

/// The child process: performs the job in the file and writes its exercises to the file that the job names.
int judge_here(const std::filesystem::path& job, const std::vector<const lab::Workload*>& workloads);

}  // namespace rafter::judge
