// Times one call, in one of four regimes.
#pragma once

#include <functional>
#include <memory>
#include <optional>
#include <string_view>

#include "rafter/stream.hpp"

namespace rafter::lab {

enum class Regime {
  cold,   ///< caches flushed: what the first use of data costs; the headline
  warm,   ///< straight after the same call
  graph,  ///< replay of a captured CUDA graph
  wall,   ///< the host's clock around launch and wait: what a program sees that waits for each call
};
std::string_view name(Regime regime) noexcept;

class Timer {
 public:
  virtual ~Timer() = default;

  virtual bool supports(Regime regime) const = 0;

  /// Runs `call` once in the regime and returns how long it took. The work is done when this returns.
  virtual double time_ns(Regime regime, const std::function<void()>& call) = 0;

  /// What `call` enqueues: kernels, copies and whole graphs. Nothing where the device cannot say.
  virtual std::optional<int> n_launches(const std::function<void()>& /*call*/) { return std::nullopt; }

  /// Whether the clock is now lower than it was when steady, so that the last sample should not count.
  virtual bool is_throttled() { return false; }
};

/// `bytes_per_set`: what one input set takes. A CPU case that is far larger than the caches is cold
/// anyway.
std::unique_ptr<Timer> make_timer(const Stream& stream, double bytes_per_set);

std::unique_ptr<Timer> make_cpu_timer(const Stream& stream, double bytes_per_set);
#ifdef RAFTER_WITH_CUDA
std::unique_ptr<Timer> make_cuda_timer(const Stream& stream);
#endif

}  // namespace rafter::lab
