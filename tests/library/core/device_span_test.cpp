// Arrays in memory of a device: what converts to them, what ops accept, and the checks of their memory.
#include "rafter/device_span.hpp"

#include <gtest/gtest.h>

#include <array>
#include <vector>

#include "library/core/arguments.hpp"
#include "library/core/lazy_backend.hpp"
#include "rafter/rafter.hpp"
#include "workbench/lab/expect_error.hpp"

namespace rafter {
namespace {

using core::LazyBackend;
using lab::expect_error;
using Floats = std::vector<float>;

static_assert(std::is_convertible_v<Buffer<float>&, DeviceSpan<float>>);
static_assert(std::is_convertible_v<const Buffer<float>&, DeviceSpan<const float>>);
static_assert(!std::is_convertible_v<const Buffer<float>&, DeviceSpan<float>>);
static_assert(!std::is_convertible_v<Buffer<float>&, std::span<float>>);
static_assert(!std::is_convertible_v<Floats&, DeviceSpan<const float>>);
static_assert(!std::is_convertible_v<std::span<float>, DeviceSpan<float>>);
static_assert(!std::is_convertible_v<float*, DeviceSpan<float>>);
static_assert(std::is_convertible_v<CpuStream, Stream> && !std::is_convertible_v<Stream, CpuStream>);

template <class Op, class... Arguments>
concept Callable = requires(const Op& op, Arguments&&... arguments) {
  op(std::forward<Arguments>(arguments)...);
};

// A stream that may be a GPU's does not accept arrays of the host.
static_assert(!Callable<decltype(sum), Stream, Floats&, float*>);
static_assert(!Callable<decltype(sum), Stream, Floats&, Buffer<float>&>);
static_assert(!Callable<decltype(sum), Stream, Buffer<float>&, float*>);
static_assert(!Callable<decltype(sum), Stream, std::span<float>, Buffer<float>&>);
static_assert(!Callable<decltype(fill), Stream, float, std::array<float, 3>&>);
static_assert(!Callable<decltype(mul_add), Stream, Floats&, Floats&, Floats&, Floats&>);
static_assert(!Callable<decltype(inclusive_sum), Stream, Floats&, Floats&>);
static_assert(!Callable<decltype(row_sums), Stream, Floats&, MatrixShape, Floats&>);
static_assert(!Callable<decltype(heat_advance), Stream, Floats&, HeatProblem, int, Floats&, Floats&>);
static_assert(Callable<decltype(sum), Stream, Buffer<float>&, Buffer<float>&>);
static_assert(Callable<decltype(sum), Stream, const Buffer<float>&, DeviceSpan<float>>);
static_assert(!Callable<decltype(sum), Stream, Buffer<float>&, const Buffer<float>&>);

// A CpuStream does, in any combination with DeviceSpans and Buffers.
static_assert(Callable<decltype(sum), CpuStream, Floats&, float*>);
static_assert(Callable<decltype(sum), CpuStream, const Floats&, std::array<float, 1>&>);
static_assert(Callable<decltype(sum), CpuStream, std::span<const float>, Buffer<float>&>);
static_assert(Callable<decltype(sum), CpuStream, Buffer<float>&, Buffer<float>&>);
static_assert(Callable<decltype(sum), CpuStream, DeviceSpan<const float>, DeviceSpan<float>>);
static_assert(Callable<decltype(sum), CpuStream, Buffer<float>&, DeviceSpan<float>>);
static_assert(!Callable<decltype(sum), CpuStream, Floats&, double*>);
static_assert(!Callable<decltype(sum), CpuStream, Floats&, const float*>);
static_assert(!Callable<decltype(sum), CpuStream, const float*, float*>);

TEST(DeviceSpan, OpsOnACpuStreamAcceptArraysOfTheHost) {
  const std::array<float, 6> in{1, 2, 3, 4, 5, 6};
  float total = 0;
  sum(Stream::cpu(), in, &total);
  EXPECT_EQ(total, 21);
  Floats rows(2);
  row_sums(Stream::cpu(), in, {2, 3}, rows);
  EXPECT_EQ(rows, (Floats{6, 15}));
  std::int64_t count = 0;
  Floats kept(6);
  filter(Stream::cpu(), in, {CompareOp::greater, 4}, FilterOrder::preserved, kept, &count);
  EXPECT_EQ(count, 2);
  EXPECT_EQ(kept[1], 6);
  scatter(Stream::cpu(), std::vector<int>{0, 1, 0, 1, 0, 1}, in, {}, rows);
  EXPECT_EQ(rows, (Floats{9, 12}));
}

TEST(DeviceSpan, HasPartsAndBytes) {
  Floats host{1, 2, 3, 4};
  const auto all = device_span(Stream::cpu(), host);
  EXPECT_EQ(all.first(1).data(), &host[0]);
  EXPECT_EQ(all.last(1).data(), &host[3]);
  EXPECT_EQ(all.subspan(1, 2).elements()[1], 3);
  EXPECT_EQ(all.bytes().size(), 16);
}

TEST(DeviceSpan, RefusesInvalidMemory) {
  alignas(8) std::array<char, 16> bytes{};
  auto* odd = reinterpret_cast<float*>(bytes.data() + 2);
  float* none = nullptr;
  const auto refused = [](const char* part, float* data, std::int64_t size) {
    expect_error(ErrorCode::bad_argument, part, [&] { device_span(Stream::cpu(), data, size); });
  };
  refused("device_span: data is null but should hold 3 elements", none, 3);
  refused("device_span: data must be aligned to its element size of 4 bytes", odd, 2);
  refused("device_span: size must be 0 or more and fit in memory, is -1", odd, -1);
  EXPECT_TRUE(device_span(Stream::cpu(), none, 0).empty());
}

TEST(DeviceSpan, ViewsCheckTheirExtent) {
  Buffer<float> ten(Stream::cpu(), 10);
  EXPECT_EQ(contiguous_view(ten.span(), {2, 5}).n_cols, 5);
  EXPECT_EQ(MatrixView(ten.span(), {2, 3}, 7).extent(), 10);
  expect_error(ErrorCode::bad_argument, "MatrixView: elements should have at least 12 elements, has 10", [&] {
    (void)contiguous_view(ten.span(), {3, 4});
  });
  expect_error(ErrorCode::bad_argument, "row_stride of at least its 3 columns, has 2", [&] {
    MatrixView(ten.span(), {2, 3}, 2);
  });
  EXPECT_EQ(contiguous_field(ten.span(), {1, 2, 5}).plane_stride, 10);
  expect_error(ErrorCode::bad_argument, "GridView: cells should have at least 12 elements, has 10", [&] {
    (void)contiguous_field(ten.span(), {2, 2, 3});
  });
  expect_error(ErrorCode::bad_argument, "GridView: shape must have extents of 0 or more, is (-1, 2, 3)", [&] {
    (void)contiguous_field(ten.span(), {-1, 2, 3});
  });
}

/// A device that cannot access one byte.
class PointerChecks : public testing::Test {
 protected:
  void SetUp() override {
    backend_.inaccessible = nullptr;
    core::set_simt_backend(backend_);
  }

  static void check(const Stream& stream, DeviceSpan<const float> array) {
    core::require_array(stream, "an_op", "in", array);
  }

  inline static LazyBackend backend_;  // later tests of this process may find it
  Floats host_ = Floats(10);
  const DeviceSpan<const float> array_ = DeviceSpan<const float>::unchecked(host_);
};

TEST_F(PointerChecks, NameTheOpAndTheArgument) {
  const Stream stream = Stream::on(Device::simt);
  backend_.inaccessible = host_.data();
  EXPECT_NO_THROW(check(stream, array_)) << "off by default";
  stream.check_pointers(PointerCheck::on);
  expect_error(ErrorCode::bad_argument, "an_op: in is in memory of the host", [&] { check(stream, array_); });
  EXPECT_NO_THROW(check(stream, array_.first(0)));
  EXPECT_NO_THROW(check(stream, array_.last(9)));
  stream.check_pointers(PointerCheck::off);
  EXPECT_NO_THROW(check(stream, array_));
}

TEST_F(PointerChecks, CoverTheLastByte) {
  const Stream stream = Stream::on(Device::simt);
  stream.check_pointers(PointerCheck::on);
  backend_.inaccessible = reinterpret_cast<const std::byte*>(host_.data()) + 39;
  expect_error(ErrorCode::bad_argument, "an_op: in extends beyond its allocation: the last of its 40 bytes",
               [&] { check(stream, array_); });
}

TEST_F(PointerChecks, ApplyToCopiesOfTheStream) {
  const Stream stream = Stream::on(Device::simt);
  const Stream copy = stream;
  stream.check_pointers(PointerCheck::on);
  EXPECT_EQ(copy.pointer_check(), PointerCheck::on);
}

TEST_F(PointerChecks, PrecedeTheUseOfTheStream) {
  const Stream stream = Stream::on(Device::simt);
  stream.check_pointers(PointerCheck::on);
  backend_.inaccessible = host_.data();
  Buffer<float> out(stream, 1);
  expect_error(ErrorCode::bad_argument, "sum: in is in memory of the host", [&] { sum(stream, array_, out); });
  EXPECT_EQ(stream.scratch_bytes(), 0);
}

TEST_F(PointerChecks, AdoptedMemoryIsAlwaysChecked) {
  backend_.inaccessible = host_.data();
  expect_error(ErrorCode::bad_argument, "device_span: data is in memory of the host",
               [&] { device_span(Stream::on(Device::simt), host_); });
}

}  // namespace
}  // namespace rafter
