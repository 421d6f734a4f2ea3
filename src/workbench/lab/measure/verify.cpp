#include "workbench/lab/measure/verify.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <chrono>

#include "base/units.hpp"
#include "library/core/stream/backend.hpp"
#include "rafter/error.hpp"
#include "workbench/lab/machine/machine.hpp"
#include "workbench/lab/measure/hazards.hpp"

namespace rafter::lab {

namespace {

struct CheckedCall {
  Comparison comparison;
  double seconds;
};

/// Runs a rung on one input set with poisoned outputs and checks the answer. Rethrows errors of the rung.
CheckedCall run_checked(const Rung& rung, Case& work, const Stream& stream, int set) {
  work.prepare(set);
  stream.synchronize();
  const auto start = std::chrono::steady_clock::now();
  rung.run(work, stream, set);
  stream.synchronize();
  const std::chrono::duration<double> took = std::chrono::steady_clock::now() - start;
  return {work.check(set), took.count()};
}

}  // namespace

Measurement verify_rung(const Rung& rung, Case& work, const Stream& stream, const VerifyOptions& options) {
  Measurement m{.rung = &rung};
  if (rung.known) {
    m.status = rung.known->status;
    m.reason = rung.known->reason;
    return m;
  }
  if (!rung.run) {
    m.status = Status::absent;
    m.reason = "not in this build";
    return m;
  }
  core::Backend& device = core::backend(stream.device());
  try {
    const int n_sets = std::min(work.n_input_sets(), options.most_sets);
    for (int set = 0; set < n_sets && !m.is_slow && m.status == Status::verified; ++set) {
      const auto& [comparison, seconds] = run_checked(rung, work, stream, set);
      m.is_slow = seconds > options.slow_s;
      m.reason = comparison.text();
      if (!comparison.ok()) m.status = Status::wrong;
      if (const auto complaints = device.take_findings()) {
        const RungStatus judged = comparison.ok() ? judge_findings(*complaints, rung.allowed, m.reason)
                                                  : RungStatus{Status::wrong, *complaints};
        m.status = judged.status;
        m.reason = judged.reason;
      }
    }
  } catch (const Error& error) {
    const bool refusal = error.code() == ErrorCode::unsupported || error.code() == ErrorCode::out_of_memory;
    m.status = refusal ? Status::refused : Status::failed;
    m.reason = error.what();
    if (const auto complaints = device.take_findings()) m.reason += "\n" + *complaints;
    if (!refusal) return m;                // the inputs on a failed device cannot be checked
  } catch (const std::exception& error) {  // peers may throw any exception
    m.status = Status::failed;
    m.reason = error.what();
    return m;
  }
  if (const auto change = work.changed_input()) {
    m.reason = m.status == Status::wrong ? m.reason + "; " + *change : *change;
    m.status = Status::wrong;
  }
  return m;
}

CaseReport verify_case(const Workload& workload, const Params& params, const Stream& stream, std::uint64_t seed,
                       const std::vector<std::string>& only, const std::function<void()>& before_rung) {
  const bool on_executor = stream.device() == Device::simt;
  CaseReport report{.workload = &workload, .params = params, .device = stream.device(), .seed = seed};
  report.n_input_sets = on_executor ? 1 : 2;
  for (const Rung* rung : rungs_on(workload, stream.device(), only)) report.rungs.push_back({.rung = rung});
  for (const std::int64_t offset : {0, 1}) {
    if (offset > 0 && on_executor) break;
    std::unique_ptr<Case> work;
    for (Measurement& known : report.rungs) {
      if (known.status != Status::verified) continue;
      before_rung();
      if (!work) work = workload.make_case(params, stream, {seed, report.n_input_sets, offset});
      report.cost = work->cost();
      Measurement m = verify_rung(*known.rung, *work, stream);
      if (offset > 0 && m.status == Status::refused) continue;
      if (m.status == Status::wrong || m.status == Status::hazard || m.status == Status::failed) {
        if (offset > 0) m.reason = "with arrays misaligned by one element: " + m.reason;
        work.reset();  // it may have damaged the case
      }
      known = std::move(m);
    }
  }
  return report;
}

std::vector<Params> executor_cases(const Workload& workload) {
  constexpr double most_bytes = 250e3;
  std::vector<Params> cases = workload.awkward_cases();
  std::erase_if(cases, [&](const Params& params) { return workload.bytes_per_input_set(params) > most_bytes; });
  return cases;
}

int n_input_sets_that_fit(const Workload& workload, const Params& params, Device device, int wanted, double margin) {
  const double each = margin * workload.bytes_per_input_set(params);
  const auto available = 0.8 * static_cast<double>(available_bytes(device));
  if (each > available) {
    throw Error(ErrorCode::out_of_memory,
                fmt::format("{} with {} needs {}; device {} has {} free", workload.name, params.text(),
                            base::show_bytes(each), name(device), base::show_bytes(available)));
  }
  return each > 0 ? static_cast<int>(std::min<double>(wanted, available / each)) : wanted;
}

}  // namespace rafter::lab
