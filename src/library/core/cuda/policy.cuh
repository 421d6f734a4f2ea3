// Policies by compute capability: a family lists what it has for which GPUs, newest first, and one call chooses.
//
//   struct TmaCopies { static constexpr int capability = 90; ... };
//   struct CellCopies { static constexpr int capability = 80; ... };
//   core::select_policy(core::PolicyList<TmaCopies, CellCopies>{}, core::capability(), [&](auto policy) {
//     launch(kernel<decltype(policy)>, ...);
//   });
//
// Capabilities are tenfold: 80 (A100), 90 (H100, H200), 100 (B200). The executor is a GPU of 9.0, or of whatever its
// option `capability` says, so that every fallback runs in tests.
#pragma once

#include <string>

#include "library/core/cuda/launch.cuh"
#include "rafter/error.hpp"

namespace rafter::core {
inline namespace RAFTER_BACKEND {

/// Policies for GPUs from `Policies::capability` on; each is for newer ones than the next.
template <class... Policies>
struct PolicyList {};

/// The current GPU's compute capability, tenfold.
inline int capability() {
#ifdef RAFTER_SIMT
  return rafter_simt_capability();
#else
  return 10 * device_attribute(cudaDevAttrComputeCapabilityMajor) + device_attribute(cudaDevAttrComputeCapabilityMinor);
#endif
}

/// Calls `call(policy)` with the newest policy that a GPU of this capability can have; throws when there is none.
template <class First, class... Rest, class Call>
decltype(auto) select_policy(PolicyList<First, Rest...>, int capability, Call&& call) {
  if constexpr (sizeof...(Rest) > 0) {
    static_assert(((First::capability > Rest::capability) && ...), "newest first");
    if (capability < First::capability) return select_policy(PolicyList<Rest...>{}, capability, call);
  } else if (capability < First::capability) {
    throw Error(ErrorCode::unsupported, "this needs a GPU of compute capability " +
                                            std::to_string(First::capability / 10) + "." +
                                            std::to_string(First::capability % 10) + " or newer");
  }
  return call(First{});
}

}  // namespace RAFTER_BACKEND
}  // namespace rafter::core
