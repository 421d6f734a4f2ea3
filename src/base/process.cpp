#include "base/process.hpp"

#include <fcntl.h>
#include <fmt/format.h>
#include <poll.h>
#include <sys/prctl.h>
#include <sys/syscall.h>
#include <sys/types.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#include <algorithm>
#include <atomic>
#include <cerrno>
#include <chrono>
#include <csignal>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <exception>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <limits>
#include <memory>
#include <string_view>
#include <thread>

#include "base/sandbox/confined_process.hpp"
#include "base/sandbox/sandbox.hpp"
#include "base/stop_signals.hpp"
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

/// Returns this process's environment with `variables` set. In a sandbox nothing else of it is seen.
std::vector<std::string> environment(const std::vector<std::pair<std::string, std::string>>& variables) {
  std::vector<std::string> result;
  if (const Sandbox* sandbox = current_sandbox()) {
    const char* path = std::getenv("PATH");
    result = {fmt::format("PATH={}", path != nullptr ? path : "/usr/bin:/bin"), "HOME=" + sandbox->writable.string()};
    for (const auto& [name, value] : variables) result.push_back(fmt::format("{}={}", name, value));
    return result;
  }
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

/// File descriptors of a child.
struct Files {
  int output = -1;  ///< for both streams when they are captured
  int ending = -1;  ///< where a sandbox reports how the program ended; the program does not have it
  int errors = -1;  ///< closed by exec
};

/// Makes no function of this process handle a signal, as exec does. Ignored signals stay ignored.
void use_default_handlers() {
  for (int signal = 1; signal < NSIG; ++signal) {
    struct sigaction action {};
    if (sigaction(signal, nullptr, &action) != 0 || action.sa_handler == SIG_IGN || action.sa_handler == SIG_DFL)
      continue;
    action = {};
    action.sa_handler = SIG_DFL;
    sigaction(signal, &action, nullptr);
  }
}

/// Runs in the child from vfork to exec. It must not allocate, because other threads may hold the allocator's lock. If
/// exec fails, the error is written to `errors`; exec closes it otherwise. `signals` are those to block.
[[noreturn]] void become(char* const* words, char* const* variables, const Process& process, const Files& files,
                         const sigset_t& signals) {
  if (process.streams == Streams::captured || process.input == Input::none) {
    dup2(open("/dev/null", O_RDONLY | O_CLOEXEC), STDIN_FILENO);
  }
  if (process.streams == Streams::captured) {
    dup2(files.output, STDOUT_FILENO);
    dup2(files.output, STDERR_FILENO);
  } else if (process.streams == Streams::inherited_stderr) {
    dup2(STDERR_FILENO, STDOUT_FILENO);
  }
  if (process.session == Session::own) setsid();
  if (files.ending >= 0) fcntl(files.ending, F_SETFD, 0);
  use_default_handlers();
  sigprocmask(SIG_SETMASK, &signals, nullptr);
  execvpe(words[0], words, variables);
  const int error = errno;
  _exit(write(files.errors, &error, sizeof error) == sizeof error ? 127 : 126);
}

/// Starts the program and returns its process id, or -1. vfork() copies no page tables, which takes milliseconds in a
/// process with a large memory. Until exec the child uses this process's memory, so no signal handler may run in it.
pid_t start(char* const* words, char* const* variables, const Process& process, const Files& files) {
  const pid_t parent = getpid();
  sigset_t all, before;
  sigfillset(&all);
  pthread_sigmask(SIG_SETMASK, &all, &before);
  const pid_t id = vfork();
  if (id == 0) {
    prctl(PR_SET_PDEATHSIG, SIGKILL);
    if (getppid() != parent) _exit(127);
    become(words, variables, process, files, before);
  }
  const int error = errno;
  pthread_sigmask(SIG_SETMASK, &before, nullptr);
  errno = error;
  return id;
}

/// Returns the error that a failed exec left in the pipe, or 0.
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

/// A running program. It does not outlive this process, not even if that is killed. In its own session neither do its
/// descendants: a *guard*, a second child process, waits for this process to end and kills them.
class Child {
 public:
  /// Starts the program. Throws Error (io) when it cannot be started.
  Child(const Process& process, Files files);
  ~Child() { kill_and_reap(); }
  Child(const Child&) = delete;
  Child& operator=(const Child&) = delete;

  pid_t id() const { return id_; }
  /// Waits until the program ends or `moment`; returns whether it has ended. A signal ends the wait early.
  bool wait_until(std::chrono::steady_clock::time_point moment) const;
  /// Sends a signal to the program and, in its own session, to its descendants.
  void send(int signal) const;
  /// Kills what remains of it and returns its exit status as waitpid() does.
  int kill_and_reap();

 private:
  void start_guard(pid_t parent);

  pid_t id_ = 0, guard_ = 0;
  int file_ = -1;  // pidfd, readable when the program has ended; -1 on older kernels
  bool is_own_session_;
  bool is_gone_ = false;
  int status_ = 0;
};

Child::Child(const Process& process, Files files) : is_own_session_(process.session == Session::own) {
  std::vector<std::string> arguments = process.command, variables = environment(process.variables);
  const std::vector<char*> words = pointers(arguments), settings = pointers(variables);
  int errors[2];
  if (pipe2(errors, O_CLOEXEC) != 0)
    throw Error(ErrorCode::io, std::string("cannot create a pipe: ") + strerror(errno));
  if (process.streams != Streams::captured) std::fflush(nullptr);  // keeps the order of this process's output
  const pid_t parent = getpid();
  files.errors = errors[1];
  id_ = start(words.data(), settings.data(), process, files);
  int error = id_ < 0 ? errno : 0;
  close(errors[1]);
  if (id_ > 0) error = error_in(errors[0]);
  close(errors[0]);
  if (id_ > 0 && error != 0) wait_for(id_);
  if (error != 0)
    throw Error(ErrorCode::io, fmt::format("cannot run '{}': {}{}", process.command[0], std::strerror(error),
                                           error == ENOENT ? how_to_install(process.command[0]) : ""));
  file_ = static_cast<int>(syscall(SYS_pidfd_open, id_, 0));
  if (is_own_session_) start_guard(parent);
}

// Must not allocate, like become().
void Child::start_guard(pid_t parent) {
  guard_ = fork();
  if (guard_ != 0) return;
  sigset_t all;
  sigfillset(&all);
  sigprocmask(SIG_SETMASK, &all, nullptr);  // only SIGKILL from this process ends the guard early
  setsid();
  prctl(PR_SET_PDEATHSIG, SIGTERM);
  while (getppid() == parent) sigwaitinfo(&all, nullptr);
  kill(-id_, SIGKILL);
  _exit(0);
}

bool Child::wait_until(std::chrono::steady_clock::time_point moment) const {
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

// The program is reaped last: until then its process id cannot be reused.
int Child::kill_and_reap() {
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

struct CloseFile {
  void operator()(FILE* file) const { std::fclose(file); }
};
using File = std::unique_ptr<FILE, CloseFile>;

/// Returns the content, or the first part of one that would take up the memory of this process.
std::string read_all(FILE* file) {
  constexpr std::size_t most_bytes = std::size_t{256} << 20;
  std::string text;
  std::rewind(file);
  char buffer[4096];
  for (std::size_t n; text.size() < most_bytes && (n = std::fread(buffer, 1, sizeof buffer, file)) > 0;)
    text.append(buffer, n);
  return text;
}

/// The time that a process could use, independent of other load: processor time while one of its threads can run, wall
/// time while all of them sleep. Time in which a runnable thread waits for a core does not count.
class UsableTime {
 public:
  using Clock = std::chrono::steady_clock;

  explicit UsableTime(pid_t process) : process_(process), wall_(Clock::now()), processor_s_(processor_s()) {}

  double seconds() {
    const Clock::time_point wall = Clock::now();
    const double processor = processor_s();
    const double wall_passed = std::chrono::duration<double>(wall - wall_).count();
    total_s_ += can_run() ? std::min(processor - processor_s_, wall_passed) : wall_passed;
    wall_ = wall;
    processor_s_ = processor;
    return total_s_;
  }

 private:
  double processor_s() const {
    clockid_t clock = 0;
    timespec time{};
    if (clock_getcpuclockid(process_, &clock) != 0 || clock_gettime(clock, &time) != 0) return processor_s_;
    return static_cast<double>(time.tv_sec) + 1e-9 * static_cast<double>(time.tv_nsec);
  }

  /// Returns whether a thread is running or runnable: state R in /proc.
  bool can_run() const {
    std::error_code gone;
    // The process may end meanwhile, which increment() reports and ++ would throw.
    const std::filesystem::directory_iterator end;
    for (std::filesystem::directory_iterator thread(fmt::format("/proc/{}/task", process_), gone);
         !gone && thread != end; thread.increment(gone)) {
      std::ifstream file(thread->path() / "stat");
      const std::string text{std::istreambuf_iterator<char>(file), {}};
      const std::size_t name_end = text.rfind(')');  // "ID (NAME) STATE ...", where NAME can contain any text
      if (name_end != std::string::npos && text.substr(name_end, 3) == ") R") return true;
    }
    return false;
  }

  pid_t process_;
  Clock::time_point wall_;
  double processor_s_ = 0, total_s_ = 0;
};

/// Waits for the child and ends it when its time is up or the caller wants it to stop. Returns whether its time was up.
bool await(Child& child, const Process& process) {
  using Clock = std::chrono::steady_clock;
  constexpr auto never = Clock::time_point::max();
  constexpr auto patience = std::chrono::seconds(2);  // from SIGTERM to SIGKILL: the child may have a report to write
  const double limit_s = process.time_limit_s > 0 ? process.time_limit_s : std::numeric_limits<double>::infinity();
  UsableTime time(child.id());
  Clock::time_point kill_at = never;
  bool timed_out = false;
  double left_s = limit_s;
  for (;;) {
    const std::chrono::duration<double> look_after(std::clamp(left_s, 0.001, 0.1));
    if (child.wait_until(std::min(kill_at, Clock::now() + std::chrono::ceil<std::chrono::milliseconds>(look_after))))
      return timed_out;
    const auto now = Clock::now();
    if (kill_at != never) {
      if (now >= kill_at) child.send(SIGKILL);
      continue;
    }
    if (process.time_limit_s > 0) left_s = limit_s - time.seconds();
    timed_out = left_s <= 0;
    if (!timed_out && !(process.stop_wanted && process.stop_wanted())) continue;
    kill_at = now + patience;
    child.send(SIGTERM);
  }
}

}  // namespace

Outcome run_process(const Process& process) {
  const Sandbox* const sandbox = current_sandbox();
  if (process.command.empty()) throw Error(ErrorCode::bad_argument, "there is no program to run");
  const File output(process.streams == Streams::captured ? std::tmpfile() : nullptr);
  const File ending(sandbox != nullptr ? std::tmpfile() : nullptr);
  if ((process.streams == Streams::captured && !output) || (sandbox != nullptr && !ending))
    throw Error(ErrorCode::io, fmt::format("cannot create a temporary file: {}", std::strerror(errno)));
  const Files files{.output = output ? fileno(output.get()) : -1, .ending = ending ? fileno(ending.get()) : -1};
  Process started = sandbox != nullptr ? in_sandbox(process, *sandbox, files.ending) : process;
  const bool throws = StopSignals::unwinds() && process.stop_wanted == nullptr;
  if (throws) started.stop_wanted = StopSignals::arrived;
  Outcome outcome;
  Child child(started, files);
  outcome.timed_out = await(child, started);
  const int status = child.kill_and_reap();
  if (throws) stop_if_asked();
  if (WIFEXITED(status)) {
    outcome.code = WEXITSTATUS(status);
  } else {
    outcome.signal = WTERMSIG(status);
  }
  if (ending) outcome = outcome_in_sandbox(read_all(ending.get()), process);
  if (output) outcome.output = read_all(output.get());
  return outcome;
}

Outcome run(const Command& command) {
  // A signal to this process reaches a compiler's own processes only if they are in a session of their own.
  const Session session = StopSignals::unwinds() ? Session::own : Session::inherited;
  return run_process({.command = command, .variables = {{"LC_ALL", "C"}}, .session = session});
}

std::vector<Outcome> run_all(std::span<const Command> commands) {
  std::vector<Outcome> outcomes(commands.size());
  std::vector<std::exception_ptr> failures(commands.size());
  std::atomic<std::size_t> next = 0;
  const auto work = [&] {
    for (std::size_t i; (i = next++) < commands.size();) {
      try {
        outcomes[i] = run(commands[i]);
      } catch (...) {
        failures[i] = std::current_exception();
      }
    }
  };
  std::vector<std::jthread> others;
  const std::size_t n_cores = std::max(1U, std::thread::hardware_concurrency());
  for (std::size_t i = 1; i < std::min(n_cores, commands.size()); ++i) others.emplace_back(work);
  work();
  others.clear();
  for (const std::exception_ptr& failure : failures) {
    if (failure) std::rethrow_exception(failure);
  }
  return outcomes;
}

std::string shell_quoted(const Command& command) {
  std::string text;
  for (const std::string& word : command) {
    const bool plain = !word.empty() && word.find_first_of(" \t\n\"'\\$`;&|<>()*?[]#~{}!") == std::string::npos;
    std::string quoted = word;
    for (std::size_t at = 0; !plain && (at = quoted.find('\'', at)) != std::string::npos; at += 4)
      quoted.replace(at, 1, "'\\''");
    text += (text.empty() ? "" : " ") + (plain ? word : "'" + quoted + "'");
  }
  return text;
}

Command own_arguments() {
  std::ifstream file("/proc/self/cmdline", std::ios::binary);
  Command words;
  for (std::string word; std::getline(file, word, '\0');) words.push_back(word);
  if (!words.empty()) words.erase(words.begin());
  return words;
}

}  // namespace rafter::base
