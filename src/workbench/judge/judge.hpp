// Judges many submissions: several at a time, each in a process of its own, with results that are complete after each.
#pragma once

#include "workbench/judge/request.hpp"

namespace rafter::judge {

/// Performs a request and returns the exit code. Throws Error (bad_argument, io) before any submission is judged.
int judge(const JudgeRequest& request);

}  // namespace rafter::judge
