// rafter-plot: plot, and run with --plot.

#include <fmt/format.h>

#include <algorithm>

#include "base/files.hpp"
#include "base/json_file.hpp"
#include "cli/load.hpp"
#include "workbench/draw/render.hpp"
#include "workbench/lab/workload/registry.hpp"
#include "workbench/plot/figures.hpp"

namespace rafter::cli {

namespace {

void require_picture(const std::string& path) {
  draw::format_of(path);
  if (const auto reason = draw::why_no_drawing()) throw Error(ErrorCode::unsupported, *reason);
  base::require_writable(path);
}

draw::Figure figure_of(const nlohmann::json& results, const std::string& kind, const std::string& parameter) {
  const std::string machine = plot::machine_of(results);
  const bool is_tuned = results.is_object() && results.contains("tune");
  if (kind == "tune" && !is_tuned) throw Error(ErrorCode::bad_argument, "these are not results of 'rafter tune'");
  if (kind == "tune" || (kind.empty() && is_tuned))
    return plot::worth_figure(tune::worth_of_json(results["tune"]), machine);
  const auto all = plot::cases_of(results, plot::Untimed::kept);
  const auto has = [&](auto what) { return std::any_of(all.begin(), all.end(), what); };
  if (kind.empty() && !has([](const auto& one) { return one.is_timed(); }) &&
      has([](const auto& one) { return one.is_counted(); }))
    return plot::counts_figure(all, machine);
  const bool is_swept = !parameter.empty() || (results.is_object() && results.contains("sweep"));
  if (kind == "sweep" || (kind.empty() && is_swept))
    return plot::sweep_figure(plot::sweeps_of(results, parameter), machine);
  if (!parameter.empty()) throw Error(ErrorCode::bad_argument, "--by is for a sweep");
  const auto cases = plot::cases_of(results);
  return kind == "roofline" ? plot::roofline_figure(results, cases, machine) : plot::ladder_figure(cases, machine);
}

const session::Plotter plotter{
    .require = require_picture,
    .draw = [](const std::string& path,
               const nlohmann::json& results) { draw::write_figure(path, figure_of(results, "", "")); },
};

int draw_results(const PlotOptions& options) {
  require_picture(options.picture);
  const nlohmann::json results = base::read_json(options.results);
  try {
    draw::Figure figure = figure_of(results, options.kind, options.parameter);
    if (options.theme == "dark") figure.theme = draw::Theme::dark;
    draw::write_figure(options.picture, figure);
  } catch (const Error& error) {
    throw Error(error.code(), fmt::format("{}: {}", options.results, error.what()));
  }
  return exit_good;
}

int run_and_draw(const RunOptions& options) {
  const Catalogue catalogue =
      options.load.empty() ? Catalogue{lab::built_workloads(), lab::embedded_sources()} : load(options);
  return run(options, catalogue, &plotter);
}

}  // namespace

}  // namespace rafter::cli

int main(int argc, char** argv) {
  using namespace rafter::cli;
  return tool(argc, argv,
              Performer{
                  [](const RunOptions& options) { return run_and_draw(options); },
                  [](const PlotOptions& options) { return draw_results(options); },
              });
}
