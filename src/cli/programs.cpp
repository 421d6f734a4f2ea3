#include "cli/programs.hpp"

#include <unistd.h>

#include <cerrno>
#include <cstring>
#include <filesystem>

#include "rafter/error.hpp"

namespace rafter::cli {

namespace {

namespace fs = std::filesystem;

/// Installed, the tool is PREFIX/bin/rafter and its programs are in PREFIX/libexec/rafter; built, BUILD/rafter and
/// BUILD/libexec, wherever the folder was moved to.
fs::path path_of(const std::string& program) {
  const fs::path here = fs::read_symlink("/proc/self/exe").parent_path();
  const fs::path installed = here.parent_path() / "libexec/rafter" / program;
  return fs::exists(installed) ? installed : here / "libexec" / program;
}

struct ProgramOf {
  const char* operator()(const RunOptions& options) const {
    const bool loads = !options.load.empty();
    if (options.device == "simt") return loads ? "rafter-load" : "rafter-trial";
    if (!options.plot_path.empty()) return "rafter-plot";
    return loads ? "rafter-load" : "rafter-run";
  }
  const char* operator()(const ListOptions& options) const {
    return options.load.empty() ? "rafter-run" : "rafter-load";
  }
  const char* operator()(const ShowOptions& options) const {
    return options.load.empty() ? "rafter-run" : "rafter-load";
  }
  const char* operator()(const TuneOptions& options) const {
    const bool has_kernel = !options.bench.kernels.empty() || !options.parameters.empty();
    if (has_kernel) return "rafter-bench";
    return options.load.empty() ? "rafter-run" : "rafter-load";
  }
  const char* operator()(const JournalExportOptions& options) const {
    return options.is_page() ? "rafter-report" : "rafter-journal";
  }
  const char* operator()(const ExplainOptions& options) const {
    if (!options.load.empty()) return "rafter-load";
    return options.is_of_workload() ? "rafter-explain-rung" : "rafter-explain";
  }
  template <class Options>
  const char* operator()(const Options&) const {
    return Options::program;
  }
  const char* operator()(const Finished&) const { return ""; }  // never performed
};

}  // namespace

std::string program_of(const Command& command) { return std::visit(ProgramOf{}, command); }

void become(const std::string& program, char** argv) {
  const fs::path path = path_of(program);
  if (!fs::exists(path)) {
    throw Error(ErrorCode::io, "this needs the program " + path.string() + ", which is not there; './rafter build " +
                                   program + "' makes it");
  }
  execv(path.c_str(), argv);
  throw Error(ErrorCode::io, "cannot start " + path.string() + ": " + std::strerror(errno));
}

}  // namespace rafter::cli
