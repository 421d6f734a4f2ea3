#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cstdlib>
#include <iterator>
#include <sstream>

#include "base/files.hpp"
#include "base/process.hpp"
#include "executor/build/compile_jobs.hpp"
#include "executor/build/compile_setup.hpp"
#include "executor/build/diagnostics.hpp"
#include "executor/build/precompiled.hpp"
#include "executor/build/rewrite/preamble.hpp"
#include "rafter/error.hpp"

namespace rafter::simt::build {

namespace fs = std::filesystem;

namespace {

bool is_one_of(const fs::path& path, std::initializer_list<std::string_view> extensions) {
  return std::find(extensions.begin(), extensions.end(), path.extension().string()) != extensions.end();
}

base::Command words(const char* text) {
  std::istringstream stream(text);
  return {std::istream_iterator<std::string>(stream), {}};
}

/// Returns the flags for every source, from the lists in src/executor/CMakeLists.txt.
base::Command base_flags(const CompileOptions& options, const Toolchain& toolchain) {
  base::Command flags = words(RAFTER_SIMT_FLAGS);
  flags.insert(flags.end(), {"-fno-diagnostics-show-caret", "-fno-show-column"});
  if (options.mode == Mode::plain) {
    flags.emplace_back("-g1");
    const base::Command plain = words(RAFTER_SIMT_PLAIN_FLAGS);
    flags.insert(flags.end(), plain.begin(), plain.end());
  } else {
    const base::Command checked = words(RAFTER_SIMT_CHECKED_FLAGS);
    flags.insert(flags.end(), checked.begin(), checked.end());
    if (options.warns_of_unset) {
      std::erase(flags, "-w");
      flags.insert(flags.end(), {"-Wuninitialized", "-Wmaybe-uninitialized", json_diagnostics});
    }
    flags.push_back("-B" + toolchain.tools_dir.string() + "/");
  }
  return flags;
}

/// Returns the user's language standard, raised to at least 17.
std::string standard_flag(const std::string& standard) {
  if (standard.empty()) return "-std=gnu++17";
  const bool gnu = standard.starts_with("gnu");
  for (std::string_view low : {"98", "03", "0x", "11", "1y", "14"}) {
    if (standard.ends_with(low)) return gnu ? "-std=gnu++17" : "-std=c++17";
  }
  return "-std=" + standard;
}

enum class Language { c, cpp, cuda };

Language language_of(const Compilation& compilation, const CompileOptions& options) {
  if (options.all_cuda || is_cuda_source(compilation.source)) return Language::cuda;
  return compilation.source.extension() == ".c" ? Language::c : Language::cpp;
}

/// Whether the user passes -include. That header is read before the executor's and may test any macro.
bool forces_header(const CompileOptions& options) {
  return std::find(options.flags.begin(), options.flags.end(), "-include") != options.flags.end();
}

}  // namespace

bool is_cuda_source(const fs::path& path) { return is_one_of(path, {".cu", ".cuh"}); }
bool is_source(const fs::path& path) {
  return is_one_of(path, {".cu", ".cuh", ".cpp", ".cc", ".cxx", ".c++", ".C", ".c"});
}

bool is_toolkit(const fs::path& folder) {
  std::error_code error;
  return fs::exists(folder / "cuda_runtime_api.h", error) || fs::exists(folder / "driver_types.h", error);
}

std::vector<fs::path> project_folders(const CompileOptions& options) {
  std::vector<fs::path> folders;
  for (const fs::path& folder : options.include_dirs) {
    if (!is_toolkit(folder) && !folder.string().starts_with("/usr/")) folders.push_back(folder);
  }
  return folders;
}

RewriteOptions rewrite_options(const CompileOptions& options) {
  std::string text;
  for (const std::string& define : options.defines) text += define_line(define);
  RewriteOptions result;
  collect_macros(Tokens(text), result.macros);
  result.local_device_names = options.local_device_names;
  result.loops = options.mode == Mode::plain;
  result.structures = options.mode == Mode::checked;
  return result;
}

CompileOptions with_toolkit(CompileOptions options) {
  std::vector<fs::path> toolkits;
  for (const fs::path& folder : options.include_dirs) {
    if (is_toolkit(folder)) toolkits.push_back(folder);
  }
  for (const char* variable : {"CUDA_HOME", "CUDA_PATH"}) {
    if (const char* folder = std::getenv(variable)) toolkits.push_back(fs::path(folder) / "include");
  }
  toolkits.emplace_back("/usr/local/cuda/include");
  for (const fs::path& folder : toolkits) {
    std::error_code error;
    const fs::path headers = fs::exists(folder / "cccl/thrust", error) ? folder / "cccl" : folder;
    if (!fs::exists(headers / "thrust", error)) continue;
    options.system_dirs.push_back(headers);
    // The executor's libcu++ stand-ins defer to the toolkit's (first macro). NVIDIA's small float types would clash
    // with the executor's.
    for (const char* define : {"CCCL_OF_TOOLKIT", "THRUST_DEVICE_SYSTEM=THRUST_DEVICE_SYSTEM_CPP",
                               "CCCL_DISABLE_FP16_SUPPORT", "CCCL_DISABLE_BF16_SUPPORT", "CCCL_DISABLE_NVFP8_SUPPORT",
                               "CCCL_DISABLE_NVFP6_SUPPORT", "CCCL_DISABLE_NVFP4_SUPPORT"})
      options.defines.emplace_back(define);
    break;
  }
  return options;
}

namespace {

/// Returns the command without the source and the action.
base::Command flags_of(Language language, const CompileOptions& options, const Toolchain& toolchain) {
  base::Command command{toolchain.compiler};
  const base::Command common = base_flags(options, toolchain);
  command.insert(command.end(), common.begin(), common.end());
  if (language == Language::c) {
    command.emplace_back("-std=gnu17");
  } else {
    command.push_back(standard_flag(options.standard));
    command.emplace_back("-fpermissive");
  }
  for (const fs::path& dir : options.include_dirs) {
    if (!is_toolkit(dir)) command.push_back("-I" + dir.string());
  }
  command.insert(command.end(), {"-isystem", toolchain.shim_dir.string()});
  for (const std::vector<fs::path>* dirs : {&options.include_dirs, &options.system_dirs}) {
    for (const fs::path& dir : *dirs) {
      if (is_toolkit(dir) || dirs == &options.system_dirs) command.insert(command.end(), {"-isystem", dir.string()});
    }
  }
  const bool all_first = language != Language::cuda || forces_header(options);
  for (const std::string& define : options.defines) {
    if (all_first || is_for_headers(define)) command.push_back("-D" + define);
  }
  command.insert(command.end(), options.flags.begin(), options.flags.end());
  if (language == Language::cuda) command.emplace_back("-DRAFTER_SIMT_REWRITTEN");
  // In a checked build memcpy and the like are the executor's (memory_functions.hpp), even if the C library's fortified
  // versions are requested.
  if (options.mode != Mode::plain) command.emplace_back("-U_FORTIFY_SOURCE");
  return command;
}

}  // namespace

base::Command compile_command(const Compilation& compilation, const fs::path& input, const CompileOptions& options,
                              const Toolchain& toolchain) {
  const Language language = language_of(compilation, options);
  base::Command command = flags_of(language, options, toolchain);
  const fs::path folder = compilation.source.parent_path();
  command.push_back("-iquote" + (folder.empty() ? std::string(".") : folder.string()));
  command.insert(command.end(), compilation.actions.begin(), compilation.actions.end());
  if (language == Language::cuda) command.insert(command.end(), {"-include", "rafter_simt/all.hpp", "-x", "c++"});
  if (language == Language::c) command.insert(command.end(), {"-x", "c"});
  if (input != compilation.source) {
    command.push_back(fmt::format("-fdebug-prefix-map={}={}", input.string(), compilation.source.string()));
  }
  command.push_back(input.string());
  if (!compilation.object.empty()) command.insert(command.end(), {"-o", compilation.object.string()});
  return command;
}

namespace {

/// Adds the compiler flags required by the features the sources use.
CompileOptions with_flags_for(const Sources& sources, CompileOptions options) {
  // A loop that polls a volatile variable must let other threads run, so the runtime has to see each access.
  if (sources.names_volatile() && options.mode == Mode::plain) {
    for (const char* flag :
         {"-fsanitize=thread", "--param=tsan-distinguish-volatile=1", "--param=tsan-instrument-func-entry-exit=0"}) {
      options.flags.emplace_back(flag);
    }
  }
  // Where the compiler knows the accessed object, it calls the runtime when an access leaves it. The flag also makes it
  // read shared arrays once more than necessary, so it is set only for sources that declare arrays.
  if (sources.declares_arrays() && options.mode == Mode::checked) options.flags.emplace_back("-fsanitize=object-size");
  if (!sources.inter_block()) options.flags.emplace_back("-DRAFTER_SIMT_INDEPENDENT_BLOCKS");
  return options;
}

/// Returns the folder of the executor's precompiled headers, if they exist.
std::optional<fs::path> find_precompiled(const std::vector<Compilation>& compilations, const CompileOptions& options,
                                         const Toolchain& toolchain) {
  const auto is_cuda = [&](const Compilation& c) { return language_of(c, options) == Language::cuda; };
  // Dependency lists and preprocessed text name the headers themselves.
  const auto is_only_compiled = [](const Compilation& c) { return c.actions == base::Command{"-c"}; };
  const auto n_uses = std::count_if(compilations.begin(), compilations.end(), is_cuda);
  if (n_uses == 0 || forces_header(options) || !std::all_of(compilations.begin(), compilations.end(), is_only_compiled))
    return std::nullopt;
  return precompiled_headers(flags_of(Language::cuda, options, toolchain), n_uses, toolchain);
}

}  // namespace

Compiled compile(const std::vector<Compilation>& compilations, const CompileOptions& given,
                 const Toolchain& toolchain) {
  const base::ScratchFolder folder;
  Sources sources(project_folders(given), rewrite_options(given));
  const auto is_cuda = [&](const Compilation& c) { return language_of(c, given) == Language::cuda; };
  for (const Compilation& compilation : compilations) {
    if (is_cuda(compilation)) sources.add(compilation.source);
  }
  sources.examine();
  CompileOptions options =
      with_flags_for(sources, sources.uses_toolkit(toolchain.shim_dir) ? with_toolkit(given) : given);
  const std::optional<fs::path> headers = find_precompiled(compilations, options, toolchain);
  if (headers) options.include_dirs.insert(options.include_dirs.begin(), *headers);
  // A kernel may call functions of the other sources, of which each side has its own.
  const bool has_sides = options.relocatable &&
                         std::any_of(compilations.begin(), compilations.end(),
                                     [&](const auto& c) { return is_cuda(c) && sources.depends_on_side(c.source); });
  CompileJobs jobs(folder.path(), sources.has_lanes(), [&](const Compilation& one, Side side) {
    if (!is_cuda(one)) return compile_command(one, one.source, options, toolchain);
    const std::string preamble = make_preamble(sources.includes_outside(one.source), options, toolchain);
    return compile_command(one, sources.write_copy(one.source, folder.path(), preamble, side), options, toolchain);
  });
  for (const Compilation& compilation : compilations) {
    const bool two_sides = is_cuda(compilation) && (has_sides || sources.depends_on_side(compilation.source));
    two_sides ? jobs.add_sides(compilation) : jobs.add(compilation);
  }
  const bool succeeded = jobs.run();
  if (!succeeded && headers && drop_damaged(*headers)) return compile(compilations, given, toolchain);
  if (!succeeded) throw explain_compile(jobs.output(), sources.copies());
  jobs.combine({sources.device_names(), sources.common_names()}, options, toolchain);
  return {jobs.output(), sources.copies(), sources.device_names()};
}

}  // namespace rafter::simt::build
