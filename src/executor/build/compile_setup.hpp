// The command line that compiles a source of a project; shared by the compiler driver and the cache's key.
#pragma once

#include <array>
#include <vector>

#include "base/process.hpp"
#include "executor/build/program.hpp"
#include "executor/build/sources.hpp"

namespace rafter::simt::build {

/// Functions with another meaning in kernels: the device heap and the device's printf. The runtime has a __wrap_ of
/// each.
inline constexpr std::array wrapped_symbols{"malloc",  "free",    "_Znwm",  "_Znam",        "_ZdlPv", "_ZdaPv",
                                            "_ZdlPvm", "_ZdaPvm", "printf", "__printf_chk", "puts",   "putchar"};

/// Whether a folder contains NVIDIA's headers. The executor's headers must be searched first.
bool is_toolkit(const std::filesystem::path& folder);

/// Returns the include folders whose headers belong to the project.
std::vector<std::filesystem::path> project_folders(const CompileOptions& options);

RewriteOptions rewrite_options(const CompileOptions& options);

/// Adds an installed toolkit's headers, if there is one, and selects Thrust's host backend. Sources that use Thrust, or
/// other headers without a stand-in, need this.
CompileOptions with_toolkit(CompileOptions options);

/// Returns the command that compiles `input`, which is the source or its rewritten copy.
base::Command compile_command(const Compilation& compilation, const std::filesystem::path& input,
                              const CompileOptions& options, const Toolchain& toolchain);

}  // namespace rafter::simt::build
