// What a failed compiler or linker run means to the user.
#pragma once

#include <map>
#include <string>
#include <vector>

#include "rafter/error.hpp"

namespace rafter::simt::build {

/// An Error (unsupported) that names each thing the executor lacks, with its line, or else an Error (bad_argument)
/// with the compiler's words. `copies` maps the names of copies to those of the files they were made from.
Error explain_compile(const std::string& output, const std::map<std::string, std::string>& copies);

/// The same for a linker.
Error explain_link(const std::string& output, const std::map<std::string, std::string>& copies);

/// The symbols a linker found more than once, as it spells them.
std::vector<std::string> multiply_defined(const std::string& output);

}  // namespace rafter::simt::build
