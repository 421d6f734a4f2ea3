#include "apps/solve/heat_plan.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>

#include "apps/solve/checkpoint.hpp"
#include "apps/solve/heat_faces.hpp"
#include "rafter/error.hpp"

namespace rafter::solve {

namespace {

using nlohmann::json;

json to_json(const MediumNote& medium) {
  json note = json::object();
  if (medium.diffusivity) note["diffusivity"] = *medium.diffusivity;
  if (medium.source) note["source"] = *medium.source;
  if (!medium.changing_source.empty()) note["changing_source"] = medium.changing_source;
  if (medium.capacity) {
    note["capacity"] = *medium.capacity;
    note["least_capacity"] = medium.least_capacity;
  }
  return note;
}

MediumNote medium_of(const json& about) {
  const json note = about.value("medium", json::object());
  const auto sum = [&](const char* name) {
    return note.contains(name) ? std::optional(note.at(name).get<std::uint64_t>()) : std::nullopt;
  };
  return {sum("diffusivity"), sum("source"), note.value("changing_source", ""), sum("capacity"),
          note.value("least_capacity", 1.)};
}

HeatPlan plan_of(const json& about, const Field& field) {
  const auto spacing = about.at("spacing").get<std::array<double, 3>>();
  HeatPlan plan;
  plan.problem = {.shape = field.shape,
                  .spacing = {spacing[0], spacing[1], spacing[2]},
                  .alpha = about.at("alpha").get<double>(),
                  .order = about.at("order").get<int>(),
                  .dt = about.at("dt").get<double>()};
  plan.faces = parse_faces(about.at("boundary").get<std::string>());
  plan.medium = medium_of(about);
  plan.precision = field.precision();
  plan.n_steps = about.at("n_steps").get<std::int64_t>();
  plan.options = about.at("options").get<std::map<std::string, std::string>>();
  return plan;
}

}  // namespace

std::optional<HeatBoundary> HeatPlan::plain() const {
  const bool is_flat = std::min({problem.shape.nz, problem.shape.ny, problem.shape.nx}) == 1;
  if (is_flat || medium.diffusivity || medium.source || medium.capacity || !medium.changing_source.empty())
    return std::nullopt;
  return plain_boundary(faces);
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
          {"boundary", show_faces(plan.faces)},
          {"medium", to_json(plan.medium)},
          {"first", {{"total", first.total}, {"min", first.min}, {"max", first.max}}},
          {"options", plan.options}};
}

ResumedHeat resume_heat(const std::filesystem::path& path) {
  Checkpoint checkpoint = read_checkpoint(path);
  const json& about = checkpoint.about;
  try {
    if (about.at("solver") != "heat") throw Error(ErrorCode::io, "it belongs to another solver");
    HeatPlan plan = plan_of(about, checkpoint.field);
    const json& first = about.at("first");
    HeatStart start{std::move(checkpoint.field), about.at("step").get<std::int64_t>(),
                    HeatSummary{first.at("total"), first.at("min"), first.at("max")}, path};
    return {std::move(plan), std::move(start)};
  } catch (const std::exception& error) {
    throw Error(ErrorCode::io, fmt::format("'{}' is not a checkpoint of a heat run: {}", path.string(), error.what()));
  }
}

}  // namespace rafter::solve
