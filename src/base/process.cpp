#include "base/process.hpp"

#include <fmt/format.h>
#include <spawn.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <atomic>
#include <cerrno>
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

std::vector<char*> pointers(std::vector<std::string>& texts) {
  std::vector<char*> result;
  for (std::string& text : texts) result.push_back(text.data());
  result.push_back(nullptr);
  return result;
}

/// Ours, but in the C locale: messages are read by diagnostics.cpp.
std::vector<std::string> environment() {
  std::vector<std::string> result;
  for (char** entry = environ; *entry != nullptr; ++entry) {
    if (!std::string_view(*entry).starts_with("LC_ALL=")) result.emplace_back(*entry);
  }
  result.emplace_back("LC_ALL=C");
  return result;
}

std::string read_all(FILE* file) {
  std::string text;
  std::rewind(file);
  char buffer[4096];
  for (std::size_t n; (n = std::fread(buffer, 1, sizeof buffer, file)) > 0;) text.append(buffer, n);
  return text;
}

}  // namespace

Outcome run(const Command& command) {
  const std::unique_ptr<FILE, CloseFile> output(std::tmpfile());
  if (!output) throw Error(ErrorCode::io, fmt::format("cannot make a temporary file: {}", std::strerror(errno)));
  posix_spawn_file_actions_t actions;
  posix_spawn_file_actions_init(&actions);
  posix_spawn_file_actions_addopen(&actions, 0, "/dev/null", 0, 0);
  posix_spawn_file_actions_adddup2(&actions, fileno(output.get()), 1);
  posix_spawn_file_actions_adddup2(&actions, fileno(output.get()), 2);
  std::vector<std::string> arguments = command, variables = environment();
  pid_t child = 0;
  const int error = posix_spawnp(&child, arguments[0].c_str(), &actions, nullptr, pointers(arguments).data(),
                                 pointers(variables).data());
  posix_spawn_file_actions_destroy(&actions);
  if (error != 0) throw Error(ErrorCode::io, fmt::format("cannot run '{}': {}", command[0], std::strerror(error)));
  int status = 0;
  while (waitpid(child, &status, 0) < 0 && errno == EINTR) continue;
  return {WIFEXITED(status) ? WEXITSTATUS(status) : 128 + WTERMSIG(status), read_all(output.get())};
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

}  // namespace rafter::base
