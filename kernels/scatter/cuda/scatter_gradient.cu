// The gradient of a scatter: gradient[i] = out_gradient[keys[i]], divided by the count for means, 0 where element i has
// no influence.
// Bound by DRAM: keys are read and gradients are written once; out_gradient mostly hits the L2.
#include "library/core/cuda/convert.cuh"
#include "library/core/cuda/launch.cuh"
#include "scatter/scatter_rung.hpp"

namespace rafter::scatter_ladder::RAFTER_BACKEND {

struct GradientPolicy {
  static constexpr int threads = 256;
  static constexpr int items = 4;  // independent fetches in flight per thread
};

template <class T, class Key>
struct GradientView {
  const Key* keys;                // [n]
  const std::int64_t* order;      // [n]: keys[i] is the key of element order[i]; or null
  const std::int64_t* counts;     // [n_keys], or null
  const std::int64_t* arguments;  // [n_keys], or null
  const T* out_gradient;          // [n_keys]
  T* gradient;                    // [n]
  std::int64_t n;
  std::int64_t n_keys;

  __device__ T of(Key key, std::int64_t element) const {
    if (key < 0 || static_cast<std::int64_t>(key) >= n_keys) return T{};
    if (arguments != nullptr) return arguments[key] == element ? out_gradient[key] : T{};
    if (counts == nullptr) return out_gradient[key];
    return core::round_to<T>(core::widen(out_gradient[key]) / static_cast<core::Accumulator<T>>(counts[key]));
  }
};

template <class Policy, class T, class Key>
__global__ void __launch_bounds__(Policy::threads) scatter_fetch_gradient(GradientView<T, Key> view) {
  const std::int64_t first = blockIdx.x * std::int64_t{Policy::threads * Policy::items} + threadIdx.x;
  Key key[Policy::items];
  std::int64_t element[Policy::items];
  T gradient[Policy::items];
#pragma unroll
  for (int j = 0; j < Policy::items; ++j) {
    const std::int64_t i = first + j * Policy::threads;
    key[j] = i < view.n ? view.keys[i] : Key{-1};
    element[j] = i < view.n && view.order != nullptr ? view.order[i] : i;
  }
#pragma unroll
  for (int j = 0; j < Policy::items; ++j) gradient[j] = view.of(key[j], element[j]);
#pragma unroll
  for (int j = 0; j < Policy::items; ++j) {
    if (first + j * Policy::threads < view.n) view.gradient[element[j]] = gradient[j];
  }
}

extern const GradientRung fetch_gradient{[]<class T, class Key>(const Stream& stream, GradientArgs<T, Key> args) {
  using Policy = GradientPolicy;
  const Reduction reduction = args.forward.reduction;
  const bool is_extreme = reduction == Reduction::min || reduction == Reduction::max;
  const GradientView<T, Key> view = {
      .keys = args.keys.data(),
      .order = args.order,
      .counts = reduction == Reduction::mean ? args.forward.counts.data() : nullptr,
      .arguments = is_extreme ? args.forward.arguments.data() : nullptr,
      .out_gradient = args.out_gradient.data(),
      .gradient = args.gradient.data(),
      .n = std::ssize(args.keys),
      .n_keys = std::ssize(args.out_gradient),
  };
  core::launch(scatter_fetch_gradient<Policy, T, Key>, ceil_div(view.n, Policy::threads * Policy::items),
               Policy::threads, 0, stream, view);
}};

}  // namespace rafter::scatter_ladder::RAFTER_BACKEND
