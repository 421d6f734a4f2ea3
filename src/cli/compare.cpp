// rafter-compare: two results files, or two builds that are measured alternately; and signatures of results.

#include <fmt/format.h>

#include <nlohmann/json.hpp>

#include "base/outputs.hpp"
#include "base/stop_signals.hpp"
#include "base/terminal.hpp"
#include "cli/tool.hpp"
#include "cli/verify.hpp"
#include "workbench/compare/builds.hpp"
#include "workbench/compare/report.hpp"

namespace rafter::cli {

namespace {

using compare::Comparison;
using compare::Results;

std::string described(const char* which, const Results& results) {
  return fmt::format("{:<7} {}  {}, rafter {}\n", which, results.name, results.time, results.version);
}

void require_same_machine(const Results& before, const Results& after) {
  const auto differences = compare::differences(before, after);
  if (differences.empty()) return;
  std::string text = "the results are of different machines; --anyway compares them nevertheless";
  for (const std::string& difference : differences) text += "\n  " + difference;
  throw Error(ErrorCode::bad_argument, text);
}

class Compare {
 public:
  explicit Compare(const CompareOptions& options)
      : options_(options),
        json_(options.json_path),
        csv_(options.csv_path),
        text_(base::text_stream_beside({{"--json", options.json_path}, {"--csv", options.csv_path}})) {
    base::require_outputs({json_.file(), csv_.file()}, options.files);
  }

  int files() {
    if (options_.files.size() != 2) {
      throw Error(ErrorCode::bad_argument,
                  fmt::format("two results files are compared, BEFORE.json and AFTER.json; {} given",
                              options_.files.size() == 1 ? "one was" : fmt::format("{} were", options_.files.size())));
    }
    const Results before = compare::read_results(options_.files[0]), after = compare::read_results(options_.files[1]);
    if (!options_.anyway) require_same_machine(before, after);
    print(described("before", before) + described("after", after) + "\n");
    return finish(compare::compare(before, after));
  }

  int builds() {
    const base::StopSignals signals;
    base::ProgressLine progress;
    const auto found = compare::compare_builds({.before = options_.builds[0],
                                                .after = options_.builds[1],
                                                .run = options_.run,
                                                .most_rounds = options_.most_rounds,
                                                .stop_wanted = base::StopSignals::arrived},
                                               [&](const std::string& what) { progress.show(what, std::nullopt); });
    progress.clear();
    if (found.n_rounds == 0) throw Error(ErrorCode::io, "stopped before the end of the first round");
    print(fmt::format("{} alternating rounds of {} and {}{}\n\n", found.n_rounds, options_.builds[0],
                      options_.builds[1], found.was_stopped ? "; stopped" : ""));
    const int code = finish(found.comparison);
    return found.was_stopped ? exit_stopped : code;
  }

 private:
  void print(const std::string& text) const { fmt::print(text_, "{}", text); }

  int finish(const Comparison& comparison) const {
    print(compare::table(comparison, base::output_style()));
    json_.write(compare::to_json(comparison).dump(2));
    csv_.write(compare::to_csv(comparison));
    return comparison.any_worse() ? exit_no : exit_good;
  }

  const CompareOptions& options_;
  base::OutputFile json_, csv_;
  std::FILE* text_;
};

int compare_results(const CompareOptions& options) {
  Compare compare(options);
  return options.builds.empty() ? compare.files() : compare.builds();
}

}  // namespace

}  // namespace rafter::cli

int main(int argc, char** argv) {
  using namespace rafter::cli;
  return tool(argc, argv,
              Performer{[](const CompareOptions& options) { return compare_results(options); },
                        [](const VerifyOptions& options) { return verify(options); }});
}
