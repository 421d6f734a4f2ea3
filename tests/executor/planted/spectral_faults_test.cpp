// Faults planted in spectral's kernels: the checkers report data read before it is ready or overwritten while it is
// read. fault() selects the fault.
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

/// Runs several iterations per block, so that consecutive iterations may conflict.
Found fused(int fault) {
  const lab::Params params{{"batch", std::int64_t{40}}};
  return test::run_planted<spectral_ladder::SpectralArgs>("spectral", spectral_ladder::planted_fused_faults::fused,
                                                          params, fault);
}

/// Runs inputs that fill the ring of stages twice.
Found products(int fault) {
  const lab::Params params{{"batch", std::int64_t{2}},  {"precision", std::string("tf32")}, {"mels", std::int64_t{400}},
                           {"frames", std::int64_t{1}}, {"latent", std::int64_t{5}},        {"slice", std::int64_t{9}}};
  return test::run_planted<spectral_ladder::SpectralArgs>(
      "spectral", spectral_ladder::planted_products_faults::by_shape, params, fault);
}

TEST(SpectralFaults, ReportsNothingWithoutAFault) {
  expect_clean(fused(0));
  expect_clean(products(0));
}

TEST(SpectralFaults, ReportsMissingWaitForWeights) {
  expect_found(fused(1), "race in shared memory", "spectral/cuda/spectral_fused.cuh");
}

TEST(SpectralFaults, ReportsMissingGroupBarrier) {
  expect_found(fused(2), "race in shared memory", "spectral/cuda/spectral_fused.cuh");
  expect_found(fused(3), "race in shared memory", "spectral/cuda/spectral_fused.cuh");
}

TEST(SpectralFaults, ReportsMissingWarpBarrier) {
  expect_found(fused(4), "race in shared memory", "spectral/cuda/spectral_fused.cuh");
}

TEST(SpectralFaults, ReportsMissingWaitForAStage) {
  expect_found(products(1), "race in shared memory", "spectral/cuda/spectral_products.cuh");
}

TEST(SpectralFaults, ReportsStageReleasedWhileProductsReadIt) {
  expect_found(products(2), "race in shared memory", "spectral/cuda/spectral_products.cuh");
}

}  // namespace
}  // namespace rafter
