// The watchdog: a thread that checks every worker periodically for CUDA threads that monopolise it.
//
// A plain run sees no accesses, so a thread that spins on a value of another thread would spin for ever. The watchdog
// interrupts a thread that has run for long, so that others run. A checked or counted run is deterministic, so no
// thread is interrupted there before the time limit; then the launch is abandoned. If the user sets a time limit,
// launches are also abandoned when no thread ends, even though threads write, alternate and pass barriers. These times
// are the worker's processor time: a worker that the OS did not schedule is not stuck. The limit of the whole program
// counts processor time, too, and no faster than wall time, so that several workers do not shorten it.
//
// The watchdog's thread also writes the report at an abnormal exit (process/abnormal_exit.hpp).
#pragma once

#include <pthread.h>
#include <time.h>

#include <atomic>
#include <cstdint>
#include <mutex>
#include <thread>
#include <vector>

#include "rafter_simt/abi.hpp"

namespace rafter::simt {

class Worker;
class WorkerProgress;

class Watchdog {
 public:
  /// Starts watching the calling OS thread, which runs `worker`.
  void watch(Worker& worker);
  /// Stops watching; called before that thread ends.
  void unwatch(Worker& worker);

 private:
  struct Watched {
    pthread_t thread;
    const rafter_simt::Now* now;
    WorkerProgress* progress;
    clockid_t clock;  // of its processor time
    // As last seen. `running` identifies what runs: the slice, or in a plain run the thread.
    std::uint64_t running = 0, slice = 0, n_ended = 0, launch = 0;
    unsigned linear = 0;
    double running_s = 0, end_s = 0, launch_s = 0;  // the clock when `running`, `n_ended` and `launch` were first seen
  };
  [[noreturn]] void watch_workers();
  void prepare_exit();
  bool has_any_ended();
  static bool is_late(Watched& one, bool has_any_ended);
  static bool stop_if_stuck(const Watched& one, double used_s);

  std::mutex mutex_;
  std::vector<Watched> watched_;
  std::thread thread_;
};

Watchdog& watchdog();

/// Whether the watchdog wants to stop a worker, or to hold it because the process exits. The watchdog's signal
/// interrupts a thread only in the program's code. A thread under observation is mostly in the runtime's
/// code, so it polls this flag after each access.
extern std::atomic<bool> watchdog_calls;
/// Abandons the launch, or holds the running thread, if the watchdog wants that. `place` is in the program's code.
void answer_watchdog(const void* place);

}  // namespace rafter::simt
