// Translates the output of a failed compiler or linker run into an Error for the user.
#pragma once

#include <map>
#include <string>
#include <vector>

#include "rafter/error.hpp"

namespace rafter::simt::build {

/// Returns an Error (unsupported) that names each unsupported feature with its line, or an Error (bad_argument) with
/// the compiler's messages. `copies` maps the names of rewritten copies to the original files.
Error explain_compile(const std::string& output, const std::map<std::string, std::string>& copies);

/// Returns the same kinds of Error for a linker's output.
Error explain_link(const std::string& output, const std::map<std::string, std::string>& copies);

/// Returns the symbols that a linker reported as multiply defined, in the linker's spelling.
std::vector<std::string> multiply_defined(const std::string& output);

}  // namespace rafter::simt::build
