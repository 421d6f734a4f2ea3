#include "heat/heat_problem.hpp"

#include <cmath>
#include <cstdio>

#include "heat/heat_conduction_axis.hpp"

namespace rafter::heat_ladder {

namespace {

constexpr double rk4_limit = 2.785293563405282;  // on the negative real axis

double sum_of_inverse_squares(const GridSpacing& h, const ActiveAxes& axes) {
  const auto of = [](bool active, double spacing) { return active ? 1 / (spacing * spacing) : 0.; };
  const double sum = of(axes[0], h.z) + of(axes[1], h.y) + of(axes[2], h.x);
  return sum > 0 ? sum : 1 / (h.x * h.x);  // a single cell: any step is stable
}

/// Returns the largest eigenvalue of a second difference, times h^2: that of the wave that alternates from cell to
/// cell.
double largest_eigenvalue(int radius) {
  double sum = 0;
  with_radius(radius, [&](auto r) {
    const auto& weight = second_difference<r()>;
    sum = -weight[0];
    for (int k = 1; k <= r(); ++k) sum -= 2 * weight[static_cast<std::size_t>(k)] * (k % 2 == 0 ? 1 : -1);
  });
  return sum;
}

void require_positive(const char* op, const char* argument, double value) {
  if (!(value > 0) || !std::isfinite(value))
    core::refuse(op, argument, "must be positive and finite, is " + std::to_string(value));
}

void require_order(const char* op, int order) {
  if (order == 2 || order == 4 || order == 6 || order == 8) return;
  core::refuse(op, "order", "must be 2, 4, 6 or 8, is " + std::to_string(order));
}

void require_space(const char* op, const HeatProblem& problem) {
  require_order(op, problem.order);
  require_positive(op, "spacing.z", problem.spacing.z);
  require_positive(op, "spacing.y", problem.spacing.y);
  require_positive(op, "spacing.x", problem.spacing.x);
  require_positive(op, "alpha", problem.alpha);
}

}  // namespace

double default_dt(const char* op, const HeatProblem& problem, const ActiveAxes& axes) {
  require_space(op, problem);
  return 0.05 / (problem.alpha * sum_of_inverse_squares(problem.spacing, axes));
}

double largest_dt(const char* op, const HeatProblem& problem, const ActiveAxes& axes) {
  require_space(op, problem);
  const double eigenvalue = largest_eigenvalue(problem.radius()) * sum_of_inverse_squares(problem.spacing, axes);
  return rk4_limit / (problem.alpha * eigenvalue);
}

double largest_dt_of_diffusivities(const char* op, const HeatProblem& problem, const ActiveAxes& axes) {
  if (problem.order == 2) return largest_dt(op, problem, axes);
  require_space(op, problem);
  double sum = 0;  // of the wave that alternates from cell to cell
  with_radius(problem.radius(), [&](auto r) {
    for (std::size_t k = 0; k < face_difference<r()>.size(); ++k)
      sum += face_difference<r()>[k] * (k % 2 == 0 ? 1 : -1);
  });
  const double eigenvalue = 4 * sum * sum * sum_of_inverse_squares(problem.spacing, axes);
  return rk4_limit / (interpolated_excess * problem.alpha * eigenvalue);
}

HeatProblem with_dt(const char* op, HeatProblem problem, const ActiveAxes& axes) {
  if (problem.dt == 0) problem.dt = default_dt(op, problem, axes);
  const double limit = largest_dt(op, problem, axes);
  if (!(problem.dt > 0 && problem.dt <= limit)) {
    char words[160];
    std::snprintf(words, sizeof words, "must be positive and at most %.9g, where RK4 becomes unstable; is %.9g", limit,
                  problem.dt);
    core::refuse(op, "dt", words);
  }
  return problem;
}

std::string text(const GridShape& shape) {
  char words[96];
  std::snprintf(words, sizeof words, "(%lld, %lld, %lld)", static_cast<long long>(shape.nz),
                static_cast<long long>(shape.ny), static_cast<long long>(shape.nx));
  return words;
}

void require_extents(const char* op, const GridShape& shape, std::int64_t least, const std::string& why) {
  constexpr std::int64_t most_cells = std::int64_t{1} << 50;
  const auto [nz, ny, nx] = shape;
  if (nz < least || ny < least || nx < least) {
    core::refuse(op, "shape", "must have extents of at least " + std::to_string(least) + why + ", is " + text(shape));
  }
  if (nz > most_cells / ny || nz * ny > most_cells / nx) core::refuse(op, "shape", "is too large: " + text(shape));
}

}  // namespace rafter::heat_ladder
