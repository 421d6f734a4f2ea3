// A plain run sees no accesses, so a thread that waits for another in a loop of its own would wait for ever. The
// watchdog looks at every worker now and then, and makes a thread that has run for long give the others a turn.
#pragma once

#include <pthread.h>
#include <time.h>

#include <mutex>
#include <thread>
#include <vector>

#include "rafter_simt/abi.hpp"

namespace rafter::simt {

class Worker;

class Watchdog {
 public:
  /// Watches the calling OS thread, which runs `worker`, from now on.
  void watch(Worker& worker);

 private:
  struct Watched {
    pthread_t thread;
    const rafter_simt::Now* now;
    clockid_t clock;  // of its own processor time: a worker that was not let run is not stuck
    double since_s;   // when the CUDA thread was first seen
    unsigned last_linear;
  };
  void look();

  std::mutex mutex_;
  std::vector<Watched> watched_;
  std::thread thread_;
};

Watchdog& watchdog();

}  // namespace rafter::simt
