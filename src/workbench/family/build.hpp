// Builds a folder with a workload.
#pragma once

#include <filesystem>
#include <functional>
#include <string>
#include <vector>

namespace rafter::family {

/// The target of a build; for the executor, the CUDA rungs are compiled once more.
enum class Flavour { machine, executor };

/// Builds the shared objects of a folder's CMakeLists.txt with rafter_add_workload(), unless they are up to date, and
/// returns their paths. The build is in the cache; nothing is written into the folder. Throws Error (io, bad_argument),
/// with the compiler's output if it does not compile. Progress is reported to `say`.
std::vector<std::filesystem::path> build_folder(const std::filesystem::path& folder, Flavour flavour,
                                                const std::function<void(const std::string&)>& say);

/// Returns the diagnostics of compilers, linker or CMake in a build's output, without commands and successful steps.
std::string complaints_in(const std::string& output);

}  // namespace rafter::family
