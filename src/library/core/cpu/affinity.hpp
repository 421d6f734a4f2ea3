// Which cores the calling thread may run on.
#pragma once

#include <sched.h>

namespace rafter::core {

/// The cores the process was given at its start.
const cpu_set_t& usable_cores() noexcept;
int n_usable_cores() noexcept;

/// Ties the calling thread to the n-th of them.
void pin_to_core(int n) noexcept;

/// While it lives, the calling thread may use all cores again: for code that brings threads of its own, which inherit
/// this.
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
