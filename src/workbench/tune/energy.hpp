// The energy of a call, from a counter that advances in steps.
#pragma once

#include <functional>

namespace rafter::tune {

/// Calls `run(n)`, which makes n calls and waits for them, until the counter (joules since any moment) has made
/// `n_steps` steps. The count begins and ends at a step, so that the error is less than the energy of two runs. Throws
/// Error (device_failure) if the counter does not advance in `most_runs` runs.
double joules_per_call(const std::function<double()>& counter, const std::function<void(int n)>& run, int n_calls,
                       int n_steps = 8, int most_runs = 100000);

}  // namespace rafter::tune
