#include "base/process.hpp"

#include <fmt/format.h>
#include <sys/wait.h>
#include <time.h>

#include <algorithm>
#include <atomic>
#include <cerrno>
#include <chrono>
#include <csignal>
#include <cstdio>
#include <cstring>
#include <exception>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <limits>
#include <memory>
#include <thread>

#include "base/child.hpp"
#include "rafter/error.hpp"

namespace rafter::base {

namespace {

struct CloseFile {
  void operator()(FILE* file) const { std::fclose(file); }
};
using File = std::unique_ptr<FILE, CloseFile>;

std::string read_all(FILE* file) {
  std::string text;
  std::rewind(file);
  char buffer[4096];
  for (std::size_t n; (n = std::fread(buffer, 1, sizeof buffer, file)) > 0;) text.append(buffer, n);
  return text;
}

/// The time a process has had, whatever else the machine does: processor time while one of its threads can run, wall
/// time while all of them sleep. Time in which a runnable thread waits for a core is not counted.
class TimeHad {
 public:
  using Clock = std::chrono::steady_clock;

  explicit TimeHad(pid_t process) : process_(process), wall_(Clock::now()), processor_s_(processor_s()) {}

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

  /// Whether a thread is running or ready to run: state R in /proc.
  bool can_run() const {
    std::error_code gone;
    for (const auto& thread : std::filesystem::directory_iterator(fmt::format("/proc/{}/task", process_), gone)) {
      std::ifstream file(thread.path() / "stat");
      const std::string text{std::istreambuf_iterator<char>(file), {}};
      const std::size_t name_end = text.rfind(')');  // "ID (NAME) STATE ...", where NAME is any text
      if (name_end != std::string::npos && text.substr(name_end, 3) == ") R") return true;
    }
    return false;
  }

  pid_t process_;
  Clock::time_point wall_;
  double processor_s_ = 0, total_s_ = 0;
};

/// Waits for the child, and ends it when its time is up or the caller wants it to stop. Returns whether its time was
/// up.
bool await(Child& child, const Process& process) {
  using Clock = std::chrono::steady_clock;
  constexpr auto never = Clock::time_point::max();
  constexpr auto patience = std::chrono::seconds(2);  // from SIGTERM to SIGKILL: the child may have a report to write
  const double limit_s = process.time_limit_s > 0 ? process.time_limit_s : std::numeric_limits<double>::infinity();
  TimeHad time(child.id());
  Clock::time_point kill_at = never;
  bool timed_out = false;
  double left_s = limit_s;
  for (;;) {
    const std::chrono::duration<double> look_after(std::clamp(left_s, 0.001, 0.1));
    if (child.ends_before(std::min(kill_at, Clock::now() + std::chrono::ceil<std::chrono::milliseconds>(look_after))))
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
  const File output(process.streams == Streams::captured ? std::tmpfile() : nullptr);
  if (process.streams == Streams::captured && !output)
    throw Error(ErrorCode::io, fmt::format("cannot make a temporary file: {}", std::strerror(errno)));
  Outcome outcome;
  Child child(process, output ? fileno(output.get()) : -1);
  outcome.timed_out = await(child, process);
  const int status = child.clear_away();
  if (WIFEXITED(status)) {
    outcome.code = WEXITSTATUS(status);
  } else {
    outcome.signal = WTERMSIG(status);
  }
  if (output) outcome.output = read_all(output.get());
  return outcome;
}

Outcome run(const Command& command) {
  return run_process({.command = command, .variables = {{"LC_ALL", "C"}}, .session = Session::ours});
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

Command own_words() {
  std::ifstream file("/proc/self/cmdline", std::ios::binary);
  Command words;
  for (std::string word; std::getline(file, word, '\0');) words.push_back(word);
  if (!words.empty()) words.erase(words.begin());
  return words;
}

}  // namespace rafter::base
