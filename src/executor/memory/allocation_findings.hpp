// Memory that is freed wrongly, or never.
#pragma once

#include "executor/memory/memory.hpp"

namespace rafter::simt {

/// `known` is what was allocated at that address, if anything was.
void report_bad_free(const Allocation* known, const void* call_site);
void report_leaks();

}  // namespace rafter::simt
