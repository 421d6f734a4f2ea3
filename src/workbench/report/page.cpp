#include "workbench/report/page.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <nlohmann/json.hpp>

#include "base/units.hpp"
#include "rafter/error.hpp"
#include "workbench/plot/figures.hpp"
#include "workbench/report/html.hpp"
#include "workbench/report/journal_section.hpp"

namespace rafter::report {

namespace {

using nlohmann::json;
using plot::MeasuredCase;
using plot::MeasuredRung;

constexpr const char* method = R"(<h2>Method</h2>
<p>A time is shown only for a verified rung: its results are compared with float64 references on fresh random inputs, and
outputs are poisoned before each check. Rungs are timed in interleaved rounds, in alternating order, so that drift affects
all of them. The table has the median and half the width of its 95 % interval. <em>cold</em>: the caches are flushed
before each call.</p>
<p>The <em>floor</em> is the least possible time of a case on this machine: the bytes it must move and the operations it
must do, at the rates measured here before and after the run. No implementation can exceed 100 %.
<em>x first</em> and <em>x peer</em>: the speedup over the ladder's first rung and over the best peer, a third-party
library.</p>
<p>Without a GPU, kernels are verified and counted on the executor. <em>bytes moved</em>: the sectors of 32 bytes that the
warps of a call request; <em>x least</em>: over the bytes of the arrays; <em>used</em>: the part that threads asked for.
The <em>estimate</em> is a model's; it is not a time.</p>
)";

std::string described(const char* what, const std::string& value) {
  return value.empty() ? "" : fmt::format("<dt>{}</dt><dd>{}</dd>\n", what, escaped(value));
}

/// Returns what is the same for all results of a machine.
std::string machine_of(const json& results) {
  const json machine = results.value("machine", json::object());
  std::string html = "<dl>\n";
  if (machine.contains("gpu")) {
    const json& gpu = machine["gpu"];
    html += described("GPU", fmt::format("{}, driver {}", gpu.value("name", "?"), gpu.value("driver", "?")));
  }
  const int n_threads = machine.value("threads", 0);
  const std::string threads =
      machine.contains("gpu") ? "" : fmt::format(", {} thread{}", n_threads, n_threads == 1 ? "" : "s");
  html += described("CPU", fmt::format("{}{}, {}", machine.value("cpu", "?"), threads, machine.value("isa", "?")));
  html += described("system", machine.value("os", ""));
  html += described("compiler", machine.value("compiler", ""));
  html += described("rafter", machine.value("rafter", ""));
  return html + "</dl>\n";
}

/// Returns a paragraph about one run: its file, its time and the roofs that it measured.
std::string run_of(const Source& source) {
  const json& results = *source.results;
  const json roofs = results.value("roofs", json::object());
  std::string text = source.name;
  if (const std::string time = results.value("time", ""); !time.empty()) text += ", " + time;
  if (roofs.contains("read_bytes_per_s")) {
    text += fmt::format("; measured roofs: read {}, write {}, copy {}",
                        base::show_rate(roofs.value("read_bytes_per_s", 0.), "B/s"),
                        base::show_rate(roofs.value("write_bytes_per_s", 0.), "B/s"),
                        base::show_rate(roofs.value("copy_bytes_per_s", 0.), "B/s"));
    const json operations = roofs.value("operations_per_s", json::object());
    for (const auto& [unit, rate] : operations.items())
      text += fmt::format(", {} {}", unit, base::show_rate(rate.get<double>(), "FLOP/s"));
  }
  std::string html = fmt::format("<p class=\"soft\">{}</p>\n", escaped(text));
  if (roofs.value("too_busy", false)) html += "<p class=\"bad\">The machine was too busy for reliable times.</p>\n";
  return html;
}

const MeasuredRung* fastest(const MeasuredCase& one, bool of_peers) {
  const MeasuredRung* best = nullptr;
  for (const MeasuredRung& rung : one.rungs) {
    if (rung.is_peer == of_peers && rung.ns > 0 && (best == nullptr || rung.ns < best->ns)) best = &rung;
  }
  return best;
}

/// Returns a row with the status of a rung instead of its numbers.
std::string untimed_row(const std::string& cell, const MeasuredRung& rung, int n_columns) {
  return fmt::format("<tr>{}<td class=\"{}left\" colspan=\"{}\">{}: {}</td></tr>\n", cell,
                     rung.status == "verified" ? "" : "bad ", n_columns, escaped(rung.status), escaped(rung.detail));
}

std::string row_of(const MeasuredCase& one, const MeasuredRung& rung) {
  const std::string name = fmt::format("{}{}", rung.is_peer ? "peer " : "", rung.name);
  const std::string cell = fmt::format("<td title=\"{}\">{}</td>", attribute(rung.idea), escaped(name));
  if (!(rung.ns > 0)) return untimed_row(cell, rung, 7);
  const auto first = std::find_if(one.rungs.begin(), one.rungs.end(), [](const MeasuredRung& r) { return r.ns > 0; });
  const MeasuredRung* peer = fastest(one, true);
  const double share = std::min(100 * one.floor_ns / rung.ns, 100.);
  const double bytes_per_s = one.bytes / rung.ns * 1e9, operations_per_s = one.operations / rung.ns * 1e9;
  const bool by_operations = one.floor_limit != "memory" && one.operations > 0;
  const std::string rate =
      by_operations ? base::show_rate(operations_per_s, "FLOP/s") : base::show_rate(bytes_per_s, "B/s");
  std::string html = fmt::format("<tr{}>{}", rung.is_peer ? " class=\"peer\"" : "", cell);
  html += fmt::format("<td title=\"{:.6g} ns, 95 %: {:.6g} to {:.6g}\">{}</td>", rung.ns, rung.low_ns, rung.high_ns,
                      escaped(base::show_time(rung.ns)));
  html += fmt::format("<td>&plusmn; {:.1f}%</td><td>{}</td><td>{}</td><td>{}</td>",
                      50 * (rung.high_ns - rung.low_ns) / rung.ns, rate, base::show_ratio(first->ns / rung.ns),
                      peer != nullptr ? base::show_ratio(peer->ns / rung.ns) : "-");
  return html + fmt::format(
                    "<td>{0:.0f}%</td><td class=\"share\" title=\"{0:.1f} % of the floor\">"
                    "<div style=\"width:{0:.1f}%\"></div></td></tr>\n",
                    share);
}

/// Returns the table of a case that was counted and not timed.
std::string counts_table_of(const MeasuredCase& one) {
  std::string html = fmt::format(
      "<h3>{}</h3>\n<p class=\"soft\">on the executor: counts{}, no times</p>\n<div class=\"wide\"><table>\n"
      "<tr><th>rung</th><th>bytes moved</th><th>x least</th><th>used</th><th>estimate</th></tr>\n",
      escaped(one.params),
      one.estimate_gpu.empty() ? "" : escaped(fmt::format(", and the model's estimates for an {}", one.estimate_gpu)));
  for (const MeasuredRung& rung : one.rungs) {
    const std::string cell = fmt::format("<td title=\"{}\">{}</td>", attribute(rung.idea), escaped(rung.name));
    html += rung.bytes_moved > 0
                ? fmt::format("<tr>{}<td>{}</td><td>{}</td><td>{:.0f}%</td><td>{}</td></tr>\n", cell,
                              escaped(base::show_bytes(rung.bytes_moved)),
                              one.bytes > 0 ? base::show_ratio(rung.bytes_moved / one.bytes) : "-", 100 * rung.used,
                              rung.estimate_ns > 0 ? escaped(base::show_time(rung.estimate_ns)) : "-")
                : untimed_row(cell, rung, 4);
  }
  return html + "</table></div>\n";
}

std::string table_of(const MeasuredCase& one) {
  if (one.is_counted()) return counts_table_of(one);
  std::string html = fmt::format(
      "<h3>{}</h3>\n<p class=\"soft\">on {}, {}</p>\n<div class=\"wide\"><table>\n<tr><th>rung</th>"
      "<th>median</th><th>95 %</th><th>rate</th><th>x first</th><th>x peer</th>"
      "<th>floor</th>{}</tr>\n",
      escaped(one.params), escaped(one.device),
      one.floor_ns > 0
          ? escaped(fmt::format("{}; floor {} ({})", one.regime, base::show_time(one.floor_ns), one.floor_limit))
          : "checked, not timed",
      bar_scale);
  for (const MeasuredRung& rung : one.rungs) html += row_of(one, rung);
  return html + "</table></div>\n";
}

/// Returns the figures that the results have enough data for; possibly none.
std::string pictures_of(const json& results, const std::vector<MeasuredCase>& cases, const std::string& workload,
                        Pictures& pictures) {
  const std::string machine = plot::machine_of(results);
  std::string html;
  const auto add = [&](const char* what, const auto& make) {
    try {
      html += pictures.add(make(), fmt::format("{} of {}", what, workload));
    } catch (const Error&) {
    }
  };
  if (std::any_of(cases.begin(), cases.end(), [](const MeasuredCase& one) { return one.is_counted(); }))
    add("bytes moved", [&] { return plot::counts_figure(cases, machine); });
  if (results.contains("sweep")) {
    add("sweep", [&] {
      json own = results;
      own["results"] = json::array();
      for (const json& one : results["results"]) {
        if (one["workload"] == workload) own["results"].push_back(one);
      }
      return plot::sweep_figure(plot::sweeps_of(own), machine);
    });
  }
  add("roofline", [&] { return plot::roofline_figure(results, cases, machine); });
  return html;
}

/// Returns the command that repeats the measurement of a workload.
std::string command_of(const json& results, const std::string& workload) {
  if (const std::string command = results.value("command", ""); !command.empty()) return command;
  for (const json& one : results["results"]) {
    if (one["workload"] != workload) continue;
    std::string command = fmt::format("rafter run {} --device {} --regime {} --seed {}", workload,
                                      one.value("device", "cpu"), one.value("regime", "cold"), one.value("seed", 0ULL));
    for (const auto& [name, value] : one["params"].items())
      command += fmt::format(" --{} {}", name, value.is_string() ? value.get<std::string>() : value.dump());
    return command;
  }
  return "";
}

std::vector<std::string> workloads_of(const std::vector<MeasuredCase>& cases) {
  std::vector<std::string> workloads;
  for (const MeasuredCase& one : cases) {
    if (std::find(workloads.begin(), workloads.end(), one.workload) == workloads.end())
      workloads.push_back(one.workload);
  }
  return workloads;
}

/// A section of the page and its entry in the list of contents.
struct Section {
  std::string title{}, html{};
  bool is_nested = false;  ///< below the entry before it
};

/// Returns the sections of one run, one for each workload. The first begins with the paragraph about the run.
std::vector<Section> sections_of(const Source& source, Pictures& pictures) {
  const json& results = *source.results;
  const std::vector<MeasuredCase> cases = plot::cases_of(results, plot::Untimed::kept);
  std::vector<Section> sections;
  for (const std::string& workload : workloads_of(cases)) {
    std::string html = sections.empty() ? run_of(source) : "";
    std::vector<MeasuredCase> its;
    std::copy_if(cases.begin(), cases.end(), std::back_inserter(its),
                 [&](const MeasuredCase& one) { return one.workload == workload; });
    html += pictures_of(results, its, workload, pictures);
    for (const MeasuredCase& one : its) html += table_of(one);
    html += fmt::format("<p class=\"soft\">To repeat the first case: {}</p>\n", code(command_of(results, workload)));
    sections.push_back({workload, std::move(html), true});
  }
  return sections;
}

/// Adds the name of its file to each section whose title occurs in several files.
void tell_apart(std::vector<Section>& sections, const std::vector<std::string>& files) {
  const std::vector<Section> all = sections;
  for (std::size_t i = 0; i < all.size(); ++i) {
    const auto n = std::count_if(all.begin(), all.end(), [&](const Section& s) { return s.title == all[i].title; });
    if (n > 1 && !files[i].empty()) sections[i].title += " (" + files[i] + ")";
  }
}

/// Returns the sections of all runs, grouped by machine; each machine is described once.
std::vector<Section> results_sections(std::span<const Source> sources, Pictures& pictures) {
  struct Machine {
    std::string html;
    std::vector<Section> sections;
    std::vector<std::string> files;  // of the sections
  };
  std::vector<Machine> machines;
  for (const Source& source : sources) {
    try {
      std::vector<Section> its = sections_of(source, pictures);
      const std::string html = machine_of(*source.results);
      auto same = std::find_if(machines.begin(), machines.end(), [&](const Machine& m) { return m.html == html; });
      if (same == machines.end())
        same = machines.insert(same, {html, {{plot::machine_of(*source.results), html, false}}, {""}});
      for (Section& section : its) {
        same->sections.push_back(std::move(section));
        same->files.push_back(source.name);
      }
    } catch (const Error& error) {
      throw Error(error.code(), fmt::format("{}: {}", source.name, error.what()));
    } catch (const json::exception& error) {
      throw Error(ErrorCode::bad_argument,
                  fmt::format("{}: not a results file of 'rafter run': {}", source.name, error.what()));
    }
  }
  std::vector<Section> sections;
  for (Machine& machine : machines) {
    tell_apart(machine.sections, machine.files);
    std::move(machine.sections.begin(), machine.sections.end(), std::back_inserter(sections));
  }
  return sections;
}

/// Returns the list of contents, or nothing for a page that is about one workload.
std::string contents_of(std::span<const Section> sections) {
  if (sections.size() < 3) return "";
  std::string html = "<nav aria-label=\"Contents\"><ul>\n";
  for (std::size_t i = 0; i < sections.size(); ++i)
    html += fmt::format("<li{}><a href=\"#section-{}\">{}</a></li>\n", sections[i].is_nested ? " class=\"nested\"" : "",
                        i + 1, escaped(sections[i].title));
  return html + "</ul></nav>\n";
}

}  // namespace

std::string page(const std::string& title, std::span<const Source> sources,
                 std::span<const journal::Journal> journals) {
  Pictures pictures;
  std::vector<Section> sections;
  for (const journal::Journal& journal : journals) {
    const auto number = static_cast<int>(sections.size()) + 1;
    sections.push_back({journal.title(), journal_section(journal, number, pictures), false});
  }
  std::vector<Section> of_results = results_sections(sources, pictures);
  std::move(of_results.begin(), of_results.end(), std::back_inserter(sections));
  std::string html = page_head(title) + fmt::format("<body>\n<h1>{}</h1>\n", escaped(title)) + contents_of(sections);
  for (std::size_t i = 0; i < sections.size(); ++i) {
    const auto& [heading, content, is_nested] = sections[i];
    html += heading == title ? fmt::format("<div id=\"section-{}\"></div>\n", i + 1)
                             : fmt::format("<h2 id=\"section-{}\">{}</h2>\n", i + 1, escaped(heading));
    html += content;
  }
  return html + method + "</body>\n</html>\n";
}

}  // namespace rafter::report
