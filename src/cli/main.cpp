// The program `rafter`: parses the command line and becomes the program that performs the command.
#include <unistd.h>

#include <cerrno>
#include <cstring>
#include <filesystem>

#include "cli/tool.hpp"

namespace {

using namespace rafter;
using namespace rafter::cli;
namespace fs = std::filesystem;

/// The path of a program. An installed tool is PREFIX/bin/rafter with its programs in PREFIX/libexec/rafter; a built
/// one is BUILD/rafter with its programs in BUILD/libexec.
fs::path path_of(const std::string& program) {
  const fs::path here = fs::read_symlink("/proc/self/exe").parent_path();
  const fs::path installed = here.parent_path() / "libexec/rafter" / program;
  return fs::exists(installed) ? installed : here / "libexec" / program;
}

/// The program that performs a command. Runs depend on the device, drawing and loaded workloads.
struct ProgramOf {
  const char* operator()(const RunOptions& options) const {
    const bool loads = !options.load.empty();
    if (options.request.device == "simt") return loads ? "rafter-load" : "rafter-trial";
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
    if (options.has_kernel()) return "rafter-bench";
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

/// Replaces this process by a program with the same command line.
[[noreturn]] void become(const std::string& program, char** argv) {
  const fs::path path = path_of(program);
  if (!fs::exists(path)) {
    throw Error(ErrorCode::io, "this needs the program " + path.string() + ", which does not exist; './rafter build " +
                                   program + "' builds it");
  }
  execv(path.c_str(), argv);
  throw Error(ErrorCode::io, "cannot start " + path.string() + ": " + std::strerror(errno));
}

}  // namespace

int main(int argc, char** argv) {
  return tool(argc, argv, [&](const Command& command) -> int { become(std::visit(ProgramOf{}, command), argv); });
}
