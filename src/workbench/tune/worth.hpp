// The worth of each parameter: the best time with each of its values.
#pragma once

#include <nlohmann/json.hpp>
#include <optional>
#include <string>
#include <vector>

#include "workbench/tune/space.hpp"

namespace rafter::tune {

/// The result of a point.
struct Trial {
  Point point{};
  std::string status = "verified";  ///< "verified", "wrong", "hazard", "failed" or "does not compile".
  std::string reason{};
  std::optional<double> ns{};           ///< The least time of the search.
  int rounds = 0;                       ///< Rounds of halving with this point.
  std::optional<double> bytes_moved{};  ///< Counted on the executor, where nothing is timed.
  std::optional<double> estimate_ns{};  ///< By the model of `rafter explain`, from these counts.
  std::optional<double> energy_j{};     ///< Of one call; of the finalists, if energy is the objective.
  double compile_ms = 0;
  std::string when{};          ///< When it was tried, as 2026-01-31T12:00:00Z.
  bool is_from_cache = false;  ///< An earlier search tried it.
};

struct ValueWorth {
  std::string value;
  std::optional<double> best_ns{};  ///< Over all other parameters; nothing without a verified point.
  int n_right = 0, n_tried = 0;
};

struct ParameterWorth {
  std::string name;
  std::vector<ValueWorth> values{};

  /// The best time of the worst value over that of the best one.
  double ratio() const;
};

/// The parameters by ratio, the largest first.
std::vector<ParameterWorth> worth_of(const Space& space, const std::vector<Trial>& trials);

std::string worth_table(const std::vector<ParameterWorth>& parameters);
/// A line for each trial.
std::string csv_of(const Space& space, const std::vector<Trial>& trials);
nlohmann::json to_json(const Space& space, const std::vector<Trial>& trials);

/// Reads what to_json() wrote. Throws Error (bad_argument) for anything else.
std::vector<ParameterWorth> worth_of_json(const nlohmann::json& tuning);

}  // namespace rafter::tune
