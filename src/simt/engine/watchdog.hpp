// A plain run sees no accesses, so a thread that waits for another in a loop of its own would wait for ever. The watchdog
// looks at every worker now and then, and makes a thread that has run for long give the others a turn.
#pragma once

#include <pthread.h>

#include <condition_variable>
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
    unsigned last_linear;
    unsigned n_looks;  // at which the same thread ran
  };
  void look();

  std::mutex mutex_;
  std::vector<Watched> watched_;
  std::thread thread_;
};

Watchdog& watchdog();

}  // namespace rafter::simt
