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
    if (options.device == "simt") return "rafter-trial";
    return options.plot_path.empty() ? "rafter-bench" : "rafter-plot";
  }
  const char* operator()(const PlotOptions&) const { return "rafter-plot"; }
  const char* operator()(const ReportOptions&) const { return "rafter-report"; }
  const char* operator()(const CompareOptions&) const { return "rafter-compare"; }
  const char* operator()(const ExecutorOptions&) const { return "rafter-executor"; }
  const char* operator()(const NvccOptions&) const { return "rafter-executor"; }
  const char* operator()(const TryOptions&) const { return "rafter-trial"; }
  const char* operator()(const TryChildOptions&) const { return "rafter-trial"; }
  const char* operator()(const SolveHeatOptions&) const { return "rafter-solve"; }
  const char* operator()(const ClassifyOptions&) const { return "rafter-classify"; }
  const char* operator()(const ScoreOptions&) const { return "rafter-score"; }
  const char* operator()(const ForcesOptions&) const { return "rafter-forces"; }
  const char* operator()(const auto&) const { return "rafter-bench"; }
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
