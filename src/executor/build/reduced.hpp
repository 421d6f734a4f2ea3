// A copy of a source with only what some of its functions need, for sources that do not compile as a whole: their host
// code uses a library that is not here.
#pragma once

#include <filesystem>
#include <functional>
#include <string>
#include <vector>

#include "executor/build/declared.hpp"

namespace rafter::simt::build {

/// The libraries whose headers are left out.
enum class Libraries {
  missing,   ///< Those that the compiler does not find.
  replaced,  ///< Those that the executor does not have, too.
};

/// Returns the text of a file with its project headers, without the declarations that `names` do not reach and without
/// the headers of libraries. `names`: functions, as parse_function_name() takes them, and variables. #line directives
/// name the original lines. Throws Error (io).
std::string reduced_text(const std::filesystem::path& file, const CompileOptions& options,
                         const std::vector<std::string>& names, Libraries libraries);

/// Builds with the whole file, or, if that does not compile, with a reduced copy in the build cache: calls `build` with
/// the path of the text. Throws the Error of the whole file if neither compiles.
std::filesystem::path build_what_is_needed(
    const std::filesystem::path& file, const CompileOptions& options, const std::vector<std::string>& names,
    Libraries libraries, const std::function<std::filesystem::path(const std::filesystem::path&)>& build);

}  // namespace rafter::simt::build
