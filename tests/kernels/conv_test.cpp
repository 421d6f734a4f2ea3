// conv, the public op: layers compared with the definition, rejected arguments, and the size of max pooling.
#include "rafter/conv.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <vector>

#include "kernels/all_ops.hpp"
#include "rafter/buffer.hpp"
#include "rafter/error.hpp"

namespace rafter {
namespace {

std::vector<float> numbers(std::int64_t n, unsigned seed) {
  std::vector<float> values(static_cast<std::size_t>(n));
  for (float& value : values) {
    seed = seed * 1664525u + 1013904223u;
    value = static_cast<float>(static_cast<int>(seed >> 16 & 0xff) - 128) / 64;
  }
  return values;
}

/// Computes the layer by its definition in float64.
std::vector<double> slow_layer(const std::vector<float>& in, const std::vector<float>& kernels, const ConvShape& s,
                               const ConvOptions<float>& options) {
  const auto at = [](const auto& values, std::int64_t i) { return values[static_cast<std::size_t>(i)]; };
  const auto pixel = [&](std::int64_t b, std::int64_t m, std::int64_t y, std::int64_t x) {
    double sum = options.bias.empty() ? 0 : at(options.bias.elements(), m);
    for (std::int64_t c = 0; c < s.channels; ++c) {
      for (std::int64_t p = 0; p < s.kernel_height; ++p) {
        for (std::int64_t q = 0; q < s.kernel_width; ++q) {
          const std::int64_t in_y = y + p - s.pad_height, in_x = x + q - s.pad_width;
          if (in_y < 0 || in_y >= s.height || in_x < 0 || in_x >= s.width) continue;
          sum += static_cast<double>(at(in, ((b * s.channels + c) * s.height + in_y) * s.width + in_x)) *
                 static_cast<double>(at(kernels, ((m * s.channels + c) * s.kernel_height + p) * s.kernel_width + q));
        }
      }
    }
    return options.relu && sum < 0 ? 0 : sum;
  };
  std::vector<double> out;
  for (std::int64_t plane = 0; plane < s.batch * s.maps; ++plane) {
    for (std::int64_t y = 0; y < options.pool.out(s.out_height()); ++y) {
      for (std::int64_t x = 0; x < options.pool.out(s.out_width()); ++x) {
        double largest = -INFINITY;
        for (std::int64_t i = 0; i < options.pool.size * options.pool.size; ++i) {
          const std::int64_t py = y * options.pool.stride + i / options.pool.size;
          const std::int64_t px = x * options.pool.stride + i % options.pool.size;
          if (py < s.out_height() && px < s.out_width())
            largest = std::max(largest, pixel(plane / s.maps, plane % s.maps, py, px));
        }
        out.push_back(largest);
      }
    }
  }
  return out;
}

class Conv : public testing::TestWithParam<Device> {
 protected:
  void SetUp() override {
    if (const auto reason = why_unavailable(GetParam())) GTEST_SKIP() << *reason;
  }

  static void expect_layer(const ConvShape& shape, ConvOptions<float> options) {
    const Stream stream = Stream::on(GetParam());
    const auto in = numbers(shape.batch * shape.image(), 1);
    const auto kernels = numbers(shape.maps * shape.kernel(), 2);
    const auto bias = numbers(shape.maps, 3);
    const Buffer<float> device_in(stream, in), device_kernels(stream, kernels), device_bias(stream, bias);
    const std::vector<double> expected = [&] {
      auto on_host = options;
      if (options.relu) on_host.bias = device_span(Stream::cpu(), bias);
      return slow_layer(in, kernels, shape, on_host);
    }();
    if (options.relu) options.bias = device_bias.span();
    Buffer<float> out(stream, static_cast<std::int64_t>(expected.size()));
    conv(stream, device_in.span(), device_kernels.span(), shape, options, out.span());
    std::vector<float> results(expected.size());
    out.copy_to(results);
    for (std::size_t i = 0; i < expected.size(); ++i)
      ASSERT_NEAR(results[i], expected[i], 1e-4) << "at " << i << ", pool " << options.pool.size;
  }
};

TEST_P(Conv, LayersMatchTheDefinition) {
  expect_layer({.batch = 3, .channels = 2, .height = 9, .width = 11, .maps = 5, .kernel_height = 3, .kernel_width = 2},
               {});
  expect_layer({.batch = 2, .channels = 1, .height = 16, .width = 16, .maps = 4, .kernel_height = 7, .kernel_width = 7},
               {.relu = true, .pool = {2, 2, false}});
  // LeNet's second layer: the last window of a row or column is cut off.
  expect_layer(
      {.batch = 2, .channels = 4, .height = 12, .width = 12, .maps = 16, .kernel_height = 7, .kernel_width = 7},
      {.relu = true, .pool = {4, 4, true}});
  expect_layer({.batch = 1,
                .channels = 3,
                .height = 8,
                .width = 7,
                .maps = 2,
                .kernel_height = 3,
                .kernel_width = 3,
                .pad_height = 1,
                .pad_width = 2},
               {.relu = true, .pool = {3, 2, true}});
}

// Covers full and partial vectors, and blocks of pixels of every size, for few maps and for many.
TEST_P(Conv, DoesNotWidenItsErrorBoundByDefault) {
  const ConvShape shape{.channels = 64,
                        .height = 9,
                        .width = 10,
                        .maps = 64,
                        .kernel_height = 3,
                        .kernel_width = 3,
                        .pad_height = 1,
                        .pad_width = 1};
  const Stream stream = Stream::on(GetParam());
  const Buffer<float> in(stream, numbers(shape.image(), 5));
  const Buffer<float> kernels(stream, numbers(shape.maps * shape.kernel(), 6));
  const auto result_with = [&](const ConvOptions<float>& options) {
    std::vector<float> result(static_cast<std::size_t>(shape.maps * shape.out_height() * shape.out_width()));
    Buffer<float> out(stream, std::ssize(result));
    conv(stream, in, kernels, shape, options, out.span());
    out.copy_to(result);
    return result;
  };
  EXPECT_EQ(result_with({}), result_with({.winograd = false}));
}

TEST_P(Conv, AcceptsRowsOfAnyWidth) {
  for (std::int64_t width = 1; width <= 70; width += width < 36 ? 1 : 11) {
    for (const std::int64_t kernel_width : {2, 3, 5, 7}) {
      for (const std::int64_t maps : {3, 16}) {
        const ConvShape shape{.batch = 2,
                              .channels = 1,
                              .height = 4,
                              .width = width + kernel_width - 1,
                              .maps = maps,
                              .kernel_height = 2,
                              .kernel_width = kernel_width,
                              .pad_height = width % 2};
        const bool has_windows = (width + kernel_width) % 3 == 0;
        expect_layer(shape, {.relu = width % 5 == 0, .pool = {has_windows ? 2 : 1, has_windows ? 2 : 1, true}});
        if (HasFatalFailure()) FAIL() << "width " << width << ", kernel " << kernel_width << ", maps " << maps;
      }
    }
  }
}

TEST_P(Conv, RejectsMismatchedArguments) {
  const Stream stream = Stream::on(GetParam());
  const ConvShape shape{
      .batch = 1, .channels = 1, .height = 4, .width = 4, .maps = 1, .kernel_height = 3, .kernel_width = 3};
  const Buffer<float> in(stream, 16), kernels(stream, 9);
  Buffer<float> out(stream, 4);
  const auto refusal = [&](const ConvShape& which, const ConvOptions<float>& options,
                           DeviceSpan<float> to) -> std::string {
    try {
      conv(stream, in.span(), kernels.span(), which, options, to);
    } catch (const Error& error) {
      return error.what();
    }
    return "";
  };
  EXPECT_EQ(refusal(shape, {}, out.span()), "");
  EXPECT_EQ(refusal(shape, {}, out.span().first(3)), "conv: out should have 4 elements, has 3");
  ConvShape large = shape;
  large.kernel_height = 5;
  EXPECT_NE(refusal(large, {}, out.span()).find("5 x 3 is more than 4 x 4"), std::string::npos);
  ConvShape none = shape;
  none.channels = 0;
  EXPECT_EQ(refusal(none, {}, out.span()), "conv: shape must have channels from 1 to 2^30, has 0");
  EXPECT_EQ(refusal(shape, {.pool = {2, 0, false}}, out.span()),
            "conv: shape must have pool.stride from 1 to 2^30, has 0");
  if (GetParam() == Device::cpu) {
    EXPECT_EQ(refusal(shape, {.precision = ConvPrecision::tf32}, out.span()),
              "conv: the CPU supports precision fp32 only, not tf32");
  }
}

TEST(MaxPool, ReturnsTheNumberOfWindows) {
  EXPECT_EQ((MaxPool{4, 4, true}.out(34)), 9);
  EXPECT_EQ((MaxPool{4, 4, false}.out(34)), 8);
  EXPECT_EQ((MaxPool{2, 2, true}.out(80)), 40);
  EXPECT_EQ((MaxPool{3, 2, true}.out(6)), 3);
  EXPECT_EQ((MaxPool{1, 3, true}.out(5)), 2);  // no window begins past the last pixel
  EXPECT_EQ((MaxPool{5, 5, false}.out(4)), 0);
  EXPECT_EQ((MaxPool{5, 5, true}.out(4)), 1);
}

INSTANTIATE_TEST_SUITE_P(Devices, Conv, testing::Values(Device::cpu, Device::cuda),
                         [](const auto& tested) { return std::string(name(tested.param)); });

// ---- The op's sample for the tests of streams ----
class ConvSample final : public OpSample {
 public:
  ConvSample(const Stream& stream, std::int64_t, int value)
      : answer_(static_cast<float>(shape.kernel()) * static_cast<float>(value)),
        images_(stream, filled(shape.batch * shape.image(), static_cast<float>(value))),
        kernels_(stream, filled(shape.maps * shape.kernel(), 1.F)),
        out_(stream, shape.batch * shape.maps * shape.out_height() * shape.out_width()),
        pooled_(stream, shape.batch * shape.maps * pool.out(shape.out_height()) * pool.out(shape.out_width())) {}
  /// The second call pools windows that no kernel pools in registers: its output before pooling is in scratch memory.
  void enqueue(const Stream& stream) override {
    conv(stream, images_, kernels_, shape, {}, out_.span());
    conv(stream, images_, kernels_, shape, {.relu = true, .pool = pool}, pooled_.span());
  }
  void check() override {
    EXPECT_EQ(take(out_), filled(out_.size(), answer_));
    EXPECT_EQ(take(pooled_), filled(pooled_.size(), answer_));
  }

 private:
  static constexpr ConvShape shape{
      .batch = 3, .channels = 2, .height = 21, .width = 19, .maps = 5, .kernel_height = 7, .kernel_width = 7};
  static constexpr MaxPool pool{.size = 3, .stride = 2, .ceil = true};
  float answer_;
  Buffer<float> images_, kernels_, out_, pooled_;
};
const RegisterOp<ConvSample> conv_sample;

}  // namespace
}  // namespace rafter
