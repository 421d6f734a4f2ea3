// rafter run --device simt: every rung of every case on the executor, under all checkers; no times.
#pragma once

#include "cli/subcommands.hpp"

namespace rafter::cli {

int run_simt(const RunOptions& options, const Workloads& workloads);

}  // namespace rafter::cli
