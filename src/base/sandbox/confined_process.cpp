#include "base/sandbox/confined_process.hpp"

#include <unistd.h>

#include <algorithm>
#include <csignal>
#include <cstdlib>
#include <filesystem>

#include "rafter/error.hpp"

namespace rafter::base {

namespace {

/// Returns the program that starts sandboxes: it is beside this program, or in the build folder.
std::string sandbox_launcher() {
  std::error_code error;
  const auto beside = std::filesystem::read_symlink("/proc/self/exe", error).replace_filename("rafter-sandbox");
  return std::filesystem::exists(beside, error) ? beside.string() : RAFTER_SANDBOX_LAUNCHER;
}

/// Returns the user of the programs that this process starts, if root runs it: a number that owns nothing, above those
/// of people and containers. The kernel counts the tasks of a user, so that a user for all would let one command's
/// programs use up the tasks of another's.
unsigned own_user() { return 0x70000000U + static_cast<unsigned>(getpid()); }

}  // namespace

Process in_sandbox(const Process& process, const Sandbox& sandbox, int ending) {
  const SandboxLimits& limits = sandbox.limits;
  const double time_limit_s =
      process.time_limit_s > 0 ? std::min(process.time_limit_s, limits.time_limit_s) : limits.time_limit_s;
  Process result = process;
  result.time_limit_s = 0;
  result.command = {sandbox_launcher(),
                    std::to_string(ending),
                    std::to_string(limits.n_tasks),
                    std::to_string(limits.memory_bytes),
                    std::to_string(limits.disk_bytes),
                    std::to_string(limits.file_bytes),
                    std::to_string(time_limit_s),
                    std::to_string(own_user())};
  for (const std::filesystem::path& path : sandbox.readable)
    result.command.push_back(std::filesystem::absolute(path).string());
  result.command.insert(result.command.end(), {"--", std::filesystem::absolute(sandbox.writable).string(),
                                               std::filesystem::absolute(sandbox.folder).string(), "--"});
  result.command.insert(result.command.end(), process.command.begin(), process.command.end());
  return result;
}

Outcome outcome_in_sandbox(const std::string& ending, const Process& process) {
  const std::string line = ending.substr(0, ending.find('\n'));
  const std::size_t space = std::min(line.find(' '), line.size());
  const std::string word = line.substr(0, space), rest = line.substr(std::min(space + 1, line.size()));
  if (word == "code") return {.code = std::atoi(rest.c_str())};
  if (word == "signal") return {.signal = std::atoi(rest.c_str())};
  if (word == "time") return {.signal = SIGTERM, .timed_out = true};
  if (word == "memory" || word == "disk" || word == "tasks") return {.signal = SIGKILL, .exceeded = word};
  if (word == "failed" && rest.starts_with("cannot run "))
    throw Error(ErrorCode::io, rest + std::string(how_to_install(process.command[0])));
  if (word == "failed") throw Error(ErrorCode::unsupported, "the sandbox " + rest);
  return {.signal = SIGKILL};  // ended from outside
}

}  // namespace rafter::base
