#include "executor/process/findings.hpp"

#include <algorithm>

#include "executor/process/speculation.hpp"

namespace rafter::simt {

const char* name(Kind kind) {
  switch (kind) {
    case Kind::out_of_bounds: return "out_of_bounds";
    case Kind::misaligned: return "misaligned";
    case Kind::use_after_free: return "use_after_free";
    case Kind::double_free: return "double_free";
    case Kind::invalid_free: return "invalid_free";
    case Kind::host_touches_device: return "host_touches_device";
    case Kind::kernel_touches_host: return "kernel_touches_host";
    case Kind::write_to_constant: return "write_to_constant";
    case Kind::leak: return "leak";
    case Kind::race: return "race";
    case Kind::same_value_race: return "same_value_race";
    case Kind::lockstep: return "lockstep";
    case Kind::stream_race: return "stream_race";
    case Kind::host_race: return "host_race";
    case Kind::freed_in_use: return "freed_in_use";
    case Kind::event_not_recorded: return "event_not_recorded";
    case Kind::missing_acquire: return "missing_acquire";
    case Kind::unordered_volatile: return "unordered_volatile";
    case Kind::uninitialised: return "uninitialised";
    case Kind::reads_stale_output: return "reads_stale_output";
    case Kind::state_between_launches: return "state_between_launches";
    case Kind::foreign_memory: return "foreign_memory";
    case Kind::unwritten_copy: return "unwritten_copy";
    case Kind::ignored_error: return "ignored_error";
    case Kind::divergent_barrier: return "divergent_barrier";
    case Kind::exited_before_barrier: return "exited_before_barrier";
    case Kind::deadlock: return "deadlock";
    case Kind::unstarted_block: return "unstarted_block";
    case Kind::exited_block: return "exited_block";
    case Kind::arrival_count: return "arrival_count";
    case Kind::transaction_count: return "transaction_count";
    case Kind::proxy_fence: return "proxy_fence";
    case Kind::copy_in_flight: return "copy_in_flight";
    case Kind::wgmma: return "wgmma";
    case Kind::bad_mask: return "bad_mask";
    case Kind::bad_source_lane: return "bad_source_lane";
    case Kind::bad_texture: return "bad_texture";
    case Kind::stale_texture: return "stale_texture";
    case Kind::stale_read_only: return "stale_read_only";
    case Kind::overlapping_copy: return "overlapping_copy";
    case Kind::foreign_local: return "foreign_local";
    case Kind::too_many_blocks: return "too_many_blocks";
    case Kind::refused_launch: return "refused_launch";
    case Kind::no_progress: return "no_progress";
    case Kind::assertion: return "assert";
    case Kind::trap: return "trap";
    case Kind::unsupported: return "unsupported";
  }
  return "?";
}

const char* name(Space space) {
  switch (space) {
    case Space::none: return "";
    case Space::global: return "global";
    case Space::shared: return "shared";
    case Space::cluster: return "cluster";
    case Space::local: return "local";
    case Space::host: return "host";
  }
  return "?";
}

Findings& findings() {
  static Findings& all = *new Findings;  // never destroyed: read after the program's static objects are gone
  return all;
}

// The two sides of a race are found in either order, so the key sorts them.
Findings::Key Findings::key_of(const Finding& finding) {
  const void* a = finding.sides.empty() ? nullptr : finding.sides[0].place;
  const void* b = finding.sides.size() < 2 ? nullptr : finding.sides[1].place;
  return {finding.kind, finding.kernel, std::min(a, b), std::max(a, b)};
}

bool Findings::add(Finding finding) {
  if (is_speculating()) {  // the run on one worker finds it again
    speculation.fail();
    return true;
  }
  {
    const std::lock_guard lock(mutex_);
    const auto [at, is_new] = known_.try_emplace(key_of(finding), findings_.size());
    if (!is_new) {
      findings_[at->second].count += finding.count;
      return false;
    }
    findings_.push_back(std::move(finding));
  }
  if (listener_) listener_();
  return true;
}

bool Findings::count_again(Kind kind, const std::string& kernel, const void* place, const void* other) {
  const std::lock_guard lock(mutex_);
  const auto at = known_.find({kind, kernel, std::min(place, other), std::max(place, other)});
  if (at == known_.end()) return false;
  ++findings_[at->second].count;
  return true;
}

KernelRecord& Findings::kernel(const std::string& name) {
  const std::lock_guard lock(mutex_);
  KernelRecord& record = kernels_[name];
  record.name = name;
  return record;
}

void Findings::remark(const std::string& sentence) {
  const std::lock_guard lock(mutex_);
  if (std::find(remarks_.begin(), remarks_.end(), sentence) == remarks_.end()) remarks_.push_back(sentence);
}

std::vector<std::string> Findings::remarks() const {
  const std::lock_guard lock(mutex_);
  return remarks_;
}

std::size_t Findings::size() const {
  const std::lock_guard lock(mutex_);
  return findings_.size();
}

std::vector<Finding> Findings::all() const {
  const std::lock_guard lock(mutex_);
  return findings_;
}

std::vector<KernelRecord> Findings::kernels() const {
  const std::lock_guard lock(mutex_);
  std::vector<KernelRecord> all;
  for (const auto& [name, record] : kernels_) all.push_back(record);
  return all;
}

void Findings::clear() {
  const std::lock_guard lock(mutex_);
  findings_.clear();
  known_.clear();
  kernels_.clear();
  remarks_.clear();
}

}  // namespace rafter::simt
