#include "base/child.hpp"

#include <fcntl.h>
#include <fmt/format.h>
#include <poll.h>
#include <sys/prctl.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <csignal>
#include <cstdio>
#include <cstring>
#include <string_view>

#include "rafter/error.hpp"

namespace rafter::base {

namespace {

std::vector<char*> pointers(std::vector<std::string>& texts) {
  std::vector<char*> result;
  result.reserve(texts.size() + 1);
  for (std::string& text : texts) result.push_back(text.data());
  result.push_back(nullptr);
  return result;
}

/// Ours, with these set.
std::vector<std::string> environment(const std::vector<std::pair<std::string, std::string>>& variables) {
  std::vector<std::string> result;
  const auto is_set = [&](std::string_view entry) {
    return std::any_of(variables.begin(), variables.end(),
                       [&](const auto& variable) { return entry.starts_with(variable.first + "="); });
  };
  for (char** entry = environ; *entry != nullptr; ++entry) {
    if (!is_set(*entry)) result.emplace_back(*entry);
  }
  for (const auto& [name, value] : variables) result.push_back(fmt::format("{}={}", name, value));
  return result;
}

/// The child, from fork to exec, where nothing may allocate: other threads may have held a lock. Why it could not
/// become the program goes to `errors`, which closes when it did.
[[noreturn]] void become(char* const* words, char* const* variables, const Process& process, int output, int errors) {
  if (process.streams == Streams::captured || process.input == Input::none) {
    dup2(open("/dev/null", O_RDONLY | O_CLOEXEC), STDIN_FILENO);
  }
  if (process.streams == Streams::captured) {
    dup2(output, STDOUT_FILENO);
    dup2(output, STDERR_FILENO);
  } else if (process.streams == Streams::inherited_stderr) {
    dup2(STDERR_FILENO, STDOUT_FILENO);
  }
  if (process.session == Session::own) setsid();
  execvpe(words[0], words, variables);
  const int error = errno;
  _exit(write(errors, &error, sizeof error) == sizeof error ? 127 : 126);
}

/// What a failed exec left in the pipe; 0 when there was none.
int error_in(int pipe) {
  int error = 0;
  while (read(pipe, &error, sizeof error) < 0 && errno == EINTR) continue;
  return error;
}

int wait_for(pid_t id) {
  int status = 0;
  while (waitpid(id, &status, 0) < 0 && errno == EINTR) continue;
  return status;
}

}  // namespace

Child::Child(const Process& process, int output) : is_own_session_(process.session == Session::own) {
  std::vector<std::string> arguments = process.command, variables = environment(process.variables);
  const std::vector<char*> words = pointers(arguments), settings = pointers(variables);
  int errors[2];
  if (pipe2(errors, O_CLOEXEC) != 0) throw Error(ErrorCode::io, std::string("cannot make a pipe: ") + strerror(errno));
  if (process.streams != Streams::captured) std::fflush(nullptr);  // ours comes first
  const pid_t parent = getpid();
  id_ = fork();
  int error = id_ < 0 ? errno : 0;
  if (id_ == 0) {
    prctl(PR_SET_PDEATHSIG, SIGKILL);
    if (getppid() != parent) _exit(127);
    become(words.data(), settings.data(), process, output, errors[1]);
  }
  close(errors[1]);
  if (id_ > 0) error = error_in(errors[0]);
  close(errors[0]);
  if (id_ > 0 && error != 0) wait_for(id_);
  if (error != 0)
    throw Error(ErrorCode::io, fmt::format("cannot run '{}': {}", process.command[0], std::strerror(error)));
  file_ = static_cast<int>(syscall(SYS_pidfd_open, id_, 0));
  if (is_own_session_) start_guard(parent);
}

// Nothing here may allocate, as above.
void Child::start_guard(pid_t parent) {
  guard_ = fork();
  if (guard_ != 0) return;
  sigset_t all;
  sigfillset(&all);
  sigprocmask(SIG_SETMASK, &all, nullptr);  // ours alone ends it
  setsid();
  prctl(PR_SET_PDEATHSIG, SIGTERM);
  while (getppid() == parent) sigwaitinfo(&all, nullptr);
  kill(-id_, SIGKILL);
  _exit(0);
}

bool Child::ends_before(std::chrono::steady_clock::time_point moment) const {
  using std::chrono::milliseconds;
  const auto left = std::chrono::ceil<milliseconds>(moment - std::chrono::steady_clock::now());
  pollfd ended{file_, POLLIN, 0};
  const auto most = file_ >= 0 ? left : std::min(left, milliseconds(10));
  poll(&ended, file_ >= 0 ? 1 : 0, static_cast<int>(std::max(most, milliseconds(0)).count()));
  siginfo_t info{};
  const int seen = waitid(P_PID, static_cast<id_t>(id_), &info, WEXITED | WNOHANG | WNOWAIT);
  return seen < 0 || info.si_pid == id_;
}

void Child::send(int signal) const { kill(is_own_session_ ? -id_ : id_, signal); }

// The program is waited for last: until then its number is nobody else's.
int Child::clear_away() {
  if (is_gone_) return status_;
  is_gone_ = true;
  send(SIGKILL);
  if (guard_ > 0) {
    kill(guard_, SIGKILL);
    wait_for(guard_);
  }
  if (file_ >= 0) close(file_);
  return status_ = wait_for(id_);
}

}  // namespace rafter::base
