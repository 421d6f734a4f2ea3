// Host code of a checked program is compiled with hooks, too. Nearly all it accesses is its own, which is seen here.
#pragma once

#include <atomic>
#include <cstdint>

#include "rafter_simt/abi.hpp"

namespace rafter::simt {

struct HostFilter {
  std::uintptr_t memory = 0, memory_bytes = ~std::uintptr_t{0};  // the executor's; until that is known, everything
  std::uintptr_t variables = 0, variable_bytes = 0;              // __device__ ones
  std::atomic<bool> has_pending_work = false;                    // work is pending that any memory may belong to

  void set_variables(const rafter_simt::VariableRange& range) {
    variables = reinterpret_cast<std::uintptr_t>(range.begin);
    variable_bytes = reinterpret_cast<std::uintptr_t>(range.end) - variables;
  }
  bool must_check(const void* address) const {
    const auto at = reinterpret_cast<std::uintptr_t>(address);
    return at - memory < memory_bytes || at - variables < variable_bytes ||
           has_pending_work.load(std::memory_order_relaxed);
  }
};

/// Of the process's checker; where there is none, nobody asks.
inline HostFilter host_filter;

}  // namespace rafter::simt
