// The loops on this very machine.
#include <gtest/gtest.h>

#include "lab/roofs/roof_meter.hpp"

namespace rafter::lab {
namespace {

class CpuMeter : public testing::Test {
 protected:
  std::unique_ptr<RoofMeter> meter_ = make_roof_meter(Stream::cpu());
};

TEST_F(CpuMeter, RatesArePlausibleForEveryKindOfTraffic) {
  const std::vector<double> sizes = meter_->sizes();
  ASSERT_GE(sizes.size(), 5u);
  EXPECT_GE(sizes.back(), 256e6);
  for (const Traffic& traffic : all_traffics) {
    const std::vector<double> rates = meter_->rates(traffic, sizes);
    ASSERT_EQ(rates.size(), sizes.size());
    for (const double rate : rates) {
      EXPECT_GT(rate, 0.05e9) << traffic.name;
      EXPECT_LT(rate, 10e12) << traffic.name;
    }
  }
}

TEST_F(CpuMeter, CachesAreFasterThanMemory) {
  const std::vector<double> largest{meter_->sizes().back()};
  EXPECT_GT(meter_->cache_bytes_per_s(), meter_->rates(all_traffics[read_traffic], largest)[0]);
}

TEST_F(CpuMeter, UnitsOfThisCpuHaveRatesAndOthersNone) {
  const double fp32 = meter_->operations_per_s(Unit::fp32);
  const double fp64 = meter_->operations_per_s(Unit::fp64);
  EXPECT_GT(fp32, 0.5e9);
  EXPECT_GT(fp64, 0.25e9);
  EXPECT_LT(fp64, 1.5 * fp32);
  for (const Unit unit : {Unit::tensor_fp16, Unit::tensor_bf16, Unit::tensor_tf32, Unit::tensor_fp8, Unit::special})
    EXPECT_EQ(meter_->operations_per_s(unit), 0) << name(unit);
}

TEST_F(CpuMeter, AnEmptyCallTakesNanoseconds) {
  EXPECT_GT(meter_->launch_ns(), 0.1);
  EXPECT_LT(meter_->launch_ns(), 1e4);
}

TEST_F(CpuMeter, MeasuresAgainAfterItsMemoryWasReleased) {
  const std::vector<double> small{meter_->sizes().front()};
  EXPECT_GT(meter_->rates(all_traffics[copy_traffic], small)[0], 0);
  meter_->release();
  EXPECT_GT(meter_->rates(all_traffics[copy_traffic], small)[0], 0);
}

}  // namespace
}  // namespace rafter::lab
