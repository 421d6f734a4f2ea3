// The loaded modules of the program, without system libraries and the executor's runtime.
#pragma once

#include <link.h>

#include <functional>

namespace rafter::simt {

/// Calls f for each of them. The program itself comes first; its name is empty.
void for_own_modules(const std::function<void(const dl_phdr_info&)>& f);

/// Returns a number that changes whenever an object is loaded or unloaded.
unsigned long long modules_version();

/// Whether a module links the executor's runtime and so may have kernels.
bool needs_runtime(const dl_phdr_info& module);

}  // namespace rafter::simt
