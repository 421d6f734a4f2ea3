// Results of one or several runs as a page: what was measured on which machine, ladders, rooflines, sweeps, the method
// and how to repeat it; before them journals of how it came about. Needs no network and no script.
#pragma once

#include <nlohmann/json_fwd.hpp>
#include <span>
#include <string>

#include "workbench/journal/journal.hpp"

namespace rafter::report {

struct Source {
  std::string name{};  ///< of the file
  nlohmann::json const* results = nullptr;
};

/// Throws Error (bad_argument) for what is not a run's results, with the file's name.
std::string page(const std::string& title, std::span<const Source> sources,
                 std::span<const journal::Journal> journals = {});

}  // namespace rafter::report
