// A page of memory shared by two processes: a child records the user function that it runs, and the parent sees when
// that takes too long.
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
  /// Maps `file` and creates it if necessary. Throws Error (io).
  explicit Watch(const std::filesystem::path& file);

  /// A guard that records every function that runs.
  Guard guard() const;

  /// The function that runs now, or an empty string.
  std::string running() const;
  /// The seconds that the function has been running, divided by its patience.
  double running_s() const;
  void reset() const;

 private:
  struct Page {
    std::atomic<std::int64_t> began_ns;  ///< 0: no function runs.
    std::atomic<double> patience;
    char function[256];
  };
  std::shared_ptr<Page> page_;
};

}  // namespace rafter::bench
