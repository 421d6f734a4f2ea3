// Finds what limits a rung from its measurements: its times in all regimes, the floor, its launches and its stages. The
// next rung is the next idea.
#pragma once

#include <nlohmann/json.hpp>
#include <optional>
#include <string>
#include <vector>

#include "base/terminal.hpp"
#include "workbench/explain/diagnose.hpp"
#include "workbench/lab/measure/report.hpp"

namespace rafter::explain {

struct StageFacts {
  std::string name{};
  double ns = 0;
};

struct RungFacts {
  std::string workload{}, params{}, device{}, rung{}, idea{}, source{};
  std::string next{}, next_idea{};  ///< empty: last rung
  double next_ns = 0;               ///< 0: not measured
  Times times{};
  std::string floor_limit{};  ///< "memory"
  std::optional<int> launches{};
  double launch_ns = 0;  ///< time of an empty kernel
  std::vector<StageFacts> stages{};
};

/// Returns the facts on the rung `wanted` of a measured case. Throws Error (device_failure) with the reason if it was
/// not verified.
RungFacts facts_of(const lab::CaseReport& report, const lab::Roofs& roofs, const std::string& wanted);

/// Returns the name of the next rung on its device's ladder, or "" if it is the last.
std::string rung_after(const lab::Workload& workload, Device device, const std::string& rung);

/// Returns the findings, the limiting one first; never empty.
std::vector<Finding> diagnose(const RungFacts& facts);

std::string screen(const RungFacts& facts, const std::vector<Finding>& findings, base::Style style);
nlohmann::json to_json(const RungFacts& facts, const std::vector<Finding>& findings);

}  // namespace rafter::explain
