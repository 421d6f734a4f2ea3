// rafter explain WORKLOAD [RUNG]: what limits a rung of ours, measured here.
#pragma once

#include "cli/run/commands.hpp"

namespace rafter::cli {

int explain_rung(const ExplainOptions& options, const Workloads& workloads);

}  // namespace rafter::cli
