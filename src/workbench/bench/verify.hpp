// Whether kernels are right, found out in processes that may crash, hang or lose their GPU.
#pragma once

#include <filesystem>
#include <functional>
#include <map>
#include <nlohmann/json.hpp>
#include <string>
#include <vector>

#include "workbench/bench/workload.hpp"
#include "workbench/lab/measure/report.hpp"

namespace rafter::bench {

/// What a process of its own is asked to do, as a file.
struct Job {
  std::vector<std::filesystem::path> libraries{};  ///< one, or one for each name
  std::vector<std::string> names{};                ///< of variants by macros, "TILE=16 UNROLL=2"
  std::filesystem::path watch{};
  std::filesystem::path results{};      ///< where verdicts are left, one after the other
  std::vector<std::string> variants{};  ///< to verify, by name; empty: all are to be measured
  Broken broken{};
  bool asks_for_bits = true;             ///< whether kernels give the same bits twice, too
  std::vector<std::string> uncounted{};  ///< kernels that are not right, whose counts say nothing
};
nlohmann::json to_json(const Job& job);
Job job_of(const nlohmann::json& json);

struct KernelVerdict {
  lab::Status status = lab::Status::verified;
  std::string reason{};
  bool is_repeatable = true;  ///< the same bits twice
};

/// In the process of a job: verifies its variants one after the other, and leaves each verdict in the file at once.
/// Stops after one that lost the device. Throws Error for what is wrong with the request itself.
void verify_here(const Job& job, const Plan& plan, const std::vector<Variant>& variants, const lab::Params& params,
                 const Stream& stream);

/// Starts the process of a job; true if it was stopped because what it ran had no end.
using StartJob = std::function<bool(const Job& job)>;

/// The verdicts of the job's variants, by processes that are started again after one that was lost. Throws Error
/// (bad_argument) when a reference itself breaks down, or what a process threw.
std::map<std::string, KernelVerdict> verify_apart(const Job& job, const Plan& plan, double time_limit_s,
                                                  const StartJob& start);

}  // namespace rafter::bench
