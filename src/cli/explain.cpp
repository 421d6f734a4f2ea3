// rafter-explain: the limits of a CUDA program, or of one kernel of a file.
#include <fmt/format.h>

#include <nlohmann/json.hpp>

#include "base/files.hpp"
#include "base/terminal.hpp"
#include "cli/tool.hpp"
#include "executor/report/findings_text.hpp"
#include "executor/report/report_file.hpp"
#include "workbench/bench/program_around.hpp"
#include "workbench/explain/as_json.hpp"
#include "workbench/explain/program.hpp"
#include "workbench/explain/times.hpp"

namespace rafter::cli {

namespace {

namespace report = simt::report;

/// Prints why a program that failed is not explained.
int show_failure(const explain::CountedRun& counted) {
  fmt::print(stderr, "{}", report::findings_text(counted.report));
  for (const auto& kernel : counted.report["kernels"]) {
    if (kernel.contains("failure"))
      fmt::print(stderr, "rafter: kernel {} failed and is not explained: {}; 'rafter check' says more\n",
                 kernel["name"].get<std::string>(), kernel["failure"].get<std::string>());
  }
  return report::met_unsupported(counted.report) ? exit_failed : exit_no;
}

int verdict(const explain::CountedRun& counted) {
  if (report::met_unsupported(counted.report)) return exit_failed;
  if (report::has_findings(counted.report) || report::has_failures(counted.report)) return exit_no;
  return counted.ended.succeeded() ? exit_good : exit_no;
}

/// Adds the limit of the program, or of its heaviest kernel, to the journal, and what to try.
void write_journal(const ExplainOptions& options, const explain::ProgramDiagnosis& found, int code) {
  const explain::Finding& first = found.findings.empty() ? found.kernels.front().first() : found.findings.front();
  const std::string kernel = found.findings.empty() ? found.kernels.front().kernel + ": " : "";
  journal::record({.sources = journal::sources_in(options.request.build),
                   .verdict = code == exit_good ? "" : "could not run",
                   .said = kernel + first.sentence + ".",
                   .next = first.idea,
                   .words = options.words});
}

void print_explanation(const ExplainOptions& options, const explain::ProgramKnowledge& known,
                       const explain::ProgramDiagnosis& found, const explain::Gpu& gpu) {
  const explain::ProgramFacts& facts = known.facts;
  const base::Style style = base::output_style();
  const bool is_one_launch = facts.kernels.size() == 1 && facts.kernels[0].launches == 1 && facts.copies.empty();
  nlohmann::json made = to_json(facts, found);
  made["gpu"] = gpu.name;
  made["sources"] = to_json(known.sources);
  base::OutputFile(options.formats.json).write(made.dump(2));
  if (options.formats.take_stdout()) return;
  if (!options.request.kernel.empty() || is_one_launch) {
    fmt::print("{}", screen(facts.kernels[0], diagnose(facts.kernels[0], gpu), gpu, known.sources, style));
  } else {
    fmt::print("{}", screen(facts, found, gpu, known.sources, style));
  }
}

bool is_subject(const ExplainOptions& options) {
  const simt::command::ProgramRequest& request = options.request;
  return !options.calls.empty() || (!request.kernel.empty() && bench::is_launcher(request.build, request.kernel));
}

/// Returns the request for a program that performs the calls or calls the launcher.
simt::command::ProgramRequest around_subject(const ExplainOptions& options, const std::filesystem::path& scratch) {
  simt::command::ProgramRequest request = options.request;
  const auto list = [](const std::string& word) {
    return word.empty() ? std::vector<std::string>() : std::vector<std::string>{word};
  };
  const bench::KernelPlan plan = bench::parse_plan({.build = request.build,
                                                    .kernels = list(request.kernel),
                                                    .calls = options.calls,
                                                    .settings = options.settings,
                                                    .grids = list(request.grid),
                                                    .blocks = list(request.block),
                                                    .shared = list(request.shared),
                                                    .arguments = request.arguments,
                                                    .symbols = options.symbols,
                                                    .needs_reference = false});
  const std::filesystem::path program = scratch / "subject.cu";
  base::write_file(program, bench::program_around(plan, scratch));
  simt::command::ProgramRequest made{.action = request.action, .time_limit_s = request.time_limit_s};
  for (const std::string& word : request.build)
    made.build.push_back(word == plan.file.string() ? program.string() : word);
  return made;
}

int explain_program(const ExplainOptions& options) {
  options.formats.require(options.request.build);
  journal::require_words(options.words);
  const base::ScratchFolder scratch;
  const bool has_subject = is_subject(options);
  simt::command::ProgramRequest request = has_subject ? around_subject(options, scratch.path()) : options.request;
  request.action = simt::command::Action::profile;
  if (!has_subject) request.settings = options.settings;
  simt::command::ProgramPlan plan = parse_plan(request);
  const explain::Gpu& gpu = explain::gpu_called(options.gpu);
  if (request.build.empty())
    throw Error(ErrorCode::bad_argument,
                "nothing to explain was given: a file (my.cu), or a workload ('rafter list' has them)");
  const nlohmann::json times = options.times.empty() ? nlohmann::json() : explain::read_times(options.times);
  plan.keeps_stdout = options.formats.take_stdout();
  plan.sample = explain::parse_blocks(options.blocks, !request.kernel.empty());
  const explain::CountedRun counted =
      explain::count_program(plan, options.blocks.empty() && plan.sample > 0, scratch.path());
  if (report::has_failures(counted.report)) return show_failure(counted);
  explain::ProgramKnowledge known = collect_facts(request, counted, gpu, times, scratch.path());
  if (has_subject) known.facts.copies.clear();  // those of the program around it
  const explain::ProgramDiagnosis found = diagnose(known.facts, gpu);
  print_explanation(options, known, found, gpu);
  const int code = verdict(counted);
  write_journal(options, found, code);
  if (code != exit_good && !options.formats.take_stdout()) fmt::print("\n{}", report::findings_text(counted.report));
  return code;
}

}  // namespace

}  // namespace rafter::cli

int main(int argc, char** argv) {
  using namespace rafter::cli;
  return tool(argc, argv, Performer{[](const ExplainOptions& options) { return explain_program(options); }});
}
