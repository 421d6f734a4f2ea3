// Interleaved timing: every round times each rung once, in alternating order, so that disturbances of the machine
// affect all rungs alike. A rung is finished when its median is known well enough or its time is up.
//
// Before each sample the outputs are filled with random bits, and afterwards they are verified: by their checksum if
// they have the bits of results that were right before, otherwise element by element. If that takes longer than the
// calls, half of the other samples of our own rungs are verified, chosen at random. Where a case can make new inputs,
// those of a round are new.
#pragma once

#include <functional>
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
      : work_(work), stream_(stream), timer_(timer), options_(options) {}

  /// Adds a rung to the rounds. `measurement` receives its samples, or the status and reason for which it was removed.
  void add(Measurement& measurement) { runners_.push_back({&measurement}); }

  /// Adds a rung a second time. It uses another input set in each round than the first, so that neither finds inputs
  /// that the other was just called with.
  void add_repeat(Measurement& measurement) { runners_.push_back({&measurement, 1}); }

  /// Runs the rounds and reports the completed share, from 0 to 1, to `progress`.
  void run(const std::function<void(double)>& progress);

 private:
  struct Runner {
    Measurement* result;
    int set_shift = 0;
    double busy_s = 0;       ///< for samples: preparing, calling, verifying
    double comparing_s = 0;  ///< of that, for comparisons element by element
    bool done = false;

    void give_up(Status status, const std::string& reason);
    bool is_steady() const;
  };

  void settle(Runner& runner);
  void renew_inputs(int round);
  void sample(Runner& runner, int round);
  void verify(Runner& runner, int round, int set);
  bool all_done() const;
  double share_done() const;

  Case& work_;
  const Stream& stream_;
  Timer& timer_;
  RoundsOptions options_;
  std::vector<Runner> runners_;
  bool can_renew_ = true;
  double renewing_s_ = 0, sampling_s_ = 0;
  int fresh_round_ = -1;  ///< the last round with new inputs
};

}  // namespace rafter::lab
