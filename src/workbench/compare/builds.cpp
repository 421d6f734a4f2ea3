#include "workbench/compare/builds.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "base/files.hpp"
#include "base/process.hpp"
#include "rafter/error.hpp"

namespace rafter::compare {

namespace fs = std::filesystem;

namespace {

bool is_build(const fs::path& folder) {
  std::error_code error;
  return fs::exists(folder / "rafter", error) && fs::is_directory(folder / "libexec", error);
}

/// Runs 'rafter run' of a build once, in a separate process.
Results run_build(const fs::path& program, const BuildsRequest& request, const std::string& seed,
                  const fs::path& results) {
  base::Command command{program.string(), "run"};
  command.insert(command.end(), request.run.begin(), request.run.end());
  command.insert(command.end(), {"--seed", seed, "--json", results.string()});
  fs::remove(results);
  const base::Outcome ended = base::run_process(
      {.command = command, .variables = {{"RAFTER_ROUND_OF_COMPARISON", "1"}}, .stop_wanted = request.stop_wanted});
  std::error_code error;
  const bool has_results = fs::exists(results, error);
  if (ended.signal != 0 || ended.code > 1 || !has_results) {  // 1: a rung is wrong, which the results report
    throw Error(ErrorCode::device_failure, fmt::format("'{}' ended with {}; its output:\n{}",
                                                       base::shell_quoted(command), ended.status(), ended.output));
  }
  return read_results(results);
}

bool is_decided(const Comparison& comparison) {
  return std::all_of(comparison.rungs.begin(), comparison.rungs.end(), [](const ComparedRung& rung) {
    return !rung.before.is_verified || !rung.after.is_verified || rung.versus.verdict != lab::Verdict::undecided;
  });
}

}  // namespace

fs::path program_in(const fs::path& folder) {
  std::error_code error;
  if (!fs::is_directory(folder, error))
    throw Error(ErrorCode::io, fmt::format("'{}' is not a folder", folder.string()));
  std::vector<fs::path> builds;
  for (const fs::path& candidate : {folder, folder / "build/cuda", folder / "build/release"}) {
    if (is_build(candidate)) builds.push_back(candidate / "rafter");
  }
  if (builds.empty()) {
    throw Error(ErrorCode::io,
                fmt::format("there is no build of rafter in '{}': neither rafter and libexec nor build/cuda or "
                            "build/release with them; run './rafter build rafter-run' in a checkout",
                            folder.string()));
  }
  return *std::max_element(builds.begin(), builds.end(), [](const fs::path& a, const fs::path& b) {
    return fs::last_write_time(a) < fs::last_write_time(b);
  });
}

BuildsComparison compare_builds(const BuildsRequest& request, const std::function<void(const std::string&)>& progress) {
  const fs::path programs[] = {fs::absolute(program_in(request.before)), fs::absolute(program_in(request.after))};
  const base::ScratchFolder scratch;
  std::vector<std::pair<Results, Results>> rounds;
  BuildsComparison found;
  const auto stops = [&] { return request.stop_wanted != nullptr && request.stop_wanted(); };
  while (found.n_rounds < request.most_rounds && !stops()) {
    Results results[2];
    for (int i = 0; i < 2 && !stops(); ++i) {
      const int which = (i + found.n_rounds) % 2;  // alternately: the first one may run warmer or cooler
      progress(fmt::format("round {} of {} at most, {}", found.n_rounds + 1, request.most_rounds,
                           which == 0 ? "before" : "after"));
      // Both get the same inputs, different ones in each round.
      results[which] =
          run_build(programs[which], request, std::to_string(found.n_rounds + 1), scratch.path() / "r.json");
    }
    if (stops()) break;
    rounds.emplace_back(std::move(results[0]), std::move(results[1]));
    ++found.n_rounds;
    found.comparison = compare_rounds(rounds);
    if (rounds.size() >= lab::fewest_rounds && is_decided(found.comparison)) break;
  }
  found.was_stopped = stops();
  return found;
}

}  // namespace rafter::compare
