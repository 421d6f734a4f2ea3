// The progress of a worker, which the watchdog reads from another OS thread, and the watchdog's request to abandon it.
#pragma once

#include <atomic>
#include <cstdint>

namespace rafter::simt {

/// The limit that the running thread has exceeded. slice: it ran too long without waiting; stall: no thread of the
/// launch has ended for too long; launch: the launch runs too long.
enum class Timeout : std::uint8_t { none, slice, stall, launch };

/// Counters that the worker advances, and the values at which the watchdog wants it to stop. A slice is what one thread
/// does between two waits; lanes in lockstep share one.
class WorkerProgress {
 public:
  // For the worker. Only it writes these counters, so a plain addition is enough.
  void begin_launch() { count(launch_); }
  void begin_slice() { count(slice_); }
  void end_thread() { count(ended_); }
  /// Returns the timeout that the watchdog found, if the worker still runs what the watchdog saw.
  Timeout timeout() const {
    if (late_launch_.load(relaxed) == launch_.load(relaxed)) return Timeout::launch;
    if (late_slice_.load(relaxed) == slice_.load(relaxed)) return Timeout::slice;
    return late_stall_.load(relaxed) == ended_.load(relaxed) ? Timeout::stall : Timeout::none;
  }

  // For the watchdog.
  std::uint64_t launch() const { return launch_.load(relaxed); }
  std::uint64_t slice() const { return slice_.load(relaxed); }
  std::uint64_t n_ended() const { return ended_.load(relaxed); }
  void stop_launch(std::uint64_t launch) { late_launch_.store(launch, relaxed); }
  void stop_slice(std::uint64_t slice) { late_slice_.store(slice, relaxed); }
  void stop_stall(std::uint64_t n_ended) { late_stall_.store(n_ended, relaxed); }

 private:
  static constexpr auto relaxed = std::memory_order_relaxed;
  static void count(std::atomic<std::uint64_t>& n) { n.store(n.load(relaxed) + 1, relaxed); }

  std::atomic<std::uint64_t> launch_{1}, slice_{1}, ended_{1};
  std::atomic<std::uint64_t> late_launch_{0}, late_slice_{0}, late_stall_{0};
};

}  // namespace rafter::simt
