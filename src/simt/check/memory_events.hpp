// What happens to memory outside of kernels, for the checkers; nothing in a plain run.
#pragma once

#include "simt/memory/memory.hpp"

namespace rafter::simt {

void memory_allocated(const Allocation& allocation);
void memory_freed(const Allocation& allocation);
void memory_forbidden(const void* from, std::size_t bytes);
void report_bad_free(void* address, const Allocation* known, const void* call_site);
void api_reads(const void* from, std::size_t bytes, const void* call_site);
/// `from` tells which bytes are initialised when they come from device memory; nullptr: all of them.
void api_writes(void* to, const void* from, std::size_t bytes, const void* call_site);
void report_leaks();

}  // namespace rafter::simt
