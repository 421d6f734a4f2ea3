#include "cli/plot.hpp"

#include <fmt/format.h>

#include <nlohmann/json.hpp>

#include "base/files.hpp"
#include "draw/render.hpp"
#include "plot/sweep_figure.hpp"

namespace rafter::cli {

namespace {

void require_picture(const std::string& path) {
  draw::format_of(path);
  if (const auto reason = draw::why_no_drawing()) throw Error(ErrorCode::unsupported, *reason);
  base::require_writable(path);
}

void draw_sweeps(const std::string& path, const nlohmann::json& results, const std::string& parameter) {
  draw::write_figure(path, plot::sweep_figure(plot::sweeps_of(results, parameter), plot::machine_of(results)));
}

nlohmann::json read_results(const std::string& path) {
  const auto text = base::read_file(path);
  if (!text) throw Error(ErrorCode::io, fmt::format("cannot read '{}'", path));
  nlohmann::json results = nlohmann::json::parse(*text, nullptr, false);
  if (results.is_discarded()) throw Error(ErrorCode::bad_argument, fmt::format("'{}' is not JSON", path));
  return results;
}

const Plotter plotter{
    .require = require_picture,
    .draw = [](const std::string& path, const nlohmann::json& results) { draw_sweeps(path, results, ""); },
};

int draw_results(const PlotOptions& options) {
  require_picture(options.picture);
  const nlohmann::json results = read_results(options.results);
  try {
    draw_sweeps(options.picture, results, options.parameter);
  } catch (const Error& error) {
    throw Error(error.code(), fmt::format("{}: {}", options.results, error.what()));
  }
  return exit_good;
}

}  // namespace

Perform plots(const Workloads& workloads) {
  return Performer{
      [workloads](const RunOptions& options) { return run(options, workloads, &plotter); },
      [](const PlotOptions& options) { return draw_results(options); },
  };
}

}  // namespace rafter::cli
