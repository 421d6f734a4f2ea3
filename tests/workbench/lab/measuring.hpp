// Measures the smallest workload quickly.
#pragma once

#include <algorithm>

#include "doubling.hpp"
#include "workbench/lab/measure/measure.hpp"

namespace rafter::lab {

/// The phase of measure_case(), from its progress messages.
struct Phase {
  bool timing = false;
  bool over = false;
  Progress watch() {
    return [this](const std::string& what, double share) {
      over = share >= 1;
      timing = what.ends_with(": timing") && !over;
    };
  }
};

inline void no_progress(const std::string&, double) {}

inline CaseReport measure_under(RunRoofs& roofs, const Workload& workload, MeasureOptions options,
                                const Progress& progress = no_progress) {
  options.rounds.cap_s = std::min(options.rounds.cap_s, 0.1);
  options.rounds.settle_s = 0;
  return measure_case(workload, {{"n", std::int64_t{Doubling::n}}}, Stream::cpu(), roofs, options, progress);
}

inline CaseReport measure(const Workload& workload, const MeasureOptions& options = {},
                          const Roofs& roofs = boundless_roofs, const Progress& progress = no_progress) {
  RunRoofs fixed(roofs);
  return measure_under(fixed, workload, options, progress);
}

}  // namespace rafter::lab
