// Builds tables of filters by Hermite interpolation, in float64; the coefficients are rounded to float32.
#include "forcefield/model/forcefield_table.hpp"

#include <algorithm>
#include <cmath>
#include <mutex>

#include "forcefield/model/forcefield_filters.hpp"
#include "library/core/parts.hpp"

namespace rafter::forcefield_ladder {

namespace {

/// The parameters of a polynomial degree.
struct Interpolation {
  int n_powers;
  std::int64_t n_points;                         // interpolation points of an interval, without its right end
  std::int64_t least_intervals, most_intervals;  // the range that is tried
  double checked_places[2];                      // positions where values and derivatives have the largest error
};

constexpr Interpolation interpolation_of(TableDegree degree) {
  return degree == TableDegree::cubic ? Interpolation{4, 1, 256, 4096, {0.5, 0.2113}}
                                      : Interpolation{6, 2, 32, 1024, {0.2113, 0.08}};
}

/// One interval in this many is checked: the error varies slowly.
constexpr std::int64_t checked_step = 4;

/// The filters of all layers at a distance: [layer][filter][features].
struct Sample {
  std::vector<double> values, slopes;
};

class TableMaker {
 public:
  TableMaker(const ModelView& model, TableDegree degree)
      : model_(model), degree_(degree), by_(interpolation_of(degree)), n_(model.layers * n_filters * model.features) {}

  FilterTable make(std::int64_t n_intervals) const {
    FilterTable table{.degree = degree_, .n_intervals = n_intervals};
    const double step = model_.cutoff / static_cast<double>(n_intervals);
    const std::int64_t n_points = n_intervals * by_.n_points;
    std::vector<Sample> points(static_cast<std::size_t>(n_points + 1));
    table.coefficients.resize(static_cast<std::size_t>(n_intervals * n_ * by_.n_powers));
    const int n_threads = core::default_threads();
    core::for_parts(n_threads, n_points + 1, [&](std::int64_t first, std::int64_t last) {
      FilterNetwork<double> network(model_);
      for (std::int64_t i = first; i < last; ++i)
        points[static_cast<std::size_t>(i)] =
            sample(network, static_cast<double>(i) / static_cast<double>(by_.n_points) * step);
    });
    core::for_each_index(n_threads, n_intervals, [&](std::int64_t i) {
      put_polynomials(points.data() + i * by_.n_points, step, table.coefficients.data() + i * n_ * by_.n_powers);
    });
    table.error = error_of(table, step);
    return table;
  }

 private:
  Sample sample(FilterNetwork<double>& network, double d) const {
    Sample one{std::vector<double>(static_cast<std::size_t>(n_)), std::vector<double>(static_cast<std::size_t>(n_))};
    // At the cutoff the limit from below is used: the polynomial must not depend on values beyond it.
    network.set_distance(std::min(d, model_.cutoff * (1 - 1e-12)));
    const std::int64_t n_layer = n_filters * model_.features;
    for (std::int64_t l = 0; l < model_.layers; ++l)
      network.evaluate(l, one.values.data() + l * n_layer, one.slopes.data() + l * n_layer);
    return one;
  }

  void put_polynomials(const Sample* points, double step, float* to) const {
    const std::int64_t f = model_.features;
    for (std::int64_t i = 0; i < n_; ++i) {
      const auto value = [&](std::int64_t point) { return points[point].values[static_cast<std::size_t>(i)]; };
      const auto slope = [&](std::int64_t point) { return points[point].slopes[static_cast<std::size_t>(i)] * step; };
      // The remainder after the constant and the linear term, at the right end and in the middle.
      const std::int64_t end = by_.n_points;
      const double a = value(end) - value(0) - slope(0), b = slope(end) - slope(0);
      double powers[6] = {value(0), slope(0), 3 * a - b, b - 2 * a, 0, 0};
      if (degree_ == TableDegree::quintic) {
        const double c = value(1) - value(0) - slope(0) / 2, d = slope(1) - slope(0);
        powers[2] = 7 * a - b + 16 * c - 8 * d;
        powers[3] = -34 * a + 5 * b - 32 * c + 32 * d;
        powers[4] = 52 * a - 8 * b + 16 * c - 40 * d;
        powers[5] = -24 * a + 4 * b + 16 * d;
      }
      for (std::int64_t power = 0; power < by_.n_powers; ++power)
        to[(i / f * by_.n_powers + power) * f + i % f] = static_cast<float>(powers[power]);
    }
  }

  /// The coefficients rounded to float32.
  double error_of(const FilterTable& table, double step) const {
    double value_error = 0, slope_error = 0, value_scale = 0, slope_scale = 0;
    std::mutex mutex;
    const std::int64_t n_checked = (table.n_intervals + checked_step - 1) / checked_step;
    core::for_parts(core::default_threads(), n_checked, [&](std::int64_t first, std::int64_t last) {
      FilterNetwork<double> network(model_);
      double most[4] = {};  // errors of value and slope, scales of both
      for (std::int64_t i = first * checked_step; i < last * checked_step; i += checked_step) {
        for (const double place : by_.checked_places) {
          const Sample right = sample(network, (static_cast<double>(i) + place) * step);
          const float* polynomials = table.coefficients.data() + i * n_ * by_.n_powers;
          for (std::int64_t k = 0; k < n_; ++k) {
            const std::int64_t f = model_.features;
            double value = 0, slope = 0;
            for (std::int64_t power = by_.n_powers - 1; power >= 0; --power) {
              slope = slope * place + value;
              value = value * place + double{polynomials[(k / f * by_.n_powers + power) * f + k % f]};
            }
            slope /= step;
            const auto at = static_cast<std::size_t>(k);
            most[0] = std::max(most[0], std::abs(value - right.values[at]));
            most[1] = std::max(most[1], std::abs(slope - right.slopes[at]));
            most[2] = std::max(most[2], std::abs(right.values[at]));
            most[3] = std::max(most[3], std::abs(right.slopes[at]));
          }
        }
      }
      const std::lock_guard lock(mutex);
      value_error = std::max(value_error, most[0]);
      slope_error = std::max(slope_error, most[1]);
      value_scale = std::max(value_scale, most[2]);
      slope_scale = std::max(slope_scale, most[3]);
    });
    const auto share = [](double error, double scale) { return scale > 0 ? error / scale : 0; };
    return std::max(share(value_error, value_scale), share(slope_error, slope_scale));
  }

  ModelView model_;
  TableDegree degree_;
  Interpolation by_;
  std::int64_t n_;  // number of filters of all layers
};

/// The number of intervals is a multiple of this.
constexpr std::int64_t interval_step = 32;

}  // namespace

FilterTable make_table(const ModelView& model, TableDegree degree) {
  const TableMaker maker(model, degree);
  const Interpolation by = interpolation_of(degree);
  FilterTable table = maker.make(by.least_intervals);
  while (!(table.error <= table_tolerance) && table.n_intervals < by.most_intervals) {
    // The error of derivatives is proportional to the step to the power of the degree.
    const double factor = std::pow(table.error / table_tolerance, 1. / static_cast<int>(degree));
    const double wanted = 1.03 * factor * static_cast<double>(table.n_intervals) / interval_step;
    const double most = static_cast<double>(by.most_intervals) / interval_step;
    const std::int64_t n =
        std::max(table.n_intervals / interval_step + 1, static_cast<std::int64_t>(std::ceil(std::min(wanted, most)))) *
        interval_step;
    table = maker.make(n);
  }
  return table;
}

}  // namespace rafter::forcefield_ladder
