#include "simt/engine/workers.hpp"

#include <chrono>

#include "simt/engine/faults.hpp"
#include "simt/engine/watchdog.hpp"
#include "simt/engine/worker.hpp"
#include "simt/process/sudden_end.hpp"

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
  lock.unlock();
  // Where workers have all cores, the launching thread would be in their way.
  if (n < static_cast<int>(std::thread::hardware_concurrency())) look_out([this] { return running_ == 0; });
  lock.lock();
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
    lock.unlock();
    if (seen > 0) look_out([&] { return generation_ != seen; });
    lock.lock();
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
