// rafter exec, check and profile: builds a CUDA program for the executor, runs it, and shows what was found or counted.
#include "cli/executor/executor.hpp"

#include <fmt/format.h>

#include <cstring>
#include <nlohmann/json.hpp>

#include "base/files.hpp"
#include "base/process.hpp"
#include "base/terminal.hpp"
#include "cli/executor/build.hpp"
#include "cli/executor/run_program.hpp"
#include "cli/executor/sizes.hpp"
#include "executor/build/nvcc.hpp"
#include "executor/build/toolchain.hpp"
#include "executor/report/findings_text.hpp"
#include "executor/report/profile_text.hpp"
#include "executor/report/report_file.hpp"
#include "rafter/error.hpp"

namespace rafter::cli {

namespace {

namespace fs = std::filesystem;
namespace build = simt::build;
namespace report = simt::report;
using Action = ExecutorOptions::Action;

std::string text(const base::Outcome& ended, const ExecutorOptions& options) {
  if (ended.timed_out)
    return fmt::format("the program was ended: its time limit of {:g} s was up", options.time_limit_s);
  if (ended.signal)
    return fmt::format("the program was ended by signal {} ({})", ended.signal, strsignal(ended.signal));
  return fmt::format("the program returned {}", ended.code);
}

/// Launches that were refused or did not end well, and how the program ended.
void show_failures(const ExecutorOptions& options, const nlohmann::json& found, const base::Outcome& ended) {
  for (const auto& kernel : found["kernels"]) {
    if (!kernel.contains("failure")) continue;
    fmt::print("kernel {} did not end well: {}\n", kernel["name"].get<std::string>(),
               kernel["failure"].get<std::string>());
  }
  if (!ended.succeeded()) fmt::print("{}\n", text(ended, options));
}

/// Shows what a check found.
void show_check(const ExecutorOptions& options, const nlohmann::json& found, const base::Outcome& ended) {
  fmt::print("{}", report::findings_text(found));
  show_failures(options, found, ended);
  if (report::has_launches(found)) fmt::print("{}", report::summary_text(found));
}

int verdict(const ExecutorOptions& options, const nlohmann::json& found, const base::Outcome& ended) {
  if (report::met_unsupported(found)) return exit_failed;
  if (report::has_findings(found) || report::has_failures(found)) return exit_no;
  if (ended.signal || ended.timed_out) return exit_failed;
  if (!report::has_launches(found)) {
    fmt::print(stderr, "rafter: nothing was checked: the program launched no kernel\n");
    return exit_failed;
  }
  const bool is_our_driver = !options.kernel.empty();  // its 2 means that it could not do what was asked for
  return ended.code == 0 ? exit_good : is_our_driver && ended.code == exit_failed ? exit_failed : exit_no;
}

/// A plain run shows only what kept a launch from ending well.
int after_exec(const ExecutorOptions& options, const nlohmann::json& found, const base::Outcome& ended) {
  if (ended.timed_out) fmt::print(stderr, "rafter: {}\n", text(ended, options));
  if (!found.is_object()) return ended.status();
  const bool unsupported = report::met_unsupported(found);
  if (report::has_failures(found) || unsupported) fmt::print(stderr, "{}", report::findings_text(found));
  return unsupported ? exit_failed : ended.status();
}

void show_profile(const ExecutorOptions& options, const nlohmann::json& found, const base::Outcome& ended) {
  fmt::print("{}\n{}", report::profile_tables(found, base::output_style()), report::annotated_sources(found));
  fmt::print("{}", report::findings_text(found));
  show_failures(options, found, ended);
}

nlohmann::json as_json(const base::Outcome& ended) {
  if (ended.timed_out) return {{"timed_out", true}};
  return ended.signal != 0 ? nlohmann::json{{"signal", ended.signal}} : nlohmann::json{{"code", ended.code}};
}

}  // namespace

int executor(const ExecutorOptions& given) {
  const ExecutorOptions options = with_sizes(given);
  const build::Mode mode = is_hooked(options) ? build::Mode::checked : build::Mode::plain;
  if (!options.nvcc_wrapper.empty()) {
    build::write_nvcc_wrapper(options.nvcc_wrapper, simt::build::this_program(), simt::build::toolchain(), mode);
    fmt::print("{0}/bin/nvcc builds for the executor: PATH={0}/bin:$PATH make\n",
               fs::absolute(options.nvcc_wrapper).string());
    return exit_good;
  }
  const base::ScratchFolder scratch;
  const build::Built built = make_program(options);
  const fs::path report_path = scratch.path() / "report.json";
  const base::Outcome ended = run_program(options, built.program, report_path);
  nlohmann::json found = report::read_report(report_path, simt::build::toolchain().shim_dir);
  if (options.action == Action::exec) return after_exec(options, found, ended);
  if (!found.is_object()) {
    if (options.json) fmt::print("{}\n", nlohmann::json{{"program", as_json(ended)}}.dump(2));
    throw Error(ErrorCode::unsupported, text(ended, options) + " before anything was checked");
  }
  if (!options.kernel.empty() && ended.code == exit_failed && !report::has_launches(found)) return exit_failed;
  if (options.action == Action::check) {
    report::add_unset_locals(found, built.unset_locals,
                             options.strict ? report::Weight::finding : report::Weight::note);
  }
  if (options.json) {
    found["program"] = as_json(ended);
    fmt::print("{}\n", found.dump(2));
  } else if (options.csv) {
    fmt::print("{}", report::profile_csv(found));
  } else if (options.action == Action::profile) {
    show_profile(options, found, ended);
  } else {
    show_check(options, found, ended);
  }
  return verdict(options, found, ended);
}

}  // namespace rafter::cli
