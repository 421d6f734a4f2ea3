// A page of memory that two processes share: one runs a stranger's code and says so, the other sees when it does not
// come to an end.
#pragma once

#include <atomic>
#include <cstdint>
#include <filesystem>
#include <memory>
#include <string>

#include "workbench/bench/kernel_case.hpp"

namespace rafter::bench {

class Watch {
 public:
  /// Throws Error (io). `file` is made where it is not there.
  explicit Watch(const std::filesystem::path& file);

  /// Tells the page of everything that runs.
  Guard guard() const;

  /// What runs now; empty when nothing does.
  std::string running() const;
  /// For how long, in seconds, over the patience that it may ask for.
  double running_s() const;
  void reset() const;

 private:
  struct Page {
    std::atomic<std::int64_t> began_ns;  ///< 0: nothing runs
    std::atomic<double> patience;
    char function[256];
  };
  std::shared_ptr<Page> page_;
};

}  // namespace rafter::bench
