#include "workbench/trial/judged_run.hpp"

#include <fmt/format.h>

#include "base/files.hpp"
#include "base/sandbox/sandbox.hpp"
#include "base/seal.hpp"
#include "executor/build/toolchain.hpp"
#include "executor/report/report_file.hpp"

namespace rafter::trial {

namespace fs = std::filesystem;
using nlohmann::json;

namespace {

constexpr std::size_t most_output = 1 << 16;           // of what a program prints
constexpr const char* device_memory = "137438953472";  // 128 GiB of address space, mostly unused

std::optional<std::string> read_result(const fs::path& path) {
  constexpr std::int64_t most_bytes = std::int64_t{1} << 30;
  return base::read_regular_file(path, most_bytes);
}

json report_in(const std::optional<std::string_view>& text, JudgedProgram::Places places) {
  json report;
  if (text && places == JudgedProgram::Places::addresses) report = json::parse(*text, nullptr, false);
  // Findings are shown, so they need their lines.
  const bool needs_lines = !report.is_object() || !report.value("findings", json::array()).empty();
  if (text && needs_lines) report = simt::report::parse_report(std::string(*text), simt::build::toolchain().shim_dir);
  return report.is_object() ? report : json{{"findings", json::array()}, {"kernels", json::array()}};
}

}  // namespace

JudgedProgram::JudgedProgram(fs::path program, const fs::path& scratch, const simt::build::UntrustedWork* untrusted)
    : program_(std::move(program)),
      plans_(untrusted != nullptr ? untrusted->inputs() : scratch),
      results_(untrusted != nullptr ? untrusted->results() : scratch),
      untrusted_(untrusted) {}

JudgedProgram::Signature JudgedProgram::signature(double time_limit_s) const {
  const fs::path path = results_ / "signature";
  const std::string key = base::new_key();
  Signature result{.ended = start({"signature", path.string()}, "mode=plain", key, time_limit_s)};
  result.lines = base::unseal(key, "signature", read_result(path).value_or("")).value_or("");
  return result;
}

CaseRun JudgedProgram::run(const std::string& plan, const std::string& options, double time_limit_s, Places places,
                           Runs runs) const {
  const fs::path plan_file = plans_ / "plan", arrays_file = results_ / "arrays", report_file = results_ / "report.json";
  for (const fs::path& old : {arrays_file, report_file}) fs::remove_all(old);
  const std::string key = base::new_key();
  base::write_file(plan_file, base::seal(key, "plan", plan));
  CaseRun ran;
  ran.ended = start({runs == Runs::two ? "again" : "run", plan_file.string(), arrays_file.string()},
                    options + ";report=" + report_file.string(), key, time_limit_s);
  const auto arrays = read_result(arrays_file), report = read_result(report_file);
  if (arrays) {
    if (const auto bytes = base::unseal(key, "arrays", *arrays)) ran.arrays = *bytes;
    ran.is_out_of_memory = base::unseal(key, "no memory", *arrays).has_value();
    ran.is_forged = !ran.arrays && !ran.is_out_of_memory;
  }
  const auto text = report ? base::unseal(key, "report", *report) : std::nullopt;
  if (report && !text) ran.is_forged = true;
  ran.report = report_in(text, places);
  ran.is_complete = ran.report.value("ended", false);
  ran.report.erase("ended");
  return ran;
}

base::Outcome JudgedProgram::start(const base::Command& arguments, const std::string& options, const std::string& key,
                                   double time_limit_s) const {
  std::optional<base::Confinement> confined;
  if (untrusted_ != nullptr) confined.emplace(untrusted_->running());
  base::Command command{program_.string()};
  command.insert(command.end(), arguments.begin(), arguments.end());
  base::Outcome ended = base::run_process(
      {.command = command,
       .variables = {{"RAFTER_SIMT", options}, {"RAFTER_SIMT_KEY", key}, {"RAFTER_SIMT_MEMORY", device_memory}},
       .time_limit_s = time_limit_s});
  if (ended.output.size() > most_output) ended.output.resize(most_output);
  return ended;
}

}  // namespace rafter::trial
