// The program's own file system and namespaces.
#pragma once

#include "base/sandbox/launcher/plan.hpp"

namespace rafter::sandbox {

/// Moves this process to new namespaces: of mounts, networks, process ids, System V IPC and host names, and of users
/// unless it is a root. The first child gets process id 1 in it, and when that ends, the kernel ends all others.
void enter_namespaces(Plan& plan);

/// Makes a root folder that contains the system's programs and libraries, the readable paths and the writable folder,
/// and enters it. Nothing else of the old file system remains reachable. Called by process 1.
void enter_root(const Plan& plan);

}  // namespace rafter::sandbox
