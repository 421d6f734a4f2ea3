// The loaded modules that are a program's own: not the system's, not the runtime.
#pragma once

#include <link.h>

#include <functional>

namespace rafter::simt {

/// The program itself comes first; its name is empty.
void for_own_modules(const std::function<void(const dl_phdr_info&)>& f);

/// Another number whenever an object was loaded or unloaded.
unsigned long long modules_version();

/// Whether a module names the executor's runtime among what it needs: then it may have kernels.
bool needs_runtime(const dl_phdr_info& module);

}  // namespace rafter::simt
