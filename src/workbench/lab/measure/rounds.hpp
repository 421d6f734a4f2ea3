// Interleaved timing: every round times each rung once, in alternating order, so that disturbances of the machine
// affect all rungs alike. A rung is finished when its median is known well enough or its time is up. The samples of
// some rounds are checked; which ones, a rung cannot know.
#pragma once

#include <functional>
#include <random>
#include <vector>

#include "workbench/lab/measure/report.hpp"

namespace rafter::lab {

struct RoundsOptions {
  Regime regime = Regime::cold;
  double cap_s = 1.5;      ///< timing budget per rung
  double settle_s = 0.05;  ///< warm-up per rung

  static constexpr std::size_t fewest_samples = 3;  ///< fewest of a slow rung, which then has no verdict
  double slow_cap_s() const { return 4 * cap_s; }   ///< timing budget of a slow rung
  /// Calls longer than this make a rung slow: it is sampled as rarely as possible.
  double slow_s() const { return slow_cap_s() / fewest_samples; }
};

class Rounds {
 public:
  Rounds(Case& work, const Stream& stream, Timer& timer, const RoundsOptions& options)
      : work_(work), stream_(stream), timer_(timer), options_(options) {
    choose_checked_rounds();
  }

  /// Adds a rung to the rounds. `measurement` receives its samples, or the status and reason for which it was removed.
  void add(Measurement& measurement) { runners_.push_back({&measurement}); }

  /// Runs the rounds and reports the completed share, from 0 to 1, to `progress`.
  void run(const std::function<void(double)>& progress);

 private:
  struct Runner {
    Measurement* result;
    double busy_s = 0;
    bool done = false;

    void give_up(Status status, const std::string& reason);
    bool is_steady() const;
  };

  void choose_checked_rounds();
  bool is_checked(int round);
  void settle(Runner& runner);
  void sample(Runner& runner, int round);
  bool all_done() const;
  double share_done() const;

  Case& work_;
  const Stream& stream_;
  Timer& timer_;
  RoundsOptions options_;
  std::mt19937_64 secret_{std::random_device{}()};  ///< Decides which rounds are checked.
  int first_checked_ = 0, second_checked_ = 0;
  std::vector<Runner> runners_;
};

}  // namespace rafter::lab
