// by_shape: out[k] = sum, mean, min or max of the values[i] with keys[i] == k. Sorted keys by runs; few keys in tables
// per thread; many keys each by the thread that owns it. Then, if requested, counts, means and arguments.
// Bound by memory for sorted and few keys; by cache misses of the result for many.
#include <atomic>
#include <numeric>
#include <vector>

#include "scatter/cpu/scatter_loops.hpp"

namespace rafter::scatter_ladder::cpu {

namespace {

constexpr std::int64_t min_part_elements = 32768;  // a smaller part does not pay for waking a thread

template <class Key>
void count(const Stream& stream, std::span<const Key> keys, KeyOrder order, std::span<std::int64_t> counts) {
  std::fill(counts.begin(), counts.end(), 0);
  const KeyedElements<std::int64_t, Key, Ones> elements{
      keys.data(), {}, std::ssize(keys), counts.data(), std::ssize(counts)};
  reduce<Sum<std::int64_t>>(stream, elements, order);
}

/// Finds the first element that equals the result of its key: the smallest index, independent of the order in which
/// threads find them.
template <class Reducer, class T, class Key>
void find_arguments(const Stream& stream, const ScatterArgs<T, Key>& args, const Results<T>& results) {
  const std::span<std::int64_t> arguments = args.details.arguments.elements();
  std::fill(arguments.begin(), arguments.end(), -1);
  const std::int64_t n = args.n();
  core::for_parts(core::threads_for(stream, n, min_part_elements), n, [&](std::int64_t begin, std::int64_t end) {
    for (std::int64_t i = begin; i < end; ++i) {
      const Key key = args.keys[static_cast<std::size_t>(i)];
      if (key < 0 || static_cast<std::int64_t>(key) >= args.n_keys()) continue;
      const auto slot = static_cast<std::size_t>(key);
      const std::int64_t element = args.order != nullptr ? args.order[i] : i;
      const auto value = static_cast<core::Accumulator<T>>(args.values[static_cast<std::size_t>(element)]);
      if (Reducer::from(value) != Reducer::from(results.all[slot])) continue;
      const std::atomic_ref argument(arguments[slot]);
      std::int64_t now = argument.load(std::memory_order_relaxed);
      while ((now < 0 || element < now) && !argument.compare_exchange_weak(now, element, std::memory_order_relaxed)) {
      }
    }
  });
}

}  // namespace

extern const ScatterRung by_shape{[]<class T, class Key>(const Stream& stream, ScatterArgs<T, Key> args) {
  const Reduction reduction = args.options.reduction;
  const KeyOrder order = args.options.order;
  const std::span<std::int64_t> counts = args.details.counts.elements();
  if (args.n_keys() == 0) return;
  if (!counts.empty()) count(stream, args.keys, order, counts);
  const Results<T> results(stream, args.out);
  with_reduction<T>(reduction, [&, key_order = order]<class Reducer>(Reducer) {
    using Wide = core::Accumulator<T>;
    std::fill(results.all.begin(), results.all.end(), Reducer::value(Reducer::identity()));
    if (args.order == nullptr) {
      const KeyedElements<Wide, Key, InPlace<T>> elements{
          args.keys.data(), {args.values.data()}, args.n(), results.all.data(), args.n_keys()};
      reduce<Reducer>(stream, elements, key_order);
    } else if constexpr (std::is_same_v<Key, std::int64_t>) {  // the keys of a plan are sorted
      const KeyedElements<Wide, Key, Permuted<T>> elements{
          args.keys.data(), {args.values.data(), args.order}, args.n(), results.all.data(), args.n_keys()};
      in_runs<Reducer>(stream, elements);
    }
    if constexpr (Reducer::reduction != Reduction::sum) {
      if (!args.details.arguments.empty()) find_arguments<Reducer>(stream, args, results);
    }
  });
  if (reduction != Reduction::mean) return round_results(results, args.out);
  for (std::size_t k = 0; k < args.out.size(); ++k) args.out[k] = mean_of<T>(results.all[k], counts[k]);
}};

// ---- The gradient, and the sort of a plan ----

extern const GradientRung fetch_gradient{[]<class T, class Key>(const Stream& stream, GradientArgs<T, Key> args) {
  const auto& [reduction, counts, arguments] = args.forward;
  const std::int64_t n = std::ssize(args.keys);
  const auto n_keys = std::ssize(args.out_gradient);
  const std::int64_t* count = reduction == Reduction::mean ? counts.data() : nullptr;
  const bool is_extreme = reduction == Reduction::min || reduction == Reduction::max;
  const std::int64_t* argument = is_extreme ? arguments.data() : nullptr;
  const T* out_gradient = args.out_gradient.data();
  core::for_parts(core::threads_for(stream, n, min_part_elements), n, [&](std::int64_t begin, std::int64_t end) {
    for (std::int64_t i = begin; i < end; ++i) {
      const std::int64_t key = args.keys[static_cast<std::size_t>(i)];
      const std::int64_t element = args.order != nullptr ? args.order[i] : i;
      T gradient{};
      if (key >= 0 && key < n_keys && (argument == nullptr || argument[key] == element)) {
        using Wide = core::Accumulator<T>;
        gradient = count != nullptr
                       ? static_cast<T>(static_cast<Wide>(out_gradient[key]) / static_cast<Wide>(count[key]))
                       : out_gradient[key];
      }
      args.gradient[static_cast<std::size_t>(element)] = gradient;
    }
  });
}};

extern const SortRung sort_keys{[]<class Key>(const Stream&, SortArgs<Key> args) {
  const auto tidy = [&](std::int64_t i) {
    const std::int64_t key = args.keys[static_cast<std::size_t>(i)];
    return key >= 0 && key < args.n_keys ? key : args.n_keys;
  };
  const std::int64_t n = std::ssize(args.keys);
  if (args.n_keys <= 4 * n) {  // counting sort
    std::vector<std::int64_t> next(static_cast<std::size_t>(args.n_keys) + 2);
    for (std::int64_t i = 0; i < n; ++i) ++next[static_cast<std::size_t>(tidy(i)) + 1];
    std::partial_sum(next.begin(), next.end(), next.begin());
    for (std::int64_t i = 0; i < n; ++i)
      args.order[static_cast<std::size_t>(next[static_cast<std::size_t>(tidy(i))]++)] = i;
  } else {
    std::iota(args.order.begin(), args.order.end(), 0);
    std::stable_sort(args.order.begin(), args.order.end(),
                     [&](std::int64_t a, std::int64_t b) { return tidy(a) < tidy(b); });
  }
  for (std::size_t i = 0; i < args.order.size(); ++i) args.sorted[i] = tidy(args.order[i]);
}};

}  // namespace rafter::scatter_ladder::cpu
