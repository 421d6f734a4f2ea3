// A host thread as a worker of its own launches: it runs blocks itself instead of waiting for others to wake up, and a
// launch that needs one worker only goes to no other thread. Plain runs only: observers number the workers.
#pragma once

#include "executor/engine/faults.hpp"
#include "executor/engine/workers/worker.hpp"

namespace rafter::simt {

class HostWorker {
 public:
  HostWorker();
  ~HostWorker();
  HostWorker(const HostWorker&) = delete;
  HostWorker& operator=(const HostWorker&) = delete;

  /// Runs blocks of `grid` until none is left; the calling thread is then as it was.
  void run(Grid& grid);

  /// The calling thread's; nobody when the thread is about to end, as in destructors of static variables.
  static HostWorker* of_this_thread();

 private:
  Worker worker_;
  const FaultStack faults_;
};

}  // namespace rafter::simt
