#include "simt/engine/workers.hpp"

#include "simt/engine/faults.hpp"
#include "simt/engine/watchdog.hpp"
#include "simt/engine/worker.hpp"
#include "simt/process/sudden_end.hpp"

namespace rafter::simt {

Workers& workers() {
  static Workers& all = *new Workers;  // a program may launch from its own static destructors
  return all;
}

Workers::~Workers() {
  {
    const std::lock_guard lock(mutex_);
    stopping_ = true;
  }
  begin_.notify_all();
  for (std::thread& thread : threads_) thread.join();
}

void Workers::run(Grid& grid, int n) {
  const std::lock_guard one(one_launch_);
  std::unique_lock lock(mutex_);
  while (static_cast<int>(threads_.size()) < n) {
    const int number = static_cast<int>(threads_.size());
    threads_.emplace_back([this, number] { work(number); });
  }
  grid_ = &grid;
  wanted_ = running_ = n;
  ++generation_;
  begin_.notify_all();
  done_.wait(lock, [this] { return running_ == 0; });
  grid_ = nullptr;
}

void Workers::work(int number) {
  Worker worker(number);
  set_this_worker(&worker);
  is_worker = true;
  leave_signals_to_others();
  catch_faults_on_this_thread();
  watchdog().watch(worker);
  std::uint64_t seen = 0;
  std::unique_lock lock(mutex_);
  for (;;) {
    begin_.wait(lock, [&] { return stopping_ || generation_ != seen; });
    if (stopping_) return;
    seen = generation_;
    if (number >= wanted_) continue;
    Grid& grid = *grid_;
    lock.unlock();
    worker.run(grid);
    lock.lock();
    if (--running_ == 0) done_.notify_all();
  }
}

}  // namespace rafter::simt
