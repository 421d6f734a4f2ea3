// The threads that ops of CPU streams run on. A host program may provide its own.
#pragma once

#include <memory>

#include "rafter/export.hpp"

namespace rafter::inline v1 {

/// Threads of the host program, such as those of an inference server, for the ops of CPU streams. The library calls
/// run() from any thread that calls an op, also from several at once and from within run().
///
/// Threads may share an object; the library calls it from any thread.
class RAFTER_API ThreadPool {
 public:
  virtual ~ThreadPool() = default;

  /// Returns the number of threads that run() may use, the calling one included. It is the default of Stream::cpu().
  [[nodiscard]] virtual int n_threads() const noexcept = 0;

  /// Calls task(context, i) once for each i of [0, n), n > 0, and returns when all calls have returned. They may be
  /// made in any order, at the same time or one after the other, by any threads. The task throws no exception.
  virtual void run(int n, void (*task)(void* context, int i), void* context) = 0;
};

/// Makes ops of CPU streams run on `pool`. Null restores the library's own threads: the calling thread and workers that
/// are created by the first op which needs them, sleep while there is no work, and are created anew in a child process
/// after fork(). Set it while no op runs.
///
/// The library's own pool has as many threads as the environment variable RAFTER_NUM_THREADS or OMP_NUM_THREADS says,
/// otherwise one for each core that the process may use.
RAFTER_API void set_thread_pool(std::shared_ptr<ThreadPool> pool);

}  // namespace rafter::inline v1
