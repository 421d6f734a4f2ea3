// The reference of scatter in float64.
#pragma once

#include <algorithm>
#include <cmath>
#include <limits>
#include <vector>

#include "library/core/parts.hpp"
#include "rafter/scatter.hpp"

namespace rafter::lab {

/// The answer of one key. Its members are adjacent in memory, because elements come in any order of keys.
struct KeyAnswer {
  double result;
  double magnitude = 0;  // the sum of magnitudes
  std::int64_t count = 0;
  std::int64_t argument = -1;

  explicit KeyAnswer(Reduction reduction) : result(identity(reduction)) {}

  static double identity(Reduction reduction) {
    constexpr double infinity = std::numeric_limits<double>::infinity();
    return reduction == Reduction::min ? infinity : reduction == Reduction::max ? -infinity : 0;
  }

  void take(Reduction reduction, double x, std::int64_t element) {
    const bool wins = reduction == Reduction::min ? x < result : reduction == Reduction::max && x > result;
    if (reduction == Reduction::sum || reduction == Reduction::mean) result += x;
    if (wins) result = x;
    if (wins || argument < 0) argument = element;
    magnitude += std::abs(x);
    ++count;
  }

  /// Combines the answer with that of later elements.
  void add(const KeyAnswer& later, Reduction reduction) {
    if (later.count == 0) return;
    const std::int64_t had = count;
    take(reduction, later.result, later.argument);
    magnitude += later.magnitude - std::abs(later.result);
    count = had + later.count;
  }
};

using ScatterAnswer = std::vector<KeyAnswer>;

/// Returns the answers for elements value_of(i) with keys key_of(i). Every thread takes one part of the array; then the
/// parts are combined in order.
template <class KeyOf, class ValueOf>
ScatterAnswer scatter_answer(std::int64_t n, std::int64_t n_keys, Reduction reduction, const KeyOf& key_of,
                             const ValueOf& value_of) {
  const int n_parts = n < 65536 ? 1 : std::min(core::default_threads(), 16);
  std::vector<ScatterAnswer> parts(static_cast<std::size_t>(n_parts));
  core::run_parts(n_parts, [&](int part) {
    ScatterAnswer& own = parts[static_cast<std::size_t>(part)];
    own.assign(static_cast<std::size_t>(n_keys), KeyAnswer(reduction));
    for (std::int64_t i = n * part / n_parts; i < n * (part + 1) / n_parts; ++i) {
      const std::int64_t key = key_of(i);
      if (key < 0 || key >= n_keys) continue;
      own[static_cast<std::size_t>(key)].take(reduction, value_of(i), i);
    }
  });
  ScatterAnswer& all = parts.front();
  core::for_each_index(n_parts, n_keys, [&](std::int64_t k) {
    const auto key = static_cast<std::size_t>(k);
    KeyAnswer& answer = all[key];
    for (std::size_t part = 1; part < parts.size(); ++part) answer.add(parts[part][key], reduction);
    if (reduction == Reduction::mean && answer.count > 0) answer.result /= static_cast<double>(answer.count);
    if (reduction == Reduction::sum || reduction == Reduction::mean) answer.argument = -1;
  });
  return std::move(all);
}

}  // namespace rafter::lab
