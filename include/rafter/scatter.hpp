// Reductions by key: sums, means, minima and maxima of the elements that share a key, and their gradients.
#pragma once

#include <cstdint>

#include "rafter/buffer.hpp"
#include "rafter/device_span.hpp"
#include "rafter/export.hpp"
#include "rafter/half.hpp"
#include "rafter/stream.hpp"
#include "rafter/types.hpp"

namespace rafter::inline v1 {

using ScatterTypes = Types<float, double, Half, Bfloat16, std::int32_t, std::int64_t>;
using ScatterGradientTypes = Types<float, double, Half, Bfloat16>;
using ScatterKeyTypes = Types<std::int64_t, std::int32_t>;

#pragma GCC diagnostic push
#pragma GCC diagnostic ignored "-Wshadow"  // GCC 12: Reduction::sum would hide rafter::sum
enum class Reduction { sum, mean, min, max };
#pragma GCC diagnostic pop

/// The order of the keys. Sorted keys do not decrease.
enum class KeyOrder { unsorted, sorted };

struct ScatterOptions {
  Reduction reduction = Reduction::sum;
  KeyOrder order = KeyOrder::unsorted;
};

/// Additional results of scatter(), `n_keys` elements each. Those with an empty span are not computed.
struct ScatterDetails {
  DeviceSpan<std::int64_t> counts{};  ///< the number of elements of each key; required by Reduction::mean
  DeviceSpan<std::int64_t>
      arguments{};  ///< min, max: the index of the first element equal to the result; -1 for a key without elements
};

/// The parameters and results of the scatter() that a gradient belongs to.
struct ScatterForward {
  Reduction reduction = Reduction::sum;
  DeviceSpan<const std::int64_t> counts{};     ///< mean: as written by scatter()
  DeviceSpan<const std::int64_t> arguments{};  ///< min, max: as written by scatter()
};

/// Keys sorted once, to reduce many arrays by them. Results are bit-identical every time and on every device, whatever
/// the order of the keys. Owns 16 bytes per key on its stream's device. The constructor takes as much again, sorts and
/// waits.
///
/// Threads may share an object.
class RAFTER_API ScatterPlan {
 public:
  /// Sorts `keys`, which are not needed afterwards. Elements with a key outside of [0, n_keys) are ignored.
  ScatterPlan(const Stream& stream, DeviceSpan<const std::int32_t> keys, std::int64_t n_keys);
  ScatterPlan(const Stream& stream, DeviceSpan<const std::int64_t> keys, std::int64_t n_keys);

  [[nodiscard]] std::int64_t size() const noexcept { return order_.size(); }  ///< the size of the arrays it reduces
  [[nodiscard]] std::int64_t n_keys() const noexcept { return n_keys_; }
  [[nodiscard]] DeviceSpan<const std::int64_t> keys() const noexcept {
    return keys_.span();
  }  ///< sorted; n_keys for keys out of range
  [[nodiscard]] DeviceSpan<const std::int64_t> order() const noexcept {
    return order_.span();
  }  ///< the element of each sorted key; equal keys keep their order

 private:
  Buffer<std::int64_t> keys_;
  Buffer<std::int64_t> order_;
  std::int64_t n_keys_;
};

namespace detail {

template <class T, class Key>
struct RAFTER_API Scatter {
  void operator()(const Stream& stream, DeviceSpan<const Key> keys, DeviceSpan<const T> values, ScatterOptions options,
                  DeviceSpan<T> out, ScatterDetails details) const;
};
template <class T>
struct RAFTER_API ScatterByPlan {
  void operator()(const Stream& stream, const ScatterPlan& plan, DeviceSpan<const T> values, Reduction reduction,
                  DeviceSpan<T> out, ScatterDetails details) const;
};

/// Like Scatter, without further results.
template <class T, class Key>
struct ScatterAlone {
  void operator()(const Stream& stream, DeviceSpan<const Key> keys, DeviceSpan<const T> values, ScatterOptions options,
                  DeviceSpan<T> out) const {
    Scatter<T, Key>{}(stream, keys, values, options, out, {});
  }
};
template <class T>
struct ScatterAloneByPlan {
  void operator()(const Stream& stream, const ScatterPlan& plan, DeviceSpan<const T> values, Reduction reduction,
                  DeviceSpan<T> out) const {
    ScatterByPlan<T>{}(stream, plan, values, reduction, out, {});
  }
};

template <class T, class Key>
struct RAFTER_API ScatterGradient {
  void operator()(const Stream& stream, DeviceSpan<const Key> keys, const ScatterForward& forward,
                  DeviceSpan<const T> out_gradient, DeviceSpan<T> gradient) const;
};
template <class T>
struct RAFTER_API ScatterGradientByPlan {
  void operator()(const Stream& stream, const ScatterPlan& plan, const ScatterForward& forward,
                  DeviceSpan<const T> out_gradient, DeviceSpan<T> gradient) const;
};

}  // namespace detail

/// Reduces the `values` of each key: out[k] = reduction of all values[i] with keys[i] == k, for k in [0, out.size()).
///
/// Keys are int32 or int64; values are float, double, Half, Bfloat16, int32 or int64. Elements with a key that is
/// negative or not less than `out.size()` are ignored. A key without elements gets 0 (sum, mean), the least value of
/// the type (max) or the largest (min); for floats those are the infinities. Integer sums wrap around; integer means
/// are truncated towards zero. A NaN makes all results of its key NaN. -0 is less than +0. The caller owns all arrays,
/// in memory of the stream's device.
///
/// Deterministic on cpu (bit-identical for every number of threads) and, on cuda, for sorted keys, min, max and
/// integers. On cuda the order in which floats with unsorted keys are added varies; ScatterPlan fixes it. Keys declared
/// sorted that are not give wrong results, but no access out of bounds.
///
/// Error of a sum: usually less than eps * (the key's sum of magnitudes); the elements of a key are added in T. 16-bit
/// floats are added in float, so eps is float's, and a sum or mean is rounded to 16 bits once, at the end. Until then
/// results are in the stream's scratch, 4 bytes per key: call Stream::reserve(bytes) before a capture if they exceed
/// what reserve() takes.
///
/// No allocation, no synchronisation; may be captured in a CUDA graph. Throws Error (bad_argument) when sizes do not
/// fit, spans are misaligned or overlap, or a detail is missing or not applicable (arguments of a sum).
///
/// The overload with a plan, which must be on the stream's device, is always deterministic.
inline constexpr BothOverloads<BothOverloads<OverloadsFor<detail::Scatter, ScatterTypes, ScatterKeyTypes>,
                                             OverloadsFor<detail::ScatterByPlan, ScatterTypes>>,
                               BothOverloads<OverloadsFor<detail::ScatterAlone, ScatterTypes, ScatterKeyTypes>,
                                             OverloadsFor<detail::ScatterAloneByPlan, ScatterTypes>>>
    scatter{};

/// Writes the gradient of a loss with respect to the values of a scatter(), given that with respect to its result. For
/// sum, gradient[i] = out_gradient[keys[i]]; for mean that divided by the key's count; for min and max the element
/// named by the argument gets it and the key's other elements get 0. Elements with a key out of range get 0.
/// Deterministic. 16-bit floats are divided in float and rounded.
///
/// No allocation, no synchronisation; may be captured in a CUDA graph. Throws Error (bad_argument) when sizes do not
/// fit, spans are misaligned or overlap, or counts or arguments are missing.
inline constexpr BothOverloads<OverloadsFor<detail::ScatterGradient, ScatterGradientTypes, ScatterKeyTypes>,
                               OverloadsFor<detail::ScatterGradientByPlan, ScatterGradientTypes>>
    scatter_gradient{};

}  // namespace rafter::inline v1
