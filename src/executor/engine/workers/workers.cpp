#include "executor/engine/workers/workers.hpp"

#include <pthread.h>

#include <cerrno>
#include <chrono>
#include <memory>
#include <system_error>
#include <thread>
#include <utility>

#include "executor/engine/faults.hpp"
#include "executor/engine/shared_memory.hpp"
#include "executor/engine/workers/watchdog.hpp"
#include "executor/engine/workers/worker.hpp"
#include "executor/process/abnormal_exit.hpp"
#include "executor/process/observer.hpp"

namespace rafter::simt {
namespace {

/// Spins for a while, and yields the core to other threads, before the caller sleeps. Launches are often short and in
/// quick succession: waking a sleeping thread would take longer than they do.
template <class Condition>
void spin_until(Condition is_over) {
  constexpr auto a_while = std::chrono::microseconds(50);
  const auto end = std::chrono::steady_clock::now() + a_while;
  while (!is_over() && std::chrono::steady_clock::now() < end) std::this_thread::yield();
}

/// A host thread as a worker of its own launches. It runs blocks instead of waiting for other threads to wake up, and a
/// launch that needs one worker involves no other thread. Only for plain runs: observers number the workers.
class HostWorker {
 public:
  HostWorker() : worker_(Worker::of_host) { watchdog().watch(worker_); }
  ~HostWorker() {
    watchdog().unwatch(worker_);
    has_ended = true;
  }
  HostWorker(const HostWorker&) = delete;
  HostWorker& operator=(const HostWorker&) = delete;

  /// Runs blocks of `grid` until none is left, then restores the state of the calling thread.
  void run(Grid& grid) {
    const int kept = errno;  // kernels do not set errno
    set_this_worker(&worker_);
    worker_.run(grid);
    set_this_worker(nullptr);
    rafter_simt_now = {};  // device functions that host code calls run outside of a kernel
    blockIdx = {};
    blockDim = {};
    gridDim = {};
    errno = kept;
  }

  /// Returns the calling thread's worker, or null when the thread is ending, as in destructors of static variables.
  static HostWorker* of_this_thread() {
    if (has_ended) return nullptr;
    thread_local HostWorker mine;
    return &mine;
  }

 private:
  inline static constinit thread_local bool has_ended = false;

  Worker worker_;
  const FaultStack faults_;
};

}  // namespace

Workers& workers() {
  static Workers& all = *new Workers;  // a program may launch from its own static destructors
  return all;
}

// Shared memory is thread-local, and the C library places a thread's copy of thread-local variables on its stack. A
// program with many kernels could use up a stack of the default size, so the stack is larger by their size.
void Workers::start_one() {
  struct Start {
    Workers& all;
    int number;
  };
  const auto begin = [](void* given) -> void* {
    const Start start = *std::unique_ptr<Start>(static_cast<Start*>(given));
    start.all.work(start.number);
  };
  pthread_attr_t attributes;
  pthread_attr_init(&attributes);
  std::size_t bytes = 0;
  pthread_attr_getstacksize(&attributes, &bytes);
  for (const SharedRange& range : find_shared_ranges()) bytes += range.bytes;
  pthread_attr_setstacksize(&attributes, bytes);
  pthread_attr_setdetachstate(&attributes, PTHREAD_CREATE_DETACHED);
  auto start = std::make_unique<Start>(Start{*this, n_started_});
  pthread_t thread;
  const int error = pthread_create(&thread, &attributes, begin, start.get());
  pthread_attr_destroy(&attributes);
  if (error != 0)
    throw std::system_error(error, std::generic_category(), "rafter: cannot create a thread that runs blocks");
  start.release();
  ++n_started_;
}

void Workers::run(Grid& grid, int n) {
  grid.divide_among(n);
  if (HostWorker* host = observing() ? nullptr : HostWorker::of_this_thread()) {
    if (n > 1) begin(grid, n - 1);
    host->run(grid);
    if (n > 1) {
      dismiss_late_workers();
      wait_for_end(true);
    }
  } else {
    begin(grid, n);
    wait_for_end(n < static_cast<int>(std::thread::hardware_concurrency()));
  }
}

void Workers::begin(Grid& grid, int n) {
  while (n_started_ < n) start_one();
  grid_ = &grid;
  wanted_ = n;
  running_ = n;
  call_ = Call{call_.load().launch + 1, n};
  { const std::lock_guard lock(mutex_); }  // a worker about to sleep has seen the call or receives the notification
  begin_.notify_all();
}

// No block is left for workers that have not woken up yet.
void Workers::dismiss_late_workers() {
  Call call = call_.load();
  while (!call_.compare_exchange_weak(call, Call{call.launch, 0})) {
  }
  running_ -= call.to_come;
}

// Spins first if the host thread has a core of its own. If workers use all cores, it would only slow them down.
void Workers::wait_for_end(bool has_core) {
  const auto is_over = [this] { return running_ == 0; };
  if (has_core) spin_until(is_over);
  std::unique_lock lock(mutex_);
  done_.wait(lock, is_over);
}

bool Workers::joins(int number, Call call) {
  while (call.to_come > 0 && number < wanted_) {
    const std::uint32_t seen = call.launch;
    if (call_.compare_exchange_weak(call, Call{seen, call.to_come - 1})) return true;
    if (call.launch != seen) return false;
  }
  return false;
}

void Workers::leave() {
  if (--running_ > 0) return;
  { const std::lock_guard lock(mutex_); }
  done_.notify_all();
}

void Workers::work(int number) {
  Worker worker(number);
  set_this_worker(&worker);
  is_worker = true;
  block_exit_signals();
  const FaultStack faults;
  watchdog().watch(worker);
  std::uint32_t seen = 0;
  for (;;) {
    const auto is_called = [&] { return call_.load().launch != seen; };
    if (seen > 0) spin_until(is_called);
    if (!is_called()) {
      std::unique_lock lock(mutex_);
      begin_.wait(lock, is_called);
    }
    const Call call = call_;
    seen = call.launch;
    if (!joins(number, call)) continue;
    worker.run(*grid_);
    leave();
  }
}

}  // namespace rafter::simt
