// An HTML report of one or several runs: machines, ladders, rooflines, sweeps, the method and the commands that repeat
// it, preceded by journals. It needs no network and no scripts.
#pragma once

#include <nlohmann/json_fwd.hpp>
#include <span>
#include <string>

#include "workbench/journal/journal.hpp"

namespace rafter::report {

struct Source {
  std::string name{};  ///< file name
  nlohmann::json const* results = nullptr;
};

/// Returns the page. Throws Error (bad_argument) with the file's name for a file without results.
std::string page(const std::string& title, std::span<const Source> sources,
                 std::span<const journal::Journal> journals = {});

}  // namespace rafter::report
