// Two builds of rafter, measured in turns: whatever the machine does meanwhile, it does to both.
#pragma once

#include <filesystem>
#include <functional>

#include "workbench/compare/compare.hpp"

namespace rafter::compare {

struct BuildsRequest {
  std::filesystem::path before{}, after{};  ///< build folders, or checkouts that were built
  std::vector<std::string> run{};           ///< what 'rafter run' is given: workloads, sizes, rungs
  int most_rounds = 200;
  bool (*stop_wanted)() = nullptr;  ///< asked between runs, and when a signal comes
};

struct BuildsComparison {
  Comparison comparison{};
  int n_rounds = 0;
  bool was_stopped = false;
};

/// The program of a build. Throws Error (io) that says where it was looked for.
std::filesystem::path program_in(const std::filesystem::path& folder);

/// Rounds until every rung has its verdict, at least lab::fewest_rounds and at most `most_rounds`. `progress` hears of
/// each run. Throws Error when a build cannot be run, with what it said.
BuildsComparison compare_builds(const BuildsRequest& request, const std::function<void(const std::string&)>& progress);

}  // namespace rafter::compare
