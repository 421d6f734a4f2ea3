// Scatters with all outputs, and the answers that they are compared with.
#pragma once

#include <gtest/gtest.h>

#include <limits>
#include <map>
#include <vector>

#include "rafter/buffer.hpp"
#include "rafter/scatter.hpp"
#include "scatter/scatter_keys.hpp"
#include "workbench/lab/data/generate.hpp"

namespace rafter {

template <class T>
struct Result {
  std::vector<T> out;
  std::vector<std::int64_t> counts;
  std::vector<std::int64_t> arguments;
  bool operator==(const Result&) const = default;
};

template <class T>
std::vector<T> to_host(const Buffer<T>& buffer) {
  std::vector<T> host(static_cast<std::size_t>(buffer.size()));
  buffer.copy_to(host);
  return host;
}

/// Calls `work(out, details)` with all outputs requested; they hold garbage before.
template <class T, class Work>
Result<T> result_of(const Stream& stream, Reduction reduction, std::int64_t n_keys, const Work& work) {
  const bool is_extreme = reduction == Reduction::min || reduction == Reduction::max;
  const auto size = static_cast<std::size_t>(n_keys);
  Buffer<T> out(stream, std::vector<T>(size, T(77)));
  Buffer<std::int64_t> counts(stream, std::vector<std::int64_t>(size, 77));
  Buffer<std::int64_t> arguments(stream, std::vector<std::int64_t>(is_extreme ? size : 0, 77));
  work(out.span(), ScatterDetails{counts.span(), arguments.span()});
  stream.synchronize();
  return {to_host(out), to_host(counts), to_host(arguments)};
}

template <class T, class Key>
Result<T> scattered(const Stream& stream, const std::vector<Key>& keys, const std::vector<T>& values,
                    ScatterOptions options, std::int64_t n_keys) {
  const Buffer<Key> device_keys(stream, keys);
  const Buffer<T> device_values(stream, values);
  return result_of<T>(stream, options.reduction, n_keys, [&](DeviceSpan<T> out, ScatterDetails details) {
    scatter(stream, device_keys, device_values, options, out, details);
  });
}

template <class T, class Key>
Result<T> planned(const Stream& stream, const std::vector<Key>& keys, const std::vector<T>& values, Reduction reduction,
                  std::int64_t n_keys) {
  const Buffer<Key> device_keys(stream, keys);
  const Buffer<T> device_values(stream, values);
  const ScatterPlan plan(stream, device_keys, n_keys);
  return result_of<T>(stream, reduction, n_keys, [&](DeviceSpan<T> out, ScatterDetails details) {
    scatter(stream, plan, device_values, reduction, out, details);
  });
}

/// Returns the answer, computed with a map of the elements of each key; exact for whole numbers.
template <class T, class Key>
Result<T> slowly(const std::vector<Key>& keys, const std::vector<T>& values, Reduction reduction, std::int64_t n_keys) {
  std::map<std::int64_t, std::vector<std::int64_t>> elements;
  for (std::size_t i = 0; i < keys.size(); ++i) elements[keys[i]].push_back(static_cast<std::int64_t>(i));
  const bool is_extreme = reduction == Reduction::min || reduction == Reduction::max;
  Result<T> result;
  for (std::int64_t key = 0; key < n_keys; ++key) {
    using Limits = std::numeric_limits<T>;
    T sum = 0;
    T best = reduction == Reduction::min ? (Limits::has_infinity ? Limits::infinity() : Limits::max())
                                         : (Limits::has_infinity ? -Limits::infinity() : Limits::lowest());
    std::int64_t argument = -1;
    for (const std::int64_t i : elements[key]) {
      const T x = values[static_cast<std::size_t>(i)];
      sum += x;
      const bool better = x != x ? best == best : reduction == Reduction::min ? x < best : x > best;
      if (argument < 0 || better) argument = i;
      if (better) best = x;
    }
    const auto count = std::ssize(elements[key]);
    if (reduction == Reduction::mean) sum = count > 0 ? static_cast<T>(sum / static_cast<T>(count)) : T{0};
    result.out.push_back(is_extreme ? best : sum);
    result.counts.push_back(count);
    if (is_extreme) result.arguments.push_back(argument);
  }
  return result;
}

template <class T>
std::vector<T> whole_numbers(std::int64_t n, std::uint64_t seed) {
  std::vector<T> values;
  for (std::int64_t i = 0; i < n; ++i) values.push_back(static_cast<T>(lab::random_below(seed, i, 17) - 8));
  return values;
}

template <class Key>
std::vector<Key> some_keys(std::int64_t n, std::int64_t n_keys, lab::Spread spread, KeyOrder order) {
  const lab::KeyGenerator generator{n, n_keys, spread, order, 5};
  std::vector<Key> keys;
  for (std::int64_t i = 0; i < n; ++i) keys.push_back(static_cast<Key>(generator(i)));
  return keys;
}

constexpr Reduction all_reductions[] = {Reduction::sum, Reduction::mean, Reduction::min, Reduction::max};
constexpr lab::Spread all_spreads[] = {lab::Spread::uniform, lab::Spread::skewed, lab::Spread::equal,
                                       lab::Spread::distinct, lab::Spread::strays};
constexpr std::int64_t all_n_keys[] = {1, 10, 1000, 3000, 100000};  // every algorithm of every device

class Scatter : public testing::TestWithParam<Device> {
 protected:
  void SetUp() override {
    if (const auto reason = why_unavailable(GetParam())) GTEST_SKIP() << *reason;
  }
};

}  // namespace rafter
