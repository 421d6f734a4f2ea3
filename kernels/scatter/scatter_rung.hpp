// The form of every scatter: a function template `name(stream, args)` in scatter_ladder::<device>.
#pragma once

#include <cstdint>
#include <span>

#include "rafter/error.hpp"
#include "rafter/scatter.hpp"

namespace rafter {

template <class T, class Key>
struct ScatterArgs {
  std::span<const Key> keys;  // [n]
  std::span<const T> values;  // [n]
  ScatterOptions options;
  std::span<T> out;  // [n_keys]
  ScatterDetails details{};
  const std::int64_t* order = nullptr;  // [n]: the value of keys[i] is values[order[i]]; null: values[i]

  std::int64_t n() const { return std::ssize(keys); }
  std::int64_t n_keys() const { return std::ssize(out); }
};

template <class T, class Key>
struct ScatterGradientArgs {
  std::span<const Key> keys;  // [n]
  ScatterForward forward;
  std::span<const T> out_gradient;      // [n_keys]
  std::span<T> gradient;                // [n]
  const std::int64_t* order = nullptr;  // [n]: keys[i] is the key of element order[i]; null: of element i
};

/// For the rungs on the way, which show how to add.
template <class T, class Key>
void require_plain_sum(const ScatterArgs<T, Key>& args) {
  if (args.options.reduction != Reduction::sum || !args.details.counts.empty()) {
    throw Error(ErrorCode::unsupported, "this rung gives sums only; by_shape gives everything");
  }
}

template <class T, class Key>
void require_sorted(const ScatterArgs<T, Key>& args) {
  if (args.options.order != KeyOrder::sorted) {
    throw Error(ErrorCode::unsupported, "this rung is for sorted keys; ask with --set sorted=yes");
  }
}

}  // namespace rafter

// Declares the rung `name`.
#define RAFTER_SCATTER_SIGNATURE(name) \
  template <class T, class Key>        \
  void name(const Stream& stream, const ScatterArgs<T, Key>& args)

// Ends a rung's file: instantiates it for the types of the workload.
#define RAFTER_SCATTER_RUNG(name)                                                                                \
  template void name<float, std::int64_t>(const Stream&, const ScatterArgs<float, std::int64_t>&);               \
  template void name<float, std::int32_t>(const Stream&, const ScatterArgs<float, std::int32_t>&);               \
  template void name<double, std::int64_t>(const Stream&, const ScatterArgs<double, std::int64_t>&);             \
  template void name<double, std::int32_t>(const Stream&, const ScatterArgs<double, std::int32_t>&);             \
  template void name<std::int32_t, std::int64_t>(const Stream&, const ScatterArgs<std::int32_t, std::int64_t>&); \
  template void name<std::int32_t, std::int32_t>(const Stream&, const ScatterArgs<std::int32_t, std::int32_t>&); \
  template void name<std::int64_t, std::int64_t>(const Stream&, const ScatterArgs<std::int64_t, std::int64_t>&); \
  template void name<std::int64_t, std::int32_t>(const Stream&, const ScatterArgs<std::int64_t, std::int32_t>&)

// The gradient: no rung, one per device.
#define RAFTER_SCATTER_GRADIENT_SIGNATURE(name) \
  template <class T, class Key>                 \
  void name(const Stream& stream, const ScatterGradientArgs<T, Key>& args)
#define RAFTER_SCATTER_GRADIENT_INSTANCES(name)                                                              \
  template void name<float, std::int64_t>(const Stream&, const ScatterGradientArgs<float, std::int64_t>&);   \
  template void name<float, std::int32_t>(const Stream&, const ScatterGradientArgs<float, std::int32_t>&);   \
  template void name<double, std::int64_t>(const Stream&, const ScatterGradientArgs<double, std::int64_t>&); \
  template void name<double, std::int32_t>(const Stream&, const ScatterGradientArgs<double, std::int32_t>&)

// The sort of a plan: `order` becomes the stable order of the keys, `sorted` the keys in it, n_keys for out of range.
#define RAFTER_SCATTER_SORT_SIGNATURE(name)                                                                       \
  template <class Key>                                                                                            \
  void name(const Stream& stream, std::span<const Key> keys, std::int64_t n_keys, std::span<std::int64_t> sorted, \
            std::span<std::int64_t> order)
