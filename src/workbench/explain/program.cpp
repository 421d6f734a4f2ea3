#include "workbench/explain/program.hpp"

#include <fmt/format.h>

#include <chrono>

#include "base/exit_code.hpp"
#include "executor/build/program.hpp"
#include "executor/build/toolchain.hpp"
#include "executor/command/program.hpp"
#include "executor/report/findings_text.hpp"
#include "executor/report/report_file.hpp"
#include "rafter/error.hpp"
#include "workbench/explain/compiled.hpp"
#include "workbench/explain/nsight.hpp"
#include "workbench/explain/profile.hpp"
#include "workbench/explain/times.hpp"

namespace rafter::explain {

namespace {

namespace report = simt::report;
using simt::command::ProgramPlan;

constexpr std::int64_t few_blocks = 4, enough_blocks = 64;
constexpr double sample_patience_s = 3;

CountedRun count_once(const ProgramPlan& plan, const std::filesystem::path& program,
                      const std::filesystem::path& scratch) {
  const auto path = scratch / "report.json";
  std::filesystem::remove(path);
  const base::Outcome ended = run_program(plan, program, path);
  return {report::read_report(path, simt::build::toolchain().shim_dir), ended, plan.sample};
}

bool has_counts(const CountedRun& run) { return run.report.is_object() && report::has_launches(run.report); }

/// Throws Error if nothing was counted.
CountedRun require_counts(CountedRun found, const ProgramPlan& plan) {
  if (has_counts(found)) return found;
  if (!plan.kernel.empty() && found.ended.code == base::exit_failed)
    throw Error(ErrorCode::bad_argument, "the kernel could not be launched as described");
  throw Error(ErrorCode::unsupported,
              found.ended.succeeded()
                  ? "the program launched no kernel: there is nothing to explain"
                  : fmt::format("the program ended with {} before a kernel was counted", found.ended.status()));
}

Sources sources_of(const ProgramFacts& facts, const CompiledSources& compiled, const NsightCounters& nsight,
                   const CountedRun& counted) {
  Sources made;
  double share = 1;
  bool any_compiled = false, any_mix = false, any_times = false;
  for (const Facts& kernel : facts.kernels) {
    share = std::min(share, kernel.counted_share);
    any_compiled = any_compiled || kernel.compiled;
    any_mix = any_mix || (kernel.compiled && !kernel.compiled->mix.empty());
    any_times = any_times || kernel.times;
  }
  made.known.push_back(
      share < 1 ? fmt::format("counts of {} blocks of a launch, extrapolated to all (executor)", counted.sample)
                : "counts of all blocks (executor)");
  if (any_compiled) made.known.emplace_back("registers and code for a GPU (nvcc)");
  if (any_mix) made.known.emplace_back("the mix of instructions (cuobjdump)");
  if (any_times) made.known.emplace_back("times on a GPU");
  if (!any_times) made.unknown.emplace_back("times: none were measured, all above is estimated");
  if (!any_compiled)
    made.unknown.push_back("registers, spills, dependencies: " +
                           (compiled.why_not.empty() ? "nvcc compiled no such kernel" : compiled.why_not));
  if (nsight.why_not.empty()) {
    made.known.emplace_back("counters of Nsight Compute");
  } else {
    made.unknown.push_back("Nsight Compute's counters: " + nsight.why_not);
  }
  return made;
}

}  // namespace

std::int64_t parse_blocks(const std::string& text, bool is_bare_kernel) {
  if (text == "all") return 0;
  if (text.empty()) return is_bare_kernel ? few_blocks : 0;
  const bool is_number = text.find_first_not_of("0123456789") == std::string::npos && text.size() < 10;
  const std::int64_t n = is_number ? std::stoll(text) : 0;
  if (n < 1)
    throw Error(ErrorCode::bad_argument, "--blocks expects a whole number from 1 on, or all; got '" + text + "'");
  return n;
}

CountedRun count_program(const ProgramPlan& given, bool may_choose, const std::filesystem::path& scratch) {
  ProgramPlan plan = given;
  const bool is_built = plan.build.size() == 1 && !simt::build::is_source(plan.build.front());
  if (!is_built) plan.build.insert(plan.build.end(), {"-Xcompiler", "-fsanitize-coverage=trace-pc"});
  const std::filesystem::path program = make_program(plan).program;
  if (!may_choose) return require_counts(count_once(plan, program, scratch), plan);
  plan.is_silent = true;
  plan.patience_s = sample_patience_s;
  const auto start = std::chrono::steady_clock::now();
  CountedRun few = count_once(plan, program, scratch);
  const bool is_quick = std::chrono::steady_clock::now() - start < std::chrono::milliseconds(500);
  const bool went_well = few.ended.succeeded() && has_counts(few) && !report::has_findings(few.report);
  if (went_well && !is_quick) return few;
  // A larger sample is more precise. After a failure all blocks run: some may wait for blocks outside of the sample.
  plan.sample = went_well ? enough_blocks : 0;
  plan.is_silent = false;
  plan.patience_s = 0;
  return require_counts(count_once(plan, program, scratch), plan);
}

ProgramKnowledge collect_facts(const simt::command::ProgramRequest& request, const CountedRun& counted, const Gpu& gpu,
                               const nlohmann::json& times, const std::filesystem::path& scratch) {
  ProgramFacts facts = facts_of(counted.report);
  const bool is_bare = !request.kernel.empty();
  const CompiledSources compiled = compile_sources({request.build, request.kernel}, gpu, scratch);
  const NsightCounters nsight = is_bare ? NsightCounters{.why_not = "it counts whole programs"}
                                        : count_with_ncu(request.build, request.program_arguments, scratch);
  for (Facts& kernel : facts.kernels) {
    add_compiled(kernel, compiled, gpu);
    if (!times.is_null()) add_times(kernel, times);
    add_nsight(kernel, nsight);
  }
  Sources sources = sources_of(facts, compiled, nsight, counted);
  if (is_bare) facts.copies.clear();  // they belong to the driver around the kernel
  return {std::move(facts), std::move(sources)};
}

}  // namespace rafter::explain
