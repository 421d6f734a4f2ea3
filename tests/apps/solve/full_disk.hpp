// Simulates a full disk: files cannot grow beyond a size, and the attempt is an error instead of a signal.
#pragma once

#include <sys/resource.h>

#include <csignal>

namespace rafter::solve {

class FullDisk {
 public:
  explicit FullDisk(rlim_t largest_file) {
    getrlimit(RLIMIT_FSIZE, &before_);
    const rlimit limit{largest_file, before_.rlim_max};
    handler_ = std::signal(SIGXFSZ, SIG_IGN);
    setrlimit(RLIMIT_FSIZE, &limit);
  }
  ~FullDisk() {
    setrlimit(RLIMIT_FSIZE, &before_);
    std::signal(SIGXFSZ, handler_);
  }
  FullDisk(const FullDisk&) = delete;
  FullDisk& operator=(const FullDisk&) = delete;

 private:
  rlimit before_{};
  void (*handler_)(int);
};

}  // namespace rafter::solve
