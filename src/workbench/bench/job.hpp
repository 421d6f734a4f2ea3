// User kernels run in child processes that may crash, hang or lose their GPU: this program, started again with a job
// that contains the whole plan.
#pragma once

#include <filesystem>
#include <nlohmann/json.hpp>
#include <optional>
#include <string>
#include <vector>

#include "rafter/device.hpp"
#include "workbench/bench/plan.hpp"
#include "workbench/bench/workload.hpp"
#include "workbench/journal/record.hpp"

namespace rafter::bench {

/// A `rafter bench` or `rafter tune` of kernels with everything parsed.
struct BenchPlan {
  KernelPlan kernels{};
  Device device = Device::simt;
  double time_limit_s = 10;             ///< The longest time of a launch.
  std::optional<std::uint64_t> seed{};  ///< Nothing: a fresh seed.
  bool quick = false, all_regimes = false;
  std::string json_path{}, csv_path{};  ///< Empty: none; "-": standard output.
  journal::Event event{};               ///< The user's journal entry, the sources and the kernel.

  /// The stream for text that people read: standard error if results go to standard output.
  std::FILE* text_stream() const { return json_path == "-" || csv_path == "-" ? stderr : stdout; }
};

/// Work for one child process.
struct Job {
  BenchPlan plan{};
  std::vector<std::filesystem::path> libraries{};  ///< One, or one for each name.
  std::vector<std::string> names{};                ///< Variants by macros, "TILE=16 UNROLL=2".
  std::filesystem::path watch{};
  std::filesystem::path results{};      ///< The file in which the child leaves its results.
  std::vector<std::string> variants{};  ///< The variants to verify; empty: all variants are measured.
  Rejected rejected{};
  std::vector<std::string> proved{};  ///< The executor saw where their values come from.
  bool compares_bits = true;          ///< Also verify that a kernel gives the same bits twice.
  int n_finalists = 0;                ///< Of a tuning job; 0: of `rafter bench`.
  bool is_search = false;             ///< Of a tuning job: one portion of a search, timed or counted briefly.
  bool measures_energy = false;       ///< Of a tuning job: the energy of the finalists, too.
};
nlohmann::json to_json(const Job& job);
Job job_of(const nlohmann::json& json);

/// The job of this process; nothing in a process that the user started.
std::optional<Job> child_job();

enum class ChildOutput { discarded, inherited };

struct ChildEnd {
  int code = 0;              ///< The exit code.
  bool was_stalled = false;  ///< The child was stopped: a launch exceeded the time limit.
};

/// Starts this program with the same command line for a job and waits for it. The command line is not parsed again; it
/// is what results files and journals quote. Throws Error (io) after a stop signal.
ChildEnd run_child(const Job& job, ChildOutput output);

}  // namespace rafter::bench
