// Builds CUDA programs for the executor: rewrites them, compiles them with the host compiler, links them with the
// runtime.
#pragma once

#include <array>
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

/// The paths of the executor's parts.
struct Toolchain {
  std::filesystem::path shim_dir;         // the headers that replace CUDA's
  std::filesystem::path runtime_library;  // librafter_simt.so
  std::filesystem::path tools_dir;        // the folder of the executor's `as`
  std::string compiler = "g++";

  /// Returns the path of the replacement of one of CUDA's libraries, such as "blas".
  std::filesystem::path library(const std::string& name) const {
    return runtime_library.parent_path() / ("librafter_simt_" + name + ".so");
  }
};

/// A replacement of libraries of CUDA.
struct LibraryReplacement {
  const char* name;                     // for Toolchain::library
  std::array<const char*, 2> replaced;  // their names after -l, without _static
};
inline constexpr std::array library_replacements{LibraryReplacement{"blas", {"cublas", "cublasLt"}},
                                                 LibraryReplacement{"rand", {"curand", nullptr}}};

/// Returns the paths of the replacements that exist. A program that calls another one's functions does not link.
std::vector<std::filesystem::path> installed_libraries(const Toolchain& toolchain);

/// The options that do not depend on the sources.
struct CompileOptions {
  std::vector<std::filesystem::path> include_dirs;
  std::vector<std::filesystem::path> system_dirs;
  std::vector<std::string> defines;  // NAME or NAME=VALUE
  std::vector<std::string> flags;    // passed to the compiler unchanged
  std::string standard;              // c++20, gnu++17, ...; raised to at least 17
  Mode mode = Mode::plain;
  bool local_device_names = false;  // device functions and variables are local to their source
  bool relocatable = false;         // device code may refer to other sources (nvcc -rdc=true)
  bool all_cuda = false;            // every source is CUDA, whatever its name (nvcc -x cu)
  bool warns_of_unset = false;      // the compiler's output names locals that are used uninitialised
};

struct Build {
  std::vector<std::filesystem::path> sources;  // .cu, C and C++; also objects, archives and shared libraries
  CompileOptions options;
  std::vector<std::string> link_flags;  // -l, -L and the like; CUDA's own libraries are left out
  std::filesystem::path output;         // empty: the program stays in the cache
};

struct Built {
  std::filesystem::path program;
  bool from_cache;
  bool inter_block;                      // blocks may wait for each other, so they should be resident together
  std::vector<UnsetLocal> unset_locals;  // of a checked program
};

/// Builds a program, or finds it in the cache. Throws Error: unsupported (each feature named with its line),
/// bad_argument (the program does not compile or link), io.
Built build_program(const Build& build, const Toolchain& toolchain);

struct Compilation {
  std::filesystem::path source;
  std::filesystem::path object;               // empty: only the compiler's output is used (-E, -M)
  std::vector<std::string> actions = {"-c"};  // or -E, -M, -MD -MF file, ...
};

struct Compiled {
  std::string output;  // the compiler's messages
  // rewritten copy -> original file, for names in that output and in dependency files
  std::map<std::string, std::string> copies;
  std::set<std::string> device_names;  // functions and variables that nvcc would keep local to each object
};

/// Compiles each source to its object. Throws the same errors as build_program.
Compiled compile(const std::vector<Compilation>& compilations, const CompileOptions& options,
                 const Toolchain& toolchain);

struct Linking {
  std::vector<std::string> inputs;  // objects, archives, libraries and flags, in order
  std::filesystem::path output;
  std::set<std::string> device_names;        // made local to their objects if they are defined more than once
  std::map<std::string, std::string> names;  // input -> its name in messages, where the two differ
};

void link(const Linking& linking, const Toolchain& toolchain);

/// Whether nvcc compiles a file with this name as CUDA.
bool is_cuda_source(const std::filesystem::path& path);
/// Whether nvcc compiles a file with this name at all.
bool is_source(const std::filesystem::path& path);

}  // namespace rafter::simt::build
