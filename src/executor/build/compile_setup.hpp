// How a source of a project is compiled; shared by compiling and by the cache's key.
#pragma once

#include <array>
#include <vector>

#include "base/process.hpp"
#include "executor/build/program.hpp"
#include "executor/build/sources.hpp"

namespace rafter::simt::build {

/// In a kernel these mean the device's heap, and what it prints: the runtime has a __wrap_ of each.
inline constexpr std::array wrapped_symbols{"malloc",  "free",    "_Znwm",  "_Znam",        "_ZdlPv", "_ZdaPv",
                                            "_ZdlPvm", "_ZdaPvm", "printf", "__printf_chk", "puts",   "putchar"};

/// Whether a folder holds NVIDIA's headers: ours must be found before them.
bool is_toolkit(const std::filesystem::path& folder);

/// The include folders whose headers are the project's own.
std::vector<std::filesystem::path> project_folders(const CompileOptions& options);

RewriteOptions rewrite_options(const CompileOptions& options);

/// For sources that use Thrust, or what else we have no headers of: with those of an installed toolkit, if there is
/// one, and with Thrust's own host backend.
CompileOptions with_toolkit(CompileOptions options);

/// Compiles `input`, which is the source or its copy.
base::Command compile_command(const Compilation& compilation, const std::filesystem::path& input,
                              const CompileOptions& options, const Toolchain& toolchain);

}  // namespace rafter::simt::build
