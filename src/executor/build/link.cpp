#include <fmt/format.h>

#include <algorithm>
#include <array>

#include "base/process.hpp"
#include "executor/build/compile_setup.hpp"
#include "executor/build/diagnostics.hpp"
#include "executor/build/program.hpp"
#include "executor/build/sides/assembly.hpp"
#include "rafter/error.hpp"

namespace rafter::simt::build {

namespace {

/// CUDA's own libraries. The runtime replaces some of them; an undefined function of the others is reported as
/// unsupported.
bool is_cuda_library(const std::string& flag) {
  constexpr std::array<std::string_view, 22> names{
      "cudart", "cudart_static", "cudadevrt",       "cuda",         "nvToolsExt", "culibos",
      "cublas", "cublasLt",      "cublas_static",   "cufft",        "cusparse",   "cusolver",
      "curand", "cudnn",         "nvrtc",           "nccl",         "npp",        "nppc",
      "nvml",   "nvidia-ml",     "cusolver_static", "curand_static"};
  return flag.starts_with("-l") && std::find(names.begin(), names.end(), flag.substr(2)) != names.end();
}

base::Command link_command(const Linking& linking, const Toolchain& toolchain) {
  // nvcc finds device functions in an archive at any position among the inputs.
  base::Command command{toolchain.compiler, "-Wl,--no-demangle", "-o", linking.output.string(), "-Wl,--start-group"};
  for (const std::string& input : linking.inputs) {
    if (!is_cuda_library(input)) command.push_back(input);
  }
  command.emplace_back("-Wl,--end-group");
  const std::filesystem::path& runtime = toolchain.runtime_library;
  // Lazy binding would use about 3 KB of a fiber's stack. Undefined symbols of shared libraries are not checked: that
  // takes half of the linker's time.
  command.insert(command.end(), {runtime.string(), "-Wl,-rpath," + runtime.parent_path().string(), "-Wl,-z,now",
                                 "-Wl,--allow-shlib-undefined", "-lpthread"});
  // A program needs these only if it calls their functions.
  command.emplace_back("-Wl,--as-needed");
  for (const std::filesystem::path& library : installed_libraries(toolchain)) command.push_back(library.string());
  for (const char* symbol : wrapped_symbols) command.push_back(fmt::format("-Wl,--wrap={}", symbol));
  return command;
}

void localise(const std::vector<std::string>& symbols, const std::vector<std::string>& inputs) {
  base::Command command{"objcopy"};
  for (const std::string& symbol : symbols) command.push_back("--localize-symbol=" + symbol);
  std::vector<base::Command> commands;
  for (const std::string& input : inputs) {
    if (!input.ends_with(".o") && !input.ends_with(".obj")) continue;
    commands.push_back(command);
    commands.back().push_back(input);
  }
  for (const base::Outcome& outcome : base::run_all(commands)) {
    if (outcome.status() != 0) throw Error(ErrorCode::io, outcome.output);
  }
}

}  // namespace

std::vector<std::filesystem::path> installed_libraries(const Toolchain& toolchain) {
  std::vector<std::filesystem::path> found;
  for (const LibraryReplacement& one : library_replacements) {
    std::error_code error;
    if (std::filesystem::exists(toolchain.library(one.name), error)) found.push_back(toolchain.library(one.name));
  }
  return found;
}

void link(const Linking& linking, const Toolchain& toolchain) {
  const base::Command command = link_command(linking, toolchain);
  base::Outcome outcome = base::run(command);
  // Device functions and variables may be defined in several sources, each with its own copy.
  const std::vector<std::string> twice = multiply_defined(outcome.output);
  const bool all_local = std::all_of(twice.begin(), twice.end(), [&](const std::string& symbol) {
    return symbol != "main" && names_symbol(symbol, linking.device_names);
  });
  if (outcome.status() != 0 && !twice.empty() && all_local) {
    localise(twice, linking.inputs);
    outcome = base::run(command);
  }
  if (outcome.status() != 0) throw explain_link(outcome.output, linking.names);
}

}  // namespace rafter::simt::build
