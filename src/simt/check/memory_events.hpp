// What happens to memory outside of kernels, for the checkers; nothing in a plain run.
#pragma once

#include "simt/memory/memory.hpp"

namespace rafter::simt {

void memory_allocated(const Allocation& allocation);
void memory_freed(const Allocation& allocation);
void memory_forbidden(const void* from, std::size_t bytes);
void report_bad_free(void* address, const Allocation* known, const void* call_site);
/// An API call at `call_site` reads or writes these bytes. False, and a finding, unless they lie in one live allocation
/// (or are not ours to judge). Whether what is read was ever written is not asked: copying back a buffer that was
/// filled in part is how programs work.
enum class ApiUse : bool { reads, writes };
bool api_may_touch(const void* address, std::size_t bytes, ApiUse use, const void* call_site);
/// `from` tells which bytes are initialised when they come from device memory; nullptr: all of them.
void api_wrote(void* to, const void* from, std::size_t bytes);
void report_leaks();

}  // namespace rafter::simt
