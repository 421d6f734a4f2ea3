// The preamble of a CUDA source's copy: the executor headers that the source includes anywhere, then the command line's
// macros. NVIDIA's headers use reserved names only. The executor's do not, so they must be read before a program
// defines its own `N` or `T`.
#pragma once

#include <string>
#include <vector>

#include "executor/build/program.hpp"

namespace rafter::simt::build {

/// Returns the #define line of `NAME`, `NAME=VALUE` or `NAME(X)=VALUE`.
std::string define_line(const std::string& define);

/// Whether headers may test the macro, so that it must be defined before them. No executor header uses such a name.
bool is_for_headers(const std::string& define);

/// Returns the preamble. `includes` are the names in #include lines that are not files of the project.
std::string make_preamble(const std::vector<std::string>& includes, const CompileOptions& options,
                          const Toolchain& toolchain);

}  // namespace rafter::simt::build
