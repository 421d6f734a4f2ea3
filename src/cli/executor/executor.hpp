// rafter exec, check, profile and nvcc: CUDA programs of anybody on the executor.
#pragma once

#include "cli/tool.hpp"

namespace rafter::cli {

int executor(const ExecutorOptions& options);
int nvcc(const NvccOptions& options);

}  // namespace rafter::cli
