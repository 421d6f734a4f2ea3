// What stands in front of a CUDA source's copy: our headers that it includes anywhere, then the command line's macros.
// NVIDIA's headers use reserved names only; ours do not, so they must be read before a program's own `N` or `T` is
// there.
#pragma once

#include <string>
#include <vector>

#include "executor/build/program.hpp"

namespace rafter::simt::build {

/// `NAME`, `NAME=VALUE` or `NAME(X)=VALUE` as a line of source.
std::string define_line(const std::string& define);

/// Whether headers may ask for the macro, so that it has to be there before them; no header of ours uses such a name.
bool is_for_headers(const std::string& define);

/// The text in front. `includes` are the names in #include lines that no file of the project has.
std::string front_of(const std::vector<std::string>& includes, const CompileOptions& options,
                     const Toolchain& toolchain);

}  // namespace rafter::simt::build
