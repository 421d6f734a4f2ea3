#include "workbench/judge/one.hpp"

#include <fmt/format.h>

#include <chrono>
#include <optional>

#include "base/exit_code.hpp"
#include "base/files.hpp"
#include "base/process.hpp"
#include "base/stop_signals.hpp"
#include "executor/build/toolchain.hpp"
#include "executor/build/untrusted.hpp"
#include "rafter/error.hpp"
#include "workbench/lab/workload/registry.hpp"
#include "workbench/trial/attempt.hpp"
#include "workbench/trial/challenge/challenge.hpp"
#include "workbench/trial/challenge/solution.hpp"
#include "workbench/trial/exercises.hpp"
#include "workbench/trial/own/own_exercise.hpp"

namespace rafter::judge {

using nlohmann::json;
namespace fs = std::filesystem;

namespace {

/// The file of a job, and the exercises that it is for.
struct Subject {
  trial::Submitted submitted{};
  std::vector<lab::Exercise> exercises{};
};

Subject subject_of(const json& job, const fs::path& folder) {
  const std::string name = job.at("exercise"), kernel = job.at("kernel"), file = job.at("file");
  const std::string cases = job.at("challenge");
  std::optional<trial::Challenge> challenge;
  if (!cases.empty()) challenge = trial::read_challenge(name, cases);
  const bool is_definition = challenge && trial::is_definition(name);
  Subject subject{.submitted = trial::read_submitted(file, kernel, is_definition ? &*challenge : nullptr, folder)};
  const trial::LearnerSource& source = subject.submitted.source;
  if (challenge) {
    subject.exercises = {challenge->exercise};
  } else if (trial::is_own_exercise(name)) {
    subject.exercises = trial::narrowed(trial::own_exercises(name), name, kernel, &source);
  } else {
    subject.exercises = trial::narrowed(trial::exercises_called(lab::built_exercises(), name), name, kernel, &source);
  }
  return subject;
}

}  // namespace

Judgement judge_apart(const JudgeRequest& request, const Submission& submission, const std::filesystem::path& scratch,
                      const std::filesystem::path& challenge) {
  const std::filesystem::path job = scratch / "job.json", results = scratch / "results.json",
                              temporary = scratch / "tmp";
  std::filesystem::create_directories(temporary);
  base::write_file(job, json{{"exercise", request.exercise},
                             {"challenge", challenge.string()},
                             {"file", submission.file},
                             {"kernel", request.kernel},
                             {"block", request.block},
                             {"time_limit_s", request.time_limit_s},
                             {"seed", request.seed.value_or(0)},
                             {"is_untrusted", request.is_untrusted},
                             {"results", results.string()}}
                            .dump());
  const auto start = std::chrono::steady_clock::now();
  const base::Outcome ended = base::run_process({.command = {simt::build::this_program().string(), "judge-child", job},
                                                 .variables = {{"TMPDIR", temporary.string()}},
                                                 .time_limit_s = request.submission_limit_s,
                                                 .stop_wanted = base::StopSignals::arrived});
  Judgement judged{.submission = submission};
  judged.seconds = std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count();
  const json result = json::parse(base::read_file(results).value_or(""), nullptr, false);
  if (result.is_object()) {
    judged.exercises = result.value("exercises", json::array());
    judged.why = result.value("error", "");
  } else if (ended.timed_out) {
    judged.why = fmt::format("it had no verdict after {:g} s", request.submission_limit_s);
  }
  if (sha256_of(submission.file) != submission.sha256) {
    judged.exercises = json::array();
    judged.why = "the file changed while it was judged";
  }
  conclude(judged);
  return judged;
}

int judge_here(const std::filesystem::path& path, const std::vector<const lab::Workload*>& workloads) {
  const json job = json::parse(base::read_file(path).value_or("{}"));
  json result = {{"exercises", json::array()}};
  int code = base::exit_good;
  try {
    const base::ScratchFolder folder;
    const auto [submitted, exercises] = subject_of(job, folder.path());
    trial::AttemptOptions how{.kernel = submitted.kernel,
                              .block = job.at("block"),
                              .time_limit_s = job.at("time_limit_s"),
                              .seed = job.at("seed")};
    std::optional<simt::build::UntrustedWork> untrusted;
    if (job.at("is_untrusted")) how.untrusted = &untrusted.emplace(submitted.readable);
    for (const lab::Exercise& exercise : exercises) {
      json one;
      if (trial::attempt(submitted.source, exercise, workloads, how, one) != trial::Verdict::right)
        code = base::exit_no;
      one["file"] = job.at("file");
      result["exercises"].push_back(std::move(one));
    }
  } catch (const Error& error) {  // all or nothing: verdicts on some of its exercises are none
    result = {{"exercises", json::array()}, {"error", error.what()}};
    code = base::exit_failed;
  }
  base::write_file(job.at("results").get<std::string>(), result.dump(-1, ' ', false, json::error_handler_t::replace));
  return code;
}

}  // namespace rafter::judge
