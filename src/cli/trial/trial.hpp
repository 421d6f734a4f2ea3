// rafter try, and rafter run on the executor: whatever runs our own CUDA rungs there.
#pragma once

#include "cli/run/commands.hpp"

namespace rafter::cli {

int try_kernel(const TryOptions& options, const Workloads& workloads);

/// The part of it that runs a stranger's kernel on a GPU, in a process of its own.
int try_child(const TryChildOptions& options, const Workloads& workloads);

}  // namespace rafter::cli
