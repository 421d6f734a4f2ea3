// The report of this process as JSON: written to the file that the options name, or returned to a program that links
// the executor. Places are addresses within a module; the tool converts them to lines.
#include "executor/runtime/process_report.hpp"

#include <dlfcn.h>
#include <unistd.h>

#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <mutex>
#include <nlohmann/json.hpp>
#include <string>

#include "executor/api/error_state.hpp"
#include "executor/engine/workers/worker.hpp"
#include "executor/memory/allocation_findings.hpp"
#include "executor/process/abnormal_exit.hpp"
#include "executor/process/findings.hpp"
#include "executor/process/observer.hpp"
#include "executor/process/options.hpp"
#include "executor/process/seal.hpp"
#include "executor/runtime/observers.hpp"
#include "executor/runtime/plain_report.hpp"
#include "rafter_simt/api/functions.hpp"

namespace rafter::simt {
namespace {

using Json = nlohmann::json;

const pid_t reporter = getpid();  // a forked child must not overwrite its parent's report

// Set when no code of the program runs any more. The judge of a sealed process accepts no earlier report as the last
// one.
bool has_ended = false;

Json place(const void* address) {
  Dl_info module;
  if (!address || !dladdr(address, &module)) return nullptr;
  // A place is a return address: the call is the instruction before it.
  const auto offset =
      reinterpret_cast<std::uintptr_t>(address) - reinterpret_cast<std::uintptr_t>(module.dli_fbase) - 1;
  return {{"module", module.dli_fname}, {"offset", offset}};
}

Json triple(const uint3& value) { return {value.x, value.y, value.z}; }

Json json(const Side& side) {
  Json made{{"action", side.action}, {"place", place(side.place)}};
  if (!side.actor.empty()) made["who"] = side.actor;
  if (side.bytes) made["bytes"] = side.bytes;
  if (side.block) made["block"] = triple(*side.block);
  if (side.thread) made["thread"] = triple(*side.thread);
  return made;
}

Json json(const Finding& finding) {
  Json made{
      {"kind", name(finding.kind)}, {"kernel", finding.kernel}, {"count", finding.count}, {"detail", finding.detail}};
  if (finding.needs_two_calls) made["needs_two_calls"] = true;
  if (!finding.remedy.empty()) made["remedy"] = finding.remedy;
  if (finding.space != Space::none) made["space"] = name(finding.space);
  for (const Side& side : finding.sides) made["sides"].push_back(json(side));
  for (const void* frame : finding.stack) made["stack"].push_back(place(frame));
  if (finding.target) {
    const Target& target = *finding.target;
    made["memory"] = {{"what", target.what}, {"bytes", target.bytes}, {"offset", target.offset}};
    if (target.element_bytes > 0) made["memory"]["element_bytes"] = target.element_bytes;
    if (!target.argument.empty()) made["memory"]["argument"] = target.argument;
    if (target.index) made["memory"]["index"] = *target.index;
    if (target.made_at) made["memory"]["made_at"] = place(target.made_at);
    if (target.freed_at) made["memory"]["freed_at"] = place(target.freed_at);
  }
  return made;
}

Json json(const FootprintCounts& counts) {
  return {{"read_sectors", counts.read_sectors},
          {"read_bytes", counts.read_bytes},
          {"written_sectors", counts.written_sectors},
          {"written_bytes", counts.written_bytes},
          {"block_read_sectors", counts.block_read_sectors},
          {"block_fetched_sectors", counts.block_fetched_sectors},
          {"block_lines", counts.block_lines},
          {"shared_sectors", counts.shared_sectors},
          {"read_span_sectors", counts.read_span_sectors}};
}

Json json(const BusiestThread& busiest) {
  return {{"global_loads", busiest.global_loads},
          {"global_stores", busiest.global_stores},
          {"shared_loads", busiest.shared_loads}};
}

Json json(const LaunchShape& shape, std::uint64_t launches) {
  return {{"grid", shape.grid},
          {"block", shape.block},
          {"cluster", shape.cluster},
          {"shared_bytes", shape.shared_bytes},
          {"launches", launches}};
}

Json json(const KernelCounts& counts) {
  Json made{{"launches", counts.launches},
            {"shapes", Json::array()},
            {"blocks", counts.blocks},
            {"counted_blocks", counts.counted_blocks},
            {"footprint", json(counts.footprint)},
            {"busiest", json(counts.busiest)},
            {"hottest_atomics", counts.hottest_atomics},
            {"hottest_global_atomics", counts.hottest_global_atomics},
            {"places", Json::array()},
            {"barriers", Json::array()},
            {"passes", Json::array()}};
  for (const auto& [shape, n] : counts.shapes) made["shapes"].push_back(json(shape, n));
  for (const auto& [key, c] : counts.places) {
    made["places"].push_back({{"place", place(key.place)},
                              {"space", name(key.space)},
                              {"kind", name(key.kind)},
                              {"requests", c.requests},
                              {"lanes", c.lanes},
                              {"bytes", c.bytes},
                              {"distinct_bytes", c.distinct_bytes},
                              {"sectors", c.sectors},
                              {"ideal_sectors", c.ideal_sectors},
                              {"wavefronts", c.wavefronts},
                              {"ideal_wavefronts", c.ideal_wavefronts},
                              {"worst_contention", c.worst_contention},
                              {"strided", c.strided},
                              {"stride", c.stride}});
  }
  for (const auto& [at, n] : counts.barriers) made["barriers"].push_back({{"place", place(at)}, {"arrivals", n}});
  for (const auto& [at, n] : counts.passes)
    made["passes"].push_back({{"place", place(at)}, {"warps", n.warps}, {"lanes", n.lanes}});
  return made;
}

Json json(const TransferKey& key, const TransferCounts& counts) {
  return {{"place", place(key.place)},
          {"direction", key.direction == Transfer::Direction::to_device ? "to_device" : "to_host"},
          {"pageable", key.host_memory == Transfer::HostMemory::pageable},
          {"copies", counts.copies},
          {"bytes", counts.bytes}};
}

const char* mode_name() {
  switch (options().mode) {
    case Mode::plain: return "plain";
    case Mode::check: return "check";
    case Mode::count: return "count";
  }
  return "?";
}

}  // namespace

std::string process_report() {
  Json made{{"mode", mode_name()}, {"kernels", Json::array()}, {"findings", Json::array()}, {"notes", Json::array()}};
  if (is_sealed()) made["ended"] = has_ended;
  const Observer* observer = observing();
  const auto running_launch = observer ? observer->running_launch() : std::nullopt;
  for (KernelRecord& record : findings().kernels()) {
    if (running_launch && record.name == running_launch->kernel) record.accesses += running_launch->accesses;
    Json kernel{{"name", record.name},
                {"launches", record.launches},
                {"threads", record.threads},
                {"accesses", record.accesses}};
    if (record.forgotten > 0) kernel["forgotten"] = record.forgotten;
    if (!record.failure.empty()) kernel["failure"] = record.failure;
    made["kernels"].push_back(std::move(kernel));
  }
  for (const Finding& finding : findings().all()) {
    made[finding.is_note ? "notes" : "findings"].push_back(json(finding));
  }
  for (const ErrorState::Ignored& ignored : errors().ignored()) {
    const std::string action = std::string("ignores ") + cudaGetErrorName(ignored.error);
    const Finding finding{Kind::ignored_error,
                          Space::none,
                          "",
                          {{action, ignored.place, 0, {}, {}}},
                          std::nullopt,
                          std::string("the call failed: ") + cudaGetErrorString(ignored.error)};
    made[options().strict ? "findings" : "notes"].push_back(json(finding));
  }
  for (const std::string& sentence : findings().remarks()) made["remarks"].push_back(sentence);
  if (const CountObserver* counter = counting()) {
    for (const auto& [kernel, counts] : counter->kernels()) made["counts"][kernel] = json(counts);
    for (const auto& [key, counts] : counter->transfers()) made["transfers"].push_back(json(key, counts));
  }
  return made.dump();
}

void write_process_report() {
  const std::string& path = options().report_path;
  if (path.empty() || getpid() != reporter) return;
  static std::mutex& writing = *new std::mutex;
  const std::lock_guard lock(writing);
  const std::string text = sealed("report", process_report()), temporary = path + "." + std::to_string(getpid());
  if (std::FILE* file = std::fopen(temporary.c_str(), "w")) {
    const bool is_whole = std::fwrite(text.data(), 1, text.size(), file) == text.size();
    if (std::fclose(file) == 0 && is_whole) std::rename(temporary.c_str(), path.c_str());
  }
}

namespace {

// The program may crash after a finding, or be killed.
__attribute__((constructor)) void write_before_abnormal_exit() {
  findings().listen(write_process_report);
  set_exit_action(write_process_report);
  at_quick_exit(write_process_report);
}

__attribute__((destructor)) void write_at_exit() {
  if (StreamObserver* streams = observing_streams()) streams->process_ends();
  if (options().leaks) report_leaks();
  has_ended = true;
  write_process_report();
  if (options().mode == Mode::plain && options().report_path.empty() && getpid() == reporter)
    std::fputs(plain_report().c_str(), stderr);
}

}  // namespace
}  // namespace rafter::simt

using namespace rafter::simt;

/// Sets the options, in the format of RAFTER_SIMT, from the next launch on. Called by programs that link the executor.
/// A sealed process keeps its options.
extern "C" __attribute__((visibility("default"))) void rafter_simt_configure(const char* text) {
  if (is_sealed()) return;
  set_options(parse_options(text));
  choose_observer();
}

/// Returns the report, which the caller frees, and clears all findings, counts and errors, including a sticky error.
/// A sealed process shows and forgets nothing.
extern "C" __attribute__((visibility("default"))) char* rafter_simt_take_report() {
  if (is_sealed()) return strdup("{}");
  char* text = strdup(process_report().c_str());
  findings().clear();
  if (CountObserver* counter = counting()) counter->forget();
  errors().reset();
  return text;
}
