#include "base/process.hpp"

#include <fmt/format.h>
#include <sys/wait.h>

#include <algorithm>
#include <atomic>
#include <cerrno>
#include <chrono>
#include <csignal>
#include <cstdio>
#include <cstring>
#include <exception>
#include <fstream>
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

/// Ends it when its time is up or somebody wants it to; true in the first case.
bool await(Child& child, const Process& process) {
  using Clock = std::chrono::steady_clock;
  constexpr auto never = Clock::time_point::max();
  constexpr auto patience = std::chrono::seconds(2);  // from SIGTERM to SIGKILL: it may have something to write
  constexpr double longest_s = 1e8;                   // what clocks can hold
  const std::chrono::duration<double> limit(std::min(process.time_limit_s, longest_s));
  auto late = process.time_limit_s > 0 ? Clock::now() + std::chrono::duration_cast<Clock::duration>(limit) : never;
  Clock::time_point kill_at = never;
  bool timed_out = false;
  for (;;) {
    const auto next = std::min({late, kill_at, Clock::now() + std::chrono::milliseconds(100)});
    if (child.ends_before(next)) return timed_out;
    const auto now = Clock::now();
    const bool is_late = now >= late, is_unwanted = process.stop_wanted && process.stop_wanted();
    if (now >= kill_at) child.send(SIGKILL);
    if ((!is_late && !is_unwanted) || kill_at != never) continue;
    timed_out = is_late;
    late = never;
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
