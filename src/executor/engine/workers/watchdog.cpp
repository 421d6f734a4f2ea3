#include "executor/engine/workers/watchdog.hpp"

#include <signal.h>
#include <ucontext.h>
#include <unistd.h>

#include <algorithm>
#include <atomic>
#include <cerrno>
#include <cfenv>
#include <chrono>
#include <memory>

#include "executor/engine/failure.hpp"
#include "executor/engine/sync_findings.hpp"
#include "executor/engine/workers/worker.hpp"
#include "executor/memory/elf_file.hpp"
#include "executor/memory/modules.hpp"
#include "executor/process/abnormal_exit.hpp"
#include "executor/process/observer.hpp"

namespace rafter::simt {
namespace {

constexpr int wake_up = SIGURG;  // ignored by default, and by debuggers
constexpr auto interval = std::chrono::milliseconds(10);
constexpr auto short_interval = std::chrono::microseconds(200);  // while a thread is to be stopped
constexpr double long_s = 0.02;                                  // after which a thread of a plain run is interrupted

struct Code {
  std::uintptr_t begin, end;
};

double seconds_on(clockid_t clock) {
  timespec time{};
  clock_gettime(clock, &time);
  return static_cast<double>(time.tv_sec) + 1e-9 * static_cast<double>(time.tv_nsec);
}

/// The time the program has had: the lesser of wall time and the processor time of all its threads, from look to look.
class ProgramTime {
 public:
  double seconds() const { return total_s_; }
  void update() {
    const double wall = seconds_on(CLOCK_MONOTONIC), processor = seconds_on(CLOCK_PROCESS_CPUTIME_ID);
    total_s_ += std::min(wall - wall_, processor - processor_);
    wall_ = wall;
    processor_ = processor;
  }

 private:
  double wall_ = seconds_on(CLOCK_MONOTONIC), processor_ = seconds_on(CLOCK_PROCESS_CPUTIME_ID), total_s_ = 0;
};

ProgramTime program_time;
std::atomic<bool> is_held = false;  // whether a worker is held because the process exits

// The program's code. Elsewhere, in the runtime or the C library, a thread may hold a lock. The signal handler reads
// this list, so it is replaced as a whole and never freed when the program loads a library.
std::atomic<const std::vector<Code>*> own_code = nullptr;
unsigned long long n_loaded = 0;

void find_own_code() {
  unsigned long long n = 0;
  for_own_modules([&](const dl_phdr_info& info) { n = info.dlpi_adds; });
  if (n == n_loaded) return;
  n_loaded = n;
  auto found = std::make_unique<std::vector<Code>>();
  for_own_modules([&](const dl_phdr_info& info) {
    const ElfFile::Section text =
        ElfFile(info.dlpi_name).section(".text");  // stubs outside of .text have no line numbers
    found->push_back({info.dlpi_addr + text.address, info.dlpi_addr + text.address + text.bytes});
  });
  own_code.store(found.release());
}

bool is_own_code(std::uintptr_t address) {
  const std::vector<Code>* all = own_code.load();  // null: the signal is not the watchdog's
  return all && std::any_of(all->begin(), all->end(),
                            [&](const Code& code) { return address >= code.begin && address < code.end; });
}

std::uintptr_t address_of(const void* context) {
  const auto& machine = static_cast<const ucontext_t*>(context)->uc_mcontext;
#if defined(__aarch64__)
  return machine.pc;
#else
  return static_cast<std::uintptr_t>(machine.gregs[REG_RIP]);
#endif
}

void on_wake_up(int, siginfo_t*, void* context) {
  Worker* worker = this_worker();
  const std::uintptr_t at = address_of(context);
  if (!worker || !rafter_simt_now.inside || rafter_simt_now.switching || !is_own_code(at)) return;
  const void* place = reinterpret_cast<const void*>(at + 1);  // places are return addresses
  answer_watchdog(place);
  if (observing() || rafter_simt_now.loop >= 2) return;  // threads of a loop never wait
  // The first signal keeps the thread from starting others in place. It yields at the next one.
  if (rafter_simt_now.run_end > 1) {
    rafter_simt_now.run_end = 1;
    return;
  }
  const int kept = errno;
  std::fesetround(FE_TONEAREST);  // the rounding mode of this thread must not affect others
  worker->yield(place);
  errno = kept;
}

}  // namespace

std::atomic<bool> watchdog_calls = false;

void answer_watchdog(const void* place) {
  if (is_exit_pending()) {
    is_held = true;
    for (;;) pause();
  }
  Worker* worker = this_worker();
  if (const Timeout timeout = worker->progress().timeout(); timeout != Timeout::none) {
    std::fesetround(FE_TONEAREST);  // the thread does not restore its own mode
    report_timeout(worker->block(), timeout, place);
    worker->abandon(launch_timeout);
  }
}

Watchdog& watchdog() {
  static Watchdog& only = *new Watchdog;  // its thread never ends
  return only;
}

void Watchdog::watch(Worker& worker) {
  const std::lock_guard lock(mutex_);
  clockid_t clock{};
  pthread_getcpuclockid(pthread_self(), &clock);
  watched_.push_back({pthread_self(), &rafter_simt_now, &worker.progress(), clock});
  if (thread_.joinable()) return;
  struct sigaction action {};
  action.sa_sigaction = on_wake_up;
  action.sa_flags = SA_SIGINFO | SA_RESTART | SA_NODEFER;  // a handler may switch to another fiber
  sigaction(wake_up, &action, nullptr);
  thread_ = std::thread([this] { watch_workers(); });
  thread_.detach();
}

void Watchdog::unwatch(Worker& worker) {
  const std::lock_guard lock(mutex_);
  std::erase_if(watched_, [&](const Watched& one) { return one.progress == &worker.progress(); });
}

// The report may only be read while no thread changes the observers' data, which is certain in the program's code.
void Watchdog::prepare_exit() {
  constexpr int n_tries = 2500;
  const auto is_still = [&] {
    return !observing() || is_held || std::none_of(watched_.begin(), watched_.end(), [](const Watched& one) {
      return static_cast<const volatile rafter_simt::Now*>(one.now)->inside != 0;
    });
  };
  watchdog_calls = true;
  for (int i = 0; i < n_tries && !is_still(); ++i) {
    find_own_code();
    for (const Watched& one : watched_) pthread_kill(one.thread, wake_up);
    std::this_thread::sleep_for(short_interval);
  }
  run_exit_action(is_still());
}

void Watchdog::watch_workers() {
  serve_abnormal_exits();
  for (bool has_timeout = false;;) {
    if (has_timeout) {
      std::this_thread::sleep_for(short_interval);
    } else {
      std::this_thread::sleep_for(interval);
    }
    const std::lock_guard lock(mutex_);
    if (is_exit_pending()) prepare_exit();
    program_time.update();
    has_timeout = false;
    const bool has_ended = has_any_ended();
    for (Watched& one : watched_) {
      if (!is_late(one, has_ended)) continue;
      has_timeout = has_timeout || one.progress->timeout() != Timeout::none;
      find_own_code();
      pthread_kill(one.thread, wake_up);
    }
    watchdog_calls = has_timeout;
  }
}

// Called when the program's time limit has expired. Stops the launch only if it made no progress for half of that time.
bool Watchdog::stop_if_stuck(const Watched& one, double used_s) {
  const double most_s = options().program_limit_s / 2;
  if (observing() && used_s - one.running_s > most_s) {
    one.progress->stop_slice(one.running);
    return true;
  }
  if (used_s - one.end_s > most_s) {
    one.progress->stop_stall(one.n_ended);
    return true;
  }
  return false;
}

// Returns whether a thread of any worker has ended since the last check. All workers run the same launch.
bool Watchdog::has_any_ended() {
  return std::any_of(watched_.begin(), watched_.end(), [](const Watched& one) {
    const volatile rafter_simt::Now* now = one.now;
    // Exits of threads that run in place are not counted. Within one slice the next one runs when the last one has
    // ended.
    const bool in_place = now->run_end != 0 && one.progress->slice() == one.slice && now->linear != one.linear;
    return one.progress->n_ended() != one.n_ended || in_place;
  });
}

bool Watchdog::is_late(Watched& one, bool has_any_ended) {
  const volatile rafter_simt::Now* now = one.now;
  const double used_s = seconds_on(one.clock);
  // Threads that run in place do not begin slices, but the thread number changes.
  const std::uint64_t running = observing() ? one.progress->slice() : now->linear, launch = one.progress->launch();
  if (!now->inside || launch != one.launch || running != one.running) one.running_s = used_s;
  if (launch != one.launch || has_any_ended) one.end_s = used_s;
  if (launch != one.launch) one.launch_s = used_s;
  one.slice = one.progress->slice();
  one.n_ended = one.progress->n_ended();
  one.linear = now->linear;
  one.running = running;
  one.launch = launch;
  const Options& limits = options();
  if (!now->inside) return false;
  if (limits.program_limit_s > 0 && program_time.seconds() > limits.program_limit_s && stop_if_stuck(one, used_s))
    return true;
  if (limits.launch_limit_s > 0 && used_s - one.launch_s > limits.launch_limit_s) {
    one.progress->stop_launch(launch);
    return true;
  }
  if (observing() && used_s - one.running_s > limits.patience_s()) {
    one.progress->stop_slice(running);
    return true;
  }
  if (limits.time_limit_s > 0 && used_s - one.end_s > limits.time_limit_s) {
    one.progress->stop_stall(one.n_ended);
    return true;
  }
  return !observing() && used_s - one.running_s > long_s;
}

}  // namespace rafter::simt
