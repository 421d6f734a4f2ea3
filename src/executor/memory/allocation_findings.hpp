// Findings about allocations: invalid frees, double frees and leaks.
#pragma once

#include "executor/memory/memory.hpp"

namespace rafter::simt {

/// Reports a free that failed. `known` is the allocation that begins at the address, live or freed, or nullptr.
void report_bad_free(const Allocation* known, const void* call_site);
void report_leaks();

}  // namespace rafter::simt
