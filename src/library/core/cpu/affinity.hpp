// The CPU affinity of the calling thread.
#pragma once

#include <sched.h>

namespace rafter::core {

/// The cores that the process may use, as given at its start.
const cpu_set_t& usable_cores() noexcept;
int n_usable_cores() noexcept;

/// Pins the calling thread to the n-th of the usable cores.
void pin_to_core(int n) noexcept;

/// Lets the calling thread use all cores for the lifetime of the object. Needed around code that starts its own
/// threads, because they inherit the affinity.
class AllCores {
 public:
  AllCores() noexcept;
  ~AllCores();
  AllCores(const AllCores&) = delete;
  AllCores& operator=(const AllCores&) = delete;

 private:
  cpu_set_t before_;
};

}  // namespace rafter::core
