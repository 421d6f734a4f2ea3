// SpectralAutoencoder on every device: compared with its definition in float64, and its other guarantees.
#include "rafter/spectral.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <functional>
#include <limits>

#include "executor/device/simt_device.hpp"
#include "kernels/all_ops.hpp"
#include "library/core/stream/backend.hpp"
#include "rafter/buffer.hpp"
#include "spectral/spectral_model.hpp"
#include "spectral/spectral_reference.hpp"
#include "workbench/lab/expect_error.hpp"

namespace rafter {
namespace {

using lab::expect_error;
using spectral_ladder::SpectralReference;

constexpr SpectralShape original{}, medium{128, 10, 128, 256}, large{256, 10, 256, 512}, xlarge{512, 10, 512, 1024};
constexpr SpectralShape odd{13, 3, 37, 21};
constexpr float nan = std::numeric_limits<float>::quiet_NaN();

std::vector<float> numbers(std::int64_t n, unsigned seed, double scale = 1) {
  std::vector<float> values(static_cast<std::size_t>(n));
  for (float& value : values) {
    seed = seed * 1664525u + 1013904223u;
    value = static_cast<float>((static_cast<double>(seed >> 8) / (1 << 23) - 1) * scale);
  }
  return values;
}

/// Returns weights of the right sizes, all zero.
SpectralWeights zero_weights(const SpectralShape& shape) {
  SpectralWeights weights{.shape = shape};
  spectral_ladder::for_each_tensor(
      shape, [&](auto tensor, auto, std::int64_t size) { (weights.*tensor).resize(static_cast<std::size_t>(size)); });
  return weights;
}

SpectralWeights random_weights(const SpectralShape& shape, unsigned seed = 1) {
  SpectralWeights weights{.shape = shape};
  spectral_ladder::for_each_tensor(shape, [&](auto tensor, auto, std::int64_t size) {
    weights.*tensor = numbers(size, ++seed, size > shape.latent ? 1 / std::sqrt(static_cast<double>(shape.mels)) : 0.2);
  });
  for (float& scale : weights.encoder_norm_weight) scale += 1;
  for (float& scale : weights.latent_norm_weight) scale += 1;
  return weights;
}

/// Returns weights of the original shape: slice l of frame 0 is value l of z and of the output; all others are 0.
SpectralWeights transparent_weights() {
  SpectralWeights weights = zero_weights(original);
  std::fill(weights.latent_norm_weight.begin(), weights.latent_norm_weight.end(), 1.F);
  for (std::int64_t l = 0; l < original.latent; ++l) weights.basis[static_cast<std::size_t>(l * 320 + l)] = 2;
  for (std::int64_t s = 0; s < original.slice; ++s) weights.decoder_weight[static_cast<std::size_t>(s * 64 + s)] = 1;
  return weights;
}

std::vector<double> defined(const SpectralWeights& weights, const std::vector<float>& x) {
  const std::vector<float> array = spectral_ladder::tensor_array(weights);
  const SpectralReference<double> reference(weights.shape, spectral_ladder::tensors_in(array.data(), weights.shape));
  std::vector<double> y(x.size());
  const auto window = static_cast<std::size_t>(weights.shape.window());
  for (std::size_t i = 0; i < x.size(); i += window) reference.run(x.data() + i, y.data() + i);
  return y;
}

void expect_near(const std::vector<float>& found, const std::vector<double>& expected, double tolerance = 1e-5) {
  ASSERT_EQ(found.size(), expected.size());
  for (std::size_t i = 0; i < found.size(); ++i) {
    const double off = std::abs(static_cast<double>(found[i]) - expected[i]);
    ASSERT_TRUE(off <= tolerance * (1 + std::abs(expected[i])))  // false for NaN
        << "value " << i << " is " << found[i] << ", expected " << expected[i];
  }
}

double largest_difference(const std::vector<float>& a, const std::vector<double>& b) {
  double largest = 0;
  for (std::size_t i = 0; i < b.size(); ++i) largest = std::max(largest, std::abs(static_cast<double>(a[i]) - b[i]));
  return largest;
}

class Spectral : public testing::TestWithParam<Device> {
 protected:
  void SetUp() override {
    if (device == Device::simt) simt::provide_device();
    if (const auto reason = why_unavailable(device)) GTEST_SKIP() << *reason;
    stream = Stream::on(device);
  }
  void TearDown() override {
    if (device == Device::simt) {
      EXPECT_EQ(core::backend(Device::simt).take_findings().value_or(""), "");
    }
  }

  /// Returns y, or scores, of windows that start `offset` floats after the start of their memory.
  std::vector<float> run(const SpectralAutoencoder& model, const std::vector<float>& x, std::int64_t offset = 0) const {
    return results(x, std::ssize(x), offset, [&](auto in, auto out) { model.forward(stream, in, out); });
  }
  std::vector<float> scores(const SpectralAutoencoder& model, const std::vector<float>& x) const {
    const std::int64_t n = std::ssize(x) / model.shape().window();
    return results(x, n, 0, [&](auto in, auto out) { model.score(stream, in, out); });
  }
  std::vector<float> run(const SpectralWeights& weights, const std::vector<float>& x) const {
    return run(SpectralAutoencoder(stream, weights), x);
  }

  const Device device = GetParam();
  Stream stream = Stream::cpu();
  /// The shapes for guarantees of every kernel; shapes other than the original take the executor seconds.
  const std::vector<SpectralShape> shapes = device == Device::simt ? std::vector{original} : std::vector{original, odd};

 private:
  template <class Call>
  std::vector<float> results(const std::vector<float>& x, std::int64_t n, std::int64_t offset, const Call& call) const {
    std::vector<float> host(static_cast<std::size_t>(offset), nan);
    host.insert(host.end(), x.begin(), x.end());
    const Buffer<float> in(stream, host);
    Buffer<float> out(stream, std::vector<float>(static_cast<std::size_t>(n + 2 * offset), 7));
    call(in.span().last(in.size() - offset), out.span().subspan(offset, n));
    host.resize(static_cast<std::size_t>(out.size()));
    out.copy_to(host);
    const auto begin = host.begin() + offset, end = host.end() - offset;
    EXPECT_TRUE(std::all_of(host.begin(), begin, [](float f) { return f == 7; })) << "written before y";
    EXPECT_TRUE(std::all_of(end, host.end(), [](float f) { return f == 7; })) << "written behind y";
    return {begin, end};
  }
};

TEST_P(Spectral, OriginalShapeEqualsTheDefinition) {
  const SpectralWeights weights = random_weights(original);
  const SpectralAutoencoder model(stream, weights);
  const std::vector<float> all = numbers(1000 * original.window(), 5);
  const std::vector<double> expected = defined(weights, all);
  for (const std::int64_t n : {1, 31, 32, 33, 512, 1000}) {
    if (device == Device::simt && n > 33) continue;  // the executor takes seconds
    const std::int64_t size = n * original.window();
    SCOPED_TRACE(n);
    expect_near(run(model, {all.begin(), all.begin() + size}), {expected.begin(), expected.begin() + size});
  }
}

TEST_P(Spectral, OtherShapesEqualTheDefinition) {
  for (const SpectralShape& shape : {odd, medium, large, xlarge}) {
    if (shape == xlarge && device != Device::cuda) continue;  // seconds to fold
    if (shape != odd && device == Device::simt) continue;     // seconds to run
    SCOPED_TRACE(shape.mels);
    const SpectralWeights weights = random_weights(shape);
    const std::vector<float> x = numbers(3 * shape.window(), 6);
    expect_near(run(weights, x), defined(weights, x));
  }
}

double exact_gelu(double x) { return x / 2 * (1 + std::erf(x * std::sqrt(0.5))); }
double tanh_gelu(double x) { return x / 2 * (1 + std::tanh(0.7978845608028654 * (x + 0.044715 * x * x * x))); }

/// Returns frame 0 for transparent weights with only a bias in the encoder, and a latent layer that multiplies by 1.
std::vector<double> through(const std::vector<float>& bias, const std::function<double(double)>& first,
                            const std::function<double(double)>& second) {
  std::vector<double> z;
  for (std::int64_t l = 0; l < original.latent; ++l) z.push_back(first(bias[static_cast<std::size_t>(l)]));
  double mean = 0, variance = 0;
  for (const double value : z) mean += value / static_cast<double>(z.size());
  for (const double value : z) variance += (value - mean) * (value - mean) / static_cast<double>(z.size());
  for (double& value : z) value = second((value - mean) / std::sqrt(variance + 1e-5));
  return z;
}

TEST_P(Spectral, GeluIsExactInBothPlaces) {
  SpectralWeights weights = transparent_weights();
  for (std::size_t s = 0; s < 64; ++s) weights.encoder_bias[s] = static_cast<float>(s % 32) / 8 - 2;
  for (std::size_t l = 0; l < 32; ++l) weights.latent_weight[l * 32 + l] = 1.5F;
  const auto second = [](const auto& gelu) { return [&gelu](double z) { return gelu(1.5 * z); }; };
  std::vector<float> y = run(weights, numbers(original.window(), 7));
  y.resize(32);
  expect_near(y, through(weights.encoder_bias, exact_gelu, second(exact_gelu)));
  EXPECT_GT(largest_difference(y, through(weights.encoder_bias, tanh_gelu, second(exact_gelu))), 1e-4);
  EXPECT_GT(largest_difference(y, through(weights.encoder_bias, exact_gelu, second(tanh_gelu))), 1e-4);
}

TEST_P(Spectral, TheBottleneckIsAMatrixProduct) {
  SpectralWeights weights = transparent_weights();
  for (std::size_t s = 0; s < 64; ++s) weights.encoder_bias[s] = static_cast<float>(s % 32) / 8 - 2;
  for (std::size_t l = 0; l < 32; ++l) weights.latent_weight[l * 32 + (l + 1) % 32] = 1;  // z shifts by one
  std::vector<double> moved = through(weights.encoder_bias, exact_gelu, exact_gelu);
  const std::vector<double> in_place = moved;
  std::rotate(moved.begin(), moved.begin() + 1, moved.end());
  std::vector<float> y = run(weights, numbers(original.window(), 7));
  y.resize(32);
  expect_near(y, moved);
  EXPECT_GT(largest_difference(y, in_place), 0.05);
  EXPECT_GT(largest_difference(y, std::vector<double>(32)), 0.05)
      << "the diagonal is zero: so is a product by elements";
}

TEST_P(Spectral, SpectraWithoutVarianceAreNormalisedToZero) {
  SpectralWeights weights = random_weights(original);
  std::vector<float> x = numbers(3 * original.window(), 8);
  std::fill(x.begin(), x.begin() + original.window(), 0.F);
  std::fill(x.begin() + original.window(), x.begin() + original.window() + 64, -2.5F);
  expect_near(run(weights, x), defined(weights, x));
  std::fill(weights.encoder_weight.begin(), weights.encoder_weight.end(), 0.F);  // then z has no variance, either
  std::fill(weights.encoder_bias.begin(), weights.encoder_bias.end(), 0.F);
  expect_near(run(weights, x), defined(weights, x));
}

TEST_P(Spectral, KeepsNanInItsWindow) {
  for (const SpectralShape& shape : shapes) {
    const SpectralAutoencoder model(stream, random_weights(shape));
    const std::int64_t window = shape.window(), n = 17;
    const std::vector<float> x = numbers(n * window, 9);
    std::vector<float> expected = run(model, x), spoiled = x;
    spoiled[static_cast<std::size_t>(4 * window + shape.mels + 3)] = nan;
    const std::vector<float> found = run(model, spoiled), errors = scores(model, spoiled);
    for (std::int64_t i = 0; i < n * window; ++i) {
      const auto at = static_cast<std::size_t>(i);
      const bool is_right = i / window == 4 ? std::isnan(found[at]) : found[at] == expected[at];
      ASSERT_TRUE(is_right) << "value " << i << " is " << found[at];
    }
    for (std::size_t i = 0; i < errors.size(); ++i) EXPECT_EQ(std::isnan(errors[i]), i == 4) << i;
  }
}

TEST_P(Spectral, GivesTheSameBitsForAnyPositionBatchAndAddress) {
  for (const SpectralShape& shape : shapes) {
    const SpectralAutoencoder model(stream, random_weights(shape));
    const std::int64_t window = shape.window(), n = device == Device::simt ? 9 : 100;
    const std::vector<float> x = numbers(n * window, 10), y = run(model, x), errors = scores(model, x);
    EXPECT_EQ(run(model, x), y);
    EXPECT_EQ(run(model, x, 1), y) << "aligned to a float alone";
    EXPECT_EQ(scores(model, x), errors);
    for (const std::int64_t first : {std::int64_t{0}, n / 2, n - 1}) {
      const std::vector<float> one(x.begin() + first * window, x.begin() + (first + 1) * window);
      EXPECT_EQ(run(model, one), std::vector<float>(y.begin() + first * window, y.begin() + (first + 1) * window));
      EXPECT_EQ(scores(model, one)[0], errors[static_cast<std::size_t>(first)]);
    }
  }
}

TEST_P(Spectral, ScoresAreTheMeanSquaredErrors) {
  for (const SpectralShape& shape : shapes) {
    const SpectralAutoencoder model(stream, random_weights(shape));
    const std::vector<float> x = numbers(9 * shape.window(), 11), y = run(model, x);
    std::vector<double> expected(9);
    for (std::size_t i = 0; i < x.size(); ++i) {
      const double off = static_cast<double>(y[i]) - static_cast<double>(x[i]);
      expected[i / static_cast<std::size_t>(shape.window())] += off * off / static_cast<double>(shape.window());
    }
    expect_near(scores(model, x), expected);
  }
}

TEST_P(Spectral, RejectsInvalidArguments) {
  const SpectralAutoencoder model(stream, random_weights(odd));
  const Buffer<float> x(stream, numbers(2 * 39, 12));
  Buffer<float> y(stream, 2 * 39);
  const auto refused = [](const std::string& words, const auto& call) {
    expect_error(ErrorCode::bad_argument, words, call);
  };
  refused("SpectralAutoencoder::forward: x should have 39 elements per window, has 77",
          [&] { model.forward(stream, x.span().first(77), y.span().first(77)); });
  refused("SpectralAutoencoder::forward: y should have 78 elements, has 39",
          [&] { model.forward(stream, x, y.span().first(39)); });
  refused("SpectralAutoencoder::score: scores should have 2 elements, has 1",
          [&] { model.score(stream, x, y.span().first(1)); });
  refused("SpectralAutoencoder::forward: x is null",
          [&] { model.forward(stream, DeviceSpan<const float>::unchecked(nullptr, 78), y.span()); });
  refused("SpectralAutoencoder::forward: y is null",
          [&] { model.forward(stream, x, DeviceSpan<float>::unchecked(nullptr, 78)); });
  refused("SpectralAutoencoder::forward: y overlaps x",
          [&] { model.forward(stream, y.span().first(39), y.span().subspan(38, 39)); });
  if (device != Device::cpu)
    refused("SpectralAutoencoder::forward: stream is of another device than the model, which is on",
            [&] { model.forward(Stream::cpu(), x, y.span()); });
  model.forward(stream, x.span().first(0), y.span().first(0));
  model.score(stream, x.span().first(0), y.span().first(0));
}

INSTANTIATE_TEST_SUITE_P(Devices, Spectral, testing::Values(Device::cpu, Device::simt, Device::cuda),
                         [](const auto& tested) { return "_" + std::string(name(tested.param)) + "_"; });

TEST(SpectralOnTheCpu, GivesTheSameBitsWithAnyNumberOfThreads) {
  const std::vector<float> x = numbers(200 * original.window(), 13);
  std::vector<float> y(x.size()), again(x.size());
  const Stream one = Stream::cpu(1), three = Stream::cpu(3);
  SpectralAutoencoder(one, random_weights(original)).forward(one, device_span(one, x), device_span(one, y));
  SpectralAutoencoder(three, random_weights(original)).forward(three, device_span(three, x), device_span(three, again));
  EXPECT_EQ(y, again);
}

TEST(SpectralOnTheCpu, SupportsFp32Only) {
  expect_error(ErrorCode::unsupported, "SpectralAutoencoder: the CPU supports fp32 only, not tf32",
               [] { SpectralAutoencoder(Stream::cpu(), random_weights(odd), {SpectralPrecision::tf32}); });
}

TEST(SpectralWeightsCheck, NamesTheVectorThatDoesNotFit) {
  SpectralWeights weights = random_weights(odd);
  weights.decoder_bias.pop_back();
  expect_error(ErrorCode::bad_argument, "SpectralAutoencoder: decoder_bias should have 13 elements, has 12",
               [&] { SpectralAutoencoder(Stream::cpu(), weights); });
  weights = random_weights(odd);
  weights.basis.push_back(0);
  expect_error(ErrorCode::bad_argument, "SpectralAutoencoder: basis should have 2331 elements, has 2332",
               [&] { SpectralAutoencoder(Stream::cpu(), weights); });
  weights.shape.frames = 0;
  expect_error(ErrorCode::bad_argument, "SpectralAutoencoder: shape must have frames from 1 to 2^20, has 0",
               [&] { SpectralAutoencoder(Stream::cpu(), weights); });
}

// ---- The op's sample for the tests of streams ----
/// Weight matrices of ones, and biases of 1 except for the last, which is `value`. Spectra and latents are constant, so
/// their normalised values are 0 and GELU(1) follows.
class SpectralSample final : public OpSample {
 public:
  SpectralSample(const Stream& stream, std::int64_t, int value)
      : value_(static_cast<float>(value)),
        small_(stream, weights(small_shape)),
        original_(stream, weights({})),
        windows_(stream, filled(SpectralShape{}.window(), 1.F)),
        small_out_(stream, 3 * small_shape.window()),
        original_out_(stream, SpectralShape{}.window()) {}
  void enqueue(const Stream& stream) override {
    const DeviceSpan<const float> windows = windows_;
    small_.forward(stream, windows.first(small_out_.span().size()), small_out_.span());
    original_.forward(stream, windows, original_out_.span());
  }
  void check() override {
    for (const float cell : take(small_out_)) ASSERT_NEAR(cell, answer(small_shape), 1e-4F);
    for (const float cell : take(original_out_)) ASSERT_NEAR(cell, answer({}), 1e-4F);
  }

 private:
  static constexpr SpectralShape small_shape{.mels = 20, .frames = 2, .latent = 12, .slice = 24};

  SpectralWeights weights(const SpectralShape& shape) const {
    return {.shape = shape,
            .encoder_norm_weight = filled(shape.mels, 1.F),
            .encoder_norm_bias = filled(shape.mels, 0.F),
            .encoder_weight = filled(shape.slice * shape.mels, 1.F),
            .encoder_bias = filled(shape.slice, 1.F),
            .basis = filled(shape.latent * shape.features(), 1.F),
            .latent_norm_weight = filled(shape.latent, 1.F),
            .latent_norm_bias = filled(shape.latent, 0.F),
            .latent_weight = filled(shape.latent * shape.latent, 1.F),
            .latent_bias = filled(shape.latent, 1.F),
            .decoder_weight = filled(shape.mels * shape.slice, 0.01F),
            .decoder_bias = filled(shape.mels, value_)};
  }
  float answer(const SpectralShape& shape) const {
    const float latents = 0.841344746F * static_cast<float>(shape.latent);
    return 0.01F * static_cast<float>(shape.slice) * latents / std::sqrt(static_cast<float>(shape.features())) + value_;
  }

  float value_;
  SpectralAutoencoder small_, original_;
  Buffer<float> windows_, small_out_, original_out_;
};
const RegisterOp<SpectralSample> spectral_sample;

}  // namespace
}  // namespace rafter
