#include "workbench/trial/gpu.hpp"

#include <fmt/format.h>

#include "base/files.hpp"
#include "base/process.hpp"
#include "base/terminal.hpp"
#include "executor/build/toolchain.hpp"
#include "workbench/lab/machine/gpu.hpp"
#include "workbench/lab/machine/machine.hpp"
#include "workbench/trial/gpu_compile.hpp"
#include "workbench/trial/gpu_driver.hpp"

namespace rafter::trial {

namespace fs = std::filesystem;
using nlohmann::json;

namespace {

constexpr double start_s = 20;    // creates a context, loads the library's kernels
constexpr double timing_s = 240;  // measures roofs, generates inputs, times every rung of the ladder

/// The output of the child process and its exit status.
struct ChildResult {
  json result = json::object();
  base::Outcome ended;

  std::string now() const { return result.value("now", std::string("the start")); }
};

ChildResult run_job(const GpuRequest& request, const char* action, double time_limit_s) {
  const fs::path job = request.scratch / "job.json", result = request.scratch / "result.json";
  fs::remove(result);
  base::write_file(job, json{{"action", action},
                             {"exercise", request.exercise.kernel},
                             {"cubin", (request.scratch / "kernel.cubin").string()},
                             {"kernel", request.kernel},
                             {"types", request.types},
                             {"order", request.order},
                             {"block", {request.cases.block.x, request.cases.block.y, request.cases.block.z}},
                             {"seed", request.cases.seed},
                             {"result", result.string()}}
                            .dump());
  ChildResult made;
  made.ended = base::run_process(
      {.command = {simt::build::this_program().string(), "try-child", job.string()}, .time_limit_s = time_limit_s});
  const auto text = base::read_file(result);
  if (text) made.result = json::parse(*text, nullptr, false);
  if (!made.result.is_object()) made.result = json::object();
  return made;
}

/// Returns a message if the child process did not finish.
std::optional<TryMessage> broken(const ChildResult& child, double time_limit_s) {
  if (child.ended.timed_out) {
    return TryMessage{
        "hang",
        fmt::format("with {} on the GPU: it did not end within {:g} s and was stopped", child.now(), time_limit_s), "",
        "Look for a loop that never ends; --time-limit S allows more time."};
  }
  if (child.result.contains("failed")) {
    const std::string failed = child.result["failed"];
    const auto place = failed.rfind(") at ");  // our own source line does not help the user
    const std::string reason = failed.substr(0, place == std::string::npos ? place : place + 1);
    const bool illegal = reason.find("illegal") != std::string::npos || reason.find("misaligned") != std::string::npos;
    return TryMessage{
        illegal ? "out_of_bounds" : "device", fmt::format("with {} on the GPU: {}", child.now(), reason), "",
        illegal ? "The kernel accesses memory outside of its arrays: guard accesses, as in  if (i < size) ..."
                : "The GPU rejected or aborted the launch: check block size and shared memory."};
  }
  if (child.result.value("done", false)) return std::nullopt;
  return TryMessage{"crash",
                    fmt::format("with {} on the GPU: the process ended early ({})", child.now(),
                                child.ended.signal != 0 ? fmt::format("signal {}", child.ended.signal)
                                                        : fmt::format("code {}", child.ended.code)),
                    child.ended.output};
}

void time_it(const GpuRequest& request, GpuOutcome& outcome) {
  if (!request.exercise.timed_case || !request.exercise.as_rung) return;
  const ChildResult child = run_job(request, "measure", timing_s + request.time_limit_s);
  outcome.json["timing"] = child.result;
  if (const auto message = broken(child, timing_s + request.time_limit_s)) {
    outcome.wrong = message;
    return;
  }
  outcome.text += "\n" + indented(child.result.value("table", ""));
  if (child.result.contains("wrong")) {
    outcome.wrong = TryMessage{
        "wrong", fmt::format("with {} on the GPU: {}", child.now(), child.result["wrong"].get<std::string>())};
    return;
  }
  outcome.text += fmt::format("  {}\n", child.result.value("place", ""));
}

}  // namespace

std::optional<std::string> why_no_gpu() { return why_unavailable(Device::cuda); }

GpuOutcome try_on_gpu(const GpuRequest& request) {
  GpuOutcome outcome;
  base::ProgressLine progress;
  try {
    progress.show("compiling for the GPU", 0);
    const Cubin cubin = compile_cubin(request.source, request.kernel, lab::gpu_capability(), request.scratch);
    base::write_file(request.scratch / "kernel.cubin", cubin.bytes);
    outcome.json["compiled_by"] = cubin.by;
  } catch (const Error& error) {
    const std::string words = error.what();
    const std::size_t end = std::min(words.find('\n'), words.size());
    outcome.failed = TryMessage{"compile", words.substr(0, end), words.substr(std::min(end + 1, words.size()))};
    return outcome;
  }
  progress.show("verifying on the GPU", 0.3);
  const ChildResult child = run_job(request, "verify", request.time_limit_s + start_s);
  outcome.json["verified"] = child.result;
  outcome.wrong = broken(child, request.time_limit_s + start_s);
  if (!outcome.wrong && child.result.contains("wrong")) {
    outcome.wrong = TryMessage{
        "wrong", fmt::format("with {} on the GPU: {}", child.now(), child.result["wrong"].get<std::string>())};
  }
  if (outcome.wrong) return outcome;
  outcome.text = fmt::format("  correct on {}, too (compiled by {})\n", lab::describe_device(Device::cuda),
                             outcome.json["compiled_by"].get<std::string>());
  progress.show("timing with the ladder", 0.5);
  time_it(request, outcome);
  return outcome;
}

}  // namespace rafter::trial
