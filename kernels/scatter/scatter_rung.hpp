// The signature of scatter's rungs: their arguments and types; and those of the gradient and the sort of a plan, which
// have no ladder but one implementation per device.
#pragma once

#include <cstdint>
#include <span>

#include "library/core/rung.hpp"
#include "rafter/error.hpp"
#include "rafter/scatter.hpp"

namespace rafter::scatter_ladder {

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

using ScatterRung = core::RungOf<ScatterArgs, ScatterTypes, ScatterKeyTypes>;

/// Throws Error (unsupported) unless the arguments ask for sums only. For the rungs below the op.
template <class T, class Key>
void require_plain_sum(const ScatterArgs<T, Key>& args) {
  if (args.options.reduction != Reduction::sum || !args.details.counts.empty()) {
    throw Error(ErrorCode::unsupported, "this rung computes sums only; by_shape computes all reductions");
  }
}

template <class T, class Key>
void require_sorted(const ScatterArgs<T, Key>& args) {
  if (args.options.order != KeyOrder::sorted) {
    throw Error(ErrorCode::unsupported, "this rung needs sorted keys; run it with --set sorted=yes");
  }
}

template <class T, class Key>
struct GradientArgs {
  std::span<const Key> keys;  // [n]
  ScatterForward forward;
  std::span<const T> out_gradient;      // [n_keys]
  std::span<T> gradient;                // [n]
  const std::int64_t* order = nullptr;  // [n]: keys[i] is the key of element order[i]; null: of element i
};

using GradientRung = core::RungOf<GradientArgs, ScatterGradientTypes, ScatterKeyTypes>;

template <class Key>
struct SortArgs {
  std::span<const Key> keys;  // [n]
  std::int64_t n_keys;
  std::span<std::int64_t> sorted;  // [n]: the keys in order, n_keys for those out of range
  std::span<std::int64_t> order;   // the elements of the sorted keys, stable
};

using SortRung = core::RungOf<SortArgs, ScatterKeyTypes>;

}  // namespace rafter::scatter_ladder
