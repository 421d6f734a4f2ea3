#include "base/process.hpp"

#include <fcntl.h>
#include <fmt/format.h>
#include <sys/prctl.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <atomic>
#include <cerrno>
#include <chrono>
#include <csignal>
#include <cstdio>
#include <cstring>
#include <exception>
#include <memory>
#include <string_view>
#include <thread>

#include "rafter/error.hpp"

namespace rafter::base {

namespace {

struct CloseFile {
  void operator()(FILE* file) const { std::fclose(file); }
};
using File = std::unique_ptr<FILE, CloseFile>;

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

std::string read_all(FILE* file) {
  std::string text;
  std::rewind(file);
  char buffer[4096];
  for (std::size_t n; (n = std::fread(buffer, 1, sizeof buffer, file)) > 0;) text.append(buffer, n);
  return text;
}

/// The child, from fork to exec, where nothing may allocate: other threads may have held a lock. Why it could not
/// become the program goes to `errors`, which closes when it did.
[[noreturn]] void become(char* const* words, char* const* variables, Streams streams, int output, int errors) {
  if (streams == Streams::captured) {
    const int nothing = open("/dev/null", O_RDONLY);
    dup2(nothing, STDIN_FILENO);
    dup2(output, STDOUT_FILENO);
    dup2(output, STDERR_FILENO);
  } else if (streams == Streams::inherited_stderr) {
    dup2(STDERR_FILENO, STDOUT_FILENO);
  }
  prctl(PR_SET_PDEATHSIG, SIGKILL);  // a hung kernel must not outlive the tool
  execvpe(words[0], words, variables);
  const int error = errno;
  _exit(write(errors, &error, sizeof error) == sizeof error ? 127 : 126);
}

pid_t start(const Process& process, FILE* output) {
  std::vector<std::string> arguments = process.command, variables = environment(process.variables);
  const std::vector<char*> words = pointers(arguments), settings = pointers(variables);
  int errors[2];
  if (pipe2(errors, O_CLOEXEC) != 0) throw Error(ErrorCode::io, std::string("cannot make a pipe: ") + strerror(errno));
  if (process.streams != Streams::captured) std::fflush(nullptr);  // ours comes first
  const pid_t child = fork();
  int error = child < 0 ? errno : 0;
  if (child == 0) become(words.data(), settings.data(), process.streams, output ? fileno(output) : -1, errors[1]);
  close(errors[1]);
  ssize_t n = 0;
  while (child > 0 && (n = read(errors[0], &error, sizeof error)) < 0 && errno == EINTR) continue;
  close(errors[0]);
  if (child > 0 && n > 0) waitpid(child, nullptr, 0);
  if (error != 0)
    throw Error(ErrorCode::io, fmt::format("cannot run '{}': {}", process.command[0], std::strerror(error)));
  return child;
}

/// The child's status; false when its time was up, and then it is gone.
bool await(pid_t child, double time_limit_s, bool (*stop_wanted)(), int& status) {
  using Clock = std::chrono::steady_clock;
  const auto limit = Clock::now() + std::chrono::duration<double>(time_limit_s);
  const bool is_limited = time_limit_s > 0;
  for (auto pause = std::chrono::microseconds(500);;) {
    const pid_t ended = waitpid(child, &status, is_limited ? WNOHANG : 0);
    if (ended == child || (ended < 0 && errno != EINTR)) return true;
    if (ended < 0 && stop_wanted && stop_wanted()) kill(child, SIGTERM);
    if (!is_limited) continue;
    if (Clock::now() >= limit) {
      kill(child, SIGKILL);
      while (waitpid(child, &status, 0) < 0 && errno == EINTR) continue;
      return false;
    }
    std::this_thread::sleep_for(pause);
    pause = std::min(pause * 2, std::chrono::microseconds(20000));
  }
}

}  // namespace

Outcome run_process(const Process& process) {
  const File output(process.streams == Streams::captured ? std::tmpfile() : nullptr);
  if (process.streams == Streams::captured && !output)
    throw Error(ErrorCode::io, fmt::format("cannot make a temporary file: {}", std::strerror(errno)));
  int status = 0;
  Outcome outcome;
  const pid_t child = start(process, output.get());
  if (!await(child, process.time_limit_s, process.stop_wanted, status)) {
    outcome.timed_out = true;
  } else if (WIFEXITED(status)) {
    outcome.code = WEXITSTATUS(status);
  } else {
    outcome.signal = WTERMSIG(status);
  }
  if (output) outcome.output = read_all(output.get());
  return outcome;
}

Outcome run(const Command& command) { return run_process({.command = command, .variables = {{"LC_ALL", "C"}}}); }

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

std::string spelled(const Command& command) {
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

}  // namespace rafter::base
