// Policies by compute capability: a family lists its policies, newest first, and select_policy() chooses one.
//
//   struct TmaCopies { static constexpr int capability = 90; ... };
//   struct CellCopies { static constexpr int capability = 80; ... };
//   core::select_policy(core::PolicyList<TmaCopies, CellCopies>{}, core::capability(), [&](auto policy) {
//     launch(kernel<decltype(policy)>, ...);
//   });
//
// Capabilities are multiplied by ten: 80 (A100), 90 (H100, H200), 100 (B200). The executor emulates a GPU of 9.0, or of
// its option `capability`, so that tests run every fallback.
#pragma once

#include <string>

#include "library/core/cuda/launch.cuh"
#include "library/core/tunable.hpp"
#include "rafter/error.hpp"

namespace rafter::core {
inline namespace RAFTER_BACKEND {

/// Policies, each for GPUs of at least its `capability`, in descending order.
template <class... Policies>
struct PolicyList {};

/// Returns the current GPU's compute capability, times ten.
inline int capability() {
#ifdef RAFTER_SIMT
  return rafter_simt_capability();
#else
  return 10 * device_attribute(cudaDevAttrComputeCapabilityMajor) + device_attribute(cudaDevAttrComputeCapabilityMinor);
#endif
}

/// Calls `call(policy)` with the newest policy that a GPU of this capability supports. Throws Error (unsupported) if
/// there is none.
template <class First, class... Rest, class Call>
decltype(auto) select_policy(PolicyList<First, Rest...>, int capability, Call&& call) {
  if constexpr (sizeof...(Rest) > 0) {
    static_assert(((First::capability > Rest::capability) && ...), "newest first");
    if (capability < First::capability) return select_policy(PolicyList<Rest...>{}, capability, call);
  } else if (capability < First::capability) {
    throw Error(ErrorCode::unsupported, "this requires a GPU of compute capability " +
                                            std::to_string(First::capability / 10) + "." +
                                            std::to_string(First::capability % 10) + " or newer");
  }
  return call(First{});
}

/// Returns the value of a tunable for the current GPU.
inline int tuned(const Tunable& tunable) {
#ifdef RAFTER_SIMT
  return tunable.value_for(capability());
#else
  return tunable.value_here();
#endif
}

}  // namespace RAFTER_BACKEND
}  // namespace rafter::core
