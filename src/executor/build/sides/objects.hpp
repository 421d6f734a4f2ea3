// One object from a source's two compilations.
#pragma once

#include <filesystem>

#include "executor/build/program.hpp"
#include "executor/build/sides/assembly.hpp"

namespace rafter::simt::build {

struct SideFiles {
  std::filesystem::path host, device;
};

/// Edits the assembly of both sides of a source, assembles it, and links it into the source's object. Throws Error:
/// unsupported, io.
void combine_objects(const Compilation& whole, const SideFiles& assembly, const NamesOfSides& names,
                     const CompileOptions& options, const Toolchain& toolchain);

}  // namespace rafter::simt::build
