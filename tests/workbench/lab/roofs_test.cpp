// The loops on the machine that runs the test.
#include <gtest/gtest.h>

#include <array>

#include "rafter/device.hpp"
#include "workbench/lab/roofs/roof_meter.hpp"

namespace rafter::lab {
namespace {

constexpr std::array tensor_units{Unit::tensor_fp16, Unit::tensor_bf16, Unit::tensor_tf32, Unit::tensor_fp8};

class RoofMeterOn : public testing::TestWithParam<Device> {
 protected:
  void SetUp() override {
    if (const auto reason = why_unavailable(GetParam())) GTEST_SKIP() << *reason;
    meter_ = make_roof_meter(Stream::on(GetParam()));
  }
  double rate(std::size_t traffic, double bytes) {
    return meter_->rates(all_traffics[traffic], std::vector<double>{bytes})[0];
  }

  std::unique_ptr<RoofMeter> meter_;
};
INSTANTIATE_TEST_SUITE_P(, RoofMeterOn, testing::Values(Device::cpu, Device::cuda),
                         [](const auto& device) { return std::string(name(device.param)); });

TEST_P(RoofMeterOn, RatesArePlausibleForEveryKindOfTraffic) {
  const std::vector<double> sizes = meter_->sizes();
  ASSERT_GE(sizes.size(), 5u);
  EXPECT_GE(sizes.back(), 256e6);
  for (const Traffic& traffic : all_traffics) {
    const std::vector<double> rates = meter_->rates(traffic, sizes);
    ASSERT_EQ(rates.size(), sizes.size());
    for (const double rate : rates) {
      EXPECT_GT(rate, 0.05e9) << traffic.name;
      EXPECT_LT(rate, 20e12) << traffic.name;
    }
  }
}

TEST_P(RoofMeterOn, CachesAreFasterThanMemory) {
  EXPECT_GT(meter_->cache_bytes_per_s(), rate(read_traffic, meter_->sizes().back()));
  EXPECT_GT(meter_->cache_bytes(), 100e3);
}

TEST_P(RoofMeterOn, PlainUnitsHaveRates) {
  const double fp32 = meter_->operations_per_s(Unit::fp32);
  const double fp64 = meter_->operations_per_s(Unit::fp64);
  EXPECT_GT(fp32, 0.5e9);
  EXPECT_GT(fp64, fp32 / 100);
  EXPECT_LT(fp64, 1.5 * fp32);
}

TEST_P(RoofMeterOn, OnlyAGpuHasSpecialFunctionsAndTensorCores) {
  if (GetParam() == Device::cpu) {
    for (const Unit unit : tensor_units) EXPECT_EQ(meter_->operations_per_s(unit), 0) << name(unit);
    EXPECT_EQ(meter_->operations_per_s(Unit::special), 0);
    return;
  }
  const double fp32 = meter_->operations_per_s(Unit::fp32);
  EXPECT_LT(meter_->operations_per_s(Unit::special), fp32);
  EXPECT_GT(meter_->operations_per_s(Unit::special), fp32 / 100);
  const double bf16 = meter_->operations_per_s(Unit::tensor_bf16);
  EXPECT_GT(bf16, 2 * fp32);
  EXPECT_NEAR(meter_->operations_per_s(Unit::tensor_fp16), bf16, 0.2 * bf16);
  EXPECT_NEAR(meter_->operations_per_s(Unit::tensor_tf32), bf16 / 2, 0.2 * bf16);
}

TEST_P(RoofMeterOn, AnEmptyLaunchTakesLittle) {
  EXPECT_GT(meter_->launch_ns(), 0.1);
  EXPECT_LT(meter_->launch_ns(), 1e5);
}

TEST_P(RoofMeterOn, MeasuresAgainAfterItsMemoryWasReleased) {
  EXPECT_GT(rate(copy_traffic, meter_->sizes().front()), 0);
  meter_->release();
  EXPECT_GT(rate(copy_traffic, meter_->sizes().front()), 0);
}

}  // namespace
}  // namespace rafter::lab
