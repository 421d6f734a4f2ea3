#include "workbench/trial/executor.hpp"

#include <fmt/format.h>
#include <unistd.h>

#include <algorithm>
#include <cstring>
#include <functional>
#include <sstream>

#include "base/files.hpp"
#include "base/pattern.hpp"
#include "base/process.hpp"
#include "base/sandbox/sandbox.hpp"
#include "executor/build/kernel_driver.hpp"
#include "executor/build/program.hpp"
#include "executor/build/toolchain.hpp"
#include "executor/report/report_file.hpp"
#include "executor/report/source_lines.hpp"
#include "workbench/trial/host_code.hpp"

namespace rafter::trial {

namespace fs = std::filesystem;
namespace build = simt::build;
using nlohmann::json;

namespace {

constexpr double ends_limit_s = 9;  // of processor time, for two blocks of a huge grid
constexpr double endless_s = 0.2;   // by then a kernel that takes a huge size for a small one has ended
constexpr double host_grace_s = 2;  // for host code, which the executor's limit does not cover
constexpr double grace_s = 30;      // beyond the executor's own limit, which counts processor time and names the line

// Padding after the kernel's shared variables, so that an index slightly too large is found and does no damage. The
// executor ignores variables of this name. A separate source file makes the linker place it last.
constexpr const char* padding = "__attribute__((used)) thread_local char rafter_simt_padding[1 << 16];\n";

/// Writes the program around the kernel, always to the same path, so that an unchanged source is built once.
std::vector<fs::path> write_driver(const LearnerSource& source, const std::string& kernel, lab::ExerciseKind kind,
                                   const fs::path& folder) {
  const std::size_t name = std::hash<std::string>()(fs::absolute(source.file).string() + "|" + kernel);
  const std::vector<fs::path> paths{folder / fmt::format("{:016x}.cu", name), folder / "padding.cpp"};
  const auto generate =
      kind == lab::ExerciseKind::kernel ? build::generate_exercise_driver : build::generate_host_exercise_driver;
  const std::string texts[] = {generate(source.file, kernel), padding};
  for (std::size_t i = 0; i < paths.size(); ++i) {
    if (base::read_file(paths[i]) != texts[i]) base::write_file(paths[i], texts[i]);
  }
  return paths;
}

/// Builds the program. If that fails, compiles the user's file alone to report its errors: one missing brace in it
/// causes errors in everything that follows.
build::Built build_or_explain(const build::Build& what, const LearnerSource& source) {
  try {
    return build::build_program(what, build::toolchain());
  } catch (const Error& error) {
    if (error.code() == ErrorCode::bad_argument)
      build::compile({{source.file, "", {"-fsyntax-only"}}}, what.options, build::toolchain());
    throw;
  }
}

/// Returns what the text of a file says about its races.
RaceContext race_context(const std::string& text) {
  static const base::Pattern one_warp(R"(\bif\s*\([^)]*<\s*(32|warpSize|WARP\w*)\b)");
  return {.may_lack_fence = text.find("atomic") != std::string::npos && text.find("fence") == std::string::npos,
          .has_warp_code = one_warp.find(text).has_value()};
}

/// Whether files can be written to the folder, which is created if needed.
bool is_writable(const fs::path& folder) {
  std::error_code error;
  fs::create_directories(folder, error);
  return access(folder.c_str(), W_OK | X_OK) == 0;
}

/// Returns the message for a kernel that did not end, with its position from the executor.
TryMessage message_of_hang(const json& report, double time_limit_s) {
  TryMessage message{"hang", fmt::format("it did not end within {:g} s", time_limit_s), "",
                     "Look for a loop that never ends; --time-limit S allows more time."};
  for (const json& finding : report["findings"]) {
    if (finding["kind"] == "no_progress") message.detail = message_of_findings({{"findings", {finding}}}).detail;
  }
  return message;
}

TryMessage message_of_limit(const base::Outcome& ended) {
  return {"limit", "the program was stopped: " + base::limit_text(ended.exceeded), "",
          "Programs run with --untrusted may not use more than that."};
}

/// Returns the message for a program that ended before it could say what its parameters are.
TryMessage message_of_early_end(const base::Outcome& ended) {
  const std::string how = ended.signal != 0 ? strsignal(ended.signal) : fmt::format("exit code {}", ended.code);
  const bool throws = ended.output.find("terminate called") != std::string::npos;
  return {"crash",
          fmt::format("the file's own code ended the program before the kernel could start: {}",
                      throws ? "an exception that nothing catches" : how),
          ended.output, "Look at the constructors of the file's global variables: they run first."};
}

bool is_stuck(const json& report) {
  const json& found = report["findings"];
  return found.size() == 1 && found[0]["kind"] == "no_progress";
}

bool is_refused(const json& report) {
  const json& found = report["findings"];
  return found.size() == 1 && found[0]["kind"] == "refused_launch";
}

/// Returns the message for an error that occurs with huge arrays only.
TryMessage message_of_huge(const TryMessage& wrong, const lab::ExerciseCase& one) {
  if (one.lesson) return {wrong.kind, wrong.title, one.lesson->why, one.lesson->what_to_do, describe_launch(one)};
  return {
      "overflow", wrong.title,
      "Smaller cases are correct. Here an index needs more than 32 bits: an int ends at 2147483647, and blockIdx.x * "
      "blockDim.x is computed in 32 bits, even if the result is stored in 64.",
      "Use 64 bits from the start: int64_t i = int64_t{blockIdx.x} * blockDim.x + threadIdx.x;", describe_launch(one)};
}

/// Returns a message for a run that no checker reported, but that ended without results, or without those of the
/// kernel.
std::optional<TryMessage> message_of_end(const CaseRun& ran, const std::string& kernel, const lab::ExerciseCase& one,
                                         double time_limit_s) {
  const base::Outcome& ended = ran.ended;
  for (const json& launched : ran.report["kernels"]) {
    if (launched.contains("failure"))
      return TryMessage{"launch", "the launch failed: " + launched["failure"].get<std::string>()};
  }
  if (ended.timed_out) return message_of_hang(ran.report, time_limit_s);
  if (!ended.exceeded.empty()) return message_of_limit(ended);
  if (ended.signal != 0) {
    return TryMessage{"crash", fmt::format("the kernel crashed: {}", strsignal(ended.signal)), "",
                      "Look for an index far outside of an array, and for endless recursion."};
  }
  if (ended.code != 0) return TryMessage{"crash", fmt::format("the program exited with code {}", ended.code)};
  if (const auto message = message_of_host_code(ran, kernel, one)) return message;
  if (!ran.arrays) return TryMessage{"crash", "the program exited before it returned its arrays"};
  return std::nullopt;
}

}  // namespace

std::string describe_launch(const lab::ExerciseCase& one) {
  if (one.grid.count() == 0) return one.text;
  return fmt::format("{}, {} block{} of {} thread{}", one.text, one.grid.text(), one.grid.count() == 1 ? "" : "s",
                     one.block.text(), one.block.count() == 1 ? "" : "s");
}

std::string changed_input(const lab::Exercise& exercise, const lab::ExerciseCase& one, const lab::ArraysAfter& after) {
  for (std::size_t i = 0; i < one.arguments.size(); ++i) {
    const lab::ExerciseArgument& argument = one.arguments[i];
    if (argument.role != lab::ArgumentRole::input || argument.bytes == after[i]) continue;
    const auto [before, now] = std::mismatch(argument.bytes.begin(), argument.bytes.end(), after[i].begin());
    const std::ptrdiff_t element = (before - argument.bytes.begin()) / lab::element_bytes(argument.type);
    return fmt::format("{}[{}] was changed: inputs must not be modified", exercise.parameters[i].name, element);
  }
  return "";
}

std::string judge(const lab::Exercise& exercise, const lab::ExerciseCase& one, const lab::ArraysAfter& after) {
  const std::string changed = changed_input(exercise, one, after);
  return changed.empty() ? one.check(after) : changed;
}

ExecutorKernel::ExecutorKernel(const LearnerSource& source, const std::string& kernel, lab::ExerciseKind kind,
                               const fs::path& scratch, double time_limit_s, const build::UntrustedWork* untrusted)
    : program_("", scratch, untrusted),
      kind_(kind),
      kernel_(kind == lab::ExerciseKind::kernel ? kernel : ""),
      races_(race_context(source.text)),
      time_limit_s_(time_limit_s) {
  build::Build what;
  const fs::path kept = base::cache_folder() / "try";
  what.sources = write_driver(source, kernel, kind, is_writable(kept) ? kept : scratch);
  what.options.mode = build::Mode::checked;
  build::Built built = build_or_explain(what, source);
  program_ = JudgedProgram(built.program, scratch, untrusted);
  unset_locals_ = std::move(built.unset_locals);
  const std::string bare = kernel.substr(0, kernel.find('<'));
  std::erase_if(unset_locals_, [&](const build::UnsetLocal& local) {
    return kind == lab::ExerciseKind::kernel && !local.kernel.empty() && local.kernel != bare &&
           !local.kernel.ends_with("::" + bare);
  });
}

std::optional<TryMessage> ExecutorKernel::unset_local() const {
  const auto certain = std::find_if(unset_locals_.begin(), unset_locals_.end(),
                                    [](const build::UnsetLocal& local) { return local.is_certain; });
  if (certain == unset_locals_.end()) return std::nullopt;
  return message_of_findings({{"findings", {simt::report::finding_of(*certain)}}});
}

/// Adds a local variable that may be uninitialised as a likely cause of a wrong answer: checked builds fill such
/// variables with a pattern.
void ExecutorKernel::explain(TryMessage& wrong) const {
  if (unset_locals_.empty()) return;
  const build::UnsetLocal& local = unset_locals_.front();
  const std::string file = simt::report::short_name(local.file);
  wrong.detail += fmt::format("{}{}:{}: {} may be used uninitialised, which could be the cause",
                              wrong.detail.empty() ? "" : "\n", file, local.line, local.name);
}

std::optional<TryMessage> ExecutorKernel::early_code() const { return trial::early_code(program_.path()); }

ExecutorKernel::Types ExecutorKernel::types() const {
  const JudgedProgram::Signature signature = program_.signature(time_limit_s_);
  Types types;
  if (signature.ended.timed_out) types.wrong = message_of_hang({{"findings", json::array()}}, time_limit_s_);
  if (!signature.ended.exceeded.empty()) types.wrong = message_of_limit(signature.ended);
  std::istringstream lines(signature.lines);
  for (std::string line; std::getline(lines, line);) types.names.push_back(line);
  if (!types.wrong && !signature.ended.succeeded()) types.wrong = message_of_early_end(signature.ended);
  return types;
}

std::int64_t ExecutorKernel::static_shared_bytes(const std::string& kernel) const {
  std::string name = kernel.substr(0, kernel.find('<'));
  name.erase(0, name.rfind(':') == std::string::npos ? 0 : name.rfind(':') + 1);
  const std::string mangled = fmt::format("{}{}", name.size(), name);
  std::istringstream symbols(base::run({"nm", "-S", program_.path().string()}).output);
  std::int64_t sum = 0;
  for (std::string line; std::getline(symbols, line);) {
    std::istringstream words(line);
    std::string address, bytes, letter, symbol;
    if (!(words >> address >> bytes >> letter >> symbol)) continue;
    const bool is_local = symbol.starts_with("_ZZ") && symbol.find(mangled) != std::string::npos;
    if (is_local) sum += std::strtoll(bytes.c_str(), nullptr, 16);
  }
  return sum;
}

ExecutorKernel::Outcome ExecutorKernel::check(const lab::Exercise& exercise, const lab::ExerciseCase& one,
                                              JudgedProgram::Runs runs) const {
  const bool is_host = kind_ == lab::ExerciseKind::host_function;  // it must free what it allocates
  const CaseRun ran = run_case(one, is_host ? "mode=check;strict=1;judged=1;leaks=1" : "mode=check;strict=1;judged=1",
                               time_limit_s_, JudgedProgram::Places::lines, runs);
  const json& report = ran.report;
  Outcome outcome{.printed = ran.ended.output};
  const auto after = ran.arrays ? arrays_in(*ran.arrays, one, order_) : std::nullopt;
  if (is_stuck(report)) {
    outcome.wrong = message_of_hang(report, time_limit_s_);
  } else if (!report["findings"].empty() && !is_refused(report)) {
    RaceContext context = races_;
    context.block = one.block;
    outcome.wrong = message_of_findings(report, context);
  } else {
    outcome.wrong = message_of_end(ran, kernel_, one, time_limit_s_);
  }
  const std::string sentence = after ? judge(exercise, one, *after) : "";
  if (after && !outcome.wrong && !changed_input(exercise, one, *after).empty()) {
    outcome.wrong = TryMessage{"changed_input", sentence, "",
                               "Write only to outputs; keep intermediate values in variables or __shared__ memory."};
  } else if (!sentence.empty() && !outcome.wrong) {
    outcome.wrong = TryMessage{"wrong", sentence};
    if (one.lesson) outcome.wrong = TryMessage{"wrong", sentence, one.lesson->why, one.lesson->what_to_do};
    explain(*outcome.wrong);
  } else if (!sentence.empty() && outcome.wrong->kind != "uninitialised") {
    outcome.wrong->detail += "\nthe answer is wrong, too: " + sentence;
  }
  if (!outcome.wrong && one.check_printed) {
    if (const std::string lacks = one.check_printed(ran.ended.output); !lacks.empty())
      outcome.wrong = TryMessage{"not_printed", lacks, "",
                                 "Print it with printf and name the number: that is half of this exercise."};
  }
  if (outcome.wrong) outcome.wrong->with = describe_launch(one);
  if (outcome.wrong && runs == JudgedProgram::Runs::two) {
    outcome.wrong->with += ", the second time";
    outcome.wrong->what_to_do =
        "The first launch is right. Reset what a launch leaves in __device__ variables, or keep nothing there.";
  }
  return outcome;
}

/// Whether the kernel was too slow for a huge case, such as one that does all work in one thread, which is not an
/// error.
bool is_too_slow(const base::Outcome& ended, const json& report) {
  const json& found = report["findings"];
  return ended.timed_out ||
         std::any_of(found.begin(), found.end(), [](const json& one) { return one["kind"] == "no_progress"; });
}

ExecutorKernel::Outcome ExecutorKernel::check_huge(const lab::Exercise& exercise, const lab::ExerciseCase& one) const {
  const double limit_s = one.is_endless  ? endless_s
                         : one.ends_only ? std::min(time_limit_s_, ends_limit_s)
                                         : time_limit_s_;
  const CaseRun ran = run_case(one, one.ends_only ? "mode=plain;sample=2" : "mode=plain", limit_s);
  if (ran.is_out_of_memory) return {.not_tried = "there is not enough memory"};
  if (one.is_endless && is_too_slow(ran.ended, ran.report)) return {};
  Outcome outcome{.printed = ran.ended.output};
  const bool is_slow = one.ends_only && is_too_slow(ran.ended, ran.report);
  if (!is_slow) outcome.wrong = message_of_run(ran, exercise, one);
  if (!is_slow && !outcome.wrong) return outcome;
  if (one.rehearsal) {
    const Outcome small = check_huge(exercise, *one.rehearsal);
    if (small.wrong || !small.not_tried.empty()) {
      if (one.wider) return check_huge(exercise, *one.wider);
      if (!small.wrong) return {.not_tried = small.not_tried};
      return {.not_tried = "its first and its last block do not have the first and the last elements"};
    }
  }
  if (is_slow) return {.not_tried = fmt::format("two blocks did not end within {:g} s", limit_s)};
  outcome.wrong = message_of_huge(*outcome.wrong, one);
  return outcome;
}

ExecutorKernel::Count ExecutorKernel::count(const lab::Exercise& exercise, const lab::ExerciseCase& one,
                                            JudgedProgram::Places places) const {
  constexpr double patience = 10;  // it has ended in time before, and counting may take longer than checking
  CaseRun ran = run_case(one, "mode=count", patience * time_limit_s_, places);
  Count count{.wrong = message_of_run(ran, exercise, one)};
  if (count.wrong) count.wrong->with = describe_launch(one) + ", when its accesses were counted";
  count.report = std::move(ran.report);
  return count;
}

std::optional<TryMessage> ExecutorKernel::message_of_run(const CaseRun& ran, const lab::Exercise& exercise,
                                                         const lab::ExerciseCase& one) const {
  if (const auto message = message_of_end(ran, kernel_, one, time_limit_s_)) return message;
  const auto after = arrays_in(*ran.arrays, one, order_);
  const std::string sentence = after ? judge(exercise, one, *after) : "its arrays are incomplete";
  return sentence.empty() ? std::nullopt : std::optional(TryMessage{"wrong", sentence});
}

CaseRun ExecutorKernel::run_case(const lab::ExerciseCase& one, const std::string& how, double time_limit_s,
                                 JudgedProgram::Places places, JudgedProgram::Runs runs) const {
  const double grace = kind_ == lab::ExerciseKind::kernel ? grace_s : host_grace_s;
  return program_.run(plan_of(one, order_), fmt::format("{};launch_limit={}", how, time_limit_s), time_limit_s + grace,
                      places, runs);
}

}  // namespace rafter::trial
