#include "cli/solve/medium.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <utility>

#include "cli/solve/words.hpp"

namespace rafter::cli {

namespace {

solve::Field field_for(const solve::HeatPlan& plan, const char* option, const std::string& file) {
  solve::Field field = solve::field_from_file(file);
  if (field.shape != plan.problem.shape) {
    const auto [nz, ny, nx] = field.shape;
    refuse(fmt::format("{} {} has {} cells, but the grid has {}: give --grid {},{},{}, or another file", option, file,
                       solve::show_shape(field.shape), solve::show_shape(plan.problem.shape), nz, ny, nx));
  }
  return solve::converted(std::move(field), plan.precision);
}

template <class Good>
void require_cells(const solve::Field& field, const std::string& what, const char* expected, const Good& good) {
  std::visit(
      [&](const auto& values) {
        using T = typename std::remove_reference_t<decltype(values)>::value_type;
        const auto bad = solve::first_cell_not(good, field.shape, std::span<const T>(values));
        if (bad) refuse(fmt::format("{} must be {}, is {}", what, expected, solve::show_cell(*bad)));
      },
      field.values);
}

double largest(const solve::Field& field) {
  return std::visit(
      [](const auto& values) { return static_cast<double>(*std::max_element(values.begin(), values.end())); },
      field.values);
}

solve::Field diffusivity_from(const solve::HeatPlan& plan, const std::string& file) {
  solve::Field field = field_for(plan, "--alpha", file);
  require_cells(field, "--alpha " + file, "finite and not negative",
                [](auto value) { return std::isfinite(value) && value >= 0; });
  if (!(largest(field) > 0)) refuse(fmt::format("--alpha {} is 0 everywhere: nothing would happen", file));
  return field;
}

/// A number is the same everywhere.
solve::Field source_from(const solve::HeatPlan& plan, const std::string& text) {
  if (solve::names_a_field_file(text)) {
    solve::Field field = field_for(plan, "--source", text);
    require_cells(field, "--source " + text, "finite", [](auto value) { return std::isfinite(value); });
    return field;
  }
  const double everywhere = real("--source", text);
  solve::Field field = solve::make_field(plan.problem.shape, plan.precision);
  std::visit([&](auto& values) { std::fill(values.begin(), values.end(), everywhere); }, field.values);
  return field;
}

void require_the_same(const char* option, const std::string& given, const solve::Field& field, std::uint64_t expected) {
  if (solve::checksum(field) == expected) return;
  refuse(fmt::format("{} {} is not what the run of the checkpoint began with: other values; name the file it was",
                     option, given));
}

}  // namespace

void set_medium(HeatJob& job, const SolveHeatOptions& o) {
  solve::HeatPlan& plan = job.plan;
  if (solve::names_a_field_file(o.alpha)) {
    if (!o.order.empty() && plan.problem.order != 2) {
      refuse(fmt::format("--order {} is for one --alpha everywhere: a field of them is of order 2", o.order));
    }
    plan.problem.order = 2;
    job.medium.diffusivity = diffusivity_from(plan, o.alpha);
    plan.medium.diffusivity = solve::checksum(*job.medium.diffusivity);
    plan.problem.alpha = largest(*job.medium.diffusivity);
  } else {
    plan.problem.alpha = positive("--alpha", o.alpha, 1);
  }
  if (o.source.empty()) return;
  job.medium.source = source_from(plan, o.source);
  plan.medium.source = solve::checksum(*job.medium.source);
}

void restore_medium(HeatJob& job, const SolveHeatOptions& o) {
  const solve::MediumNote& kept = job.plan.medium;
  const bool names_file = solve::names_a_field_file(o.alpha);
  if (names_file != kept.diffusivity.has_value()) {
    refuse(fmt::format("--alpha {} differs from the checkpoint's: {}; leave --alpha out", o.alpha,
                       names_file ? fmt::format("{:g} everywhere", job.plan.problem.alpha) : "a field"));
  }
  if (kept.diffusivity) {
    job.medium.diffusivity = diffusivity_from(job.plan, o.alpha);
    require_the_same("--alpha", o.alpha, *job.medium.diffusivity, *kept.diffusivity);
  }
  if (!o.source.empty() && !kept.source) refuse("--source differs from the checkpoint's, which has none: leave it out");
  if (kept.source) {
    job.medium.source = source_from(job.plan, o.source);
    require_the_same("--source", o.source, *job.medium.source, *kept.source);
  }
}

}  // namespace rafter::cli
