// Compares two builds of rafter that are measured alternately, so that disturbances affect both.
#pragma once

#include <filesystem>
#include <functional>

#include "workbench/compare/compare.hpp"

namespace rafter::compare {

struct BuildsRequest {
  std::filesystem::path before{}, after{};  ///< build folders, or checkouts with builds
  std::vector<std::string> run{};           ///< arguments of 'rafter run': workloads, sizes, rungs
  int most_rounds = 200;
  bool (*stop_wanted)() = nullptr;  ///< polled between runs and on signals
};

struct BuildsComparison {
  Comparison comparison{};
  int n_rounds = 0;
  bool was_stopped = false;
};

/// Returns the program of a build. Throws Error (io) that lists the places searched.
std::filesystem::path program_in(const std::filesystem::path& folder);

/// Runs rounds until every rung has its verdict, at least lab::fewest_rounds and at most `most_rounds`. Reports each
/// run to `progress`. Throws Error with the output of a build that fails.
BuildsComparison compare_builds(const BuildsRequest& request, const std::function<void(const std::string&)>& progress);

}  // namespace rafter::compare
