#include "executor/build/program.hpp"

#include <fmt/format.h>

#include <fstream>

#include "base/files.hpp"
#include "executor/build/cache.hpp"
#include "executor/build/compile_setup.hpp"
#include "executor/build/precompiled.hpp"
#include "rafter/error.hpp"

namespace rafter::simt::build {

namespace fs = std::filesystem;

namespace {

/// Returns the processor's name and features: a program built for one processor may not run on another that shares the
/// cache.
std::string processor() {
  std::ifstream info("/proc/cpuinfo");
  std::string all;
  for (std::string line; std::getline(info, line) && !line.empty();) {
    for (std::string_view field : {"model name", "flags", "CPU implementer", "CPU part", "Features"}) {
      if (line.starts_with(field)) all += line + "\n";
    }
  }
  return all;
}

/// Returns a digest of everything that affects the result. The current folder is included: file names in findings are
/// relative to it.
std::string cache_key(const Build& build, const Toolchain& toolchain, const Sources& sources) {
  const CompileOptions options = sources.uses_toolkit(toolchain.shim_dir) ? with_toolkit(build.options) : build.options;
  Digest digest;
  digest.add("2");
  digest.add(processor());
  digest.add(fs::current_path().string());
  for (const fs::path& source : build.sources) {
    const Compilation compilation{source, "object"};
    for (const std::string& word : compile_command(compilation, source, options, toolchain)) digest.add(word);
    if (!is_source(source)) digest.add_stamp(source);
  }
  for (const std::string& define : options.defines) digest.add(define);
  for (const std::string& flag : build.link_flags) digest.add(flag);
  digest.add(build.options.relocatable ? "relocatable" : "whole");
  for (const auto& [path, text] : sources.texts()) {
    digest.add(path.string());
    digest.add(text);
  }
  add_stamps(digest, toolchain);
  digest.add_stamp(toolchain.tools_dir / "as");
  digest.add(toolchain.runtime_library.string());
  std::error_code error;
  digest.add_stamp(fs::read_symlink("/proc/self/exe", error));  // the rewriter
  return digest.text();
}

/// Returns the compiler's output.
std::string make_program(const Build& build, const Toolchain& toolchain, const fs::path& folder,
                         const fs::path& output) {
  std::vector<Compilation> compilations;
  Linking linking;
  for (const fs::path& source : build.sources) {
    if (!is_source(source)) {
      linking.inputs.push_back(source.string());
      continue;
    }
    compilations.push_back({source, folder / fmt::format("{}_{}.o", compilations.size(), source.filename().string())});
    linking.inputs.push_back(compilations.back().object.string());
    linking.names[linking.inputs.back()] = source.string();
  }
  const Compiled compiled = compile(compilations, build.options, toolchain);
  if (!build.options.relocatable) linking.device_names = compiled.device_names;
  for (const std::string& flag : build.options.flags) {
    if (flag == "-fopenmp" || flag.starts_with("-fopenmp=") || flag == "-pthread") linking.inputs.push_back(flag);
  }
  linking.inputs.insert(linking.inputs.end(), build.link_flags.begin(), build.link_flags.end());
  linking.output = output;
  link(linking, toolchain);
  return compiled.output;
}

}  // namespace

Built build_program(const Build& given, const Toolchain& toolchain) {
  Build build = given;
  build.options.warns_of_unset = build.options.mode == Mode::checked;
  if (build.sources.empty()) throw Error(ErrorCode::bad_argument, "no source files were given");
  Sources sources(project_folders(build.options), rewrite_options(build.options));
  for (const fs::path& source : build.sources) {
    std::error_code error;
    if (!fs::is_regular_file(source, error))
      throw Error(ErrorCode::io, fmt::format("cannot read '{}'", source.string()));
    if (is_source(source)) sources.add(source);
  }
  sources.examine();
  const Cache cache;
  const std::string key = cache_key(build, toolchain, sources);
  fs::path program = sources.has_computed_include() ? fs::path() : cache.find(key);
  const bool from_cache = !program.empty();
  std::vector<UnsetLocal> unset;
  if (from_cache) {
    unset = load_unset_locals(cache.folder(), key);
  } else {
    const base::ScratchFolder folder;
    const std::string said = make_program(build, toolchain, folder.path(), folder.path() / "program");
    program = cache.keep(key, folder.path() / "program");
    unset = find_unset_locals(said, sources.texts());
    save_unset_locals(cache.folder(), key, unset);
  }
  if (!build.output.empty()) {
    std::error_code error;
    fs::copy_file(program, build.output, fs::copy_options::overwrite_existing, error);
    if (error) throw Error(ErrorCode::io, fmt::format("cannot write '{}': {}", build.output.string(), error.message()));
    program = build.output;
  }
  return {program, from_cache, sources.inter_block(), std::move(unset)};
}

}  // namespace rafter::simt::build
