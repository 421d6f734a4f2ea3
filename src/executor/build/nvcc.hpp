// A stand-in for nvcc: a project's own Makefile or CMake build makes programs that run on the executor.
#pragma once

#include <filesystem>
#include <span>
#include <string>
#include <vector>

#include "executor/build/program.hpp"

namespace rafter::simt::build {

/// Does what nvcc would do with these arguments (its name not among them); prints as nvcc does and returns an exit
/// code.
int nvcc(std::span<const std::string> arguments, const Toolchain& toolchain, Mode mode);

/// Makes `folder` look like a CUDA toolkit: bin/nvcc (and nvcc) run `RAFTER nvcc --mode=MODE ARGUMENTS`, include leads
/// to our headers, lib64 has CUDA's libraries, which lead to our runtime. Throws Error (io).
void write_nvcc_wrapper(const std::filesystem::path& folder, const std::filesystem::path& rafter_executable,
                        const Toolchain& toolchain, Mode mode);

/// The folder that the wrapper was written to, for a process that it started; empty for others.
std::filesystem::path nvcc_root();

enum class NvccAction { link, compile, preprocess, dependencies, archive, device_link, version, help };

/// A command line of nvcc's, understood.
struct NvccCommand {
  NvccAction action = NvccAction::link;
  std::vector<std::string> inputs;  // sources, and objects and flags for the linker, in their order
  CompileOptions options;
  std::filesystem::path output;
  std::vector<std::string> link_flags;        // -shared, -Xlinker and the like
  std::vector<std::string> dependency_flags;  // -MD, -MF file, ...; or -M alone
  std::filesystem::path dependency_file;
  bool writes_dependencies = false;  // besides what the action does
  bool relocatable = false;
  bool verbose = false;
  bool dry_run = false;
};

/// Throws Error: unsupported (-ptx and what else makes device code), bad_argument, io (an options file).
NvccCommand parse_nvcc(std::span<const std::string> arguments);

}  // namespace rafter::simt::build
