// A command that runs beside the test.
#pragma once

#include <fcntl.h>
#include <signal.h>
#include <sys/wait.h>
#include <unistd.h>

#include <filesystem>
#include <optional>
#include <string>

namespace rafter::cli {

/// A process that can be killed; its output goes to a file.
class Process {
 public:
  Process(const std::string& command, const std::string& output) : id_((std::filesystem::remove(output), fork())) {
    if (id_ != 0) return;
    const int file = open(output.c_str(), O_CREAT | O_WRONLY | O_TRUNC, 0644);
    dup2(file, STDOUT_FILENO);
    dup2(file, STDERR_FILENO);
    for (const int signal : {SIGINT, SIGTERM, SIGHUP}) ::signal(signal, SIG_DFL);  // whatever the tests ignore
    execl("/bin/sh", "sh", "-c", ("exec " + command).c_str(), nullptr);
    _exit(127);
  }
  ~Process() {
    send(SIGKILL);
    wait();
  }
  Process(const Process&) = delete;
  Process& operator=(const Process&) = delete;

  void send(int signal) const {
    if (!status_) kill(id_, signal);
  }
  /// The exit code, or 128 and the signal that ended it.
  int wait() {
    if (!status_) {
      int status = 0;
      waitpid(id_, &status, 0);
      status_ = WIFEXITED(status) ? WEXITSTATUS(status) : 128 + WTERMSIG(status);
    }
    return *status_;
  }

 private:
  pid_t id_;
  std::optional<int> status_;
};

}  // namespace rafter::cli
