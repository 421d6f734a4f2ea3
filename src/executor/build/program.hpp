// Builds CUDA programs for the executor: rewrites, compiles with the host compiler, links with the runtime.
#pragma once

#include <filesystem>
#include <map>
#include <set>
#include <string>
#include <vector>

#include "executor/build/unset_locals.hpp"

namespace rafter::simt::build {

enum class Mode {
  plain,    ///< runs only
  checked,  ///< every load and store calls the runtime
};

/// Where the parts of the executor are.
struct Toolchain {
  std::filesystem::path shim_dir;         // the headers that stand in for CUDA's
  std::filesystem::path runtime_library;  // librafter_simt.so
  std::filesystem::path tools_dir;        // where our `as` is
  std::string compiler = "g++";
};

/// How to compile, whatever the sources are.
struct CompileOptions {
  std::vector<std::filesystem::path> include_dirs;
  std::vector<std::filesystem::path> system_dirs;
  std::vector<std::string> defines;  // NAME or NAME=VALUE
  std::vector<std::string> flags;    // for the compiler, as they are
  std::string standard;              // c++20, gnu++17, ...; at least 17 is used
  Mode mode = Mode::plain;
  bool local_device_names = false;  // device functions and variables are seen in their own source only
  bool all_cuda = false;            // every source is CUDA, whatever its name (nvcc -x cu)
  bool warns_of_unset = false;      // the compiler's output names locals that are used before they are set
};

struct Build {
  std::vector<std::filesystem::path> sources;  // .cu and C or C++; also objects, archives and shared libraries
  CompileOptions options;
  std::vector<std::string> link_flags;  // -l, -L and the like; CUDA's own libraries among them are left out
  bool relocatable = false;             // device code may refer to other sources (nvcc -rdc=true)
  std::filesystem::path output;         // empty: the program stays in the cache
};

struct Built {
  std::filesystem::path program;
  bool from_cache;
  bool inter_block;                      // blocks may wait for one another: they should be resident together
  std::vector<UnsetLocal> unset_locals;  // of a checked program
};

/// Builds a program, or finds it in the cache. Throws Error: unsupported (each thing named with its line),
/// bad_argument (the program does not compile or link), io.
Built build_program(const Build& build, const Toolchain& toolchain);

struct Compilation {
  std::filesystem::path source;
  std::filesystem::path object;               // empty: only the compiler's output counts (-E, -M)
  std::vector<std::string> actions = {"-c"};  // or -E, -M, -MD -MF file, ...
};

struct Compiled {
  std::string output;                         // what the compiler printed
  std::map<std::string, std::string> copies;  // names in that output, and in dependency files, that are not the user's
  std::set<std::string> device_names;         // what nvcc would keep local to each object
};

/// Compiles each source to its object; errors as for build_program.
Compiled compile(const std::vector<Compilation>& compilations, const CompileOptions& options,
                 const Toolchain& toolchain);

struct Linking {
  std::vector<std::string> inputs;  // objects, archives, libraries and flags in their order
  std::filesystem::path output;
  std::set<std::string> device_names;        // may be made local to their objects when they are defined twice
  std::map<std::string, std::string> names;  // what messages shall call the inputs, where that is something else
};

void link(const Linking& linking, const Toolchain& toolchain);

/// Whether nvcc compiles a file of this name as CUDA, and whether it compiles it at all.
bool is_cuda_source(const std::filesystem::path& path);
bool is_source(const std::filesystem::path& path);

}  // namespace rafter::simt::build
