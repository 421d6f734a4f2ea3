// Faults planted in spectral's kernels: what is read before it is there, or written while it is read, is found by the
// checkers. Which one there is, fault() says.
#include "planted_rung.hpp"
#include "spectral/spectral_rung.hpp"

namespace rafter {

#define RAFTER_PLANTED_SPECTRAL(where, rung) \
  namespace spectral_ladder::where {         \
  extern const SpectralRung rung;            \
  }
RAFTER_PLANTED_SPECTRAL(planted_fused_faults, fused)
RAFTER_PLANTED_SPECTRAL(planted_products_faults, by_shape)

namespace {

using test::expect_clean;
using test::expect_found;
using test::Found;

/// Several turns for each block, so that what one leaves behind meets the next.
Found fused(int fault) {
  const lab::Params params{{"batch", std::int64_t{40}}};
  return test::run_planted<spectral_ladder::SpectralArgs>("spectral", spectral_ladder::planted_fused_faults::fused,
                                                          params, fault);
}

/// Inputs that go round the ring of stages twice.
Found products(int fault) {
  const lab::Params params{{"batch", std::int64_t{2}},  {"precision", std::string("tf32")}, {"mels", std::int64_t{400}},
                           {"frames", std::int64_t{1}}, {"latent", std::int64_t{5}},        {"slice", std::int64_t{9}}};
  return test::run_planted<spectral_ladder::SpectralArgs>(
      "spectral", spectral_ladder::planted_products_faults::by_shape, params, fault);
}

TEST(SpectralFaults, none_and_nothing_is_found) {
  expect_clean(fused(0));
  expect_clean(products(0));
}

TEST(SpectralFaults, weights_that_nobody_waits_for) {
  expect_found(fused(1), "race in shared memory", "spectral/cuda/spectral_fused.cuh");
}

TEST(SpectralFaults, a_group_that_does_not_wait_for_itself) {
  expect_found(fused(2), "race in shared memory", "spectral/cuda/spectral_fused.cuh");
  expect_found(fused(3), "race in shared memory", "spectral/cuda/spectral_fused.cuh");
}

TEST(SpectralFaults, lanes_that_read_what_others_have_not_written) {
  expect_found(fused(4), "race in shared memory", "spectral/cuda/spectral_fused.cuh");
}

TEST(SpectralFaults, stages_that_nobody_waits_for) {
  expect_found(products(1), "race in shared memory", "spectral/cuda/spectral_products.cuh");
}

TEST(SpectralFaults, a_stage_released_while_its_products_read_it) {
  expect_found(products(2), "race in shared memory", "spectral/cuda/spectral_products.cuh");
}

}  // namespace
}  // namespace rafter
