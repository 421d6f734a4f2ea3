#include "simt/engine/watchdog.hpp"

#include <link.h>
#include <signal.h>
#include <ucontext.h>

#include <cerrno>
#include <cfenv>
#include <chrono>

#include "simt/engine/worker.hpp"

namespace rafter::simt {
namespace {

constexpr int wake_up = SIGURG;  // ignored by default, and by debuggers
constexpr auto interval = std::chrono::milliseconds(10);
constexpr double long_s = 0.02;

struct Code {
  std::uintptr_t begin = 0, end = 0;
};

// The program's own code: elsewhere (in the runtime, in the C library) a thread may hold a lock.
Code program_code() {
  Code code;
  dl_iterate_phdr(
      [](dl_phdr_info* info, std::size_t, void* to) {
        for (int i = 0; i < info->dlpi_phnum; ++i) {
          const auto& segment = info->dlpi_phdr[i];
          if (segment.p_type != PT_LOAD || !(segment.p_flags & PF_X)) continue;
          const std::uintptr_t begin = info->dlpi_addr + segment.p_vaddr;
          *static_cast<Code*>(to) = {begin, begin + segment.p_memsz};
        }
        return 1;  // the program comes first
      },
      &code);
  return code;
}

std::uintptr_t address_of(const void* context) {
  const auto& machine = static_cast<const ucontext_t*>(context)->uc_mcontext;
#if defined(__aarch64__)
  return machine.pc;
#else
  return static_cast<std::uintptr_t>(machine.gregs[REG_RIP]);
#endif
}

// First the thread is kept from starting others in place; at the next signal it has had long enough.
void on_wake_up(int, siginfo_t*, void* context) {
  static const Code code = program_code();
  Worker* worker = this_worker();
  const std::uintptr_t at = address_of(context);
  if (!worker || !rafter_simt_now.inside || at < code.begin || at >= code.end) return;
  if (rafter_simt_now.run_end > 1) {
    rafter_simt_now.run_end = 1;
    return;
  }
  const int kept = errno;
  std::fesetround(FE_TONEAREST);  // others shall not run in a mode that this thread is about to put back
  worker->yield(reinterpret_cast<const void*>(at + 1));
  errno = kept;
}

}  // namespace

Watchdog& watchdog() {
  static Watchdog& only = *new Watchdog;  // its thread never ends
  return only;
}

void Watchdog::watch(Worker&) {
  const std::lock_guard lock(mutex_);
  clockid_t clock{};
  pthread_getcpuclockid(pthread_self(), &clock);
  watched_.push_back({pthread_self(), &rafter_simt_now, clock, 0, 0});
  if (thread_.joinable()) return;
  static const Code code = program_code();  // not for the first time in a handler
  struct sigaction action {};
  action.sa_sigaction = on_wake_up;
  action.sa_flags = SA_SIGINFO | SA_RESTART | SA_NODEFER;  // a handler may be left for another fiber
  sigaction(wake_up, &action, nullptr);
  thread_ = std::thread([this] { look(); });
  thread_.detach();
  static_cast<void>(code);
}

void Watchdog::look() {
  for (;;) {
    std::this_thread::sleep_for(interval);
    const std::lock_guard lock(mutex_);
    for (Watched& one : watched_) {
      const volatile rafter_simt::Now* now = one.now;
      timespec used{};
      clock_gettime(one.clock, &used);
      const double used_s = static_cast<double>(used.tv_sec) + 1e-9 * static_cast<double>(used.tv_nsec);
      if (!now->inside || now->linear != one.last_linear) one.since_s = used_s;
      one.last_linear = now->linear;
      if (used_s - one.since_s > long_s) pthread_kill(one.thread, wake_up);
    }
  }
}

}  // namespace rafter::simt
