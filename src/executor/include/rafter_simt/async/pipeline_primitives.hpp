// __pipeline_memcpy_async and the like, and the C functions for mbarriers.
#pragma once

#include "rafter_simt/async/async.hpp"

#define RAFTER_SIMT_PRIMITIVE __attribute__((always_inline)) inline

typedef unsigned long long __mbarrier_t;
typedef unsigned long long __mbarrier_token_t;

RAFTER_SIMT_PRIMITIVE void __pipeline_memcpy_async(void* shared, const void* global, std::size_t bytes,
                                                   std::size_t n_zeros = 0) {
  rafter_simt_copy_async(shared, global, static_cast<int>(bytes), static_cast<int>(bytes - n_zeros));
}
RAFTER_SIMT_PRIMITIVE void __pipeline_commit() { rafter_simt_commit_group(rafter_simt::GroupKind::copy_async); }
RAFTER_SIMT_PRIMITIVE void __pipeline_wait_prior(std::size_t n_later) {
  rafter_simt_wait_group(rafter_simt::GroupKind::copy_async, static_cast<int>(n_later), 0);
}
RAFTER_SIMT_PRIMITIVE void __pipeline_arrive_on(__mbarrier_t* barrier) { rafter_simt_copy_async_arrive(barrier, 1); }

RAFTER_SIMT_PRIMITIVE void __mbarrier_init(__mbarrier_t* barrier, unsigned n) {
  rafter_simt_mbarrier_init(barrier, static_cast<int>(n));
}
RAFTER_SIMT_PRIMITIVE void __mbarrier_inval(__mbarrier_t* barrier) { rafter_simt_mbarrier_invalidate(barrier); }
RAFTER_SIMT_PRIMITIVE __mbarrier_token_t __mbarrier_arrive(__mbarrier_t* barrier) {
  return static_cast<__mbarrier_token_t>(rafter_simt_mbarrier_arrive(barrier, 1, 0));
}
RAFTER_SIMT_PRIMITIVE __mbarrier_token_t __mbarrier_arrive_and_drop(__mbarrier_t* barrier) {
  return static_cast<__mbarrier_token_t>(rafter_simt_mbarrier_drop(barrier));
}
RAFTER_SIMT_PRIMITIVE bool __mbarrier_test_wait(__mbarrier_t* barrier, __mbarrier_token_t token) {
  return rafter_simt_mbarrier_try_wait(barrier, static_cast<int>(token)) != 0;
}
RAFTER_SIMT_PRIMITIVE bool __mbarrier_try_wait(__mbarrier_t* barrier, __mbarrier_token_t token, unsigned = 0) {
  return rafter_simt_mbarrier_try_wait(barrier, static_cast<int>(token)) != 0;
}
RAFTER_SIMT_PRIMITIVE bool __mbarrier_test_wait_parity(__mbarrier_t* barrier, bool parity) {
  return rafter_simt_mbarrier_try_wait(barrier, parity ? 1 : 0) != 0;
}

#undef RAFTER_SIMT_PRIMITIVE
