#include "workbench/explain/nsight.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <cstdlib>
#include <sstream>

#include "base/cuda_toolkit.hpp"
#include "base/process.hpp"
#include "workbench/explain/ptx.hpp"

namespace rafter::explain {

namespace fs = std::filesystem;

namespace {

constexpr double build_limit_s = 300, count_limit_s = 180;

struct Metric {
  const char* name;
  double NsightFacts::*into;
};
constexpr Metric metrics[] = {
    {"gpu__time_duration.sum", &NsightFacts::duration_ns},
    {"dram__throughput.avg.pct_of_peak_sustained_elapsed", &NsightFacts::memory_percent},
    {"l1tex__data_pipe_lsu_wavefronts.avg.pct_of_peak_sustained_elapsed", &NsightFacts::access_percent},
    {"smsp__issue_active.avg.pct_of_peak_sustained_active", &NsightFacts::issue_percent},
    {"sm__warps_active.avg.pct_of_peak_sustained_active", &NsightFacts::warps_percent},
    {"smsp__thread_inst_executed_per_inst_executed.ratio", &NsightFacts::lanes},
};

/// Splits a line into its quoted fields.
std::vector<std::string> fields_of(const std::string& line) {
  std::vector<std::string> fields;
  bool inside = false;
  for (const char c : line) {
    if (c == '"') {
      inside = !inside;
      if (inside) fields.emplace_back();
    } else if (inside) {
      fields.back() += c;
    }
  }
  return fields;
}

/// Returns ncu's reason for counting nothing.
std::string refusal_in(const std::string& text) {
  if (text.find("ERR_NVGPUCTRPERM") != std::string::npos)
    return "this user may not read the GPU's counters (ERR_NVGPUCTRPERM: root may)";
  std::istringstream lines(text);
  for (std::string line; std::getline(lines, line);) {
    if (line.starts_with("==ERROR==")) return "ncu says:" + line.substr(9);
  }
  return "ncu counted no kernel";
}

}  // namespace

NsightCounters parse_ncu(const std::string& text) {
  NsightCounters found;
  std::istringstream lines(text);
  std::size_t kernel = 0, metric = 0, value = 0;
  for (std::string line; std::getline(lines, line);) {
    const std::vector<std::string> fields = fields_of(line);
    if (line.starts_with("\"ID\"")) {
      for (std::size_t i = 0; i < fields.size(); ++i) {
        if (fields[i] == "Kernel Name") kernel = i;
        if (fields[i] == "Metric Name") metric = i;
        if (fields[i] == "Metric Value") value = i;
      }
      continue;
    }
    if (value == 0 || fields.size() <= std::max({kernel, metric, value})) continue;
    const std::string name = fields[kernel].substr(0, fields[kernel].find('('));
    std::string number = fields[value];
    std::erase(number, ',');
    for (const Metric& one : metrics) {
      if (fields[metric] == one.name) found.kernels[name].*one.into = std::atof(number.c_str());
    }
  }
  if (found.kernels.empty()) found.why_not = refusal_in(text);
  return found;
}

NsightCounters count_with_ncu(const std::vector<std::string>& words, const std::vector<std::string>& arguments,
                              const fs::path& scratch) {
  NsightCounters found;
  const fs::path nvcc = base::find_cuda_program("nvcc"), ncu = base::find_cuda_program("ncu");
  std::error_code ignored;
  if (!fs::exists("/dev/nvidiactl", ignored)) {
    found.why_not = "there is no GPU";
  } else if (ncu.empty() || nvcc.empty()) {
    found.why_not = fmt::format("there is no {} on this machine", ncu.empty() ? "ncu" : "nvcc");
  }
  if (!found.why_not.empty()) return found;
  const fs::path program = scratch / "for_ncu";
  base::Command build{nvcc.string(), "-arch=native", "-lineinfo", "-w"};
  for (std::size_t i = 0; i < words.size(); ++i) {  // the user's output name is replaced by ours
    if (words[i] == "-o" || words[i] == "--output-file") {
      ++i;
    } else if (!words[i].starts_with("-arch")) {
      build.push_back(words[i]);
    }
  }
  build.insert(build.end(), {"-o", program.string()});
  if (!base::run_process({.command = build, .time_limit_s = build_limit_s}).succeeded()) {
    found.why_not = "nvcc does not build the program for this GPU";
    return found;
  }
  std::vector<std::string> names;
  for (const Metric& metric : metrics) names.emplace_back(metric.name);
  base::Command command{
      ncu.string(), "--csv",           "--print-units", "base",      "--kernel-id",
      ":::1",       "--clock-control", "none",          "--metrics", fmt::format("{}", fmt::join(names, ","))};
  command.push_back(program.string());
  command.insert(command.end(), arguments.begin(), arguments.end());
  const base::Outcome ended = base::run_process({.command = command, .time_limit_s = count_limit_s});
  found = parse_ncu(ended.output);
  if (ended.timed_out) found.why_not = fmt::format("ncu took longer than {:.0f} s", count_limit_s);
  return found;
}

void add_nsight(Facts& facts, const NsightCounters& counters) {
  std::vector<std::string> names;
  for (const auto& [name, counted] : counters.kernels) names.push_back(name);
  const int found = find_kernel(names, facts.kernel);
  if (found >= 0) facts.nsight = counters.kernels.at(names[static_cast<std::size_t>(found)]);
}

}  // namespace rafter::explain
