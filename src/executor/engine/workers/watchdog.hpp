// Looks at every worker now and then, for threads that keep their worker to themselves.
//
// A plain run sees no accesses, so a thread that waits for another in a loop of its own would wait for ever: one that
// has run for long gives the others a turn. A checked or counted run repeats exactly, so nobody is interrupted there
// until the time limit; then the launch is given up. Whoever asks for a limit has launches given up, too, in which no
// thread ends, though all of them write, take turns and pass barriers. These times are the worker's own processor time:
// a worker that was not let run is not stuck. A limit of the whole program is one of the clock on the wall.
//
// Its thread also writes the report when the process is about to end in no good order (process/sudden_end.hpp).
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
class Pace;

class Watchdog {
 public:
  /// Watches the calling OS thread, which runs `worker`, from now on.
  void watch(Worker& worker);
  /// Before that thread ends.
  void unwatch(Worker& worker);

 private:
  struct Watched {
    pthread_t thread;
    const rafter_simt::Now* now;
    Pace* pace;
    clockid_t clock;                                             // of its processor time
    std::uint64_t turn = 0, turns = 0, n_ended = 0, launch = 0;  // as last seen
    unsigned linear = 0;
    double turn_s = 0, end_s = 0, launch_s = 0;  // the clock when they were first seen
  };
  void look();
  void prepare_for_the_end();
  bool has_any_ended();
  static bool is_late(Watched& one, bool has_any_ended);
  static bool gives_up(const Watched& one, double used_s);

  std::mutex mutex_;
  std::vector<Watched> watched_;
  std::thread thread_;
};

Watchdog& watchdog();

/// Whether some worker is to be given up, or held because the process ends. A signal stops a thread in its own code,
/// but one whose accesses are watched is mostly in ours: it asks itself, after each of them.
extern std::atomic<bool> watchdog_calls;
/// Gives the running thread up, or holds it, if it is the one. `place` is in its own code.
void answer_watchdog(const void* place);

}  // namespace rafter::simt
