#include "executor/process/abnormal_exit.hpp"

#include <signal.h>
#include <sys/syscall.h>
#include <time.h>
#include <unistd.h>

#include <atomic>
#include <cstdlib>

#include "executor/process/options.hpp"

namespace rafter::simt {
namespace {

// Signals that end a process. Memory faults are not among them: the engine handles those (engine/faults.cpp).
constexpr int deadly[] = {SIGHUP,  SIGINT,  SIGQUIT, SIGILL,  SIGTRAP,   SIGABRT, SIGUSR1, SIGUSR2,
                          SIGPIPE, SIGALRM, SIGTERM, SIGXCPU, SIGVTALRM, SIGPROF, SIGSYS};
constexpr int from_outside[] = {SIGHUP,  SIGINT,  SIGQUIT, SIGUSR1,   SIGUSR2,
                                SIGALRM, SIGTERM, SIGXCPU, SIGVTALRM, SIGPROF};
constexpr int patience_ms = 1500;

void (*first)() = nullptr;
pid_t process = 0;  // a forked child writes no report
std::atomic<bool> is_served = false, is_wanted = false, is_done = false;
thread_local bool is_server = false;

void on_deadly(int signal) {
  handle_abnormal_exit();
  struct sigaction usual {};
  usual.sa_handler = SIG_DFL;
  sigaction(signal, &usual, nullptr);
  raise(signal);  // delivered when the handler returns
}

void catch_deadly_signals() {
  for (const int signal : deadly) {
    struct sigaction now {};
    sigaction(signal, nullptr, &now);
    if ((now.sa_flags & SA_SIGINFO) != 0 || now.sa_handler != SIG_DFL) continue;  // ignored, or handled by the program
    struct sigaction action {};
    action.sa_handler = on_deadly;
    sigaction(signal, &action, nullptr);
  }
}

}  // namespace

void set_exit_action(void (*act)()) {
  if (options().report_path.empty()) return;
  first = act;
  process = getpid();
  catch_deadly_signals();
}

void handle_abnormal_exit() {
  if (!is_served || is_server || getpid() != process || is_wanted.exchange(true)) return;
  constexpr timespec one_ms{0, 1'000'000};
  for (int ms = 0; ms < patience_ms && !is_done; ++ms) nanosleep(&one_ms, nullptr);
}

void serve_abnormal_exits() {
  block_exit_signals();
  is_server = true;
  is_served = first != nullptr;
}

bool is_exit_pending() { return is_wanted && !is_done; }

void run_exit_action(bool is_still) {
  if (is_still) first();
  is_done = true;
}

void block_exit_signals() {
  sigset_t some;
  sigemptyset(&some);
  for (const int signal : from_outside) sigaddset(&some, signal);
  pthread_sigmask(SIG_BLOCK, &some, nullptr);
}

}  // namespace rafter::simt

// Replaces the C library's _exit, which would end the process without a report.
extern "C" __attribute__((visibility("default"))) void _exit(int code) {
  rafter::simt::handle_abnormal_exit();
  for (;;) syscall(SYS_exit_group, code);
}
extern "C" __attribute__((visibility("default"))) void _Exit(int code) { _exit(code); }
