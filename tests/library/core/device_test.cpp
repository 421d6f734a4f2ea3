#include "rafter/device.hpp"

#include <gtest/gtest.h>

#include "rafter/error.hpp"
#include "rafter/stream.hpp"

namespace rafter {
namespace {

TEST(Device, FindsDevicesByName) {
  for (const Device device : {Device::cpu, Device::cuda, Device::simt}) EXPECT_EQ(device_called(name(device)), device);
  EXPECT_FALSE(device_called("gpu"));
}

TEST(Device, CpuIsAlwaysAvailable) { EXPECT_FALSE(why_unavailable(Device::cpu)); }

TEST(Device, StreamOfAMissingDeviceReportsWhy) {
  for (const Device device : {Device::cuda, Device::simt}) {
    const auto reason = why_unavailable(device);
    if (!reason) continue;
    try {
      static_cast<void>(Stream::on(device));
      FAIL() << "created a stream on " << name(device);
    } catch (const Error& error) {
      EXPECT_EQ(error.code(), ErrorCode::unsupported);
      EXPECT_EQ(error.what(), *reason);
    }
  }
}

}  // namespace
}  // namespace rafter
