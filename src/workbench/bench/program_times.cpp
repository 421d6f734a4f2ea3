#include "workbench/bench/program_times.hpp"

#include <cxxabi.h>
#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <cstdlib>
#include <numeric>
#include <sstream>

#include "base/cuda_toolkit.hpp"
#include "base/files.hpp"
#include "base/process.hpp"
#include "base/terminal.hpp"
#include "base/units.hpp"
#include "executor/build/toolchain.hpp"
#include "rafter/error.hpp"
#include "workbench/bench/nvcc_options.hpp"

namespace rafter::bench {

namespace fs = std::filesystem;

namespace {

/// Returns "scale<float>" for "_Z5scaleIfEvPT_", without result and parameters.
std::string kernel_name(const std::string& symbol) {
  int status = 0;
  char* words = abi::__cxa_demangle(symbol.c_str(), nullptr, nullptr, &status);
  std::string name = words != nullptr ? words : symbol;
  std::free(words);
  int depth = 0;
  for (std::size_t i = 0; i < name.size(); ++i) {
    depth += name[i] == '<' ? 1 : name[i] == '>' ? -1 : 0;
    if (name[i] == '(' && depth == 0 && !name.substr(i).starts_with("(anonymous namespace)")) {
      name.resize(i);
      break;
    }
  }
  return name.starts_with("void ") ? name.substr(5) : name;
}

LaunchTimes& launches_of(ProgramTimes& times, const std::string& kernel) {
  for (LaunchTimes& known : times.kernels) {
    if (known.kernel == kernel) return known;
  }
  return times.kernels.emplace_back(LaunchTimes{kernel});
}

CopyTimes& copies_of(ProgramTimes& times, const std::string& kind) {
  for (CopyTimes& known : times.copies) {
    if (known.kind == kind) return known;
  }
  return times.copies.emplace_back(CopyTimes{kind});
}

void sort_by_total(ProgramTimes& times) {
  std::stable_sort(times.kernels.begin(), times.kernels.end(),
                   [](const LaunchTimes& a, const LaunchTimes& b) { return a.total_ns() > b.total_ns(); });
}

double per_run(double ns, const ProgramTimes& times) { return ns / times.n_runs; }

/// Amdahl's bound for the kernel with the largest share, and the shares of copies and the host.
std::string advice(const ProgramTimes& times) {
  const double kernels = times.kernels_ns(), copies = times.copies_ns();
  const LaunchTimes& first = times.kernels.front();
  std::string text = fmt::format("{} takes {:.0f}% of the kernels' time: without it they would be {}", first.kernel,
                                 100 * first.total_ns() / kernels,
                                 first.total_ns() < 0.999 * kernels
                                     ? fmt::format("{:.2f}x faster", kernels / (kernels - first.total_ns()))
                                     : "gone");
  const double most = (kernels + copies) / std::max(kernels + copies - first.total_ns(), 1.);
  if (copies > 0.05 * kernels) text += fmt::format(", and kernels and copies together {:.2f}x", most);
  text += ".";
  if (copies > kernels) text += " Copies take longer than kernels: optimise them first.";
  const lab::Summary summary = lab::summarize(first.ns);
  if (summary.median < 5000 && first.ns.size() > 20)
    text += " Its launches are so short that the launch overhead dominates: do more work in each, or use a CUDA graph.";
  return text;
}

constexpr const char* wrapped[] = {"__cudaRegisterFunction",
                                   "__cudaGetKernel",
                                   "__cudaLaunchKernel",
                                   "cudaLaunchKernel",
                                   "cudaLaunchCooperativeKernel",
                                   "cudaLaunchKernelExC",
                                   "cudaMemcpy",
                                   "cudaMemcpyAsync",
                                   "cudaDeviceReset"};

}  // namespace

double LaunchTimes::total_ns() const { return std::accumulate(ns.begin(), ns.end(), 0.); }

double ProgramTimes::kernels_ns() const {
  double sum = 0;
  for (const LaunchTimes& kernel : kernels) sum += kernel.total_ns();
  return sum;
}

double ProgramTimes::copies_ns() const {
  double sum = 0;
  for (const CopyTimes& copy : copies) sum += copy.ns;
  return sum;
}

ProgramTimes parse_times(const std::string& text) {
  ProgramTimes times;
  std::istringstream lines(text);
  for (std::string line; std::getline(lines, line);) {
    std::istringstream words(line);
    std::string kind, name, number, last;
    std::getline(words, kind, '\t');
    std::getline(words, name, '\t');
    std::getline(words, number, '\t');
    std::getline(words, last, '\t');
    if (kind == "kernel") {
      launches_of(times, kernel_name(name)).ns.push_back(std::atof(number.c_str()));
    } else if (kind == "copy") {
      CopyTimes& copies = copies_of(times, name);
      ++copies.n;
      copies.bytes += std::atof(number.c_str());
      copies.ns += std::atof(last.c_str());
    } else if (kind == "wall") {
      times.wall_ns = std::atof(name.c_str());
    } else if (kind == "captured") {
      const std::string kernel = kernel_name(name);
      if (std::find(times.captured.begin(), times.captured.end(), kernel) == times.captured.end())
        times.captured.push_back(kernel);
    }
  }
  sort_by_total(times);
  return times;
}

void add_run(ProgramTimes& times, const ProgramTimes& more) {
  for (const LaunchTimes& kernel : more.kernels) {
    auto& ns = launches_of(times, kernel.kernel).ns;
    ns.insert(ns.end(), kernel.ns.begin(), kernel.ns.end());
  }
  for (const CopyTimes& copy : more.copies) {
    CopyTimes& copies = copies_of(times, copy.kind);
    copies.n += copy.n;
    copies.bytes += copy.bytes;
    copies.ns += copy.ns;
  }
  times.wall_ns += more.wall_ns;
  times.n_runs += more.n_runs;
  sort_by_total(times);
}

std::string times_table(const std::string& program, const ProgramTimes& times) {
  std::string text =
      fmt::format("{}: {} run{}, per run {} in kernels, {} in copies, {} from the first call to the end\n", program,
                  times.n_runs, times.n_runs == 1 ? "" : "s", base::show_time(per_run(times.kernels_ns(), times)),
                  base::show_time(per_run(times.copies_ns(), times)), base::show_time(per_run(times.wall_ns, times)));
  std::size_t width = 20;
  for (const LaunchTimes& kernel : times.kernels) width = std::clamp(kernel.kernel.size(), width, std::size_t{44});
  text += fmt::format("  {:<{}} {:>9} {:>9} {:>6}  {:>9} {:>9} {:>9}\n", "kernel", width, "launches", "per run",
                      "share", "median", "fastest", "slowest");
  for (const LaunchTimes& kernel : times.kernels) {
    const lab::Summary summary = lab::summarize(kernel.ns);
    const std::string name = kernel.kernel.size() > width ? kernel.kernel.substr(0, width - 3) + "..." : kernel.kernel;
    text += fmt::format(
        "  {:<{}} {:>9} {:>9} {:>5.1f}%  {:>9} {:>9} {:>9}\n", name, width,
        kernel.ns.size() / static_cast<std::size_t>(times.n_runs), base::show_time(per_run(kernel.total_ns(), times)),
        100 * kernel.total_ns() / times.kernels_ns(), base::show_time(summary.median), base::show_time(summary.minimum),
        base::show_time(*std::max_element(kernel.ns.begin(), kernel.ns.end())));
  }
  for (const CopyTimes& copy : times.copies) {
    text += fmt::format("  {:<{}} {:>9} {:>9} {:>6}  {} at {}\n", "copy " + copy.kind, width, copy.n / times.n_runs,
                        base::show_time(per_run(copy.ns, times)), "", base::show_bytes(per_run(copy.bytes, times)),
                        base::show_rate(copy.ns > 0 ? 1e9 * copy.bytes / copy.ns : 0, "B/s"));
  }
  if (!times.captured.empty())
    text += base::wrapped(fmt::format("launched by graphs and not timed: {}", fmt::join(times.captured, ", ")), "  ",
                          "    ");
  if (!times.kernels.empty()) text += base::wrapped(advice(times), "  ", "    ");
  return text + base::wrapped(
                    "Times lie between events around each launch, a few us more than the kernel alone. The results of "
                    "the program were not verified: use --kernel and --reference for that.",
                    "  ", "    ");
}

nlohmann::json to_json(const ProgramTimes& times) {
  nlohmann::json kernels = nlohmann::json::array(), copies = nlohmann::json::array();
  for (const LaunchTimes& kernel : times.kernels) {
    const lab::Summary summary = lab::summarize(kernel.ns);
    kernels.push_back({{"kernel", kernel.kernel},
                       {"launches", kernel.ns.size()},
                       {"total_ns", kernel.total_ns()},
                       {"median_ns", summary.median},
                       {"min_ns", summary.minimum},
                       {"samples_ns", kernel.ns}});
  }
  for (const CopyTimes& copy : times.copies)
    copies.push_back({{"kind", copy.kind}, {"n", copy.n}, {"bytes", copy.bytes}, {"total_ns", copy.ns}});
  return {{"kernels", kernels},
          {"copies", copies},
          {"captured", times.captured},
          {"wall_ns", times.wall_ns},
          {"runs", times.n_runs}};
}

fs::path build_timed_program(const std::vector<std::string>& build, const fs::path& scratch) {
  const fs::path nvcc = base::find_cuda_program("nvcc"), recorder = scratch / "recorder.cu",
                 program = scratch / "program";
  if (nvcc.empty()) throw Error(ErrorCode::unsupported, "there is no nvcc on this machine: install the CUDA toolkit");
  base::write_file(
      recorder, fmt::format("#include \"{}\"\n",
                            (simt::build::toolchain().shim_dir / "rafter_simt/launch/launch_recorder.hpp").string()));
  base::Command command{nvcc.string(), "-lineinfo", "-w", "-o", program.string(), recorder.string()};
  const base::Command target = nvcc_defaults(build);
  command.insert(command.end(), target.begin(), target.end());
  command.insert(command.end(), build.begin(), build.end());
  for (const char* symbol : wrapped) command.insert(command.end(), {"-Xlinker", fmt::format("--wrap={}", symbol)});
  constexpr double compile_limit_s = 600;
  const base::Outcome ended = base::run_process({.command = command, .time_limit_s = compile_limit_s});
  if (ended.succeeded()) return program;
  throw Error(ErrorCode::bad_argument,
              fmt::format("the program does not build\n{}", base::first_compiler_error(ended.output)));
}

}  // namespace rafter::bench
