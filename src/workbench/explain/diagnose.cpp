#include "workbench/explain/diagnose.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "base/units.hpp"
#include "workbench/explain/causes.hpp"

namespace rafter::explain {

namespace {

constexpr double worth_a_word = 1.1, worth_a_general_word = 1.25;  // the model knows no better

/// More warps, more loads and fewer of them help against nearly everything that waits: what is waited for says more.
bool is_general(Cause cause) {
  return cause == Cause::few_threads || cause == Cause::load_latency || cause == Cause::rereads;
}

/// Whether loads and stores, and one of the others, take nearly as long as the whole: they hide each other, and
/// removing one alone is worth little.
bool several_are_equal(const Estimate& e) {
  const auto is_long = [&](double ns) { return ns > e.work_ns() / 1.15; };
  return is_long(e.access_ns) && (is_long(e.issue_ns) || is_long(e.latency_ns)) && e.memory_ns < e.work_ns() / 1.3;
}

/// The schedulers, or the units that load and store, have as much to do as they can.
Finding busy_units(const Question& q) {
  Finding made = finding_of(Cause::instructions);
  double slots = 0;
  const CodeFacts* most = nullptr;
  if (q.facts.compiled) {
    for (const CodeFacts& code : q.facts.compiled->code) {
      slots += code.times * code.issue;
      if (!most || code.times * code.issue > most->times * most->issue) most = &code;
    }
  }
  if (most) made.at = most->at;
  if (q.now.longest() != Part::access) {
    made.sentence = "The schedulers limit it: they are busy with instructions";
    if (slots > 0) made.sentence += fmt::format(", about {:.3g} of each warp", slots);
    return made;
  }
  double passes = 0, requests = 0;
  for (const AccessFacts& a : q.facts.accesses) (a.space == Space::shared ? passes : requests) += a.requests;
  made.sentence =
      fmt::format("The load and store units limit it: {:.3g} requests of warps to {} memory, none of them wasted",
                  std::max(passes, requests), passes > requests ? "shared" : "global");
  made.idea = "let a load serve more: several results a thread from values in registers, and 16 bytes at a time";
  made.shown_by = "conv direct";
  return made;
}

/// Blocks read what others have read, and the second-level cache has all of it to hand out.
Finding busy_cache(const Question& q) {
  Finding made = finding_of(Cause::cache);
  Estimate without = q.now;
  without.cache_ns = without.memory_ns;
  const double fetched = fetched_sectors(q.facts, q.gpu) * 32, read = q.facts.footprint.read_sectors * 32;
  made.worth = q.now.work_ns() / std::max(without.work_ns(), 1.0);
  made.sentence = fmt::format("The L2 limits it: blocks fetch {} from it, {:.2g} times what they read of memory",
                              base::show_bytes(fetched), fetched / std::max(read, 1.0));
  return made;
}

/// The time a GPU took for the launch; 0: it was not measured.
double measured_ns(const Facts& facts) {
  if (facts.times && facts.times->cold_ns > 0) return facts.times->cold_ns;
  return facts.nsight ? facts.nsight->duration_ns : 0;
}

/// A GPU takes longer for it than anything that was counted.
Finding uncounted(const Question& q) {
  Finding made = finding_of(Cause::above_floor);
  made.worth = measured_ns(q.facts) / std::max(q.now.total_ns(), 1.0);
  made.sentence = fmt::format(
      "It takes {} where all that is counted allows {}: loads probably start too late, so that memory waits for it",
      base::show_time(measured_ns(q.facts)), base::show_time(q.now.total_ns()));
  return made;
}

/// Where nothing is left that removing would be worth much: what is the longest then.
Finding at_the_floor(const Question& q) {
  const Footprint& f = q.facts.footprint;
  if (measured_ns(q.facts) > 1.2 * q.now.total_ns()) return uncounted(q);
  if (q.now.longest() == Part::cache && q.now.memory_ns < q.now.cache_ns / 1.3) return busy_cache(q);
  if (q.now.longest() == Part::memory || q.now.longest() == Part::cache) {
    Finding made = finding_of(Cause::memory_floor);
    made.sentence = fmt::format(
        "It is memory-bound at the floor: it reads {} and writes {}, {:.0f} % of what is moved is used, "
        "and nothing is left but fewer bytes",
        base::show_bytes(f.read_bytes), base::show_bytes(f.written_bytes),
        100 * f.bytes() / std::max(f.sectors() * 32, 1.0));
    return made;
  }
  const Estimate& e = q.now;
  if (several_are_equal(e)) {
    Finding made = finding_of(Cause::several);
    made.worth = e.work_ns() / std::max(e.memory_ns, 1.0);
    made.sentence = fmt::format(
        "Several things limit it about equally: instructions take {}, accesses {}, waiting {}, where memory "
        "would take {}",
        base::show_time(e.issue_ns), base::show_time(e.access_ns), base::show_time(e.latency_ns),
        base::show_time(e.memory_ns));
    return made;
  }
  const bool are_busy = e.issue_ns > e.work_ns() / 1.15;  // what waits then waits for them
  if (are_busy || e.longest() == Part::access) return busy_units(q);
  Finding made = finding_of(Cause::other_floor);
  made.sentence = "Nothing that can be counted limits it by much: a warp takes as long as its instructions wait";
  return made;
}

/// The whole over its floor: the distinct bytes, and a launch unless that is what is removed.
double distance_from_floor(const Question& q, Cause cause) {
  const double bytes_ns = q.facts.footprint.bytes() / q.gpu.dram_bytes_per_ns;
  const double floor = bytes_ns + (cause == Cause::launch ? 0 : q.now.launch_ns);
  return q.now.total_ns() / std::max(floor, 1.0);
}

/// No fix is worth more than the distance from the floor; a measured time knows that better than the model.
void bound(const Question& q, Finding& finding) {
  const std::optional<Times>& times = q.facts.times;
  const bool is_measured = times && times->floor_ns > 0 && times->cold_ns > 0;
  finding.at_most = is_measured ? std::max(1.0, times->cold_ns / times->floor_ns)
                                : std::max(finding.worth, distance_from_floor(q, finding.cause));
  finding.worth = std::min(finding.worth, finding.at_most);
}

}  // namespace

double Question::worth(const Facts& without) const {
  return now.work_ns() / std::max(estimate(without, gpu).work_ns(), 1e-3);
}

double Question::worth(Spread spread) const {
  return now.work_ns() / std::max(estimate(facts, gpu, spread).work_ns(), 1e-3);
}

Diagnosis diagnose(const Facts& facts, const Gpu& gpu) {
  const Question q{facts, gpu, estimate(facts, gpu), occupancy(needs_of(facts), gpu)};
  Diagnosis made{facts.kernel, {}, q.now, q.held};
  for (const std::vector<Ask>& asks : {memory_causes(), code_causes(), launch_causes()}) {
    for (const Ask ask : asks) {
      if (auto found = ask(q)) made.findings.push_back(std::move(*found));
    }
  }
  for (Finding& finding : made.findings) bound(q, finding);
  std::erase_if(made.findings, [](const Finding& finding) {
    return finding.worth < (is_general(finding.cause) ? worth_a_general_word : worth_a_word);
  });
  // Where the launch takes longer than the work, all else is worth something at larger sizes only.
  const bool is_launch_bound = q.now.launch_ns > q.now.work_ns();
  const auto rank = [&](const Finding& finding) {
    if (finding.cause == Cause::launch) return is_launch_bound ? 1e9 : 1.0;
    return finding.worth * (is_general(finding.cause) ? 0.8 : 1);
  };
  std::stable_sort(made.findings.begin(), made.findings.end(),
                   [&](const Finding& a, const Finding& b) { return rank(a) > rank(b); });
  const bool only_launch = std::all_of(made.findings.begin(), made.findings.end(),
                                       [](const Finding& f) { return f.cause == Cause::launch; });
  if (only_launch && !is_launch_bound) {
    made.findings.insert(made.findings.begin(), at_the_floor(q));
    bound(q, made.findings.front());
  }
  return made;
}

namespace {

std::optional<Finding> copies_of(const ProgramFacts& facts, const Gpu& gpu, const ProgramDiagnosis& d) {
  if (d.copies_ns <= d.work_ns + d.launches_ns) return std::nullopt;
  double bytes = 0, n = 0;
  const CopyFacts* worst = nullptr;
  for (const CopyFacts& copy : facts.copies) {
    bytes += copy.bytes;
    n += copy.copies;
    if (!worst || estimate_ns(copy, gpu) > estimate_ns(*worst, gpu)) worst = &copy;
  }
  Finding made = finding_of(Cause::copies);
  made.at = worst->at;
  made.worth = (d.copies_ns + d.launches_ns + d.work_ns) / std::max(d.launches_ns + d.work_ns, 1.0);
  made.at_most = made.worth;
  made.sentence = fmt::format(
      "Copies between host and device limit it: {:.0f} of them move {} ({} memory at {}), about {:.3g} ms "
      "beside {:.3g} ms of kernels",
      n, base::show_bytes(bytes), worst->pageable ? "pageable" : "pinned", place(worst->at), d.copies_ns / 1e6,
      (d.work_ns + d.launches_ns) / 1e6);
  return made;
}

std::optional<Finding> launches_of(const ProgramFacts& facts, const ProgramDiagnosis& d) {
  if (d.launches_ns <= d.work_ns) return std::nullopt;
  double n = 0;
  for (const Facts& kernel : facts.kernels) n += kernel.launches;
  if (n < 2) return std::nullopt;
  Finding made = finding_of(Cause::launch);
  made.worth = (d.launches_ns + d.work_ns) / std::max(d.work_ns, 1.0);
  made.at_most = made.worth;
  made.sentence =
      fmt::format("Launches limit it: {:.0f} of them take about {:.3g} us, the work in them about {:.3g} us", n,
                  d.launches_ns / 1e3, d.work_ns / 1e3);
  return made;
}

}  // namespace

ProgramDiagnosis diagnose(const ProgramFacts& facts, const Gpu& gpu) {
  ProgramDiagnosis made;
  std::vector<std::pair<double, Diagnosis>> kernels;
  for (const Facts& kernel : facts.kernels) {
    Diagnosis one = diagnose(kernel, gpu);
    made.work_ns += kernel.launches * one.estimate.work_ns();
    made.launches_ns += kernel.launches * one.estimate.launch_ns;
    kernels.emplace_back(kernel.launches * one.estimate.total_ns(), std::move(one));
  }
  for (const CopyFacts& copy : facts.copies) made.copies_ns += estimate_ns(copy, gpu);
  std::stable_sort(kernels.begin(), kernels.end(), [](const auto& a, const auto& b) { return a.first > b.first; });
  const double all = made.copies_ns + made.launches_ns + made.work_ns;
  for (auto& [ns, one] : kernels) {
    made.shares.push_back(ns / std::max(all, 1.0));
    made.kernels.push_back(std::move(one));
  }
  if (auto found = copies_of(facts, gpu, made)) made.findings.push_back(std::move(*found));
  if (auto found = launches_of(facts, made)) made.findings.push_back(std::move(*found));
  return made;
}

}  // namespace rafter::explain
