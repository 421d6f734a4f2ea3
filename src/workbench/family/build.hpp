// Builds a folder with a workload.
#pragma once

#include <filesystem>
#include <functional>
#include <string>
#include <vector>

namespace rafter::family {

/// For the executor the CUDA rungs are compiled once more.
enum class Flavour { machine, executor };

/// The shared objects that a folder's CMakeLists.txt makes with rafter_add_workload(), built where they are not or no
/// longer what the sources say. The build is kept among what is cached; nothing is written into the folder. Throws
/// Error (io, bad_argument): with the compiler's own words where it does not compile. `say` is told what is being done.
std::vector<std::filesystem::path> build_folder(const std::filesystem::path& folder, Flavour flavour,
                                                const std::function<void(const std::string&)>& say);

/// Of a build's output what the compilers, the linker or CMake had to say: not the commands, not what succeeded.
std::string complaints_in(const std::string& output);

}  // namespace rafter::family
