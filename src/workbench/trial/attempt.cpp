#include "workbench/trial/attempt.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <nlohmann/json.hpp>
#include <numeric>
#include <sstream>

#include "base/files.hpp"
#include "base/sandbox/sandbox.hpp"
#include "base/terminal.hpp"
#include "executor/report/profile_text.hpp"
#include "rafter/error.hpp"
#include "workbench/trial/counters.hpp"
#include "workbench/trial/executor.hpp"
#include "workbench/trial/exercises.hpp"
#include "workbench/trial/gpu.hpp"
#include "workbench/trial/method.hpp"
#include "workbench/trial/signature.hpp"
#include "workbench/trial/source.hpp"

namespace rafter::trial {

namespace {

using nlohmann::json;

constexpr int most_lines_printed = 40;
constexpr std::size_t longest_line_printed = 1000;
constexpr std::int64_t most_static_shared = 48 << 10;

TryMessage too_much_shared(std::int64_t bytes) {
  return {"launch",
          fmt::format("its __shared__ arrays take {} bytes; a block has at most {}", bytes, most_static_shared),
          "nvcc rejects this kernel.", "Use a smaller tile and more iterations."};
}

/// Returns the first lines that a kernel printed in a case.
std::string printed_text(const std::string& printed, const std::string& with) {
  std::istringstream lines(printed);
  std::string text;
  int n = 0;
  for (std::string line; std::getline(lines, line); ++n) {
    if (n < most_lines_printed) text += "    | " + line.substr(0, longest_line_printed) + "\n";
  }
  if (n > most_lines_printed) text += fmt::format("    | ... and {} more lines\n", n - most_lines_printed);
  return text.empty() ? "" : base::wrapped("it printed, with " + with + ":", "  ", "    ") + text;
}

std::size_t n_bytes(const lab::ExerciseCase& one) {
  std::size_t sum = 0;
  for (const lab::ExerciseArgument& argument : one.arguments) sum += argument.bytes.size();
  return sum;
}

class Attempt {
 public:
  Attempt(const LearnerSource& source, const lab::Exercise& exercise,
          const std::vector<const lab::Workload*>& workloads, const AttemptOptions& options)
      : options_(options), source_(source), exercise_(exercise), workloads_(workloads) {
    kernel_ = options.kernel.empty() ? exercise.kernel : options.kernel;
    result_ = {{"workload", exercise.workload},
               {"kernel", exercise.kernel},
               {"file", source.file.string()},
               {"seed", options.seed}};
  }

  Verdict run() {
    const std::optional<simt::build::Kernel> found = find_function();
    request_ = {block_of(options_.block, exercise_), options_.seed};
    say(fmt::format("{}   {}{}\n", exercise_.kernel, source_.file.string(),
                    found ? fmt::format(":{}", found->line) : ""));
    if (!found) return not_run(is_host() ? missing_function(source_, kernel_) : missing_kernel(source_, kernel_));
    if (const auto unfit = unfit_kernel(source_, *found, kernel_, exercise_)) return not_run(*unfit);
    cases_ = exercise_.cases(request_);  // outside of the sandbox: a reference may run
    try {
      std::optional<base::Confinement> confined;
      if (options_.untrusted != nullptr) confined.emplace(options_.untrusted->building());
      progress_.show("building " + source_.file.string() + " for the executor", 0);
      ExecutorKernel kernel(source_, kernel_, exercise_.kind, scratch_.path(), options_.time_limit_s,
                            options_.untrusted);
      if (const auto early = kernel.early_code()) return wrong(*early);
      const auto [types, stopped] = kernel.types();
      if (stopped) return wrong(*stopped);
      types_ = types;
      progress_.clear();
      if (!match_parameters(*found)) return not_run(signature_mismatch(source_, *found, exercise_, types_));
      kernel.set_order(order_);
      if (const std::int64_t bytes = kernel.static_shared_bytes(kernel_); bytes > most_static_shared)
        return wrong(too_much_shared(bytes));
      if (const auto unset = kernel.unset_local()) return wrong(*unset);
      if (const auto note = relaxed_constexpr(source_)) {
        say(text(*note));
        result_["note"] = to_json(*note);
      }
      if (const Verdict verdict = check(kernel); verdict != Verdict::right) return verdict;
      if (const auto launch = oversized_launch(source_, kernel_)) return wrong(*launch);
      if (const auto excess = count(kernel)) return wrong(*excess);
    } catch (const Error& error) {
      progress_.clear();
      const bool gpu_may = error.code() == ErrorCode::unsupported && !why_no_times();
      if (!gpu_may) return not_run(message_of_build(error, source_));
      say(text(message_of_build(error, source_)));
      types_ = found->types;
      if (!match_parameters(*found)) {  // the types of a template are not known yet
        order_.resize(types_.size());
        std::iota(order_.begin(), order_.end(), 0);
      }
    }
    return on_gpu();
  }

  const json& result() const { return result_; }

 private:
  bool is_host() const { return exercise_.kind == lab::ExerciseKind::host_function; }

  std::optional<simt::build::Kernel> find_function() const {
    if (is_host()) return host_function_called(source_, kernel_);
    const simt::build::Kernel* kernel = kernel_called(source_, kernel_);
    return kernel != nullptr ? std::optional(*kernel) : std::nullopt;
  }

  /// Matches the kernel's parameters with the exercise's, and prints the order if it differs.
  bool match_parameters(const simt::build::Kernel& kernel) {
    const auto order = argument_order(kernel, exercise_, types_);
    if (!order) return false;
    order_ = *order;
    std::string names;
    for (const std::size_t i : order_) names += (names.empty() ? "" : ", ") + exercise_.parameters[i].name;
    if (!std::is_sorted(order_.begin(), order_.end()))
      say(fmt::format("  its parameters are matched with {}\n", names));
    return true;
  }

  Verdict check(const ExecutorKernel& kernel) {
    const std::vector<lab::ExerciseCase>& cases = cases_;
    std::string names;
    for (std::size_t i = 0; i < cases.size(); ++i) {
      progress_.show(exercise_.kernel + " " + cases[i].text,
                     static_cast<double>(i) / static_cast<double>(cases.size()));
      const ExecutorKernel::Outcome outcome = kernel.check(exercise_, cases[i]);
      progress_.clear();
      if (outcome.wrong) {
        if (i > 0) say(base::wrapped(names, "  correct with ", "    "));
        if (outcome.wrong->kind == "unsupported") return not_run(*outcome.wrong);
        return wrong(in_smallest(kernel, outcome, cases, i));
      }
      names += (i > 0 ? "; " : "") + cases[i].text;
      result_["right_with"].push_back(cases[i].text);
      if (i == 0) printed_ = outcome.printed;
    }
    // A launch must not depend on an earlier one of the same process.
    constexpr std::size_t most_bytes = 64 << 10;
    const lab::ExerciseCase* repeated = &cases.front();
    for (std::size_t i = 1, most = 0; i < cases.size(); ++i) {
      if (n_bytes(cases[i]) <= most || n_bytes(cases[i]) > most_bytes) continue;
      repeated = &cases[i];
      most = n_bytes(cases[i]);
    }
    const auto again = kernel.check(exercise_, *repeated, JudgedProgram::Runs::two);
    if (again.wrong) {
      say(base::wrapped(names, "  correct with ", "    "));
      return wrong(*again.wrong);
    }
    if (const auto too_large = check_huge_cases(kernel, names)) {
      say(base::wrapped(names, "  correct with ", "    "));
      return wrong(*too_large);
    }
    say(base::wrapped(names, "  correct with ", "    "));
    say(fmt::format("  inputs of seed {0}: --seed {0} repeats them\n", request_.seed));
    say("  clean: no race, no out-of-bounds access, no uninitialised read, no barrier error\n");
    say_printed(printed_, describe_launch(cases.front()));
    return Verdict::right;
  }

  /// Runs the huge cases and adds those that are correct to `names`, and the others to what was not tried.
  std::optional<TryMessage> check_huge_cases(const ExecutorKernel& kernel, std::string& names) {
    if (!exercise_.huge_cases) return std::nullopt;
    for (const lab::ExerciseCase& one : exercise_.huge_cases(request_)) {
      progress_.show(exercise_.kernel + " " + one.text, 0.7);
      const auto outcome = kernel.check_huge(exercise_, one);
      progress_.clear();
      if (outcome.wrong) return outcome.wrong;
      const std::string name = one.text + (one.ends_only ? " (the first and the last block)" : "");
      if (!outcome.not_tried.empty()) {
        not_tried_ += (not_tried_.empty() ? "" : "\n") + name + ": " + outcome.not_tried;
        result_["not_tried"].push_back({{"case", name}, {"why", outcome.not_tried}});
        continue;
      }
      names += "; " + name;
      result_["right_with"].push_back(name);
    }
    return std::nullopt;
  }

  /// Adds the smallest wrong case to the message, with its output: it is the easiest one to follow.
  TryMessage in_smallest(const ExecutorKernel& kernel, const ExecutorKernel::Outcome& first,
                         const std::vector<lab::ExerciseCase>& cases, std::size_t at) {
    TryMessage message = *first.wrong;
    ExecutorKernel::Outcome smallest = first;
    if (message.kind == "wrong") {
      std::size_t least = n_bytes(cases[at]);
      for (std::size_t i = at + 1; i < cases.size(); ++i) {
        if (n_bytes(cases[i]) >= least) continue;
        const ExecutorKernel::Outcome outcome = kernel.check(exercise_, cases[i]);
        if (!outcome.wrong || outcome.wrong->kind != "wrong") continue;
        least = n_bytes(cases[i]);
        smallest = outcome;
      }
      if (smallest.wrong->with != message.with) {
        const std::string too = fmt::format("and with {}: {}", smallest.wrong->with, smallest.wrong->title);
        message.detail = too + (message.detail.empty() ? "" : "\n") + message.detail;
      }
      if (!cases[at].lesson)
        message.what_to_do =
            "Follow one thread through the smallest case by hand; printf in the kernel shows its values.";
    }
    say_printed(smallest.printed, smallest.wrong->with);
    return message;
  }

  void say_printed(const std::string& printed, const std::string& with) {
    say(printed_text(printed, with));
    if (!printed.empty()) result_["printed"] = {{"with", with}, {"text", printed}};
  }

  /// Counts the accesses of every case that is small, and of the first one, whose accesses are printed. Returns a
  /// message if the kernel breaks a rule of the exercise, or if the answers of a counted run are wrong.
  std::optional<TryMessage> count(const ExecutorKernel& kernel) {
    constexpr std::size_t most_bytes = 64 << 10;
    json first;
    const std::vector<lab::ExerciseCase>& cases = cases_;
    for (std::size_t i = 0; i < cases.size(); ++i) {
      if (i > 0 && n_bytes(cases[i]) > most_bytes) continue;
      progress_.show("counting memory accesses", 0.8);
      using Places = JudgedProgram::Places;
      auto [report, failed] = kernel.count(exercise_, cases[i], i == 0 ? Places::lines : Places::addresses);
      if (!failed && i > 0 && message_of_method(cases[i], report))
        report = kernel.count(exercise_, cases[i], Places::lines).report;  // the message names a line
      progress_.clear();
      if (failed) return failed;
      if (i == 0) {
        say("\n" + base::wrapped(fmt::format("Memory accesses with {}:", describe_launch(cases[i])), "  ", "    "));
        say(indented(simt::report::profile_tables(report)));
        result_["counts"] = report.value("counts", json::object());
        first = report;
      }
      if (const auto broken = message_of_method(cases[i], report)) return broken;
    }
    place_on_ladder(first);
    return std::nullopt;
  }

  void place_on_ladder(const json& report) {
    const auto workload = std::find_if(workloads_.begin(), workloads_.end(),
                                       [&](const lab::Workload* w) { return w->name == exercise_.workload; });
    if (workload == workloads_.end()) return;
    progress_.show("counting the accesses of the ladder", 0.9);
    const auto resemblance = resemble(exercise_, **workload, report);
    progress_.clear();
    if (!resemblance) return;
    say("\n" + text(*resemblance));
    say(fmt::format("  rafter show {} {} prints its source.\n", exercise_.workload,
                    (resemblance->next != nullptr ? resemblance->next : resemblance->nearest)->name));
    result_["resembles"] = to_json(*resemblance);
  }

  std::optional<std::string> why_no_times() const {
    if (is_host()) return "host code runs on the executor only.";
    if (options_.untrusted != nullptr) return "--untrusted files run on the executor only.";
    return why_no_gpu();
  }

  Verdict on_gpu() {
    if (const auto reason = why_no_times()) {
      say(fmt::format("\n  No times: {}\n", *reason));
      return finish_right();
    }
    const GpuOutcome outcome =
        try_on_gpu({source_, exercise_, kernel_, types_, order_, request_, scratch_.path(), options_.time_limit_s});
    result_["gpu"] = outcome.json;
    if (!outcome.text.empty()) say("\n" + outcome.text);
    if (outcome.wrong) return wrong(*outcome.wrong);
    if (outcome.failed) return not_run(*outcome.failed);
    return finish_right();
  }

  /// A kernel that was not tried in every case is not known to be right.
  Verdict finish_right() {
    if (not_tried_.empty()) return finish("right", Verdict::right);
    return not_run(
        {"not_tried", "it is right as far as it was tried. Not tried with:", not_tried_,
         "Give every thread one element, or some adjacent ones, so that the first and the last block suffice "
         "to try a huge size."});
  }

  Verdict wrong(const TryMessage& message) {
    say(text(message));
    result_["message"] = to_json(message);
    return finish("wrong", Verdict::wrong);
  }
  Verdict not_run(const TryMessage& message) {
    say(text(message));
    result_["message"] = to_json(message);
    return finish("could not run", Verdict::could_not_run);
  }
  Verdict finish(const char* word, Verdict verdict) {
    result_["verdict"] = word;
    return verdict;
  }

  void say(const std::string& words) const {
    if (options_.say) options_.say(words);
  }

  const AttemptOptions& options_;
  const LearnerSource& source_;
  const lab::Exercise& exercise_;
  const std::vector<const lab::Workload*>& workloads_;
  std::string kernel_, printed_, not_tried_;
  lab::CaseRequest request_;
  std::vector<lab::ExerciseCase> cases_;
  std::vector<std::string> types_;
  ArgumentOrder order_;
  json result_;
  base::ScratchFolder scratch_;
  base::ProgressLine progress_;
};

}  // namespace

Verdict attempt(const LearnerSource& source, const lab::Exercise& exercise,
                const std::vector<const lab::Workload*>& workloads, const AttemptOptions& options,
                nlohmann::json& result) {
  Attempt one(source, exercise, workloads, options);
  const Verdict verdict = one.run();
  result = one.result();
  return verdict;
}

}  // namespace rafter::trial
