// What a journal is told of kernels and programs of anybody.
#pragma once

#include "cli/options.hpp"
#include "workbench/journal/record.hpp"

namespace rafter::cli {

/// The sources among the words for the compiler, the kernel that it is about, and what the user said.
journal::Event event_of(const BenchOptions& options);

}  // namespace rafter::cli
