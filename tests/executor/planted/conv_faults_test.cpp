// Faults planted in conv's kernels: the checkers report early reads and omitted data, the conformance check detects
// wrong sums. fault() selects the fault.
#include "conv/conv_rung.hpp"
#include "planted_rung.hpp"

namespace rafter {

#define RAFTER_PLANTED_CONV(where, rung) \
  namespace conv_ladder::where {         \
  extern const ConvRung rung;            \
  }
RAFTER_PLANTED_CONV(planted_direct_faults, direct)
RAFTER_PLANTED_CONV(planted_mma_faults, mma_registers)
RAFTER_PLANTED_CONV(planted_winograd_faults, winograd)

namespace {

using conv_ladder::ConvArgs;
using conv_ladder::ConvRung;

using test::expect_clean;
using test::expect_found;
using test::Found;

class ConvFaults : public testing::Test {
 protected:
  static Found run(const ConvRung& rung, const lab::Params& params, int fault) {
    return test::run_planted<ConvArgs<float>>("conv", rung, params, fault);
  }

  /// Runs with enough channels for several chunks in alternating buffers.
  static Found direct(int fault) {
    const lab::Params params{{"batch", std::int64_t{1}},        {"channels", std::int64_t{64}},
                             {"maps", std::int64_t{4}},         {"size", std::int64_t{8}},
                             {"kernel", std::int64_t{3}},       {"pad", std::int64_t{1}},
                             {"precision", std::string("fp32")}};
    return run(conv_ladder::planted_direct_faults::direct, params, fault);
  }
  static Found mma(int fault) {
    const lab::Params params{{"batch", std::int64_t{2}},  {"channels", std::int64_t{1}},
                             {"maps", std::int64_t{4}},   {"size", std::int64_t{14}},
                             {"kernel", std::int64_t{7}}, {"precision", std::string("fp16")}};
    return run(conv_ladder::planted_mma_faults::mma_registers, params, fault);
  }
  /// Runs with three chunks of channels, the last one partial.
  static Found winograd(int fault) {
    const lab::Params params{{"batch", std::int64_t{1}},        {"channels", std::int64_t{18}},
                             {"maps", std::int64_t{4}},         {"size", std::int64_t{8}},
                             {"kernel", std::int64_t{3}},       {"pad", std::int64_t{1}},
                             {"precision", std::string("fp32")}};
    return run(conv_ladder::planted_winograd_faults::winograd, params, fault);
  }
};

TEST_F(ConvFaults, ReportsNothingWithoutAFault) {
  expect_clean(direct(0));
  expect_clean(mma(0));
  expect_clean(winograd(0));
}

TEST_F(ConvFaults, ReportsUseBeforeTheCopyWait) {
  expect_found(direct(1), "race in shared memory", "conv/cuda/conv_direct.cuh");
  expect_found(mma(1), "race in shared memory", "conv/cuda/conv_mma_");
  expect_found(winograd(1), "race in shared memory", "conv/cuda/conv_winograd.cuh");
}

TEST_F(ConvFaults, ReportsMissingBarrierBetweenAlternatingBuffers) {
  expect_found(direct(2), "race in shared memory", "conv/cuda/conv_direct.cuh");
  expect_found(mma(2), "race in shared memory", "conv/cuda/conv_mma_");
  expect_found(mma(3), "race in shared memory", "conv/cuda/conv_mma_");
  expect_found(winograd(2), "race in shared memory", "conv/cuda/conv_winograd.cuh");
}

TEST_F(ConvFaults, ReportsWeightsOverwrittenWhileRead) {
  expect_found(direct(3), "race in shared memory", "conv/cuda/conv_direct.cuh");
}

TEST_F(ConvFaults, ReportsMissingBarrierAroundSharedSums) {
  expect_found(winograd(3), "race in shared memory", "conv/cuda/conv_winograd.cuh");
  expect_found(winograd(4), "race in shared memory", "conv/cuda/conv_winograd.cuh");
}

TEST_F(ConvFaults, ReportsHaloWithoutItsLastRow) {
  expect_found(direct(4), "uninitialised read in shared memory", "conv/cuda/conv_direct.cuh");
}

TEST_F(ConvFaults, DetectsWrongPaddingChannelsAndMaps) {
  for (const Found& found : {direct(5), mma(4), winograd(5)}) {
    EXPECT_EQ(found.complaints, "");
    EXPECT_FALSE(found.is_right);
  }
}

}  // namespace
}  // namespace rafter
