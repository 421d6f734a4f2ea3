#include "executor/build/nvcc.hpp"

#include <fmt/format.h>

#include <cstdio>
#include <cstdlib>
#include <fstream>

#include "base/files.hpp"
#include "base/process.hpp"
#include "executor/build/compile_setup.hpp"
#include "rafter/error.hpp"

namespace rafter::simt::build {

namespace fs = std::filesystem;

namespace {

constexpr const char* version_text =
    "nvcc: NVIDIA (R) Cuda compiler driver\n"
    "(replaced by rafter: programs run on its CPU executor)\n"
    "Cuda compilation tools, release 13.0, V13.0.0\n";

/// The section of an object that stores the names of its device functions and variables for the link.
constexpr const char* names_section = ".rafter_device_names";

void replace_all(std::string& text, const std::map<std::string, std::string>& names) {
  for (const auto& [from, to] : names) {
    for (std::size_t at = 0; (at = text.find(from, at)) != std::string::npos; at += to.size())
      text.replace(at, from.size(), to);
  }
}

/// Whether a source is one of CMake's probes, which test macros that other sources must not see.
bool is_cmake_probe(const fs::path& source) {
  const std::string name = source.filename().string();
  return name == "CMakeCUDACompilerId.cu" || name == "CMakeCUDACompilerABI.cu" || name.starts_with("testCUDACompiler");
}

class Driver {
 public:
  Driver(NvccCommand command, const Toolchain& toolchain) : command_(std::move(command)), toolchain_(toolchain) {}

  int run_command() {
    if (command_.verbose) print_setup();
    for (const std::string& input : command_.inputs) {
      std::error_code error;
      if (!input.starts_with("-") && !fs::exists(input, error)) {
        std::fprintf(stderr, "nvcc fatal   : Don't know what to do with '%s'\n", input.c_str());
        return 1;
      }
    }
    if (command_.dry_run) return 0;
    switch (command_.action) {
      case NvccAction::version: std::fputs(version_text, stdout); return 0;
      case NvccAction::help:
        std::fputs("Usage: nvcc [options] <input files>: see NVIDIA's manual; GPU-only options are ignored\n", stdout);
        return 0;
      case NvccAction::preprocess:
      case NvccAction::dependencies: return show();
      case NvccAction::compile: return compile_only();
      case NvccAction::device_link: return empty_object();
      case NvccAction::archive: return archive();
      case NvccAction::link: return link_program();
    }
    return 1;
  }

 private:
  /// Prints the lines that CMake parses: the folders, the host's link line, the architecture.
  void print_setup() const {
    const fs::path root = nvcc_root();
    const std::string libraries = fmt::format("\"-L{}\"", (root / "lib64").string());
    std::fprintf(stderr, "#$ TOP=%s\n#$ NVVMIR_LIBRARY_DIR=%s\n#$ PATH=%s\n#$ INCLUDES=\"-I%s\"  \n#$ LIBRARIES=  %s\n",
                 root.c_str(), (root / "nvvm/libdevice").c_str(),
                 std::getenv("PATH") != nullptr ? std::getenv("PATH") : "", (root / "include").c_str(),
                 libraries.c_str());
    if (command_.inputs.empty() || !is_source(command_.inputs[0])) return;
    std::fprintf(stderr,
                 "#$ cicc -arch compute_80 \"%s\"\n#$ %s -o \"a.out\" -Wl,--start-group \"a.o\"   %s  -lcudadevrt  "
                 "-lcudart_static  -lrt -lpthread  -ldl  -Wl,--end-group\n",
                 command_.inputs[0].c_str(), toolchain_.compiler.c_str(), libraries.c_str());
  }

  CompileOptions options_for(const fs::path& source) const {
    CompileOptions options = command_.options;
    options.local_device_names = !command_.relocatable;
    options.relocatable = command_.relocatable;
    if (is_cmake_probe(source)) {
      for (const char* define :
           {"__CUDACC__", "__NVCC__", "__CUDACC_VER_MAJOR__=13", "__CUDACC_VER_MINOR__=0", "__CUDACC_VER_BUILD__=0"})
        options.defines.emplace_back(define);
    }
    return options;
  }

  void compile_one(const fs::path& source, const fs::path& object) const {
    Compilation compilation{source, object};
    fs::path dependencies;
    if (command_.writes_dependencies) {
      dependencies =
          !command_.dependency_file.empty() ? command_.dependency_file : fs::path(object).replace_extension(".d");
      compilation.actions.insert(compilation.actions.end(), command_.dependency_flags.begin(),
                                 command_.dependency_flags.end());
      compilation.actions.insert(compilation.actions.end(), {"-MF", dependencies.string()});
    }
    const Compiled compiled = compile({compilation}, options_for(source), toolchain_);
    std::string output = compiled.output;
    replace_all(output, compiled.copies);
    std::fputs(output.c_str(), stderr);
    if (!dependencies.empty()) {
      std::string text = base::read_file(dependencies).value_or("");
      replace_all(text, compiled.copies);
      base::write_file(dependencies, text);
    }
    if (command_.options.all_cuda || is_cuda_source(source)) {
      finish_object(object, command_.relocatable ? std::set<std::string>() : compiled.device_names);
    }
  }

  /// Prepares the object for linking by another compiler, which does not know the executor's link flags: renames the
  /// wrapped symbols and stores the device names.
  static void finish_object(const fs::path& object, const std::set<std::string>& names) {
    const base::ScratchFolder folder;
    std::string text;
    for (const std::string& name : names) text += name + "\n";
    base::write_file(folder.path() / "names", text);
    base::Command command{"objcopy",
                          fmt::format("--add-section={}={}", names_section, (folder.path() / "names").string()),
                          fmt::format("--set-section-flags={}=noload,readonly,exclude", names_section)};
    for (const char* symbol : wrapped_symbols) command.push_back(fmt::format("--redefine-sym={0}=__wrap_{0}", symbol));
    command.push_back(object.string());
    const base::Outcome outcome = base::run(command);
    if (outcome.status() != 0) throw Error(ErrorCode::io, outcome.output);
  }

  static std::set<std::string> kept_names(const std::vector<std::string>& inputs) {
    const base::ScratchFolder folder;
    std::set<std::string> names;
    for (const std::string& input : inputs) {
      if (!input.ends_with(".o")) continue;
      const fs::path text = folder.path() / "names";
      base::run({"objcopy", "-O", "binary", fmt::format("--only-section={}", names_section),
                 fmt::format("--set-section-flags={}=alloc", names_section), input, text.string()});
      std::ifstream file(text);
      for (std::string name; std::getline(file, name);) names.insert(name);
    }
    return names;
  }

  int show() {
    for (const std::string& input : command_.inputs) {
      if (!is_source(input)) continue;
      Compilation compilation{input, command_.output, {}};
      if (command_.action == NvccAction::preprocess) compilation.actions = {"-E"};
      compilation.actions.insert(compilation.actions.end(), command_.dependency_flags.begin(),
                                 command_.dependency_flags.end());
      const Compiled compiled = compile({compilation}, options_for(input), toolchain_);
      std::string text = command_.output.empty() ? compiled.output : base::read_file(command_.output).value_or("");
      replace_all(text, compiled.copies);
      if (command_.output.empty())
        std::fputs(text.c_str(), stdout);
      else
        base::write_file(command_.output, text);
    }
    return 0;
  }

  int compile_only() {
    for (const std::string& input : command_.inputs) {
      if (!is_source(input) && !command_.options.all_cuda) continue;
      const bool named = !command_.output.empty();
      compile_one(input, named ? command_.output : fs::path(input).filename().replace_extension(".o"));
    }
    return 0;
  }

  /// Compiles the sources among the inputs to objects in `folder`; returns all inputs with the sources replaced.
  std::vector<std::string> objects(const fs::path& folder) {
    std::vector<std::string> result;
    for (const std::string& input : command_.inputs) {
      const bool source = !input.starts_with("-") && is_source(input);
      result.push_back(
          source ? (folder / fmt::format("{}_{}.o", result.size(), fs::path(input).filename().string())).string()
                 : input);
      if (source) compile_one(input, result.back());
    }
    return result;
  }

  int link_program() {
    if (command_.inputs.empty()) {
      std::fputs("nvcc fatal   : No input files specified; use option --help for more information\n", stderr);
      return 1;
    }
    const base::ScratchFolder folder;
    Linking linking;
    linking.inputs = objects(folder.path());
    if (!command_.relocatable) linking.device_names = kept_names(linking.inputs);
    for (std::size_t i = 0; i < linking.inputs.size(); ++i) linking.names[linking.inputs[i]] = command_.inputs[i];
    linking.inputs.insert(linking.inputs.end(), command_.link_flags.begin(), command_.link_flags.end());
    linking.output = command_.output.empty() ? fs::path("a.out") : command_.output;
    link(linking, toolchain_);
    return 0;
  }

  int archive() {
    const base::ScratchFolder folder;
    base::Command ar{"ar", "rcs", command_.output.empty() ? "a.a" : command_.output.string()};
    for (const std::string& object : objects(folder.path())) {
      if (!object.starts_with("-")) ar.push_back(object);
    }
    const base::Outcome outcome = base::run(ar);
    std::fputs(outcome.output.c_str(), stderr);
    return outcome.status();
  }

  /// Writes an empty object: there is no device code to link, but build systems pass the result to the linker.
  int empty_object() const {
    const base::ScratchFolder folder;
    base::write_file(folder.path() / "empty.c", "\n");
    const fs::path output = command_.output.empty() ? fs::path("a_dlink.o") : command_.output;
    return base::run({toolchain_.compiler, "-fPIC", "-c", (folder.path() / "empty.c").string(), "-o", output.string()})
        .status();
  }

  NvccCommand command_;
  const Toolchain& toolchain_;
};

}  // namespace

int nvcc(std::span<const std::string> arguments, const Toolchain& toolchain, Mode mode) {
  try {
    NvccCommand command = parse_nvcc(arguments);
    command.options.mode = mode;
    return Driver(std::move(command), toolchain).run_command();
  } catch (const Error& error) {
    std::fprintf(stderr, "%s\n", error.what());
    return error.code() == ErrorCode::unsupported ? 2 : 1;
  }
}

}  // namespace rafter::simt::build
