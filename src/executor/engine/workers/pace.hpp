// How far a worker has come, as the watchdog sees it from another OS thread, and what the watchdog wants given up.
#pragma once

#include <atomic>
#include <cstdint>

namespace rafter::simt {

enum class Overdue : std::uint8_t { nothing, turn, stall, launch };

/// A turn is what one thread does between two waits; lanes that go in step share one.
class Pace {
 public:
  // For the worker. Nobody else counts, so a plain addition will do.
  void begin_launch() { count(launch_); }
  void begin_turn() { count(turn_); }
  void end_thread() { count(ended_); }
  /// What the running thread is to be given up for, if it is still the one the watchdog saw.
  Overdue overdue() const {
    if (late_launch_.load(relaxed) == launch_.load(relaxed)) return Overdue::launch;
    if (late_turn_.load(relaxed) == turn_.load(relaxed)) return Overdue::turn;
    return late_stall_.load(relaxed) == ended_.load(relaxed) ? Overdue::stall : Overdue::nothing;
  }

  // For the watchdog.
  std::uint64_t launch() const { return launch_.load(relaxed); }
  std::uint64_t turn() const { return turn_.load(relaxed); }
  std::uint64_t n_ended() const { return ended_.load(relaxed); }
  void give_up_launch(std::uint64_t launch) { late_launch_.store(launch, relaxed); }
  void give_up_turn(std::uint64_t turn) { late_turn_.store(turn, relaxed); }
  void give_up_stall(std::uint64_t n_ended) { late_stall_.store(n_ended, relaxed); }

 private:
  static constexpr auto relaxed = std::memory_order_relaxed;
  static void count(std::atomic<std::uint64_t>& n) { n.store(n.load(relaxed) + 1, relaxed); }

  std::atomic<std::uint64_t> launch_{1}, turn_{1}, ended_{1};
  std::atomic<std::uint64_t> late_launch_{0}, late_turn_{0}, late_stall_{0};
};

}  // namespace rafter::simt
