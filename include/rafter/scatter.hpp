// Reductions by key: sums, means, minima and maxima of the elements that share one, and their gradients.
#pragma once

#include <cstdint>
#include <span>

#include "rafter/buffer.hpp"
#include "rafter/half.hpp"
#include "rafter/stream.hpp"
#include "rafter/types.hpp"

namespace rafter {

using ScatterTypes = Types<float, double, Half, Bfloat16, std::int32_t, std::int64_t>;
using ScatterGradientTypes = Types<float, double, Half, Bfloat16>;
using ScatterKeyTypes = Types<std::int64_t, std::int32_t>;

#pragma GCC diagnostic push
#pragma GCC diagnostic ignored "-Wshadow"  // GCC 12: Reduction::sum would hide rafter::sum
enum class Reduction { sum, mean, min, max };
#pragma GCC diagnostic pop

/// Whether equal keys are neighbours, from the smallest key to the largest.
enum class KeyOrder { unsorted, sorted };

struct ScatterOptions {
  Reduction reduction = Reduction::sum;
  KeyOrder order = KeyOrder::unsorted;
};

/// What scatter() can tell beside its result, `n_keys` elements each; an empty span is not asked for.
struct ScatterDetails {
  std::span<std::int64_t> counts{};     ///< how many elements each key has; Reduction::mean must have it
  std::span<std::int64_t> arguments{};  ///< min, max: the index of the first element that is the result; -1 for none
};

/// What the gradient needs to know of the scatter() it belongs to.
struct ScatterForward {
  Reduction reduction = Reduction::sum;
  std::span<const std::int64_t> counts{};     ///< as scatter() gave them; mean
  std::span<const std::int64_t> arguments{};  ///< as scatter() gave them; min and max
};

/// Keys sorted once, to reduce many arrays by: the same bits every time, on every device, in whatever order the keys
/// are. Owns 16 bytes of its stream's device for each key; making it takes as much again, sorts and waits.
class ScatterPlan {
 public:
  /// Of `keys` that are in [0, n_keys), or take no part. The keys are not needed afterwards.
  ScatterPlan(const Stream& stream, std::span<const std::int32_t> keys, std::int64_t n_keys);
  ScatterPlan(const Stream& stream, std::span<const std::int64_t> keys, std::int64_t n_keys);

  std::int64_t size() const noexcept { return order_.size(); }  ///< of the arrays it reduces
  std::int64_t n_keys() const noexcept { return n_keys_; }
  std::span<const std::int64_t> keys() const noexcept { return keys_.span(); }    ///< sorted; n_keys for out of range
  std::span<const std::int64_t> order() const noexcept { return order_.span(); }  ///< whose keys they are, stable

 private:
  Buffer<std::int64_t> keys_;
  Buffer<std::int64_t> order_;
  std::int64_t n_keys_;
};

namespace detail {

template <class T, class Key>
struct Scatter {
  void operator()(const Stream& stream, std::span<const Key> keys, std::span<const T> values, ScatterOptions options,
                  std::span<T> out, ScatterDetails details = {}) const;
};
template <class T>
struct ScatterByPlan {
  void operator()(const Stream& stream, const ScatterPlan& plan, std::span<const T> values, Reduction reduction,
                  std::span<T> out, ScatterDetails details = {}) const;
};

template <class T, class Key>
struct ScatterGradient {
  void operator()(const Stream& stream, std::span<const Key> keys, const ScatterForward& forward,
                  std::span<const T> out_gradient, std::span<T> gradient) const;
};
template <class T>
struct ScatterGradientByPlan {
  void operator()(const Stream& stream, const ScatterPlan& plan, const ScatterForward& forward,
                  std::span<const T> out_gradient, std::span<T> gradient) const;
};

}  // namespace detail

/// Reduces the `values` of each key: out[k] = reduction of all values[i] with keys[i] == k, for k in [0, out.size()).
///
/// Keys are int32 or int64, values float, double, Half, Bfloat16, int32 or int64. An element whose key is negative or
/// `out.size()` or more takes no part. A key without elements gets 0 (sum, mean), or the least number of its type (max)
/// or the largest one (min), which are the infinities for floats. Sums of integers wrap around; their mean is truncated
/// towards zero. A NaN makes all results of its key NaN. -0 is less than +0.
///
/// Deterministic on cpu (the same bits with any number of threads) and, on cuda, for sorted keys, min, max and
/// integers. Sums of floats by unsorted keys are added on cuda in the order in which they come: see ScatterPlan.
/// Keys said to be sorted that are not give wrong results, but touch nothing that is not theirs.
/// Error of a sum: usually less than eps * (the key's sum of magnitudes); elements of a key are added in T. Floats of
/// 16 bits are added in float, so that eps is float's, and a sum or mean is rounded to 16 bits once, at the end. Until
/// then results are in the stream's scratch, 4 bytes a key: reserve more before a capture if they exceed what reserve()
/// takes.
///
/// No allocation, no synchronisation; may be captured in a CUDA graph.
/// Throws Error (bad_argument) when sizes do not fit, spans are misaligned or overlap, or a detail is missing or has no
/// meaning (arguments of a sum).
///
/// By the keys of a plan, which lives on the stream's device, likewise; and deterministic.
inline constexpr BothOverloads<OverloadsFor<detail::Scatter, ScatterTypes, ScatterKeyTypes>,
                               OverloadsFor<detail::ScatterByPlan, ScatterTypes>>
    scatter{};

/// The gradient of a loss by the values of a scatter(), from the one by its result: for sum, gradient[i] =
/// out_gradient[keys[i]]; for mean that over the key's count; for min and max it goes to the element the argument
/// names, and the others of the key get 0. So do elements whose keys are out of range. Deterministic. Floats of 16 bits
/// are divided as floats and rounded.
///
/// No allocation, no synchronisation; may be captured in a CUDA graph.
/// Throws Error (bad_argument) when sizes do not fit, spans are misaligned or overlap, or counts or arguments are
/// missing.
inline constexpr BothOverloads<OverloadsFor<detail::ScatterGradient, ScatterGradientTypes, ScatterKeyTypes>,
                               OverloadsFor<detail::ScatterGradientByPlan, ScatterGradientTypes>>
    scatter_gradient{};

}  // namespace rafter
