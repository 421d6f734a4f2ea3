// Locates the executor's headers, runtime and assembler: next to the installed tool, or in the build tree.
#pragma once

#include <filesystem>

#include "executor/build/program.hpp"

namespace rafter::simt::build {

Toolchain toolchain();
std::filesystem::path this_program();

}  // namespace rafter::simt::build
