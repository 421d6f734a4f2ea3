// A timer whose times are given.
#pragma once

#include <chrono>
#include <functional>
#include <stdexcept>
#include <thread>

#include "workbench/lab/machine/timer.hpp"

namespace rafter::lab {

/// Makes the calls and returns times from a script. Throws at the end of the script, which ends the rounds.
class ScriptedTimer final : public Timer {
 public:
  int n_calls = 0;
  int n_scripted = 1000000;
  std::function<double(int call)> ns = [](int call) { return 1000. + call; };
  std::function<bool(int call)> throttled = [](int) { return false; };
  std::chrono::microseconds pause{0};  ///< actual duration of a call
  bool inside = false;                 ///< inside a timed call, not in the warm-up

  bool supports(Regime) const override { return true; }
  bool is_throttled() override { return n_calls > 0 && throttled(n_calls - 1); }

 private:
  double measure(Regime, const std::function<void()>& call, const std::function<void()>& prepare) override {
    if (n_calls == n_scripted) throw std::runtime_error("the script is over");
    prepare();
    inside = true;
    call();
    inside = false;
    std::this_thread::sleep_for(pause);
    return ns(n_calls++);
  }
};

}  // namespace rafter::lab
