// Calls of the runtime API that kernels may make.
#pragma once

#include "executor/api/call.hpp"
#include "executor/process/observer.hpp"

namespace rafter::simt {

/// Stores `value` where a thread of a kernel wants it, as a store of that thread.
template <class To, class Value>
cudaError_t give_in_kernel(To* to, const Value& value, const void* site) {
  if (Observer* observer = observing(); observer && to)
    observer->access({reinterpret_cast<std::byte*>(to), sizeof(To), true, false, AccessMode::plain, false, site});
  return give(to, value);
}

}  // namespace rafter::simt
