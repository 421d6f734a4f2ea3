// A replacement for nvcc: a project's own Makefile or CMake build produces programs that run on the executor.
#pragma once

#include <filesystem>
#include <span>
#include <string>
#include <vector>

#include "executor/build/program.hpp"

namespace rafter::simt::build {

/// Does what nvcc would do with these arguments (program name excluded), prints what nvcc prints, and returns an exit
/// code.
int nvcc(std::span<const std::string> arguments, const Toolchain& toolchain, Mode mode);

/// Makes `folder` look like a CUDA toolkit. bin/nvcc and nvcc run `RAFTER nvcc --mode=MODE ARGUMENTS`, include links to
/// the executor's headers, and the CUDA libraries in lib64 refer to the executor's runtime. Throws Error (io).
void write_nvcc_wrapper(const std::filesystem::path& folder, const std::filesystem::path& rafter_executable,
                        const Toolchain& toolchain, Mode mode);

/// Returns the folder written by write_nvcc_wrapper if its nvcc started this process, or an empty path.
std::filesystem::path nvcc_root();

enum class NvccAction { link, compile, preprocess, dependencies, archive, device_link, version, help };

/// A parsed nvcc command line.
struct NvccCommand {
  NvccAction action = NvccAction::link;
  std::vector<std::string> inputs;  // sources, objects and linker flags, in order
  CompileOptions options;
  std::filesystem::path output;
  std::vector<std::string> link_flags;        // -shared, -Xlinker and the like
  std::vector<std::string> dependency_flags;  // -MD, -MF file, ...; or -M alone
  std::filesystem::path dependency_file;
  bool writes_dependencies = false;  // in addition to the action
  bool relocatable = false;
  bool verbose = false;
  bool dry_run = false;
};

/// Throws Error: unsupported (options that produce device code, such as -ptx), bad_argument, io (an options file).
NvccCommand parse_nvcc(std::span<const std::string> arguments);

}  // namespace rafter::simt::build
