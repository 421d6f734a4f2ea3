// Roof meters of the devices of this machine. Rates depend on the machine and its load, so the tests only require that
// there are some.
#include <gtest/gtest.h>

#include <cmath>

#include "rafter/device.hpp"
#include "workbench/lab/roofs/roof_meter.hpp"

namespace rafter::lab {
namespace {

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

TEST_P(RoofMeterOn, MeasuresEveryKindOfTrafficAtEverySize) {
  const std::vector<double> sizes = meter_->sizes();
  ASSERT_GE(sizes.size(), 5u);
  EXPECT_GE(sizes.back(), 256e6);
  for (const Traffic& traffic : all_traffics) {
    const std::vector<double> rates = meter_->rates(traffic, sizes);
    ASSERT_EQ(rates.size(), sizes.size());
    for (const double rate : rates) {
      EXPECT_TRUE(rate > 0 && std::isfinite(rate)) << traffic.name << ": " << rate;
    }
  }
}

TEST_P(RoofMeterOn, MeasuresTheCache) {
  EXPECT_GT(meter_->cache_bytes_per_s(), 0);
  EXPECT_GT(meter_->cache_bytes(), 100e3);
}

TEST_P(RoofMeterOn, PlainUnitsHaveRates) {
  EXPECT_GT(meter_->operations_per_s(Unit::fp32), 0);
  EXPECT_GT(meter_->operations_per_s(Unit::fp64), 0);
}

TEST_P(RoofMeterOn, OnlyAGpuHasSpecialFunctionsAndTensorCores) {
  const bool is_gpu = GetParam() == Device::cuda;
  for (const Unit unit : {Unit::special, Unit::tensor_fp16, Unit::tensor_bf16, Unit::tensor_tf32})
    EXPECT_EQ(meter_->operations_per_s(unit) > 0, is_gpu) << name(unit);
  if (!is_gpu) {
    EXPECT_EQ(meter_->operations_per_s(Unit::tensor_fp8), 0);
  }
}

TEST_P(RoofMeterOn, MeasuresAnEmptyLaunch) { EXPECT_GT(meter_->launch_ns(), 0); }

TEST_P(RoofMeterOn, MeasuresAgainAfterItsMemoryWasReleased) {
  EXPECT_GT(rate(copy_traffic, meter_->sizes().front()), 0);
  meter_->release();
  EXPECT_GT(rate(copy_traffic, meter_->sizes().front()), 0);
}

}  // namespace
}  // namespace rafter::lab
