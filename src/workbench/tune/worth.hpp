// What each parameter is worth: the best time with each of its values.
#pragma once

#include <nlohmann/json.hpp>
#include <optional>
#include <string>
#include <vector>

#include "workbench/tune/space.hpp"

namespace rafter::tune {

/// What became of a point.
struct Trial {
  Point point{};
  std::string status = "verified";  ///< "verified", "wrong", "failed" or "does not compile"
  std::string reason{};
  std::optional<double> ns{};  ///< the least time of the search
  int rounds = 0;              ///< of halving that it lasted
};

struct ValueWorth {
  std::string value;
  std::optional<double> best_ns{};  ///< over everything else; nothing where no point with it is right
  int n_right = 0, n_tried = 0;
};

struct ParameterWorth {
  std::string name;
  std::vector<ValueWorth> values{};

  /// The worst of its values over the best: what choosing well gains at most.
  double ratio() const;
};

/// Those that matter most first.
std::vector<ParameterWorth> worth_of(const Space& space, const std::vector<Trial>& trials);

std::string worth_table(const std::vector<ParameterWorth>& parameters);
nlohmann::json to_json(const Space& space, const std::vector<Trial>& trials);

/// What to_json() wrote. Throws Error (bad_argument) for what is none of it.
std::vector<ParameterWorth> worth_of_json(const nlohmann::json& tuning);

}  // namespace rafter::tune
