#include "apps/solve/heat_medium.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <utility>

#include "apps/solve/expression_field.hpp"
#include "apps/solve/option_values.hpp"

namespace rafter::solve {

namespace {

/// Whether a value names a file or depends on the position, instead of being one number.
bool is_field(const std::string& text) { return names_a_field_file(text) || is_position_expression(text); }

/// Returns the field of a file or an expression.
Field field_for(const HeatPlan& plan, const char* option, const std::string& file) {
  if (is_position_expression(file))
    return field_of_expression(file, plan.problem.shape, plan.problem.spacing, plan.precision);
  Field field = field_from_file(file);
  if (field.shape != plan.problem.shape) {
    const auto [nz, ny, nx] = field.shape;
    refuse(fmt::format("{} {} has {} cells, but the grid has {}: give --grid {},{},{}, or another file", option, file,
                       show_shape(field.shape), show_shape(plan.problem.shape), nz, ny, nx));
  }
  return converted(std::move(field), plan.precision);
}

template <class Good>
void require_cells(const Field& field, const std::string& what, const char* expected, const Good& good) {
  std::visit(
      [&](const auto& values) {
        using T = typename std::remove_reference_t<decltype(values)>::value_type;
        const auto bad = first_cell_not(good, field.shape, std::span<const T>(values));
        if (bad) refuse(fmt::format("{} must be {}, is {}", what, expected, show_cell(*bad)));
      },
      field.values);
}

double smallest(const Field& field) {
  return std::visit(
      [](const auto& values) { return static_cast<double>(*std::min_element(values.begin(), values.end())); },
      field.values);
}
double largest(const Field& field) {
  return std::visit(
      [](const auto& values) { return static_cast<double>(*std::max_element(values.begin(), values.end())); },
      field.values);
}

Field diffusivity_from(const HeatPlan& plan, const std::string& file) {
  Field field = field_for(plan, "--alpha", file);
  require_cells(field, "--alpha " + file, "finite and not negative",
                [](auto value) { return std::isfinite(value) && value >= 0; });
  if (!(largest(field) > 0)) refuse(fmt::format("--alpha {} is 0 everywhere: the field would not change", file));
  return field;
}

Field filled(const HeatPlan& plan, double everywhere) {
  Field field = make_field(plan.problem.shape, plan.precision);
  std::visit([&](auto& values) { std::fill(values.begin(), values.end(), everywhere); }, field.values);
  return field;
}

/// Reads a field, or fills one with a number.
Field source_from(const HeatPlan& plan, const std::string& text) {
  if (!is_field(text)) return filled(plan, parse_real("--source", text));
  Field field = field_for(plan, "--source", text);
  require_cells(field, "--source " + text, "finite", [](auto value) { return std::isfinite(value); });
  return field;
}
Field capacity_from(const HeatPlan& plan, const std::string& text) {
  if (!is_field(text)) return filled(plan, parse_positive("--capacity", text, 1));
  Field field = field_for(plan, "--capacity", text);
  require_cells(field, "--capacity " + text, "finite and positive",
                [](auto value) { return std::isfinite(value) && value > 0; });
  return field;
}

void require_same(const char* option, const std::string& given, const Field& field, std::uint64_t expected) {
  if (checksum(field) == expected) return;
  refuse(fmt::format("{} {} has other values than the run of the checkpoint started with: name the original file",
                     option, given));
}

/// Refuses faces that an order above 2 with a diffusivity in every cell does not have.
void require_faces_of_order(const HeatPlan& plan) {
  for (std::size_t axis = 0; axis < 3; ++axis) {
    for (const HeatFace& face : {plan.faces.low[axis], plan.faces.high[axis]}) {
      if (plan.problem.order > 2 && face.kind == HeatFace::Kind::robin)
        refuse(fmt::format("--boundary robin needs --order 2 with a field of --alpha, not {}", plan.problem.order));
    }
  }
}

}  // namespace

void set_medium(HeatJob& job, const HeatRequest& o) {
  HeatPlan& plan = job.plan;
  if (!o.capacity.empty()) {
    job.medium.capacity = capacity_from(plan, o.capacity);
    plan.medium.capacity = checksum(*job.medium.capacity);
    plan.medium.least_capacity = smallest(*job.medium.capacity);
  }
  if (is_field(o.alpha)) {
    if (o.order.empty()) plan.problem.order = 2;
    require_faces_of_order(plan);
    job.medium.diffusivity = diffusivity_from(plan, o.alpha);
    plan.medium.diffusivity = checksum(*job.medium.diffusivity);
    plan.problem.alpha = largest(*job.medium.diffusivity);
  } else {
    plan.problem.alpha = parse_positive("--alpha", o.alpha, 1);
  }
  plan.problem.alpha /= plan.medium.least_capacity;
  if (o.source.empty()) return;
  if (is_time_expression(o.source)) {
    plan.medium.changing_source = o.source;
    return;
  }
  job.medium.source = source_from(plan, o.source);
  plan.medium.source = checksum(*job.medium.source);
}

void restore_medium(HeatJob& job, const HeatRequest& o) {
  const MediumNote& kept = job.plan.medium;
  const bool names_file = is_field(o.alpha);
  if (names_file != kept.diffusivity.has_value()) {
    refuse(fmt::format("--alpha {} differs from the checkpoint's: {}; leave --alpha out", o.alpha,
                       names_file ? fmt::format("{:g} everywhere", job.plan.problem.alpha) : "a field"));
  }
  if (kept.diffusivity) {
    job.medium.diffusivity = diffusivity_from(job.plan, o.alpha);
    require_same("--alpha", o.alpha, *job.medium.diffusivity, *kept.diffusivity);
  }
  if (!o.capacity.empty() && !kept.capacity)
    refuse("--capacity differs from the checkpoint's, which has none: leave it out");
  if (kept.capacity) {
    job.medium.capacity = capacity_from(job.plan, o.capacity);
    require_same("--capacity", o.capacity, *job.medium.capacity, *kept.capacity);
  }
  if (!kept.changing_source.empty()) {
    if (o.source == kept.changing_source) return;
    refuse(fmt::format("--source {} differs from the checkpoint's, {}: leave it out", o.source, kept.changing_source));
  }
  if (!o.source.empty() && !kept.source) refuse("--source differs from the checkpoint's, which has none: leave it out");
  if (kept.source) {
    job.medium.source = source_from(job.plan, o.source);
    require_same("--source", o.source, *job.medium.source, *kept.source);
  }
}

}  // namespace rafter::solve
