// rafter-sandbox: starts one program in a sandbox; see plan.hpp for its words and base/sandbox/sandbox.hpp for its use.
#include <fcntl.h>
#include <poll.h>
#include <sys/prctl.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <csignal>
#include <cstdio>
#include <cstdlib>
#include <cstring>

#include "base/sandbox/launcher/filter.hpp"
#include "base/sandbox/launcher/namespaces.hpp"
#include "base/sandbox/launcher/plan.hpp"
#include "base/sandbox/launcher/supervisor.hpp"

namespace rafter::sandbox {

void report(const Plan& plan, const std::string& line) {
  const std::string text = line + "\n";
  if (write(plan.status_file, text.data(), text.size()) != static_cast<ssize_t>(text.size())) _exit(3);
}

void fail(const Plan& plan, const std::string& what, int error) {
  report(plan, "failed cannot " + what + ": " + std::strerror(error));
  _exit(2);
}

namespace {

constexpr int usage_code = 2;

[[noreturn]] void refuse_words() {
  std::fprintf(stderr, "rafter-sandbox is started by rafter, for commands with --untrusted\n");
  std::exit(usage_code);
}

Plan plan_of(char** words) {
  constexpr int n_numbers = 7;
  Plan plan;
  int at = 1;
  for (; at <= n_numbers; ++at) {
    if (words[at] == nullptr) refuse_words();
  }
  plan.status_file = std::atoi(words[1]);
  std::int64_t* const limits[] = {&plan.n_tasks, &plan.memory_bytes, &plan.disk_bytes, &plan.file_bytes};
  for (int i = 0; i < 4; ++i) *limits[i] = std::atoll(words[2 + i]);
  plan.time_limit_s = std::atof(words[6]);
  plan.user_of_root = static_cast<unsigned>(std::atoll(words[7]));
  for (; words[at] != nullptr && std::strcmp(words[at], "--") != 0; ++at) plan.readable.emplace_back(words[at]);
  constexpr int n_last = 5;  // --, two folders, -- and the program
  for (int i = 0; i < n_last; ++i) {
    if (words[at + i] == nullptr) refuse_words();
  }
  plan.writable = words[at + 1];
  plan.folder = words[at + 2];
  plan.program = words + at + 4;
  if (std::strcmp(words[at + 3], "--") != 0 || fcntl(plan.status_file, F_SETFD, FD_CLOEXEC) != 0) refuse_words();
  return plan;
}

void close_other_files(const Plan& plan) {
  const auto kept = static_cast<unsigned>(plan.status_file);
  if (kept > 3) syscall(SYS_close_range, 3U, kept - 1, 0);
  syscall(SYS_close_range, std::max(kept, 2U) + 1, ~0U, 0);
}

/// Starts the program, as a child of process 1.
pid_t start(const Plan& plan) {
  const pid_t program = fork();
  if (program != 0) return program;
  setsid();
  signal(SIGTERM, SIG_DFL);
  drop_privileges(plan);
  set_limits(plan);
  filter_calls(plan);
  sigset_t none;
  sigemptyset(&none);
  sigprocmask(SIG_SETMASK, &none, nullptr);
  execvp(plan.program[0], plan.program);
  fail(plan, std::string("run '") + plan.program[0] + "'", errno);
}

/// Process 1 of the sandbox. Its parent, which has the other end of `parent_alive`, is outside of the sandbox and has
/// no process id here.
[[noreturn]] void inside(const Plan& plan, int parent_alive) {
  prctl(PR_SET_PDEATHSIG, SIGKILL);
  pollfd alive{parent_alive, 0, 0};
  if (poll(&alive, 1, 0) != 0) _exit(usage_code);  // it ended before the line above
  close(parent_alive);
  prctl(PR_SET_DUMPABLE, 0);  // the program cannot read or trace this process
  sigset_t child;
  sigemptyset(&child);
  sigaddset(&child, SIGCHLD);
  sigprocmask(SIG_BLOCK, &child, nullptr);
  enter_root(plan);
  const pid_t program = start(plan);
  if (program < 0) fail(plan, "start a process", errno);
  supervise(plan, program);
  _exit(0);
}

}  // namespace
}  // namespace rafter::sandbox

int main(int, char** words) {
  using namespace rafter::sandbox;
  if (words[0] == nullptr) return usage_code;
  Plan plan = plan_of(words);
  close_other_files(plan);
  signal(SIGTERM, SIG_IGN);  // process 1 ends the program
  enter_namespaces(plan);
  int alive[2];
  if (pipe2(alive, O_CLOEXEC) != 0) fail(plan, "create a pipe", errno);
  const pid_t first = fork();
  if (first < 0) fail(plan, "start a process", errno);
  if (first == 0) {
    close(alive[1]);
    inside(plan, alive[0]);
  }
  int status = 0;
  while (waitpid(first, &status, 0) < 0 && errno == EINTR) continue;
  return 0;
}
