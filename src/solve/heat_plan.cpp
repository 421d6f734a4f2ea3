#include "solve/heat_plan.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>

#include "rafter/error.hpp"
#include "solve/checkpoint.hpp"

namespace rafter::solve {

namespace {

using nlohmann::json;

constexpr std::array<std::string_view, 3> boundary_words{"frozen", "periodic", "zero-flux"};

HeatPlan plan_of(const json& about, const Field& field) {
  const auto spacing = about.at("spacing").get<std::array<double, 3>>();
  HeatPlan plan;
  plan.problem = {.shape = field.shape,
                  .spacing = {spacing[0], spacing[1], spacing[2]},
                  .alpha = about.at("alpha").get<double>(),
                  .order = about.at("order").get<int>(),
                  .dt = about.at("dt").get<double>()};
  plan.boundary = boundary_called(about.at("boundary").get<std::string>()).value();
  plan.precision = field.precision();
  plan.n_steps = about.at("n_steps").get<std::int64_t>();
  plan.options = about.at("options").get<std::map<std::string, std::string>>();
  return plan;
}

}  // namespace

std::string_view name(HeatBoundary boundary) noexcept { return boundary_words[static_cast<std::size_t>(boundary)]; }

std::vector<std::string> boundary_names() { return {boundary_words.begin(), boundary_words.end()}; }

std::optional<HeatBoundary> boundary_called(const std::string& wanted) noexcept {
  const auto found = std::find(boundary_words.begin(), boundary_words.end(), wanted);
  if (found == boundary_words.end()) return std::nullopt;
  return static_cast<HeatBoundary>(found - boundary_words.begin());
}

json to_json(const HeatPlan& plan, std::int64_t step, const HeatSummary& first) {
  const HeatProblem& problem = plan.problem;
  return {{"solver", "heat"},
          {"step", step},
          {"n_steps", plan.n_steps},
          {"spacing", {problem.spacing.z, problem.spacing.y, problem.spacing.x}},
          {"alpha", problem.alpha},
          {"order", problem.order},
          {"dt", problem.dt},
          {"boundary", name(plan.boundary)},
          {"first", {{"total", first.total}, {"min", first.min}, {"max", first.max}}},
          {"options", plan.options}};
}

ResumedHeat resume_heat(const std::filesystem::path& path) {
  Checkpoint checkpoint = read_checkpoint(path);
  const json& about = checkpoint.about;
  try {
    if (about.at("solver") != "heat") throw Error(ErrorCode::io, "it is one of another solver");
    HeatPlan plan = plan_of(about, checkpoint.field);
    const json& first = about.at("first");
    HeatStart start{std::move(checkpoint.field), about.at("step").get<std::int64_t>(),
                    HeatSummary{first.at("total"), first.at("min"), first.at("max")}, path};
    return {std::move(plan), std::move(start)};
  } catch (const std::exception& error) {
    throw Error(ErrorCode::io, fmt::format("'{}' is no checkpoint of a heat run: {}", path.string(), error.what()));
  }
}

}  // namespace rafter::solve
