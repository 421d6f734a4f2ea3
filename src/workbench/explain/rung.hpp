// What limits a rung of ours, from what was measured: its times in all regimes, the floor, its launches, its stages;
// and the next rung as the next idea.
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
  std::string next{}, next_idea{};  ///< empty: it is the last
  double next_ns = 0;               ///< 0: not measured
  Times times{};
  std::string floor_limit{};  ///< "memory"
  std::optional<int> launches{};
  double launch_ns = 0;  ///< of an empty kernel
  std::vector<StageFacts> stages{};
};

/// Of the rung `wanted` of a measured case. Throws Error (device_failure) with the reason where it was not verified.
RungFacts facts_of(const lab::CaseReport& report, const lab::Roofs& roofs, const std::string& wanted);

/// The name of the rung after it on its device's ladder; empty: it is the last.
std::string rung_after(const lab::Workload& workload, Device device, const std::string& rung);

/// What limits it first; never empty.
std::vector<Finding> diagnose(const RungFacts& facts);

std::string screen(const RungFacts& facts, const std::vector<Finding>& findings, base::Style style);
nlohmann::json to_json(const RungFacts& facts, const std::vector<Finding>& findings);

}  // namespace rafter::explain
