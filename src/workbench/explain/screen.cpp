#include "workbench/explain/screen.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <cmath>

#include "base/units.hpp"
#include "workbench/explain/causes.hpp"

namespace rafter::explain {

namespace {

constexpr std::size_t most_others = 4, most_kernels = 5;

std::string bold(const std::string& text, base::Style style) {
  return style == base::Style::coloured ? "\x1b[1m" + text + "\x1b[0m" : text;
}

std::string triple(const std::array<unsigned, 3>& t) {
  if (t[1] == 1 && t[2] == 1) return std::to_string(t[0]);
  return t[2] == 1 ? fmt::format("({}, {})", t[0], t[1]) : fmt::format("({}, {}, {})", t[0], t[1], t[2]);
}

std::string factor(double worth) {
  if (worth >= 1000) return "1000x";  // beyond this, the number has no meaning
  return worth >= 9.95 ? fmt::format("{:.0f}x", worth) : fmt::format("{:.1f}x", worth);
}

bool is_floor(const Finding& finding) {
  return finding.cause == Cause::memory_floor || finding.cause == Cause::instructions ||
         finding.cause == Cause::other_floor;
}

std::string without_indent(const std::string& text) {
  const auto first = text.find_first_not_of(" \t");
  return first == std::string::npos ? "" : text.substr(first);
}

/// Returns the worth as text: "about 2.4x by the model; at most 4.0x, which is the floor".
std::string worth_text(const Finding& finding) {
  const char* floor = finding.by_arithmetic    ? "the floor of the arithmetic that it does"
                      : finding.by_bytes_alone ? "the floor of its bytes: without nvcc its arithmetic is unknown"
                                               : "the floor";
  if (finding.at_most < 1.05 * finding.worth)
    return fmt::format("at most {}, which is {}", factor(finding.worth), floor);
  return fmt::format("about {} by the model; at most {}, which is {}", factor(finding.worth), factor(finding.at_most),
                     floor);
}

/// Returns the text on the limiting cause: its worth and what to try.
std::string first_text(const Finding& finding, base::Style style) {
  std::string text = bold(base::wrapped(finding.sentence + ".", "", ""), style);
  if (finding.at.line > 0 && !finding.at.text.empty())
    text += fmt::format("{:>7} | {}\n", finding.at.line, without_indent(finding.at.text).substr(0, 88));
  if (!is_floor(finding)) text += fmt::format("  Worth:  {}.\n", worth_text(finding));
  text += base::wrapped(finding.idea + ".", "  Next:   ", "          ");
  if (!finding.shown_by.empty()) text += fmt::format("  Shown:  rafter show {}\n", finding.shown_by);
  return text;
}

std::string others_text(const std::vector<Finding>& findings) {
  std::string text;
  for (std::size_t i = 1; i < std::min(findings.size(), most_others + 1); ++i)
    text += base::wrapped(findings[i].sentence, fmt::format("  {:>5}  ", factor(findings[i].worth)), "         ");
  return text.empty() ? "" : "Then, worth about:\n" + text;
}

std::string parts_text(const Estimate& e) {
  const auto us = [](double ns) { return base::show_time(ns); };
  return base::wrapped(
      fmt::format("launch {}, starts of blocks {}, memory {}, L2 {}, accesses {}, instructions {}, waiting {}{}",
                  us(e.launch_ns), us(e.starts_ns), us(e.memory_ns), us(e.cache_ns), us(e.access_ns), us(e.issue_ns),
                  us(e.latency_ns), e.atomics_ns > 0 ? ", atomics " + us(e.atomics_ns) : ""),
      "Estimate: ", "          ");
}

std::string compiled_text(const Facts& facts, const Diagnosis& d, const Gpu& gpu) {
  if (!facts.compiled) return "";
  const CompiledFacts& c = *facts.compiled;
  const double shared = c.static_shared_bytes + facts.dynamic_shared_bytes;
  std::string text = fmt::format("{} registers, {} of shared memory, {}; {} block{} ({:.0f} of {} warps) at once",
                                 c.registers, shared > 0 ? fmt::format("{:.1f} KiB", shared / 1024) : "none",
                                 c.spill_bytes > 0   ? fmt::format("{:.0f} bytes spilled", c.spill_bytes)
                                 : c.stack_bytes > 0 ? fmt::format("{:.0f} bytes of stack", c.stack_bytes)
                                                     : "no spills",
                                 d.occupancy.blocks, d.occupancy.blocks == 1 ? "" : "s",
                                 d.occupancy.share * gpu.threads_per_sm / 32, gpu.threads_per_sm / 32);
  if (!c.mix.empty()) {
    text += "; SASS:";
    for (std::size_t i = 0; i < std::min<std::size_t>(c.mix.size(), 5); ++i)
      text += fmt::format("{} {} {:.0f} %", i > 0 ? "," : "", c.mix[i].first, 100 * c.mix[i].second);
  }
  return base::wrapped(text, "Compiled: ", "          ");
}

std::string times_text(const Facts& facts) {
  if (!facts.times) return "";
  const Times& t = *facts.times;
  std::string text;
  for (const auto& [what, ns] : {std::pair("cold", t.cold_ns),
                                 {"warm", t.warm_ns},
                                 {"graph", t.graph_ns},
                                 {"host", t.host_ns},
                                 {"in the program", t.in_program_ns},
                                 {"floor", t.floor_ns}}) {
    if (ns > 0) text += fmt::format("{}{} {}", text.empty() ? "" : ", ", what, base::show_time(ns));
  }
  if (t.cold_ns > 0 && t.floor_ns > 0)
    text += fmt::format(" ({:.0f} % of it reached)", 100 * std::min(1.0, t.floor_ns / t.cold_ns));
  return base::wrapped(text + (t.device.empty() ? "" : ", on " + t.device), "Measured: ", "          ");
}

std::string nsight_text(const Facts& facts) {
  if (!facts.nsight) return "";
  const NsightFacts& n = *facts.nsight;
  return base::wrapped(
      fmt::format("{}; DRAM {:.0f} %, load and store units {:.0f} %, schedulers {:.0f} %, warps {:.0f} %, {:.1f} lanes",
                  base::show_time(n.duration_ns), n.memory_percent, n.access_percent, n.issue_percent, n.warps_percent,
                  n.lanes),
      "Nsight:   ", "          ");
}

std::string sources_text(const Sources& sources) {
  std::string text;
  if (!sources.known.empty())
    text += base::wrapped(fmt::format("{}", fmt::join(sources.known, "; ")), "Known:    ", "          ");
  if (!sources.unknown.empty())
    text += base::wrapped(fmt::format("{}", fmt::join(sources.unknown, "; ")), "Unknown:  ", "          ");
  return text;
}

std::string head(const Facts& facts, const Gpu& gpu) {
  std::string text = fmt::format("{}  {} block{} of {} threads", facts.kernel, triple(facts.grid),
                                 facts.blocks == 1 ? "" : "s", triple(facts.block));
  if (facts.launches > 1)
    text +=
        fmt::format(", {:.0f} launches{}", facts.launches, facts.shapes_differ ? " of several shapes, averaged" : "");
  return text + ", as " + with_article(gpu) + " would run it\n";
}

}  // namespace

std::string screen(const Facts& facts, const Diagnosis& d, const Gpu& gpu, const Sources& sources, base::Style style) {
  return head(facts, gpu) + "\n" + first_text(d.first(), style) + "\n" + others_text(d.findings) +
         compiled_text(facts, d, gpu) + times_text(facts) + nsight_text(facts) + parts_text(d.estimate) +
         sources_text(sources);
}

std::string screen(const ProgramFacts& facts, const ProgramDiagnosis& d, const Gpu& gpu, const Sources& sources,
                   base::Style style) {
  double launches = 0;
  for (const Facts& kernel : facts.kernels) launches += kernel.launches;
  std::string text =
      fmt::format("{} kernel{}, {:.0f} launch{}, as {} would run them\n\n", facts.kernels.size(),
                  facts.kernels.size() == 1 ? "" : "s", launches, launches == 1 ? "" : "es", with_article(gpu));
  if (!d.findings.empty()) text += first_text(d.findings.front(), style) + "\n";
  for (std::size_t i = 0; i < std::min(d.kernels.size(), most_kernels); ++i) {
    const Diagnosis& kernel = d.kernels[i];
    const Finding& first = kernel.first();
    text += bold(fmt::format("{}", kernel.kernel), style) + fmt::format("  {:.0f} % of the time\n", 100 * d.shares[i]);
    if (i == 0 && d.findings.empty()) {
      text += first_text(first, style);
      for (const Facts& one : facts.kernels) {
        if (one.kernel == kernel.kernel) text += compiled_text(one, kernel, gpu) + times_text(one) + nsight_text(one);
      }
    } else {
      text += base::wrapped(
          first.sentence + (is_floor(first) ? "." : fmt::format("; worth about {}.", factor(first.worth))), "  ", "  ");
    }
  }
  if (d.kernels.size() > most_kernels)
    text += fmt::format("and {} more (--json has all)\n", d.kernels.size() - most_kernels);
  return text + "\n" +
         base::wrapped(fmt::format("{}launches {}, work in kernels {}",
                                   d.copies_ns > 0 ? "copies " + base::show_time(d.copies_ns) + ", " : "",
                                   base::show_time(d.launches_ns), base::show_time(d.work_ns)),
                       "Estimate: ", "          ") +
         sources_text(sources);
}

}  // namespace rafter::explain
