// Host code of a checked program is compiled with hooks, too. Nearly all it touches is its own, which is seen here.
#pragma once

#include <atomic>
#include <cstdint>

#include "rafter_simt/abi.hpp"

namespace rafter::simt {

struct HostGlance {
  std::uintptr_t memory = 0, memory_bytes = ~std::uintptr_t{0};  // the executor's; until that is known, everything
  std::uintptr_t variables = 0, variable_bytes = 0;              // __device__ ones
  std::atomic<bool> is_late = false;                             // work is pending that any memory may belong to

  void set_variables(const rafter_simt::VariableRange& range) {
    variables = reinterpret_cast<std::uintptr_t>(range.begin);
    variable_bytes = reinterpret_cast<std::uintptr_t>(range.end) - variables;
  }
  bool is_of_interest(const void* address) const {
    const auto at = reinterpret_cast<std::uintptr_t>(address);
    return at - memory < memory_bytes || at - variables < variable_bytes || is_late.load(std::memory_order_relaxed);
  }
};

/// Of the process's checker; where there is none, nobody asks.
inline HostGlance host_glance;

}  // namespace rafter::simt
