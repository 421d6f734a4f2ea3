#include "workbench/bench/verify.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "base/files.hpp"
#include "library/core/stream/backend.hpp"
#include "rafter/error.hpp"
#include "workbench/bench/watch.hpp"
#include "workbench/lab/data/generate.hpp"
#include "workbench/lab/measure/verify.hpp"

namespace rafter::bench {

using nlohmann::json;

namespace {

constexpr const char* lost_text = "the process ended early";

/// Whether two launches of a verified kernel give the same bits.
bool is_repeatable(const lab::Rung& rung, lab::Case& work, const Stream& stream) {
  auto& arrays = static_cast<KernelCase&>(work);
  const auto results = [&] {
    work.prepare(0);
    rung.run(work, stream, 0);
    stream.synchronize();
    return arrays.results(0);
  };
  const bool are_equal = results() == results();
  core::backend(stream.device()).take_findings();  // allowed ones; the next kernel must not get them
  return are_equal;
}

/// Returns a sentence if the task is easy to fool.
std::string weakness_of(const lab::Case& work) {
  if (!static_cast<const KernelCase&>(work).hardly_depends_on_inputs()) return "";
  return "the expected results hardly depend on the inputs: a kernel that ignores them would pass";
}

}  // namespace

void verify_here(const Job& job, const std::vector<Variant>& variants, const Stream& stream) {
  const KernelPlan& plan = job.plan.kernels;
  const Watch watch(job.watch);
  const lab::Workload workload = make_workload(plan, variants, stream.device(), job.rejected, watch.guard());
  json results = json::object();
  const auto write = [&] { base::write_file(job.results, results.dump()); };
  try {
    constexpr int n_sets = 2;
    const auto work =
        workload.make_case(plan.first_case(), stream, {.seed = lab::fresh_seed(), .n_input_sets = n_sets});
    const std::string warning = weakness_of(*work);
    for (const std::string& kernel : job.variants) {
      const lab::Rung& rung = *rungs_on(workload, stream.device(), {kernel}).front();
      const lab::Measurement m = lab::verify_rung(rung, *work, stream);
      results["verdicts"][kernel] = {{"status", name(m.status)}, {"reason", m.reason}, {"warning", warning}};
      write();
      if (m.status == lab::Status::failed) return;  // the state of the device is unknown
      if (job.compares_bits && m.status == lab::Status::verified)
        results["verdicts"][kernel]["repeatable"] = is_repeatable(rung, *work, stream);
    }
  } catch (const Error& error) {
    results["error"] = error.what();
    results["device_failure"] = error.code() == ErrorCode::device_failure;
  }
  watch.guard().ended();
  write();
}

std::map<std::string, KernelVerdict> verify_apart(const Job& first, const StartChild& start) {
  std::map<std::string, KernelVerdict> verdicts;
  const Watch watch(first.watch);
  Job job = first;
  while (!job.variants.empty()) {
    watch.reset();
    std::error_code ignored;
    std::filesystem::remove(job.results, ignored);
    const bool was_stopped = start(job);
    json results = json::parse(base::read_file(job.results).value_or("{}"), nullptr, false);
    if (!results.is_object()) results = json::object();
    const std::string running = watch.running();
    const std::string fate = was_stopped
                                 ? fmt::format("it did not end within {:g} s and was stopped", first.plan.time_limit_s)
                             : results.contains("error") ? results["error"].get<std::string>()
                                                         : lost_text;
    const json known = results.value("verdicts", json::object());
    for (const auto& [kernel, verdict] : known.items()) {
      verdicts[kernel] = {{lab::status_called(verdict["status"]), verdict["reason"]},
                          verdict.value("repeatable", true),
                          verdict.value("warning", "")};
    }
    const auto is_known = [&](const std::string& kernel) { return verdicts.contains(kernel); };
    const bool was_broken = was_stopped || !running.empty() || results.contains("error");
    std::erase_if(job.variants, is_known);
    if (known.empty() && was_broken) {  // it failed in a reference or in its first kernel
      const bool own_fault = results.contains("error") && !results.value("device_failure", false);
      if (own_fault) throw Error(ErrorCode::bad_argument, fate);
      const bool is_reference =
          running.empty() || running != job.variants.front() || first.plan.kernels.is_reference(running);
      if (is_reference)
        throw Error(ErrorCode::bad_argument,
                    fmt::format("the reference {}: {}", running.empty() ? "itself failed" : running, fate));
    }
    if (!job.variants.empty() && was_broken) {
      verdicts[job.variants.front()] = {{lab::Status::failed, fate}};
      job.variants.erase(job.variants.begin());
    } else if (known.empty()) {
      throw Error(ErrorCode::device_failure, "verifying the kernels: " + std::string(lost_text));
    }
  }
  return verdicts;
}

}  // namespace rafter::bench
