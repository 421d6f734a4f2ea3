#include "workbench/tune/worth.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "base/csv.hpp"
#include "base/units.hpp"
#include "rafter/error.hpp"

namespace rafter::tune {

double ParameterWorth::ratio() const {
  double best = 0, worst = 0;
  for (const ValueWorth& value : values) {
    if (!value.best_ns) continue;
    best = best == 0 ? *value.best_ns : std::min(best, *value.best_ns);
    worst = std::max(worst, *value.best_ns);
  }
  return best > 0 ? worst / best : 1;
}

std::vector<ParameterWorth> worth_of(const Space& space, const std::vector<Trial>& trials) {
  std::vector<ParameterWorth> all;
  for (std::size_t d = 0; d < space.dimensions.size(); ++d) {
    ParameterWorth parameter{.name = space.dimensions[d].name};
    for (std::size_t v = 0; v < space.dimensions[d].values.size(); ++v) {
      ValueWorth value{.value = space.dimensions[d].values[v]};
      for (const Trial& trial : trials) {
        if (trial.point[d] != v) continue;
        ++value.n_tried;
        if (!trial.ns) continue;
        ++value.n_right;
        value.best_ns = value.best_ns ? std::min(*value.best_ns, *trial.ns) : *trial.ns;
      }
      parameter.values.push_back(value);
    }
    all.push_back(std::move(parameter));
  }
  std::stable_sort(all.begin(), all.end(),
                   [](const ParameterWorth& a, const ParameterWorth& b) { return a.ratio() > b.ratio(); });
  return all;
}

std::string worth_table(const std::vector<ParameterWorth>& parameters) {
  std::string text = "  What each parameter is worth: the best time with each of its values\n";
  for (const ParameterWorth& parameter : parameters) {
    double best = 0;
    for (const ValueWorth& value : parameter.values) {
      if (value.best_ns) best = best == 0 ? *value.best_ns : std::min(best, *value.best_ns);
    }
    text += fmt::format("  {} ({:.2f}x)\n", parameter.name, parameter.ratio());
    for (const ValueWorth& value : parameter.values) {
      if (!value.best_ns) {
        text += fmt::format("    {:<10} {:>9}\n", value.value, value.n_tried > 0 ? "none right" : "not tried");
        continue;
      }
      const auto width = static_cast<std::size_t>(30 * best / *value.best_ns + 0.5);
      std::string bar;
      for (std::size_t i = 0; i < width; ++i) bar += "█";
      text += fmt::format(
          "    {:<10} {:>9}  {:>5.2f}x {}{}\n", value.value, base::show_time(*value.best_ns), *value.best_ns / best,
          bar, value.n_right < value.n_tried ? fmt::format("  ({} of {} right)", value.n_right, value.n_tried) : "");
    }
  }
  return text;
}

std::string csv_of(const Space& space, const std::vector<Trial>& trials) {
  std::string text;
  for (const Dimension& dimension : space.dimensions) text += base::csv_field(dimension.name) + ",";
  text += base::csv_line({"status", "least_ns", "rounds", "bytes_moved", "estimate_ns", "energy_j", "reason"});
  const auto number = [](const std::optional<double>& value) { return value ? fmt::format("{:g}", *value) : ""; };
  for (const Trial& trial : trials) {
    for (std::size_t d = 0; d < space.dimensions.size(); ++d)
      text += base::csv_field(space.dimensions[d].values[trial.point[d]]) + ",";
    text += base::csv_line({trial.status, number(trial.ns), std::to_string(trial.rounds), number(trial.bytes_moved),
                            number(trial.estimate_ns), number(trial.energy_j), trial.reason});
  }
  return text;
}

nlohmann::json to_json(const Space& space, const std::vector<Trial>& trials) {
  nlohmann::json parameters = nlohmann::json::object(), points = nlohmann::json::array();
  for (const Dimension& dimension : space.dimensions) parameters[dimension.name] = dimension.values;
  for (const Trial& trial : trials) {
    nlohmann::json values = nlohmann::json::object();
    for (std::size_t d = 0; d < space.dimensions.size(); ++d)
      values[space.dimensions[d].name] = space.dimensions[d].values[trial.point[d]];
    nlohmann::json one{{"values", values}, {"status", trial.status}, {"rounds", trial.rounds}};
    if (!trial.reason.empty()) one["reason"] = trial.reason;
    if (trial.ns) one["least_ns"] = *trial.ns;
    if (trial.bytes_moved) one["bytes_moved"] = *trial.bytes_moved;
    if (trial.estimate_ns) one["estimate_ns"] = *trial.estimate_ns;
    if (trial.energy_j) one["energy_j"] = *trial.energy_j;
    if (trial.is_from_cache) one["from_cache"] = true;
    points.push_back(one);
  }
  return {{"parameters", parameters}, {"where", space.where ? space.where->text() : ""}, {"trials", points}};
}

std::vector<ParameterWorth> worth_of_json(const nlohmann::json& tuning) {
  try {
    Space space;
    for (const auto& [name, values] : tuning.at("parameters").items()) space.dimensions.push_back({name, values});
    std::vector<Trial> trials;
    for (const nlohmann::json& one : tuning.at("trials")) {
      Trial trial;
      for (const Dimension& dimension : space.dimensions) {
        const auto& known = dimension.values;
        const auto found =
            std::find(known.begin(), known.end(), one.at("values").at(dimension.name).get<std::string>());
        trial.point.push_back(static_cast<std::size_t>(found - known.begin()));
      }
      if (one.contains("least_ns")) trial.ns = one["least_ns"].get<double>();
      trials.push_back(trial);
    }
    return worth_of(space, trials);
  } catch (const nlohmann::json::exception& error) {
    throw Error(ErrorCode::bad_argument, fmt::format("its part 'tune' is malformed: {}", error.what()));
  }
}

}  // namespace rafter::tune
