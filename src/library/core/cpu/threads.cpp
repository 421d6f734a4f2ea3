#include "library/core/cpu/threads.hpp"

#include <dlfcn.h>
#include <pthread.h>

#include <chrono>
#include <csignal>
#include <cstdlib>
#include <exception>
#include <memory>
#include <mutex>
#include <system_error>
#include <utility>
#include <vector>

#include "library/core/cpu/affinity.hpp"
#include "rafter/thread_pool.hpp"

namespace rafter::core {

namespace {

/// A task of all threads of a team.
using TeamTask = void (*)(const void* f, int thread, int n_threads);

/// The time for which a thread polls before it sleeps: waking a sleeping thread takes several microseconds, which ops
/// that follow each other need not pay.
constexpr std::chrono::microseconds polling_time{30};

/// A counter that one thread advances and another one waits for.
class alignas(64) Signal {
 public:
  unsigned value() const noexcept { return value_.load(std::memory_order_relaxed); }

  /// Advances the counter, without waking the thread that waits.
  void advance() noexcept { value_.fetch_add(1, std::memory_order_seq_cst); }

  /// Wakes the thread that waits. Costs no system call while that thread polls.
  void wake() noexcept {
    if (is_asleep_.load(std::memory_order_seq_cst)) value_.notify_one();
  }

  /// Returns when the counter is not `old`: polls for a short time, then sleeps.
  void wait_while(unsigned old) noexcept {
    static const bool has_one_core = n_usable_cores() == 1;  // which the other thread needs
    if (!has_one_core) {
      const auto end = std::chrono::steady_clock::now() + polling_time;
      do {
        for (int i = 0; i < 32; ++i) {
          if (value_.load(std::memory_order_acquire) != old) return;
          pause();
        }
      } while (std::chrono::steady_clock::now() < end);
    }
    // Either this thread sees the new value, or the one that advances sees that this one sleeps.
    is_asleep_.store(true, std::memory_order_seq_cst);
    while (value_.load(std::memory_order_seq_cst) == old) value_.wait(old, std::memory_order_seq_cst);
    is_asleep_.store(false, std::memory_order_relaxed);
  }

 private:
  std::atomic<unsigned> value_{0};
  std::atomic<bool> is_asleep_{false};
};

/// Keeps the object that contains this code loaded: workers run in it until the process ends, also if a program unloads
/// the plugin that the library is linked into.
void stay_loaded() noexcept {
  static int here;
  Dl_info object{};
  if (dladdr(&here, &object) != 0 && object.dli_fname != nullptr)
    dlopen(object.dli_fname, RTLD_LAZY | RTLD_NOLOAD | RTLD_NODELETE);
}

/// Blocks signals in the calling thread, and so in threads that it creates, except a thread's own faults and a
/// profiler's timer. Signals sent to the process go to the host's threads.
class BlockedSignals {
 public:
  BlockedSignals() noexcept {
    sigset_t blocked;
    sigfillset(&blocked);
    for (const int own : {SIGSEGV, SIGBUS, SIGFPE, SIGILL, SIGTRAP, SIGABRT, SIGSYS, SIGPROF}) sigdelset(&blocked, own);
    pthread_sigmask(SIG_SETMASK, &blocked, &before_);
  }
  ~BlockedSignals() { pthread_sigmask(SIG_SETMASK, &before_, nullptr); }
  BlockedSignals(const BlockedSignals&) = delete;
  BlockedSignals& operator=(const BlockedSignals&) = delete;

 private:
  sigset_t before_;
};

/// The library's own threads. A team is the calling thread and workers that belong to it alone until its task ends, so
/// the threads of a team run at the same time and may wait for each other. Teams of concurrent callers share the
/// workers: each gets those that are free.
class Workers {
 public:
  /// Runs the task on a team of at most `most` threads; the calling one is thread 0.
  void run_team(int most, TeamTask task, const void* f) {
    const std::vector<Worker*> team = take(most - 1);
    const int n_threads = static_cast<int>(team.size()) + 1;
    for (std::size_t i = 0; i < team.size(); ++i) {
      Worker& worker = *team[i];
      worker.task = task;
      worker.f = f;
      worker.thread = static_cast<int>(i) + 1;
      worker.n_threads = n_threads;
      worker.team = team.data();
      worker.started.advance();
    }
    wake_followers(team.data(), 0, n_threads);
    task(f, 0, n_threads);
    for (Worker* worker : team) {
      worker->ended.wait_while(worker->started.value() - 1);
    }
    give_back(team);
  }

 private:
  struct alignas(64) Worker {
    int number = 0;
    TeamTask task = nullptr;
    const void* f = nullptr;
    int thread = 0;
    int n_threads = 0;
    Worker* const* team = nullptr;  // valid until all workers of the team have ended the task
    Signal started, ended;          // the numbers of tasks
  };

  /// Wakes the two workers that `thread` is responsible for; they wake others in turn, so that a large team wakes in
  /// logarithmic time.
  static void wake_followers(Worker* const* team, int thread, int n_threads) noexcept {
    for (int next = 2 * thread + 1; next <= 2 * thread + 2 && next < n_threads; ++next) team[next - 1]->started.wake();
  }

  static void work(Worker& worker) noexcept {
    const AllCores anywhere;  // a worker inherits the affinity of the thread that created it, which may be one core
    for (unsigned done = 0;; ++done) {
      worker.started.wait_while(done);
      wake_followers(worker.team, worker.thread, worker.n_threads);
      worker.task(worker.f, worker.thread, worker.n_threads);
      worker.ended.advance();
      worker.ended.wake();
    }
  }

  /// Creates a worker; false if the system refuses another thread.
  bool add_worker() {
    auto worker = std::make_unique<Worker>();
    worker->number = static_cast<int>(all_.size());
    free_.reserve(all_.size() + 1);
    all_.reserve(all_.size() + 1);
    if (all_.empty()) stay_loaded();
    try {
      const BlockedSignals blocked;
      std::thread([own = worker.get()] { work(*own); }).detach();
    } catch (const std::system_error&) {
      return false;
    }
    free_.insert(free_.begin(), worker.get());  // taken last
    all_.push_back(std::move(worker));
    return true;
  }

  /// Takes up to n free workers, those with the smallest numbers first, so that parts stay on their threads.
  std::vector<Worker*> take(int n) {
    const auto wanted = static_cast<std::size_t>(std::max(n, 0));
    std::vector<Worker*> team;
    team.reserve(wanted);
    const std::lock_guard lock(mutex_);
    while (all_.size() < wanted && add_worker()) {
    }
    for (; team.size() < wanted && !free_.empty(); free_.pop_back()) team.push_back(free_.back());
    return team;
  }

  void give_back(const std::vector<Worker*>& team) noexcept {
    const std::lock_guard lock(mutex_);
    free_.insert(free_.end(), team.rbegin(), team.rend());
    const auto by_falling_number = [](const Worker* a, const Worker* b) { return a->number > b->number; };
    if (!std::is_sorted(free_.begin(), free_.end(), by_falling_number))
      std::sort(free_.begin(), free_.end(), by_falling_number);
  }

  std::mutex mutex_;
  std::vector<std::unique_ptr<Worker>> all_;
  std::vector<Worker*> free_;  // by falling number; never needs more memory than all_ workers
};

std::atomic<Workers*> current_workers{nullptr};

/// The workers of this process. They are never destroyed: they may run until the process ends.
Workers& workers() {
  Workers* now = current_workers.load(std::memory_order_acquire);
  if (now != nullptr) return *now;
  // A child process has none of its parent's threads, and perhaps a locked mutex: it begins with a new object.
  static const int registered =
      pthread_atfork(nullptr, nullptr, [] { current_workers.store(nullptr, std::memory_order_release); });
  static_cast<void>(registered);
  auto made = std::make_unique<Workers>();
  if (current_workers.compare_exchange_strong(now, made.get(), std::memory_order_acq_rel)) return *made.release();
  return *now;
}

/// The pool of the host program, or null. It changes only while no op runs.
std::shared_ptr<ThreadPool>& host_pool() {
  static auto& pool = *new std::shared_ptr<ThreadPool>;
  return pool;
}

int threads_in(const char* variable) noexcept {
  const char* text = std::getenv(variable);
  if (text == nullptr) return 0;
  char* end = nullptr;
  const long n = std::strtol(text, &end, 10);
  return end != text && (*end == '\0' || *end == ',') && n > 0 && n <= 4096 ? static_cast<int>(n) : 0;
}

int own_threads() noexcept {
  static const int n = [] {
    for (const char* variable : {"RAFTER_NUM_THREADS", "OMP_NUM_THREADS"}) {
      if (const int wanted = threads_in(variable); wanted > 0) return wanted;
    }
    return n_usable_cores();
  }();
  return n;
}

/// The first exception of a task's parts.
class FirstException {
 public:
  template <class F>
  void run(const F& f) noexcept {
    try {
      f();
    } catch (...) {
      if (!is_taken_.exchange(true)) first_ = std::current_exception();
    }
  }
  void rethrow() const {
    if (first_) std::rethrow_exception(first_);
  }

 private:
  std::atomic<bool> is_taken_{false};
  std::exception_ptr first_;
};

struct Parts {
  detail::PartTask task;
  const void* f;
  int n;
  FirstException exception;

  void run(int part) noexcept {
    exception.run([&] { task(f, part); });
  }
};

/// The steps that each thread has finished.
struct alignas(64) Progress {
  std::atomic<std::int64_t> n_steps{0};
};

struct Steps {
  detail::StepTask task;
  const void* f;
  std::int64_t n;
  bool is_ring;
  std::vector<Progress> progress;  // of each thread

  /// Runs one step of a thread when the adjacent threads have finished the previous one.
  void run(int thread, int n_threads, std::int64_t step) noexcept {
    for (int adjacent : {thread - 1, thread + 1}) {
      if (is_ring) adjacent = adjacent < 0 ? n_threads - 1 : adjacent == n_threads ? 0 : adjacent;
      if (adjacent < 0 || adjacent >= n_threads) continue;
      const auto& there = progress[static_cast<std::size_t>(adjacent)].n_steps;
      wait_until([&] { return there.load(std::memory_order_acquire) >= step; });
    }
    task(f, thread, n_threads, step);
    progress[static_cast<std::size_t>(thread)].n_steps.store(step + 1, std::memory_order_release);
  }
};

/// Runs the steps on a pool whose threads need not run at the same time: they claim (step, thread) pairs in order, so
/// that they wait only for steps that another one already runs.
void run_in_claimed_steps(ThreadPool& pool, int n_threads, Steps& steps) {
  struct Claims {
    Steps& steps;
    int n_threads;
    std::atomic<std::int64_t> next{0};
  } claims{steps, n_threads};
  const auto work = [](void* context, int) {
    Claims& all = *static_cast<Claims*>(context);
    for (std::int64_t i; (i = all.next.fetch_add(1, std::memory_order_relaxed)) < all.steps.n * all.n_threads;) {
      const auto thread = static_cast<int>(i % all.n_threads);
      const std::int64_t step = i / all.n_threads;
      auto& own = all.steps.progress[static_cast<std::size_t>(thread)].n_steps;
      wait_until([&] { return own.load(std::memory_order_acquire) >= step; });
      all.steps.run(thread, all.n_threads, step);
    }
  };
  pool.run(n_threads, work, &claims);
}

}  // namespace

void detail::run_parts(int n_parts, PartTask task, const void* f) {
  Parts parts{task, f, n_parts, {}};
  if (ThreadPool* pool = host_pool().get()) {
    pool->run(
        n_parts, [](void* context, int part) { static_cast<Parts*>(context)->run(part); }, &parts);
    return parts.exception.rethrow();
  }
  const auto share = [](const void* context, int thread, int n_threads) {
    auto& all = *static_cast<Parts*>(const_cast<void*>(context));
    for (int part = thread; part < all.n; part += n_threads) all.run(part);
  };
  workers().run_team(n_parts, share, &parts);
  parts.exception.rethrow();
}

void detail::run_in_steps(int most_threads, std::int64_t n_steps, bool is_ring, StepTask task, const void* f) {
  Steps steps{task, f, n_steps, is_ring, std::vector<Progress>(static_cast<std::size_t>(most_threads))};
  if (ThreadPool* pool = host_pool().get()) return run_in_claimed_steps(*pool, most_threads, steps);
  const auto all_steps = [](const void* context, int thread, int n_threads) {
    auto& all = *static_cast<Steps*>(const_cast<void*>(context));
    for (std::int64_t step = 0; step < all.n; ++step) all.run(thread, n_threads, step);
  };
  workers().run_team(most_threads, all_steps, &steps);
}

int default_threads() noexcept {
  const ThreadPool* pool = host_pool().get();
  return pool != nullptr ? std::max(pool->n_threads(), 1) : own_threads();
}

}  // namespace rafter::core

void rafter::set_thread_pool(std::shared_ptr<ThreadPool> pool) { core::host_pool() = std::move(pool); }
