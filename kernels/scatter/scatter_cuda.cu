// by_shape: out[k] = sum, mean, min or max of the values[i] with keys[i] == k. Sorted keys by a segmented reduction;
// few keys in private copies in shared memory; many keys in bins, or by atomics after each thread has combined what it
// can. Then, if requested, counts, means and arguments.
// Bound by DRAM for sorted and few keys, by shared memory for bins, by the L2's atomics otherwise.
#include <limits>

#include "library/ptx/memory_order.cuh"
#include "scatter/cuda/scatter_binned.cuh"
#include "scatter/cuda/scatter_parts.hpp"
#include "scatter/cuda/scatter_results.cuh"
#include "scatter/cuda/scatter_unsorted.cuh"

namespace rafter::scatter_ladder::RAFTER_BACKEND {

// ---- Passes ----

template <class T>
__global__ void scatter_fill(T* out, std::int64_t n, T value) {
  const std::int64_t i = pass_index(blockIdx.x, threadIdx.x);
  if (i < n) out[i] = value;
}

template <class T>
__global__ void scatter_divide(const core::Accumulator<T>* sums, const std::int64_t* counts, std::int64_t n_keys,
                               T* out) {
  const std::int64_t k = pass_index(blockIdx.x, threadIdx.x);
  if (k < n_keys) out[k] = mean_of<T>(sums[k], counts[k]);
}

/// Counts sorted keys: the index after a key's last element minus that of its first.
template <class Key>
__global__ void scatter_count_sorted(ScatterView<std::int64_t, Key> view) {
  const std::int64_t i = pass_index(blockIdx.x, threadIdx.x);
  if (i >= view.n) return;
  const Key key = view.keys[i];
  if (!view.has(key)) return;
  auto* count = reinterpret_cast<unsigned long long*>(view.out + key);
  if (i == 0 || view.keys[i - 1] != key) atomicAdd(count, static_cast<unsigned long long>(-i));
  if (i == view.n - 1 || view.keys[i + 1] != key) atomicAdd(count, static_cast<unsigned long long>(i + 1));
}

/// Finds the first element that equals the result of its key. `arguments` holds -1, the largest unsigned number.
template <class Reducer, class T, class Key>
__global__ void scatter_arguments(ScatterView<T, Key> view, unsigned long long* arguments) {
  const std::int64_t i = pass_index(blockIdx.x, threadIdx.x);
  if (i >= view.n) return;
  const Key key = view.keys[i];
  if (!view.has(key)) return;
  const std::int64_t element = view.element(i);
  if (Reducer::from(view.value(element)) != Reducer::from(view.out[key])) return;
  const auto mine = static_cast<unsigned long long>(element);
  // Usually an earlier element is already stored: a load instead of an atomic.
  if (mine < ptx::load_relaxed(arguments + key)) atomicMin(arguments + key, mine);
}

// ---- The op ----

template <class T>
void fill_with(const Stream& stream, std::span<T> out, T value) {
  if (value == T{0}) return core::clear(stream, out.data(), static_cast<std::int64_t>(out.size_bytes()));
  launch_pass(scatter_fill<T>, stream, std::ssize(out), out.data(), std::ssize(out), value);
}

template <class Key>
void count(const Stream& stream, std::span<const Key> keys, KeyOrder order, std::span<std::int64_t> counts) {
  const ScatterView<std::int64_t, Key> view = {keys.data(),      nullptr,       nullptr,
                                               std::ssize(keys), counts.data(), std::ssize(counts)};
  fill_with(stream, counts, std::int64_t{0});
  if (order == KeyOrder::sorted) return launch_pass(scatter_count_sorted<Key>, stream, view.n, view);
  reduce_unsorted<Sum<std::int64_t>>(stream, view);
}

/// The algorithm that suits the keys, and the scratch it takes.
struct Strategy {
  enum class Kind { sorted, binned, unsorted } kind;
  std::int64_t scratch_bytes;
};

template <class T, class Key>
Strategy strategy_for(const Stream& stream, const ScatterArgs<T, Key>& args) {
  if (args.options.order == KeyOrder::sorted)
    return {Strategy::Kind::sorted, sorted_bytes(args.n(), sizeof(Key) + sizeof(core::Accumulator<T>))};
  if constexpr (Binnable<T>) {
    if (pays_to_bin<T>(stream, args.n(), args.n_keys()))
      return {Strategy::Kind::binned, binned_bytes<T>(stream, args.n(), args.n_keys())};
  }
  return {Strategy::Kind::unsorted, 0};
}

template <class Reducer, class T, class Key>
void reduce(const Stream& stream, const ScatterArgs<T, Key>& args, const Strategy& strategy,
            const Results<T>& results) {
  const ScatterView<T, Key> view = view_of(args, results.all.data());
  const PartArgs<T, Key> part = {view, args.options.reduction, results.scratch};
  fill_with(stream, results.all, Reducer::value(Reducer::identity()));
  switch (strategy.kind) {
    case Strategy::Kind::sorted: sorted_by_tiles(stream, part); break;
    case Strategy::Kind::binned: binned_by_chunks(stream, part); break;
    case Strategy::Kind::unsorted: reduce_unsorted<Reducer>(stream, view); break;
  }
  if constexpr (Reducer::reduction != Reduction::sum) {
    const std::span<std::int64_t> arguments = args.details.arguments.elements();
    if (arguments.empty()) return;
    fill_with(stream, arguments, std::int64_t{-1});
    launch_pass(scatter_arguments<Reducer, T, Key>, stream, args.n(), view,
                reinterpret_cast<unsigned long long*>(arguments.data()));
  }
}

extern const ScatterRung by_shape{[]<class T, class Key>(const Stream& stream, ScatterArgs<T, Key> args) {
  const std::span<std::int64_t> counts = args.details.counts.elements();
  if (!counts.empty()) count(stream, args.keys, args.options.order, counts);
  const Strategy strategy = strategy_for(stream, args);
  const Results<T> results(stream, args.out, strategy.scratch_bytes);
  with_reduction<T>(args.options.reduction,
                    [&]<class Reducer>(Reducer) { reduce<Reducer>(stream, args, strategy, results); });
  if (args.options.reduction != Reduction::mean) return round_results(stream, results, args.out);
  launch_pass(scatter_divide<T>, stream, args.n_keys(), results.all.data(), counts.data(), args.n_keys(),
              args.out.data());
}};

}  // namespace rafter::scatter_ladder::RAFTER_BACKEND
