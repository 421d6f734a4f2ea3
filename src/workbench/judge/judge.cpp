#include "workbench/judge/judge.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <atomic>
#include <cstdio>
#include <future>
#include <mutex>
#include <optional>
#include <thread>

#include "base/exit_code.hpp"
#include "base/files.hpp"
#include "base/json_file.hpp"
#include "base/stop_signals.hpp"
#include "base/terminal.hpp"
#include "base/units.hpp"
#include "rafter/error.hpp"
#include "workbench/judge/one.hpp"
#include "workbench/lab/machine/machine.hpp"
#include "workbench/lab/workload/registry.hpp"
#include "workbench/trial/challenge/challenge.hpp"
#include "workbench/trial/exercises.hpp"
#include "workbench/trial/gpu.hpp"
#include "workbench/trial/own/own_exercise.hpp"

namespace rafter::judge {

using nlohmann::json;

namespace {

constexpr int results_format = 1;

/// The digest of an exercise's files; empty if it is built in.
std::string exercise_digest(const std::string& exercise) {
  std::vector<std::filesystem::path> files;
  if (trial::is_challenge(exercise)) {
    files = trial::challenge_files(exercise);
  } else if (trial::is_own_exercise(exercise)) {
    files = trial::own_files(exercise);
  }
  std::string digests;
  for (const std::filesystem::path& file : files) digests += sha256_of(file.string());
  return digests;
}

/// The conditions that verdicts depend on beside the file; those of an earlier call are kept only if they were the
/// same.
json conditions_of(const JudgeRequest& request) {
  return {{"exercise", request.exercise},
          {"sha256", exercise_digest(request.exercise)},
          {"kernel", request.kernel},
          {"block", request.block},
          {"time_limit_s", request.time_limit_s},
          {"seed", request.seed.value_or(0)},
          {"is_untrusted", request.is_untrusted},
          {"submission_limit_s", request.submission_limit_s},
          {"binary", lab::fingerprint(Device::cpu, 0)["binary"]}};
}

/// The verdicts of an earlier call, whose seed the request takes over if it has none. Throws Error (bad_argument, io).
std::vector<Judgement> earlier_verdicts(JudgeRequest& request) {
  const std::string& path = request.continue_path;
  try {
    const json document = base::read_json(path);
    if (document.value("format", 0) != results_format || !document.contains("submissions"))
      throw Error(ErrorCode::bad_argument, fmt::format("'{}' has no verdicts of rafter judge", path));
    if (!request.seed) request.seed = document.at("conditions").at("seed").get<std::uint64_t>();
    if (document.at("conditions") != conditions_of(request))
      throw Error(
          ErrorCode::bad_argument,
          fmt::format("the verdicts in '{}' are of another exercise, other options or another build of rafter", path));
    std::vector<Judgement> all;
    for (const json& one : document.at("submissions")) all.push_back(judgement_of(one));
    return all;
  } catch (const json::exception&) {
    throw Error(ErrorCode::bad_argument, fmt::format("'{}' has no verdicts of rafter judge", path));
  }
}

class Judging {
 public:
  explicit Judging(const JudgeRequest& request) : request_(request) {
    if (trial::is_challenge(request.exercise)) {
      challenge_ = scratch_.path() / "challenge";
      std::filesystem::create_directories(challenge_);
      trial::write_challenge(request.exercise, challenge_);
    } else if (trial::is_own_exercise(request.exercise)) {
      trial::own_exercises(request.exercise);  // throws if there is a mistake in it
    } else {
      trial::exercises_called(lab::built_exercises(), request.exercise);  // throws for an unknown one
    }
    submissions_ = find_submissions(
        request.submissions, trial::is_definition(request.exercise) ? Kinds::sources_and_solutions : Kinds::sources);
    judged_.resize(submissions_.size());
    if (!request.continue_path.empty()) keep(earlier_verdicts(request_));
    if (!request_.seed) request_.seed = trial::fresh_case_seed();
    for (const std::string& path : {request.json_path, request.csv_path, request.junit_path}) {
      if (!path.empty() && path != "-") base::require_writable(path);
    }
  }

  int run() {
    const base::StopSignals signals;
    std::vector<std::future<void>> workers;
    for (int i = 0; i < n_workers(); ++i) workers.push_back(std::async(std::launch::async, [this] { work(); }));
    for (std::future<void>& worker : workers) {
      while (worker.wait_for(std::chrono::milliseconds(100)) != std::future_status::ready) show_progress();
    }
    progress_.clear();
    for (std::future<void>& worker : workers) worker.get();
    write_json();
    return base::StopSignals::arrived() ? report_stop() : report();
  }

 private:
  void keep(const std::vector<Judgement>& earlier) {
    for (std::size_t i = 0; i < submissions_.size(); ++i) {
      const auto same = std::find_if(earlier.begin(), earlier.end(), [&](const Judgement& one) {
        return one.submission.file == submissions_[i].file && one.submission.sha256 == submissions_[i].sha256;
      });
      if (same != earlier.end()) judged_[i] = *same;
    }
    n_done_ = std::count_if(judged_.begin(), judged_.end(), [](const auto& one) { return one.has_value(); });
  }

  int n_workers() const {
    const int most = static_cast<int>(submissions_.size() - static_cast<std::size_t>(n_done_));
    const int wanted = request_.n_jobs > 0   ? request_.n_jobs
                       : trial::why_no_gpu() ? static_cast<int>(std::thread::hardware_concurrency())
                                             : 1;  // times on a GPU need it for themselves
    return std::clamp(wanted, 1, std::max(1, most));
  }

  /// Judges submissions until there are no more.
  void work() {
    for (std::size_t i = next_++; i < submissions_.size(); i = next_++) {
      if (judged_[i] || base::StopSignals::arrived()) continue;
      const std::filesystem::path scratch = scratch_.path() / std::to_string(i);
      Judgement one = judge_apart(request_, submissions_[i], scratch, challenge_);
      std::error_code ignored;
      std::filesystem::remove_all(scratch, ignored);
      if (base::StopSignals::arrived()) return;  // it was ended, too
      const std::scoped_lock lock(mutex_);
      judged_[i] = std::move(one);
      ++n_done_;
      if (request_.json_path != "-") write_json();
    }
  }

  void show_progress() {
    const std::ptrdiff_t n_done = n_done_;
    progress_.show(fmt::format("{} of {} judged", n_done, submissions_.size()),
                   static_cast<double>(n_done) / static_cast<double>(submissions_.size()));
  }

  std::vector<Judgement> finished() const {
    std::vector<Judgement> all;
    for (const std::optional<Judgement>& one : judged_) {
      if (one) all.push_back(*one);
    }
    return all;
  }

  void write_json() const {
    if (request_.json_path.empty()) return;
    json all = json::array();
    for (const Judgement& one : finished()) all.push_back(to_json(one));
    const json document = {{"format", results_format},
                           {"conditions", conditions_of(request_)},
                           {"written", base::now_utc()},
                           {"submissions", std::move(all)}};
    write(request_.json_path, document.dump(1, ' ', false, json::error_handler_t::replace) + "\n");
  }

  static void write(const std::string& path, const std::string& text) {
    if (path.empty()) return;
    if (path == "-") {
      fmt::print("{}", text);
    } else {
      base::write_file(path, text);
    }
  }

  int report() const {
    const std::vector<Judgement> all = finished();
    write(request_.csv_path, csv_of(all));
    write(request_.junit_path, junit_of(request_.exercise, all));
    fmt::print(text_stream(), "{}\n{}\n", table_of(all), summary_of(all));
    return std::all_of(all.begin(), all.end(), [](const Judgement& one) { return one.is_right(); }) ? base::exit_good
                                                                                                    : base::exit_no;
  }

  int report_stop() const {
    const bool is_kept = !request_.json_path.empty() && request_.json_path != "-";
    fmt::print(stderr, "rafter: stopped by a signal; {} of {} are judged{}\n", finished().size(), submissions_.size(),
               is_kept ? fmt::format(". The same command with --continue {} judges the rest", request_.json_path) : "");
    return base::exit_stopped;
  }

  std::FILE* text_stream() const {
    const bool is_taken = request_.json_path == "-" || request_.csv_path == "-" || request_.junit_path == "-";
    return is_taken ? stderr : stdout;
  }

  JudgeRequest request_;
  base::ScratchFolder scratch_{};
  std::vector<Submission> submissions_{};
  std::vector<std::optional<Judgement>> judged_{};  ///< By submission; each entry is written by one worker.
  std::atomic<std::size_t> next_ = 0;
  std::atomic<std::ptrdiff_t> n_done_ = 0;
  std::mutex mutex_{};                 ///< Of judged_ and the results file.
  std::filesystem::path challenge_{};  ///< The cases, if the exercise is a challenge.
  base::ProgressLine progress_{};
};

}  // namespace

int judge(const JudgeRequest& request) { return Judging(request).run(); }

}  // namespace rafter::judge
