#include "workbench/tune/energy.hpp"

#include "rafter/error.hpp"

namespace rafter::tune {

double joules_per_call(const std::function<double()>& counter, const std::function<void(int n)>& run, int n_calls,
                       int n_steps, int most_runs) {
  double n_made = 0;
  const auto next_step = [&](double from) {  // runs until the counter advances and returns its new value
    for (int i = 0; i < most_runs; ++i) {
      run(n_calls);
      n_made += n_calls;
      if (const double now = counter(); now > from) return now;
    }
    throw Error(ErrorCode::device_failure, "the energy counter of the GPU does not advance");
  };
  const double began = next_step(counter());
  n_made = 0;
  double now = began;
  for (int step = 0; step < n_steps; ++step) now = next_step(now);
  return (now - began) / n_made;
}

}  // namespace rafter::tune
