#include "trial/executor.hpp"

#include <fmt/format.h>
#include <unistd.h>

#include <algorithm>
#include <cstring>
#include <fstream>
#include <functional>
#include <sstream>

#include "base/files.hpp"
#include "base/process.hpp"
#include "simt/build/bare.hpp"
#include "simt/build/program.hpp"
#include "simt/build/toolchain.hpp"
#include "simt/report/report_file.hpp"

namespace rafter::trial {

namespace fs = std::filesystem;
namespace build = simt::build;
using nlohmann::json;

namespace {

constexpr double grace_s = 30;  // beyond the executor's own limit, which is of processor time and names the line

// After the kernel's shared variables, so that an index a little too large is found and breaks nothing: the executor
// takes a variable of this name for no variable. In a source of its own it comes last.
constexpr const char* room = "__attribute__((used)) thread_local char rafter_simt_room[1 << 16];\n";

/// The program around the kernel; always at the same place, so that the same source is built once.
std::vector<fs::path> write_driver(const LearnerSource& source, const std::string& kernel, const fs::path& folder) {
  const std::size_t name = std::hash<std::string>()(fs::absolute(source.file).string() + "|" + kernel);
  const std::vector<fs::path> paths{folder / fmt::format("{:016x}.cu", name), folder / "room.cpp"};
  const std::string texts[] = {build::generate_exercise_driver(source.file, kernel), room};
  for (std::size_t i = 0; i < paths.size(); ++i) {
    if (base::read_file(paths[i]) != texts[i]) base::write_file(paths[i], texts[i]);
  }
  return paths;
}

/// Whether files can be written there; it is made if need be.
bool is_writable(const fs::path& folder) {
  std::error_code error;
  fs::create_directories(folder, error);
  return access(folder.c_str(), W_OK | X_OK) == 0;
}

/// As rafter_simt/exercise.hpp reads it.
std::string plan_of(const lab::ExerciseCase& one) {
  std::string plan;
  const auto put = [&](const auto& value) { plan.append(reinterpret_cast<const char*>(&value), sizeof value); };
  for (const lab::Extents& extents : {one.grid, one.block}) {
    for (const std::int64_t n : {extents.x, extents.y, extents.z}) put(static_cast<std::uint32_t>(n));
  }
  put(static_cast<std::uint32_t>(one.arguments.size()));
  for (const lab::ExerciseArgument& argument : one.arguments) {
    const bool is_scalar = argument.role == lab::ArgumentRole::scalar;
    put(static_cast<std::uint32_t>(is_scalar ? 0 : argument.is_written ? 1 : 2));
    char type[8] = {};
    std::memcpy(type, argument.type.data(), std::min<std::size_t>(argument.type.size(), 7));
    put(type);
    put(static_cast<std::uint64_t>(argument.bytes.size()));
    plan.append(reinterpret_cast<const char*>(argument.bytes.data()), argument.bytes.size());
  }
  return plan;
}

/// The arrays a run saved, or nothing when they are not all there.
std::optional<lab::ArraysAfter> read_arrays(const fs::path& path, const lab::ExerciseCase& one) {
  const auto text = base::read_file(path);
  if (!text) return std::nullopt;
  lab::ArraysAfter after;
  std::size_t at = 0;
  for (const lab::ExerciseArgument& argument : one.arguments) {
    const std::size_t bytes = argument.role == lab::ArgumentRole::scalar ? 0 : argument.bytes.size();
    if (at + bytes > text->size()) return std::nullopt;
    const auto part = std::as_bytes(std::span(*text)).subspan(at, bytes);
    after.emplace_back(part.begin(), part.end());
    at += bytes;
  }
  return after;
}

json read_report(const fs::path& path) {
  json report = simt::report::read_report(path, build::toolchain().shim_dir);
  return report.is_object() ? report : json{{"findings", json::array()}, {"kernels", json::array()}};
}

/// A kernel that did not end: the executor says where it was.
TryMessage message_of_hang(const json& report, double time_limit_s) {
  TryMessage message{"hang", fmt::format("the kernel did not end within {:g} s", time_limit_s), "",
                     "Look for a loop whose condition never becomes false; --time-limit S waits longer."};
  for (const json& finding : report["findings"]) {
    if (finding["kind"] == "no_progress") message.detail = message_of_findings({{"findings", {finding}}}).detail;
  }
  return message;
}

bool is_stuck(const json& report) {
  const json& found = report["findings"];
  return found.size() == 1 && found[0]["kind"] == "no_progress";
}

/// What is wrong though no checker said so: it did not end well.
std::optional<TryMessage> message_of_end(const base::Outcome& ended, const json& report, double time_limit_s) {
  for (const json& kernel : report["kernels"]) {
    if (kernel.contains("failure"))
      return TryMessage{"launch", "the launch failed: " + kernel["failure"].get<std::string>()};
  }
  if (ended.timed_out) return message_of_hang(report, time_limit_s);
  if (ended.signal != 0) {
    return TryMessage{"crash", fmt::format("the kernel crashed: {}", strsignal(ended.signal)), "",
                      "Look for an index far outside of an array, and for endless recursion."};
  }
  if (ended.code != 0) return TryMessage{"crash", fmt::format("the program ended itself with code {}", ended.code)};
  return std::nullopt;
}

}  // namespace

std::string launched(const lab::ExerciseCase& one) {
  return fmt::format("{}, {} block{} of {} thread{}", one.text, one.grid.text(), one.grid.count() == 1 ? "" : "s",
                     one.block.text(), one.block.count() == 1 ? "" : "s");
}

std::string judge(const lab::Exercise& exercise, const lab::ExerciseCase& one, const lab::ArraysAfter& after) {
  for (std::size_t i = 0; i < one.arguments.size(); ++i) {
    const lab::ExerciseArgument& argument = one.arguments[i];
    if (argument.role != lab::ArgumentRole::input || argument.bytes == after[i]) continue;
    const auto [before, now] = std::mismatch(argument.bytes.begin(), argument.bytes.end(), after[i].begin());
    const std::ptrdiff_t element = (before - argument.bytes.begin()) / (argument.type.ends_with("64") ? 8 : 4);
    return fmt::format("{}[{}] was changed: inputs must stay as they are", exercise.parameters[i].name, element);
  }
  return one.check(after);
}

ExecutorKernel::ExecutorKernel(const LearnerSource& source, const std::string& kernel, fs::path scratch,
                               double time_limit_s)
    : scratch_(std::move(scratch)), time_limit_s_(time_limit_s) {
  build::Build what;
  const fs::path kept = base::cache_folder() / "try";
  what.sources = write_driver(source, kernel, is_writable(kept) ? kept : scratch_);
  what.options.mode = build::Mode::checked;
  program_ = build::build_program(what, build::toolchain()).program;
}

base::Outcome ExecutorKernel::run(const std::vector<std::string>& arguments, const std::string& runtime,
                                  double time_limit_s) const {
  base::Command command{program_.string()};
  command.insert(command.end(), arguments.begin(), arguments.end());
  return base::run_process({.command = command, .variables = {{"RAFTER_SIMT", runtime}}, .time_limit_s = time_limit_s});
}

std::vector<std::string> ExecutorKernel::types() const {
  const fs::path path = scratch_ / "signature";
  run({"signature", path.string()}, "mode=plain", time_limit_s_);
  std::ifstream file(path);
  std::vector<std::string> types;
  for (std::string line; std::getline(file, line);) types.push_back(line);
  return types;
}

std::int64_t ExecutorKernel::static_shared_bytes(const std::string& kernel) const {
  std::string name = kernel.substr(0, kernel.find('<'));
  name.erase(0, name.rfind(':') == std::string::npos ? 0 : name.rfind(':') + 1);
  const std::string mangled = fmt::format("{}{}", name.size(), name);
  std::istringstream symbols(base::run({"nm", "-S", program_.string()}).output);
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

ExecutorKernel::Outcome ExecutorKernel::check(const lab::Exercise& exercise, const lab::ExerciseCase& one) const {
  const fs::path plan = scratch_ / "plan", arrays = scratch_ / "arrays", found = scratch_ / "report.json";
  for (const fs::path& old : {arrays, found}) fs::remove(old);
  base::write_file(plan, plan_of(one));
  const base::Outcome ended =
      run({"run", plan.string(), arrays.string()},
          fmt::format("mode=check;strict=1;judged=1;report={};launch_limit={}", found.string(), time_limit_s_),
          time_limit_s_ + grace_s);
  Outcome outcome{.printed = ended.output};
  const json report = read_report(found);
  const auto after = read_arrays(arrays, one);
  if (is_stuck(report)) {
    outcome.wrong = message_of_hang(report, time_limit_s_);
  } else if (!report["findings"].empty()) {
    outcome.wrong = message_of_findings(report);
  } else {
    outcome.wrong = message_of_end(ended, report, time_limit_s_);
  }
  if (!outcome.wrong && !after) outcome.wrong = TryMessage{"crash", "the program ended before it gave its arrays back"};
  const std::string sentence = after ? judge(exercise, one, *after) : "";
  if (!sentence.empty() && !outcome.wrong) {
    outcome.wrong = TryMessage{"wrong", sentence};
  } else if (!sentence.empty() && outcome.wrong->kind != "uninitialised") {
    outcome.wrong->detail += "\nthe answer is wrong, too: " + sentence;
  }
  if (outcome.wrong) outcome.wrong->with = launched(one);
  return outcome;
}

json ExecutorKernel::count(const lab::ExerciseCase& one) const {
  const fs::path plan = scratch_ / "plan", arrays = scratch_ / "arrays", found = scratch_ / "counts.json";
  base::write_file(plan, plan_of(one));
  run({"run", plan.string(), arrays.string()},
      fmt::format("mode=count;report={};launch_limit={}", found.string(), time_limit_s_), time_limit_s_ + grace_s);
  return read_report(found);
}

}  // namespace rafter::trial
