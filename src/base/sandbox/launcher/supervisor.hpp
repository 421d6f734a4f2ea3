// Process 1 of a sandbox: waits for the program and holds all processes together to the limits.
#pragma once

#include <sys/types.h>

#include "base/sandbox/launcher/plan.hpp"

namespace rafter::sandbox {

/// Waits until the program ends or a limit is exceeded, and reports the ending. The caller ends then, and with it every
/// process of the sandbox.
void supervise(const Plan& plan, pid_t program);

}  // namespace rafter::sandbox
