// The system calls that untrusted programs may not make.
#pragma once

#include "base/sandbox/launcher/plan.hpp"

namespace rafter::sandbox {

/// Gives up all privileges, now and across exec.
void drop_privileges(const Plan& plan);

/// Sets limits for each process; those for all processes together are the supervisor's.
void set_limits(const Plan& plan);

/// Makes system calls fail that reach beyond the sandbox: for networks, other processes' memory, mounts, namespaces,
/// keys and the kernel itself. Calls of another architecture end the program.
void filter_calls(const Plan& plan);

}  // namespace rafter::sandbox
