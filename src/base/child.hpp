// Runs a program that may crash, hang or print anything.
#pragma once

#include <filesystem>
#include <string>
#include <vector>

namespace rafter::base {

struct ChildRun {
  std::filesystem::path program;
  std::vector<std::string> arguments{};
  std::string runtime{};           ///< for RAFTER_SIMT; empty: left as it is
  std::filesystem::path output{};  ///< what it prints, to both of its streams, goes here
  double time_limit_s = 10;
};

/// How a program ended: with a code, by a signal, or because its time was up.
struct ChildEnd {
  int code = 0;
  int signal = 0;
  bool timed_out = false;

  bool well() const { return code == 0 && signal == 0 && !timed_out; }
};

ChildEnd run_child(const ChildRun& run);

}  // namespace rafter::base
