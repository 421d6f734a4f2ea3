// rafter explain WORKLOAD [RUNG]: the limits of a rung, measured on this machine.
#pragma once

#include "cli/run/commands.hpp"

namespace rafter::cli {

int explain_rung(const ExplainOptions& options, const Workloads& workloads);

}  // namespace rafter::cli
