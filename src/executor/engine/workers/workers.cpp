#include "executor/engine/workers/workers.hpp"

#include <pthread.h>

#include <chrono>
#include <memory>
#include <system_error>
#include <thread>
#include <utility>

#include "executor/engine/faults.hpp"
#include "executor/engine/shared_memory.hpp"
#include "executor/engine/workers/host_worker.hpp"
#include "executor/engine/workers/watchdog.hpp"
#include "executor/engine/workers/worker.hpp"
#include "executor/process/observer.hpp"
#include "executor/process/sudden_end.hpp"

namespace rafter::simt {
namespace {

/// Launches are often short and follow each other: waking a thread that sleeps would take longer than they do. So who
/// waits looks out for a while first; whoever else needs the core gets it.
template <class Condition>
void look_out(Condition is_over) {
  constexpr auto a_while = std::chrono::microseconds(50);
  const auto end = std::chrono::steady_clock::now() + a_while;
  while (!is_over() && std::chrono::steady_clock::now() < end) std::this_thread::yield();
}

}  // namespace

Workers& workers() {
  static Workers& all = *new Workers;  // a program may launch from its own static destructors
  return all;
}

// The C library takes a thread's copies of the thread-local variables, which shared memory is, out of its stack: a
// program with many kernels would leave nothing of one of the usual size.
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
  if (error != 0) throw std::system_error(error, std::generic_category(), "rafter: no thread to run blocks on");
  start.release();
  ++n_started_;
}

void Workers::run(Grid& grid, int n) {
  grid.divide_among(n);
  if (HostWorker* host = observing() ? nullptr : HostWorker::of_this_thread()) {
    if (n > 1) begin(grid, n - 1);
    host->run(grid);
    if (n > 1) {
      go_without_late_ones();
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
  { const std::lock_guard lock(mutex_); }  // who is about to sleep has seen the call or hears the next line
  begin_.notify_all();
}

// Nothing is left to do for those that have not woken up yet.
void Workers::go_without_late_ones() {
  Call call = call_.load();
  while (!call_.compare_exchange_weak(call, Call{call.launch, 0})) {
  }
  running_ -= call.to_come;
}

// Where workers have all cores, a thread that looks out would be in their way.
void Workers::wait_for_end(bool has_core) {
  const auto is_over = [this] { return running_ == 0; };
  if (has_core) look_out(is_over);
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
  leave_signals_to_others();
  const FaultStack faults;
  watchdog().watch(worker);
  std::uint32_t seen = 0;
  for (;;) {
    const auto is_called = [&] { return call_.load().launch != seen; };
    if (seen > 0) look_out(is_called);
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
