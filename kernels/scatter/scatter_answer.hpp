// The reference of scatter, in float64.
#pragma once

#include <omp.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <vector>

#include "rafter/scatter.hpp"

namespace rafter::lab {

/// For each key.
struct ScatterAnswer {
  std::vector<double> results;
  std::vector<double> magnitudes;  // the sum of them
  std::vector<std::int64_t> counts;
  std::vector<std::int64_t> arguments;

  ScatterAnswer(std::int64_t n_keys, Reduction reduction)
      : results(static_cast<std::size_t>(n_keys), identity(reduction)),
        magnitudes(results.size()),
        counts(results.size()),
        arguments(results.size(), -1) {}

  static double identity(Reduction reduction) {
    constexpr double infinity = std::numeric_limits<double>::infinity();
    return reduction == Reduction::min ? infinity : reduction == Reduction::max ? -infinity : 0;
  }

  void take(std::size_t key, Reduction reduction, double x, std::int64_t element) {
    double& result = results[key];
    const bool wins = reduction == Reduction::min ? x < result : reduction == Reduction::max && x > result;
    if (reduction == Reduction::sum || reduction == Reduction::mean) result += x;
    if (wins) result = x;
    if (wins || arguments[key] < 0) arguments[key] = element;
    magnitudes[key] += std::abs(x);
    ++counts[key];
  }

  /// Takes in the answer of elements that come after its own.
  void add(const ScatterAnswer& later, std::size_t key, Reduction reduction) {
    if (later.counts[key] == 0) return;
    const std::int64_t had = counts[key];
    take(key, reduction, later.results[key], later.arguments[key]);
    magnitudes[key] += later.magnitudes[key] - std::abs(later.results[key]);
    counts[key] = had + later.counts[key];
  }
};

/// Of elements value_of(i) with keys key_of(i): by all threads, one part of the array each, then the parts in order.
template <class KeyOf, class ValueOf>
ScatterAnswer scatter_answer(std::int64_t n, std::int64_t n_keys, Reduction reduction, const KeyOf& key_of,
                             const ValueOf& value_of) {
  const int n_parts = n < 65536 ? 1 : std::min(omp_get_max_threads(), 16);
  std::vector<ScatterAnswer> parts(static_cast<std::size_t>(n_parts), ScatterAnswer(n_keys, reduction));
#pragma omp parallel for schedule(static, 1) num_threads(n_parts)
  for (int part = 0; part < n_parts; ++part) {
    for (std::int64_t i = n * part / n_parts; i < n * (part + 1) / n_parts; ++i) {
      const std::int64_t key = key_of(i);
      if (key < 0 || key >= n_keys) continue;
      parts[static_cast<std::size_t>(part)].take(static_cast<std::size_t>(key), reduction, value_of(i), i);
    }
  }
  ScatterAnswer& all = parts.front();
#pragma omp parallel for schedule(static) num_threads(n_parts)
  for (std::int64_t k = 0; k < n_keys; ++k) {
    const auto key = static_cast<std::size_t>(k);
    for (std::size_t part = 1; part < parts.size(); ++part) all.add(parts[part], key, reduction);
    if (reduction == Reduction::mean && all.counts[key] > 0) all.results[key] /= static_cast<double>(all.counts[key]);
    if (reduction == Reduction::sum || reduction == Reduction::mean) all.arguments[key] = -1;
  }
  return std::move(all);
}

}  // namespace rafter::lab
