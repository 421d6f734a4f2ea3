#include "base/child.hpp"

#include <fcntl.h>
#include <sys/prctl.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <chrono>
#include <csignal>
#include <cstdio>
#include <cstdlib>
#include <thread>

#include "rafter/error.hpp"

namespace rafter::base {

namespace {

[[noreturn]] void become(const ChildRun& run, char* const* words) {
  if (!run.runtime.empty()) setenv("RAFTER_SIMT", run.runtime.c_str(), 1);
  const int out = open(run.output.c_str(), O_WRONLY | O_CREAT | O_TRUNC, 0600);
  const int in = open("/dev/null", O_RDONLY);
  dup2(in, STDIN_FILENO);
  dup2(out, STDOUT_FILENO);
  dup2(out, STDERR_FILENO);
  prctl(PR_SET_PDEATHSIG, SIGKILL);  // a hung kernel must not outlive the tool
  execv(run.program.c_str(), words);
  _exit(127);
}

}  // namespace

ChildEnd run_child(const ChildRun& run) {
  std::vector<char*> words{const_cast<char*>(run.program.c_str())};
  for (const std::string& argument : run.arguments) words.push_back(const_cast<char*>(argument.c_str()));
  words.push_back(nullptr);
  std::fflush(nullptr);
  const pid_t child = fork();
  if (child < 0) throw Error(ErrorCode::io, "cannot start " + run.program.string());
  if (child == 0) become(run, words.data());
  const auto limit = std::chrono::steady_clock::now() + std::chrono::duration<double>(run.time_limit_s);
  int status = 0;
  for (auto pause = std::chrono::microseconds(500);;) {
    const pid_t ended = waitpid(child, &status, WNOHANG);
    if (ended == child || (ended < 0 && errno != EINTR)) break;
    if (std::chrono::steady_clock::now() >= limit) {
      kill(child, SIGKILL);
      while (waitpid(child, &status, 0) < 0 && errno == EINTR) {
      }
      return {.timed_out = true};
    }
    std::this_thread::sleep_for(pause);
    pause = std::min(pause * 2, std::chrono::microseconds(20000));
  }
  return WIFEXITED(status) ? ChildEnd{.code = WEXITSTATUS(status)} : ChildEnd{.signal = WTERMSIG(status)};
}

}  // namespace rafter::base
