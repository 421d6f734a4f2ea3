#include "workbench/explain/rung.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "base/units.hpp"
#include "rafter/error.hpp"

namespace rafter::explain {

namespace {

constexpr double near_floor = 0.85, worth_saying = 1.1;

const lab::Measurement* measured(const lab::CaseReport& report, const std::string& rung) {
  for (const lab::Measurement& m : report.rungs) {
    if (m.rung->name == rung) return &m;
  }
  return nullptr;
}

double median(const lab::Measurement& m, lab::Regime regime, const lab::CaseReport& report) {
  if (regime == report.regime) return m.summary.median;
  const auto found = m.others.find(regime);
  return found == m.others.end() ? 0 : found->second.median;
}

Finding make_finding(Cause cause, double worth, std::string sentence, std::string idea) {
  Finding finding;
  finding.cause = cause;
  finding.worth = worth;
  finding.sentence = std::move(sentence);
  finding.idea = std::move(idea);
  return finding;
}

std::optional<Finding> by_launches(const RungFacts& f) {
  if (!f.launches || f.launch_ns <= 0) return std::nullopt;
  const double empty = *f.launches * f.launch_ns;
  if (empty < 0.5 * f.times.cold_ns) return std::nullopt;
  return make_finding(
      Cause::launch, f.times.cold_ns / std::max(f.times.cold_ns - empty + f.launch_ns, f.launch_ns),
      fmt::format("Launches limit it: {} empty launch{} would take {} of {}", *f.launches, *f.launches == 1 ? "" : "es",
                  base::show_time(empty), base::show_time(f.times.cold_ns)),
      "do more in one launch, or replay a CUDA graph");
}

std::optional<Finding> by_stage(const RungFacts& f) {
  if (f.stages.size() < 2) return std::nullopt;
  double all = 0;
  for (const StageFacts& stage : f.stages) all += stage.ns;
  const auto largest =
      std::max_element(f.stages.begin(), f.stages.end(), [](const auto& a, const auto& b) { return a.ns < b.ns; });
  if (all <= largest->ns) return std::nullopt;
  return make_finding(Cause::stage, all / (all - largest->ns),
                      fmt::format("The stage '{}' limits it: {} of {}, {:.0f} %", largest->name,
                                  base::show_time(largest->ns), base::show_time(all), 100 * largest->ns / all),
                      "optimise this stage: faster others do not reduce its time");
}

Finding by_floor(const RungFacts& f) {
  const double share = f.times.floor_ns / f.times.cold_ns;
  if (share >= near_floor) {
    return make_finding(
        Cause::memory_floor, 1 / share,
        fmt::format("It is at the floor: {:.0f} % of what {} allows ({} of {})", 100 * std::min(share, 1.0),
                    f.floor_limit, base::show_time(f.times.floor_ns), base::show_time(f.times.cold_ns)),
        f.floor_limit.starts_with("memory")
            ? "only fewer bytes help: smaller types, or fusing with the previous or next operation"
            : "only less of it helps: another algorithm, or another unit");
  }
  return make_finding(
      Cause::above_floor, 1 / share,
      fmt::format("It takes {:.1f} times its floor, which {} sets: {} where {} is possible", 1 / share, f.floor_limit,
                  base::show_time(f.times.cold_ns), base::show_time(f.times.floor_ns)),
      f.device == "cuda" ? "find out what its kernel waits for: 'rafter explain FILE.cu --kernel ...' on a file with it"
                         : "find out what its loop waits for: 'perf annotate' shows it");
}

std::optional<Finding> by_memory(const RungFacts& f) {
  if (f.times.warm_ns <= 0 || f.times.cold_ns < 1.3 * f.times.warm_ns) return std::nullopt;
  return make_finding(Cause::cold_caches, f.times.cold_ns / f.times.warm_ns,
                      fmt::format("Cold caches cost it {:.1f}x: it takes {} with its data in the caches",
                                  f.times.cold_ns / f.times.warm_ns, base::show_time(f.times.warm_ns)),
                      "run it right after the kernel that writes its data, while the caches have it");
}

}  // namespace

std::string rung_after(const lab::Workload& workload, Device device, const std::string& rung) {
  bool is_next = false;
  for (const lab::Rung& one : workload.rungs) {
    if (one.device != device || one.kind == lab::RungKind::peer) continue;
    if (is_next) return one.name;
    is_next = one.name == rung;
  }
  return "";
}

RungFacts facts_of(const lab::CaseReport& report, const lab::Roofs& roofs, const std::string& wanted) {
  const lab::Measurement* m = measured(report, wanted);
  if (m == nullptr || m->status != lab::Status::verified || m->samples_ns.empty()) {
    throw Error(ErrorCode::device_failure,
                fmt::format("{} {} was not measured here: {}", report.workload->name, wanted,
                            m == nullptr || m->reason.empty() ? "it is not in this build" : m->reason));
  }
  RungFacts f{.workload = report.workload->name,
              .params = report.params.text(),
              .device = std::string(name(report.device)),
              .rung = wanted,
              .idea = m->rung->idea,
              .source = m->rung->source_path,
              .next = rung_after(*report.workload, report.device, wanted),
              .floor_limit = name(report.floor),
              .launches = m->n_launches,
              .launch_ns = roofs.launch_ns};
  f.times = {.device = f.device,
             .cold_ns = median(*m, lab::Regime::cold, report),
             .warm_ns = median(*m, lab::Regime::warm, report),
             .graph_ns = median(*m, lab::Regime::graph, report),
             .host_ns = median(*m, lab::Regime::wall, report),
             .floor_ns = report.floor.ns};
  if (m->stages) {
    for (const lab::StageTime& stage : m->stages->stages) f.stages.push_back({stage.name, stage.ns});
  }
  if (const lab::Measurement* next = f.next.empty() ? nullptr : measured(report, f.next)) {
    f.next_idea = next->rung->idea;
    if (next->status == lab::Status::verified) f.next_ns = next->summary.median;
  }
  return f;
}

std::vector<Finding> diagnose(const RungFacts& f) {
  std::vector<Finding> findings;
  const Finding floor = by_floor(f);
  const bool is_done = floor.cause == Cause::memory_floor;
  if (is_done) findings.push_back(floor);
  for (const auto& found : {by_launches(f), by_stage(f)}) {
    if (found && found->worth >= worth_saying) findings.push_back(*found);
  }
  if (!is_done) findings.push_back(floor);
  if (const auto found = by_memory(f)) findings.push_back(*found);
  return findings;
}

std::string screen(const RungFacts& f, const std::vector<Finding>& findings, base::Style style) {
  const auto strong = [style](const std::string& text) {
    return style == base::Style::coloured ? "\x1b[1m" + text + "\x1b[0m" : text;
  };
  const Finding& first = findings.front();
  std::string text =
      base::wrapped(f.idea, fmt::format("{} {}  {} on {}: ", f.workload, f.rung, f.params, f.device), "  ") + "\n";
  text += strong(base::wrapped(first.sentence + ".", "", ""));
  if (first.cause != Cause::memory_floor) text += fmt::format("  Worth:  at most {}.\n", base::show_ratio(first.worth));
  if (!f.next.empty()) {
    text += base::wrapped(fmt::format("{}: {}{}", f.next, f.next_idea,
                                      f.next_ns > 0 ? fmt::format(" It takes {} here, {}.", base::show_time(f.next_ns),
                                                                  base::show_ratio(f.times.cold_ns / f.next_ns))
                                                    : ""),
                          "  Next:   ", "          ");
    text += fmt::format("  Shown:  rafter show {} {}\n", f.workload, f.next);
  } else {
    text += base::wrapped(first.idea + "; it is the ladder's last rung.", "  Next:   ", "          ");
    text += fmt::format("  Shown:  rafter show {} {}   ({})\n", f.workload, f.rung, f.source);
  }
  text += "\n";
  for (std::size_t i = 1; i < findings.size(); ++i)
    text += base::wrapped(findings[i].sentence + ".", fmt::format("  {:>6}  ", base::show_ratio(findings[i].worth)),
                          "          ");
  double all = 0;
  for (const StageFacts& stage : f.stages) all += stage.ns;
  if (f.stages.size() > 1) {
    std::vector<StageFacts> sorted = f.stages;
    std::stable_sort(sorted.begin(), sorted.end(), [](const auto& a, const auto& b) { return a.ns > b.ns; });
    text += fmt::format("  {:<26}{:>10}{:>8}{:>10}\n", "stage", "time", "share", "if free");
    for (std::size_t i = 0; i < std::min<std::size_t>(sorted.size(), 8); ++i)
      text += fmt::format("  {:<26}{:>10}{:>6.0f} %{:>10}\n", sorted[i].name, base::show_time(sorted[i].ns),
                          100 * sorted[i].ns / all, base::show_ratio(all / (all - sorted[i].ns)));
  }
  std::string times = fmt::format("cold {}", base::show_time(f.times.cold_ns));
  for (const auto& [what, ns] :
       {std::pair("warm", f.times.warm_ns), {"graph", f.times.graph_ns}, {"host", f.times.host_ns}}) {
    if (ns > 0) times += fmt::format(", {} {}", what, base::show_time(ns));
  }
  times += fmt::format("; floor {} ({})", base::show_time(f.times.floor_ns), f.floor_limit);
  if (f.launches) times += fmt::format("; {} launch{}", *f.launches, *f.launches == 1 ? "" : "es");
  return text + base::wrapped(times, "Measured: ", "          ");
}

nlohmann::json to_json(const RungFacts& f, const std::vector<Finding>& findings) {
  nlohmann::json made{{"workload", f.workload},
                      {"params", f.params},
                      {"device", f.device},
                      {"rung", f.rung},
                      {"idea", f.idea},
                      {"source", f.source},
                      {"floor_limit", f.floor_limit},
                      {"times",
                       {{"cold_ns", f.times.cold_ns},
                        {"warm_ns", f.times.warm_ns},
                        {"graph_ns", f.times.graph_ns},
                        {"host_ns", f.times.host_ns},
                        {"floor_ns", f.times.floor_ns}}},
                      {"stages", nlohmann::json::array()},
                      {"findings", nlohmann::json::array()}};
  if (f.launches) made["launches"] = *f.launches;
  if (!f.next.empty()) made["next"] = {{"rung", f.next}, {"idea", f.next_idea}, {"cold_ns", f.next_ns}};
  for (const StageFacts& stage : f.stages) made["stages"].push_back({{"name", stage.name}, {"ns", stage.ns}});
  for (const Finding& finding : findings)
    made["findings"].push_back({{"cause", name(finding.cause)},
                                {"sentence", finding.sentence},
                                {"worth_at_most", finding.worth},
                                {"idea", finding.idea}});
  return made;
}

}  // namespace rafter::explain
