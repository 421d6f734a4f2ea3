#include "cli/executor/build.hpp"

#include <fmt/format.h>
#include <unistd.h>

#include <fstream>

#include "base/files.hpp"
#include "executor/build/kernel_driver.hpp"
#include "executor/build/cache.hpp"
#include "executor/build/nvcc.hpp"
#include "executor/build/program.hpp"
#include "executor/build/toolchain.hpp"
#include "rafter/error.hpp"

namespace rafter::cli {

namespace fs = std::filesystem;
namespace build = simt::build;

namespace {

/// A program that was built already: one file that is no source.
bool is_program(const ExecutorOptions& options) {
  if (options.build.size() != 1 || options.build.front().starts_with("-")) return false;
  const fs::path file = options.build.front();
  return !build::is_source(file) && access(file.c_str(), X_OK) == 0 && fs::is_regular_file(file);
}

/// Whether it was built for checking: then it calls the hooks.
bool calls_hooks(const fs::path& program) {
  std::ifstream file(program, std::ios::binary);
  const std::string content{std::istreambuf_iterator<char>(file), {}};
  return content.find("__tsan_init") != std::string::npos;
}

/// Words with two dashes that neither this tool nor nvcc knows: misspelt, and the word after them is no file.
void check_options(const build::NvccCommand& command) {
  for (const std::string& flag : command.options.flags) {
    if (!flag.starts_with("--") || flag.starts_with("--param") || flag.starts_with("--sysroot")) continue;
    throw Error(ErrorCode::bad_argument, fmt::format("there is no option '{}'; --help lists them", flag));
  }
}

void check_files(const build::NvccCommand& command) {
  bool any_source = false;
  for (const std::string& input : command.inputs) {
    if (input.starts_with("-")) continue;
    if (!fs::exists(input)) throw Error(ErrorCode::io, "there is no file " + input);
    any_source = any_source || build::is_source(input);
  }
  if (!any_source) {
    throw Error(ErrorCode::bad_argument,
                "no CUDA source was given; expected FILE.cu, or a program that the stand-in nvcc built");
  }
}

/// The driver around one kernel, in a file that is the same as long as its text is: it is part of what is kept.
fs::path write_driver(const std::string& text) {
  build::Digest digest;
  digest.add(text);
  const fs::path folder = build::Cache().folder() / "drivers", driver = folder / (digest.text() + ".cu");
  fs::create_directories(folder);
  if (base::read_file(driver) != text) base::write_file(driver, text);
  return driver;
}

}  // namespace

bool is_hooked(const ExecutorOptions& options) {
  return options.action != ExecutorOptions::Action::exec || options.in_step;
}

build::Built make_program(const ExecutorOptions& options) {
  if (is_program(options)) {
    const fs::path program = fs::absolute(options.build.front());
    if (is_hooked(options) && !calls_hooks(program)) {
      throw Error(
          ErrorCode::unsupported,
          fmt::format("{} was not built for checking; build it with the nvcc of 'rafter check --nvcc-wrapper DIR'",
                      options.build.front()));
    }
    return {program, true, false, {}};
  }
  const build::NvccCommand command = build::parse_nvcc(options.build);
  check_options(command);
  check_files(command);
  build::Build what;
  what.options = command.options;
  what.options.mode = is_hooked(options) ? build::Mode::checked : build::Mode::plain;
  what.link_flags = command.link_flags;
  what.relocatable = command.relocatable;
  for (const std::string& input : command.inputs) {
    if (input.starts_with("-")) {
      what.link_flags.push_back(input);
    } else {
      what.sources.emplace_back(input);
    }
  }
  if (!options.kernel.empty()) {
    const fs::path file = fs::absolute(what.sources.front());
    what.sources.front() = write_driver(build::generate_kernel_driver(file, options.kernel));
  }
  return build::build_program(what, build::toolchain());
}

}  // namespace rafter::cli
