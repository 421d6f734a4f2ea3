#include "workbench/explain/diagnose.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "base/units.hpp"
#include "workbench/explain/causes.hpp"

namespace rafter::explain {

namespace {

constexpr double least_worth = 1.1, least_general_worth = 1.25;  // the model is not more accurate than this

/// Whether the cause is general: more warps, more loads in flight or fewer loads help against nearly every kind of
/// waiting, so a specific cause is more useful.
bool is_general(Cause cause) {
  return cause == Cause::few_threads || cause == Cause::load_latency || cause == Cause::rereads;
}

/// Whether loads and stores and another part take nearly as long as the whole: they hide each other, so removing only
/// one is worth little.
bool several_are_equal(const Estimate& e) {
  const auto is_long = [&](double ns) { return ns > e.work_ns() / 1.15; };
  return is_long(e.access_ns) && (is_long(e.issue_ns) || is_long(e.latency_ns)) && e.memory_ns < e.work_ns() / 1.3;
}

/// Returns the part of the bytes in the sectors of global requests that lanes ask for, as `rafter profile` prints it.
double used_of_requests(const Facts& facts) {
  double bytes = 0, moved = 0;
  for (const AccessFacts& a : facts.accesses) {
    if (a.space != Space::global || a.kind == Access::atomic) continue;
    bytes += a.bytes;
    moved += 32 * a.sectors;
  }
  return moved > 0 ? std::min(1.0, bytes / moved) : 1;
}

/// Reports that the schedulers, or the load and store units, are fully used.
Finding busy_units(const Question& q) {
  Finding made = finding_of(Cause::instructions);
  double slots = 0, doubles = 0;
  const CodeFacts* most = nullptr;
  if (q.facts.compiled) {
    for (const CodeFacts& code : q.facts.compiled->code) {
      slots += code.times * code.issue;
      doubles += code.times * code.fp64;
      if (!most || code.times * code.issue > most->times * most->issue) most = &code;
    }
  }
  if (most) made.at = most->at;
  if (q.now.longest() != Part::access && doubles > slots / 2) {
    made.sentence = fmt::format(
        "Double precision limits it: {:.0f} % of its scheduler slots are fp64 instructions, of which {} does "
        "1/{:.0f} as "
        "many as of fp32",
        100 * doubles / slots, with_article(q.gpu), q.gpu.fp64_slots() / q.gpu.fp32_slots());
    made.idea = "use float where its precision suffices, for instance with compensated sums";
    made.shown_by = "";
    return made;
  }
  if (q.now.longest() != Part::access) {
    made.sentence = "The schedulers limit it: they are busy with instructions";
    if (slots > 0) made.sentence += fmt::format(", about {} per warp", count_text(slots));
    return made;
  }
  double passes = 0, requests = 0;
  for (const AccessFacts& a : q.facts.accesses) (a.space == Space::shared ? passes : requests) += a.requests;
  const double used = used_of_requests(q.facts);
  const bool is_shared = passes > requests;
  const std::string waste = is_shared || used > 0.7 ? "none of them wasted"
                                                    : fmt::format(
                                                          "which use {:.0f} % of the sectors they request; the "
                                                          "caches serve the rest again",
                                                          100 * used);
  made.sentence = fmt::format("The load and store units limit it: {} warp requests to {} memory, {}",
                              count_text(std::max(passes, requests)), is_shared ? "shared" : "global", waste);
  if (!is_shared && used <= 0.7) {
    const Finding wider = finding_of(Cause::uncoalesced);
    made.idea = wider.idea;
    made.shown_by = wider.shown_by;
    return made;
  }
  made.idea = "use each load for more: several results per thread from values in registers, and 16 bytes at a time";
  made.shown_by = "conv direct";
  return made;
}

/// Reports that blocks read the same data, all of which comes from the L2 cache.
Finding busy_cache(const Question& q) {
  Finding made = finding_of(Cause::cache);
  Estimate without = q.now;
  without.cache_ns = without.memory_ns;
  const double fetched = fetched_sectors(q.facts, q.gpu) * 32, read = q.facts.footprint.read_sectors * 32;
  made.worth = q.now.work_ns() / std::max(without.work_ns(), 1.0);
  made.sentence = fmt::format("The L2 limits it: blocks fetch {} from it, {:.2g} times what is read from memory",
                              base::show_bytes(fetched), fetched / std::max(read, 1.0));
  return made;
}

/// Returns the time measured on a GPU, or 0.
double measured_ns(const Facts& facts) {
  if (facts.times && facts.times->cold_ns > 0) return facts.times->cold_ns;
  return facts.nsight ? facts.nsight->duration_ns : 0;
}

/// Reports that a GPU takes longer than all counted parts.
Finding uncounted(const Question& q) {
  Finding made = finding_of(Cause::above_floor);
  made.worth = measured_ns(q.facts) / std::max(q.now.total_ns(), 1.0);
  made.sentence =
      fmt::format("It takes {} where the counts allow {}: loads probably start too late to keep memory busy",
                  base::show_time(measured_ns(q.facts)), base::show_time(q.now.total_ns()));
  return made;
}

/// Returns the finding for a launch without a removable cause: its longest part.
Finding at_the_floor(const Question& q) {
  const Footprint& f = q.facts.footprint;
  if (measured_ns(q.facts) > 1.2 * q.now.total_ns()) return uncounted(q);
  if (q.now.longest() == Part::cache && q.now.memory_ns < q.now.cache_ns / 1.3) return busy_cache(q);
  if (q.now.longest() == Part::memory || q.now.longest() == Part::cache) {
    Finding made = finding_of(Cause::memory_floor);
    made.sentence = fmt::format(
        "It is memory-bound at the floor: it reads {} and writes {}, {:.0f} % of the bytes moved are used, "
        "and only fewer bytes would help",
        base::show_bytes(f.read_bytes), base::show_bytes(f.written_bytes),
        100 * f.bytes() / std::max(f.sectors() * 32, 1.0));
    if (const double used = used_of_requests(q.facts); used <= 0.7)
      made.sentence += fmt::format(
          ", as long as the caches hold what its requests leave: these use {:.0f} % of their sectors", 100 * used);
    return made;
  }
  const Estimate& e = q.now;
  if (several_are_equal(e)) {
    Finding made = finding_of(Cause::several);
    made.worth = e.work_ns() / std::max(e.memory_ns, 1.0);
    made.sentence = fmt::format(
        "Several things limit it about equally: instructions take {}, accesses {}, waiting {}, while memory "
        "would take {}",
        base::show_time(e.issue_ns), base::show_time(e.access_ns), base::show_time(e.latency_ns),
        base::show_time(e.memory_ns));
    return made;
  }
  const bool are_busy = e.issue_ns > e.work_ns() / 1.15;  // then the waiting is for them
  if (are_busy || e.longest() == Part::access) return busy_units(q);
  Finding made = finding_of(Cause::other_floor);
  made.sentence = "No counted resource limits it much: a warp takes as long as the latencies of its instructions";
  return made;
}

double bytes_ns(const Question& q) { return q.facts.footprint.bytes() / q.gpu.dram_bytes_per_ns; }

/// Returns the total time over its floor: the distinct bytes or the arithmetic, whichever takes longer, and a launch
/// unless the launch is the cause.
double distance_from_floor(const Question& q, Cause cause) {
  const double work = std::max(bytes_ns(q), arithmetic_ns(q.facts, q.gpu));
  const double floor = work + (cause == Cause::launch ? 0 : q.now.launch_ns);
  return q.now.total_ns() / std::max(floor, 1.0);
}

/// Limits the worth to the distance from the floor. A measured time is more accurate than the model.
void bound(const Question& q, Finding& finding) {
  const std::optional<Times>& times = q.facts.times;
  const bool is_measured = times && times->floor_ns > 0 && times->cold_ns > 0;
  finding.by_bytes_alone = !is_measured && !q.facts.compiled;
  finding.by_arithmetic = !is_measured && arithmetic_ns(q.facts, q.gpu) > bytes_ns(q);
  const double distance = distance_from_floor(q, finding.cause);
  // Without the wasted sectors the bytes may be fewer than counted, but the arithmetic stays.
  finding.at_most = is_measured             ? std::max(1.0, times->cold_ns / times->floor_ns)
                    : finding.by_arithmetic ? std::max(1.0, distance)
                                            : std::max(finding.worth, distance);
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
  for (const std::vector<CauseCheck>& checks : {memory_causes(), code_causes(), launch_causes()}) {
    for (const CauseCheck check : checks) {
      if (auto found = check(q)) made.findings.push_back(std::move(*found));
    }
  }
  for (Finding& finding : made.findings) bound(q, finding);
  std::erase_if(made.findings, [](const Finding& finding) {
    return finding.worth < (is_general(finding.cause) ? least_general_worth : least_worth);
  });
  // If the launch takes longer than the work, other causes matter only at larger sizes.
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
      "compared with {:.3g} ms of kernels",
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
