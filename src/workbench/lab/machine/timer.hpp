// Times one call, in one of four regimes.
#pragma once

#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <string_view>

#include "rafter/stream.hpp"

namespace rafter::lab {

enum class Regime {
  cold,   ///< caches flushed, as at the first use of the data; the headline
  warm,   ///< immediately after the same call
  graph,  ///< replay of a captured CUDA graph
  wall,   ///< the host's clock around launch and wait, as a program that waits for each call measures it
};
std::string_view name(Regime regime) noexcept;

class Timer {
 public:
  virtual ~Timer() = default;

  virtual bool supports(Regime regime) const = 0;

  /// Runs `call` once in the regime and returns its duration. The work is complete on return. `prepare` is called
  /// before, untimed: before the caches are flushed, and after the call that warms them.
  double time_ns(
      Regime regime, const std::function<void()>& call, const std::function<void()>& prepare = [] {}) {
    return measure(regime, call, prepare);
  }

  /// Returns the number of kernels, copies and graphs that `call` enqueues, or nullopt if the device cannot count them.
  virtual std::optional<int> n_launches(const std::function<void()>& /*call*/) { return std::nullopt; }

  /// Whether the clock is below its steady rate, so that the last sample should be discarded.
  virtual bool is_throttled() { return false; }

 private:
  virtual double measure(Regime regime, const std::function<void()>& call, const std::function<void()>& prepare) = 0;
};

/// Whether timed kernels may ask the L2 cache to keep their lines.
enum class KeepsLines { no, possibly };

/// Makes the timer of the stream's device. `bytes_per_set` is the size of one input set: a CPU case that is far larger
/// than the caches needs no flush. If lines may be kept, a GPU makes them normal before each flush; small kernels then
/// take about 0.2 us more.
std::unique_ptr<Timer> make_timer(const Stream& stream, double bytes_per_set, KeepsLines keeps = KeepsLines::no);

std::unique_ptr<Timer> make_cpu_timer(const Stream& stream, double bytes_per_set);

/// The number of bytes that a CPU timer sweeps before a cold call: twice the last-level cache, or 0 if an input set is
/// far larger than the caches.
std::int64_t cold_sweep_bytes(double bytes_per_set);
#ifdef RAFTER_WITH_CUDA
std::unique_ptr<Timer> make_cuda_timer(const Stream& stream, KeepsLines keeps = KeepsLines::no);
#endif

}  // namespace rafter::lab
