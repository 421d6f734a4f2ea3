// Tables of filters: cubic Hermite interpolation, in float64 until the coefficients are stored.
#include "forcefield/forcefield_table.hpp"

#include <algorithm>
#include <cmath>

#include "forcefield/forcefield_filters.hpp"

namespace rafter::forcefield_ladder {

namespace {

constexpr std::int64_t least_intervals = 256, most_intervals = 4096;
/// Where a cubic's value and derivative are furthest from the function's.
constexpr double checked_places[] = {0.5, 0.2113};
/// One interval in so many is checked: the error varies slowly.
constexpr std::int64_t checked_step = 4;

/// All layers' filters at a distance: [layer][filter][features].
struct Sample {
  std::vector<double> values, slopes;
};

class TableMaker {
 public:
  explicit TableMaker(const ModelView& model) : model_(model), n_(model.layers * n_filters * model.features) {}

  FilterTable make(std::int64_t n_intervals) const {
    FilterTable table{.n_intervals = n_intervals};
    const double step = model_.cutoff / static_cast<double>(n_intervals);
    std::vector<Sample> ends(static_cast<std::size_t>(n_intervals + 1));
#pragma omp parallel
    {
      FilterNetwork<double> network(model_);
#pragma omp for schedule(static)
      for (std::int64_t i = 0; i <= n_intervals; ++i)
        ends[static_cast<std::size_t>(i)] = sample(network, static_cast<double>(i) * step);
    }
    table.coefficients.resize(static_cast<std::size_t>(n_intervals * n_ * 4));
    for (std::int64_t i = 0; i < n_intervals; ++i)
      put_cubics(ends[static_cast<std::size_t>(i)], ends[static_cast<std::size_t>(i + 1)], step,
                 table.coefficients.data() + i * n_ * 4);
    table.error = error_of(table, step);
    return table;
  }

 private:
  Sample sample(FilterNetwork<double>& network, double d) const {
    Sample one{std::vector<double>(static_cast<std::size_t>(n_)), std::vector<double>(static_cast<std::size_t>(n_))};
    // At the cutoff itself the limit from below: a cubic must not know what is beyond.
    network.set_distance(std::min(d, model_.cutoff * (1 - 1e-12)));
    const std::int64_t n_layer = n_filters * model_.features;
    for (std::int64_t l = 0; l < model_.layers; ++l)
      network.evaluate(l, one.values.data() + l * n_layer, one.slopes.data() + l * n_layer);
    return one;
  }

  void put_cubics(const Sample& left, const Sample& right, double step, float* to) const {
    const std::int64_t f = model_.features;
    for (std::int64_t i = 0; i < n_; ++i) {
      const auto at = static_cast<std::size_t>(i);
      const double rise = right.values[at] - left.values[at];
      const double first = left.slopes[at] * step, last = right.slopes[at] * step;
      const double cubic[4] = {left.values[at], first, 3 * rise - 2 * first - last, first + last - 2 * rise};
      for (std::int64_t power = 0; power < 4; ++power)
        to[(i / f * 4 + power) * f + i % f] = static_cast<float>(cubic[power]);
    }
  }

  /// As float32 has the coefficients.
  double error_of(const FilterTable& table, double step) const {
    double value_error = 0, slope_error = 0, value_scale = 0, slope_scale = 0;
#pragma omp parallel reduction(max : value_error, slope_error, value_scale, slope_scale)
    {
      FilterNetwork<double> network(model_);
#pragma omp for schedule(static)
      for (std::int64_t i = 0; i < table.n_intervals; i += checked_step) {
        for (const double place : checked_places) {
          const Sample right = sample(network, (static_cast<double>(i) + place) * step);
          const float* cubics = table.coefficients.data() + i * n_ * 4;
          for (std::int64_t k = 0; k < n_; ++k) {
            const auto c = [&](std::int64_t power) {
              return double{cubics[(k / model_.features * 4 + power) * model_.features + k % model_.features]};
            };
            const double value = c(0) + place * (c(1) + place * (c(2) + place * c(3)));
            const double slope = (c(1) + place * (2 * c(2) + place * 3 * c(3))) / step;
            const auto at = static_cast<std::size_t>(k);
            value_error = std::max(value_error, std::abs(value - right.values[at]));
            slope_error = std::max(slope_error, std::abs(slope - right.slopes[at]));
            value_scale = std::max(value_scale, std::abs(right.values[at]));
            slope_scale = std::max(slope_scale, std::abs(right.slopes[at]));
          }
        }
      }
    }
    const auto share = [](double error, double scale) { return scale > 0 ? error / scale : 0; };
    return std::max(share(value_error, value_scale), share(slope_error, slope_scale));
  }

  ModelView model_;
  std::int64_t n_;  // filters of all layers
};

}  // namespace

FilterTable make_table(const ModelView& model) {
  const TableMaker maker(model);
  FilterTable table;
  for (std::int64_t n = least_intervals; n <= most_intervals; n *= 2) {
    table = maker.make(n);
    if (table.error <= table_tolerance) break;
  }
  return table;
}

}  // namespace rafter::forcefield_ladder
