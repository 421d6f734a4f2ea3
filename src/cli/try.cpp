// rafter-trial: try, judge, and run on the executor: everything that runs our own CUDA rungs there.
#include <fmt/format.h>

#include <algorithm>
#include <cstdio>
#include <nlohmann/json.hpp>
#include <optional>

#include "base/csv.hpp"
#include "base/files.hpp"
#include "base/stop_signals.hpp"
#include "cli/run/commands.hpp"
#include "cli/signing.hpp"
#include "executor/build/untrusted.hpp"
#include "executor/device/simt_device.hpp"
#include "workbench/journal/record.hpp"
#include "workbench/judge/judge.hpp"
#include "workbench/judge/one.hpp"
#include "workbench/lab/workload/registry.hpp"
#include "workbench/trial/attempt.hpp"
#include "workbench/trial/challenge/challenge.hpp"
#include "workbench/trial/challenge/solution.hpp"
#include "workbench/trial/course.hpp"
#include "workbench/trial/exercises.hpp"
#include "workbench/trial/gpu.hpp"
#include "workbench/trial/own/own_exercise.hpp"

namespace rafter::cli {

namespace {

using nlohmann::json;

/// Returns a line for each exercise.
std::string as_csv(const json& results) {
  std::string text =
      base::csv_line({"workload", "kernel", "file", "verdict", "cases_right", "message", "median_ns", "floor_ns"});
  for (const json& one : results) {
    const json timing = one.value("gpu", json::object()).value("timing", json::object());
    const auto number = [&](const char* key) { return timing.contains(key) ? timing[key].dump() : std::string(); };
    text += base::csv_line({one.value("workload", ""), one.value("kernel", ""), one.value("file", ""),
                            one.value("verdict", ""), std::to_string(one.value("right_with", json::array()).size()),
                            one.value("message", json::object()).value("title", ""), number("median_ns"),
                            number("floor_ns")});
  }
  return text;
}

/// Adds the first message, the most similar rung and the times on a GPU to the journal.
void write_journal(const json& results, const TryOptions& options, int code) {
  constexpr const char* words[] = {"right", "wrong", "could not run"};
  journal::Event event{.sources = {options.file}, .verdict = words[code], .words = options.words};
  const auto take = [](std::string& to, const std::string& text) { to = to.empty() ? text : to; };
  for (const json& one : results) {
    if (one.contains("message")) take(event.said, one["message"].value("title", ""));
    if (one.contains("resembles")) {
      const json& like = one["resembles"];
      const std::string workload = one.value("workload", "");
      if (like["rung"].is_string())
        take(event.measured, fmt::format("Its memory accesses are like those of {}'s rung {}.", workload,
                                         like["rung"].get<std::string>()));
      if (like["next"].is_string())
        take(event.next, fmt::format("The ladder's next idea is {1}: rafter show {0} {1}", workload,
                                     like["next"].get<std::string>()));
    }
    const json timing = one.value("gpu", json::object()).value("timing", json::object());
    if (timing.contains("results")) event.results = timing["results"].dump();
  }
  if (!event.results.empty()) event.rung = "yours";
  journal::record(event);
}

/// Exercises, and the challenge that they come from.
struct Named {
  std::vector<lab::Exercise> exercises{};
  std::optional<trial::Challenge> challenge{};
};

/// The exercises of that name; a path is one of the user's, or a challenge, whose cases are made now.
Named exercises_named(const std::string& name, const std::vector<lab::Exercise>& built) {
  if (trial::is_own_exercise(name)) return {trial::own_exercises(name)};
  if (!trial::is_challenge(name)) return {trial::exercises_called(built, name)};
  const base::ScratchFolder folder;
  trial::write_challenge(name, folder.path());
  const trial::Challenge challenge = trial::read_challenge(name, folder.path());
  if (challenge.n_left_out > 0)
    fmt::print(stderr, "{} tests of {} are too large for the executor and are not tried\n", challenge.n_left_out, name);
  return {{challenge.exercise}, challenge};
}

/// Tries the file in each exercise and returns the worst exit code.
int attempt_all(const std::vector<lab::Exercise>& exercises, const trial::Submitted& submitted,
                const TryOptions& options, const Workloads& workloads) {
  trial::AttemptOptions how{.kernel = submitted.kernel,
                            .block = options.block,
                            .time_limit_s = options.time_limit_s,
                            .seed = options.seed.value_or(trial::fresh_case_seed())};
  const bool prints_text = !options.formats.take_stdout();
  if (prints_text) {
    how.say = [](const std::string& words) {
      fmt::print("{}", words);
      std::fflush(stdout);
      base::stop_if_asked();  // the reader may have closed the pipe
    };
  }
  const base::StopSignals signals(base::OnStop::unwinds);
  std::optional<simt::build::UntrustedWork> untrusted;
  if (options.is_untrusted) how.untrusted = &untrusted.emplace(submitted.readable);
  constexpr int codes[] = {exit_good, exit_no, exit_failed};  // of the verdicts
  int code = exit_good;
  json results = json::array();
  for (const lab::Exercise& exercise : exercises) {
    if (!results.empty() && prints_text) fmt::print("\n");
    json result;
    code = std::max(code, codes[static_cast<int>(trial::attempt(submitted.source, exercise, workloads, how, result))]);
    result["file"] = options.file;
    trial::note_progress(exercise, result.value("verdict", ""), options.file);
    results.push_back(std::move(result));
  }
  base::OutputFile(options.formats.json).write(results.dump(2));
  base::OutputFile(options.formats.csv).write(as_csv(results));
  write_journal(results, options, code);
  return code;
}

int try_kernel(const TryOptions& options, const Workloads& workloads) {
  options.formats.require({options.file});
  std::vector<lab::Exercise> all = lab::built_exercises();
  const bool is_about_all = options.list || options.next;
  if (is_about_all && !options.exercise.empty()) all = exercises_named(options.exercise, all).exercises;
  if (options.list) {
    base::OutputFile(options.formats.json).write(trial::exercise_list_json(all));
    base::OutputFile(options.formats.csv).write(trial::exercise_list_csv(all));
    if (!options.formats.take_stdout()) fmt::print("{}", trial::exercise_list(all));
    return exit_good;
  }
  if (options.next) {
    fmt::print("{}", trial::progress_text(options.exercise.empty() ? trial::in_order_of_course(all) : all));
    return exit_good;
  }
  if (options.exercise.empty())
    throw Error(ErrorCode::bad_argument,
                "no exercise was given: rafter try EXERCISE FILE.cu; rafter try --list has them");
  const auto [named, challenge] = exercises_named(options.exercise, all);
  if (options.starter) {
    fmt::print("{}", trial::starter(trial::narrowed(named, options.exercise, options.kernel, nullptr).front()));
    return exit_good;
  }
  if (options.hint > 0) {
    fmt::print("{}",
               trial::hint(trial::narrowed(named, options.exercise, options.kernel, nullptr).front(), options.hint));
    return exit_good;
  }
  if (options.file.empty()) {
    throw Error(ErrorCode::bad_argument,
                fmt::format("no file was given: rafter try {0} FILE.cu; rafter try {0} --starter > my.cu makes one",
                            named.front().kernel));
  }
  journal::require_words(options.words);
  const base::ScratchFolder folder;
  const bool is_definition = challenge && trial::is_definition(options.exercise);
  const trial::Submitted submitted =
      trial::read_submitted(options.file, options.kernel, is_definition ? &*challenge : nullptr, folder.path());
  const auto exercises =
      challenge ? named : trial::narrowed(named, options.exercise, options.kernel, &submitted.source);
  return attempt_all(exercises, submitted, options, workloads);
}

int judge_files(const JudgeOptions& options) {
  judge::JudgeRequest request = options.request;
  if (request.exercise.empty() || request.submissions.empty())
    throw Error(ErrorCode::bad_argument,
                "an exercise and files were expected: rafter judge EXERCISE FILE.cu|FOLDER ...; rafter try --list has "
                "the exercises");
  if (request.json_path.empty()) request.json_path = request.continue_path;
  return signing(options.sign_key, request.json_path, [&] { return judge::judge(request); });
}

int try_child(const TryChildOptions& options, const Workloads& workloads) {
  return trial::run_gpu_job(options.job, workloads) ? exit_good : exit_no;
}

}  // namespace

}  // namespace rafter::cli

int main(int argc, char** argv) {
  using namespace rafter;
  simt::provide_device();
  const cli::Catalogue catalogue{lab::built_workloads(), lab::embedded_sources()};
  return cli::tool(
      argc, argv,
      cli::Performer{
          [&](const cli::RunOptions& options) { return cli::run(options, catalogue); },
          [&](const cli::TryOptions& options) { return cli::try_kernel(options, catalogue.workloads); },
          [&](const cli::TryChildOptions& options) { return cli::try_child(options, catalogue.workloads); },
          [&](const cli::JudgeOptions& options) { return cli::judge_files(options); },
          [&](const cli::JudgeChildOptions& options) { return judge::judge_here(options.job, catalogue.workloads); },
      });
}
