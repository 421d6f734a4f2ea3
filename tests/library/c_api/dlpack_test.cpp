// With DLPack's header before it, rafter.h takes DLTensor itself. These are DLPack 1.x's declarations.
#include <cstdint>

#define DLPACK_DLPACK_H_
extern "C" {
typedef enum : int32_t { kDLCPU = 1, kDLCUDA = 2 } DLDeviceType;
typedef struct {
  DLDeviceType device_type;
  int32_t device_id;
} DLDevice;
typedef struct {
  uint8_t code;
  uint8_t bits;
  uint16_t lanes;
} DLDataType;
typedef struct {
  void* data;
  DLDevice device;
  int32_t ndim;
  DLDataType dtype;
  int64_t* shape;
  int64_t* strides;
  uint64_t byte_offset;
} DLTensor;
}

#include <gtest/gtest.h>

#include "rafter/rafter.h"

TEST(CApi, TakesDlpackTensorsWithoutACast) {
  float numbers[] = {1, 2, 3}, sum = 0;
  int64_t n = 3, one = 1;
  const DLTensor in{numbers, {kDLCPU, 0}, 1, {2, 32, 1}, &n, nullptr, 0};
  const DLTensor out{&sum, {kDLCPU, 0}, 1, {2, 32, 1}, &one, nullptr, 0};
  rafter_stream* stream = nullptr;
  ASSERT_EQ(rafter_stream_cpu(1, &stream), RAFTER_OK);
  EXPECT_EQ(rafter_sum(stream, &in, &out), RAFTER_OK) << rafter_last_error()->message;
  EXPECT_EQ(sum, 6);
  DLDevice device{kDLCUDA, 5};
  EXPECT_EQ(rafter_stream_device(stream, &device), RAFTER_OK);
  EXPECT_EQ(device.device_type, kDLCPU);
  rafter_stream_destroy(stream);
}
