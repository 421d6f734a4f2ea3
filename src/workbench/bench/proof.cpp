#include "workbench/bench/proof.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>

#include "rafter/error.hpp"

namespace rafter::bench {

namespace {

constexpr double most_bytes = 2e6;

/// Halves the largest size. Returns false if none is above 1.
bool halve_largest(std::vector<Size>& sizes) {
  std::int64_t* largest = nullptr;
  for (Size& size : sizes) {
    auto* const whole = std::get_if<std::int64_t>(&size.values.front());
    if (whole != nullptr && (largest == nullptr || *whole > *largest)) largest = whole;
  }
  if (largest == nullptr || *largest <= 1) return false;
  *largest /= 2;
  return true;
}

/// Whether the findings in a reason are about where values come from.
bool is_about_origin(const std::string& reason) {
  constexpr std::array kinds{"[reads_stale_output]", "[state_between_launches]", "[foreign_memory]"};
  return std::any_of(kinds.begin(), kinds.end(),
                     [&](const char* kind) { return reason.find(kind) != std::string::npos; });
}

std::string first_line(const std::string& text) { return text.substr(0, text.find('\n')); }

}  // namespace

std::optional<KernelPlan> small_plan(const KernelPlan& plan) {
  KernelPlan small = plan;
  for (Size& size : small.sizes) size.values.resize(1);
  try {
    while (array_bytes(small, small.first_case()) > most_bytes) {
      if (!halve_largest(small.sizes)) return std::nullopt;
    }
  } catch (const Error&) {  // an array of a file has another size, or a shape is no longer whole
    return std::nullopt;
  }
  return small;
}

bool needs_proof(const BenchPlan& plan) {
  return plan.device == Device::cuda || array_bytes(plan.kernels, plan.kernels.first_case()) > most_bytes;
}

Proof sort_verdicts(const std::map<std::string, KernelVerdict>& verdicts, const std::string& sizes) {
  Proof proof;
  const std::string where = sizes.empty() ? "on the executor" : "on the executor, with " + sizes;
  for (const auto& [kernel, verdict] : verdicts) {
    if (verdict.status == lab::Status::verified) {
      proof.proved.push_back(kernel);
    } else if (is_about_origin(verdict.reason)) {
      proof.rejected[kernel] = {verdict.status, where + ": " + verdict.reason};
    } else {
      proof.notes += fmt::format("{} is {} {}, so that it shows nothing about its values: {}\n", kernel,
                                 name(verdict.status), where, first_line(verdict.reason));
    }
  }
  return proof;
}

Proof prove(const BenchPlan& plan, const std::filesystem::path& scratch, const StartChild& start,
            const std::optional<Combination>& combination) {
  const std::optional<KernelPlan> small = small_plan(plan.kernels);
  if (!small) return {.notes = "the arrays are too large to see on the executor where values come from\n"};
  const std::filesystem::path folder = scratch / "proof";
  std::filesystem::create_directories(folder);
  Job job{.plan = plan, .watch = folder / "watch", .results = folder / "results.json", .compares_bits = false};
  job.plan.kernels = *small;
  job.plan.device = Device::simt;
  job.variants = small->rungs();
  std::vector<std::string> build = small->build;
  if (combination) {
    job.names = job.variants = {combination->name};
    job.n_finalists = 1;
    build.insert(build.end(), combination->macros.begin(), combination->macros.end());
  }
  try {
    job.libraries = {build_library(*small, build, Device::simt, folder)};
    return sort_verdicts(verify_apart(job, start), small->first_case().text());
  } catch (const Error& error) {
    if (error.code() == ErrorCode::io) throw;  // a stop signal, a full disk
    return {.notes = fmt::format("the executor cannot show where values come from: {}\n", first_line(error.what()))};
  }
}

void trust(lab::Workload& workload, const std::vector<std::string>& proved) {
  for (lab::Rung& rung : workload.rungs) {
    if (std::find(proved.begin(), proved.end(), rung.name) != proved.end()) rung.trust = lab::Trust::proved;
  }
}

}  // namespace rafter::bench
