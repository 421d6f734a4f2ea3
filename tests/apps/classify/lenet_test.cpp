// Lenet: the whole network compared with its definition in float64, on every device present and on the executor.
#define RAFTER_BACKEND simt
#include "apps/classify/lenet/lenet_layers.hpp"
//
#include <gtest/gtest.h>

#include <limits>

#include "executor/device/simt_device.hpp"
#include "lenet_reference.hpp"
#include "library/core/stream/backend.hpp"
#include "rafter/host_pipeline.hpp"
#include "workbench/lab/expect_error.hpp"

namespace rafter::classify {
namespace {

using lab::expect_error;

template <class T>
std::vector<LenetResult> run(Lenet& model, const std::vector<T>& images) {
  const Stream& stream = model.stream();
  const Buffer<T> there(stream, images);
  Buffer<LenetResult> results(stream, static_cast<std::int64_t>(images.size()) / Lenet::image_pixels);
  model.run(there.span(), results.span());
  std::vector<LenetResult> host(static_cast<std::size_t>(results.size()));
  results.copy_to(host);
  return host;
}

std::vector<float> widened(const std::vector<std::uint8_t>& bytes) { return {bytes.begin(), bytes.end()}; }

/// Expects every probability within its bound, and the reference's label where that is certain. Returns whether it is.
bool expect_result(const LenetResult& found, const LenetReference& expected) {
  for (std::size_t c = 0; c < expected.probabilities.size(); ++c) {
    const double error = std::abs(static_cast<double>(found.probabilities[c]) - expected.probabilities[c].value);
    EXPECT_TRUE(error <= expected.probabilities[c].error)  // fails for NaN
        << "probability " << c << " is " << found.probabilities[c] << ", expected " << expected.probabilities[c].value
        << " within " << expected.probabilities[c].error;
  }
  if (!(expected.margin > expected.doubt)) return false;
  EXPECT_EQ(found.label, static_cast<int>(expected.label)) << "by " << expected.margin;
  return true;
}

/// Compares random networks and images on a device with the definition; most labels must be certain.
void expect_definition(const Stream& stream, ConvPrecision precision, double lowest, unsigned n_networks,
                       std::size_t n_images) {
  unsigned n_certain = 0;
  for (unsigned seed = 1; seed <= n_networks; ++seed) {
    const LenetWeights weights = random_weights(seed, lowest);
    const auto images = random_images(n_images, seed + 100);
    Lenet lenet(stream, weights, {precision, 2});
    const auto results = run(lenet, images);
    for (std::size_t i = 0; i < n_images; ++i) {
      const auto expected = reference_lenet(images.data() + i * Lenet::image_pixels, weights, precision);
      n_certain += expect_result(results[i], expected) ? 1 : 0;
    }
  }
  // With sums that cancel, labels are uncertain in the precisions with 11-bit significands.
  if (lowest > -1) {
    EXPECT_GT(2 * n_certain, n_networks * n_images) << "the bounds are too wide: most labels are uncertain";
  }
}

void expect_same_bits(const Stream& stream, ConvPrecision precision, std::size_t n_images, std::int64_t batch) {
  const LenetWeights weights = random_weights(7, -0.25);
  const auto images = random_images(n_images, 8);
  Lenet in_pieces(stream, weights, {precision, batch});
  Lenet at_once(stream, weights, {precision, 100});
  EXPECT_EQ(run(in_pieces, images), run(at_once, widened(images)));
}

/// Runs images from pageable and from pinned host memory through the network in chunks.
void expect_pipeline(const Stream& stream, ConvPrecision precision, std::size_t n_images, std::int64_t piece) {
  Lenet lenet(stream, random_weights(13, -0.25), {precision, piece});
  const auto images = random_images(n_images, 14);
  const auto expected = run(lenet, images);
  HostPipeline<std::uint8_t, LenetResult> pipeline(stream, {Lenet::image_pixels, 1, piece});
  const auto network = [&](auto in, auto out) { lenet.run(in, out); };
  std::vector<LenetResult> results(n_images);
  pipeline.run(images, results, network);
  EXPECT_EQ(results, expected);
  PinnedBuffer<std::uint8_t> pinned_images(stream, std::ssize(images));
  PinnedBuffer<LenetResult> pinned_results(stream, std::ssize(results));
  std::copy(images.begin(), images.end(), pinned_images.data());
  pipeline.run(pinned_images.span(), pinned_results.span(), network);
  EXPECT_TRUE(std::equal(expected.begin(), expected.end(), pinned_results.data()));
}

struct Setting {
  Device device;
  ConvPrecision precision;
};

class LenetOn : public testing::TestWithParam<Setting> {
 protected:
  void SetUp() override {
    if (const auto reason = why_unavailable(GetParam().device)) GTEST_SKIP() << *reason;
  }
  const ConvPrecision precision = GetParam().precision;
};

TEST_P(LenetOn, MatchesTheDefinition) {
  for (const double lowest : {-0.25, -1.}) expect_definition(Stream::on(GetParam().device), precision, lowest, 4, 3);
}

TEST_P(LenetOn, ResultsDoNotDependOnBatchOrPixelType) {
  expect_same_bits(Stream::on(GetParam().device), precision, 5, 2);
  if (GetParam().device == Device::cuda) expect_same_bits(Stream::on(Device::cuda), precision, 99, 64);
}

TEST_P(LenetOn, ResultsDoNotDependOnThePipeline) {
  expect_pipeline(Stream::on(GetParam().device), precision, GetParam().device == Device::cpu ? 5 : 99, 10);
}

TEST_P(LenetOn, SeparateLayersGiveTheNetworksResult) {
  const Stream stream = Stream::on(GetParam().device);
  Lenet lenet(stream, random_weights(9, -0.25), {precision, 3});
  const auto images = random_images(3, 10);
  const Buffer<float> pixels(stream, widened(images));
  Buffer<float> conv1(stream, 3 * Lenet::conv1_outputs), conv2(stream, 3 * Lenet::conv2_outputs);
  Buffer<LenetResult> results(stream, 3);
  lenet.conv1(pixels, conv1.span());
  lenet.conv2(conv1, conv2.span());
  lenet.classify(conv2, results.span());
  std::vector<LenetResult> host(3);
  results.copy_to(host);
  EXPECT_EQ(host, run(lenet, images));
}

TEST_P(LenetOn, RejectsMismatchedArguments) {
  const Stream stream = Stream::on(GetParam().device);
  Lenet lenet(stream, {}, {precision, 2});
  const Buffer<float> in(stream, 2 * Lenet::image_pixels);
  Buffer<float> out(stream, 2 * Lenet::conv1_outputs);
  Buffer<LenetResult> results(stream, 2);
  const auto refused = [](const std::string& words, const auto& call) {
    expect_error(ErrorCode::bad_argument, words, call);
  };
  refused("Lenet::run: images should have 7396 elements per image, has 7395",
          [&] { lenet.run(in.span().first(7395), results.span()); });
  refused("Lenet::run: results should have 2 elements, has 1", [&] { lenet.run(in.span(), results.span().first(1)); });
  refused("Lenet::conv1: out should have 12800 elements, has 12799", [&] { lenet.conv1(in, out.span().first(12799)); });
  refused("Lenet::classify: in must be aligned to 16 bytes",
          [&] { lenet.classify(in.span().subspan(1, 1296), results.span().first(1)); });
  refused("Lenet: batch must be from 1 to 2^30 images, or 0 for the device's default, is -1", [&] {
    Lenet(stream, {}, {precision, -1});
  });
  lenet.run(in.span().first(0), results.span().first(0));
}

constexpr Setting settings[] = {
    {Device::cpu, ConvPrecision::fp32},  {Device::cuda, ConvPrecision::fp32},       {Device::cuda, ConvPrecision::tf32},
    {Device::cuda, ConvPrecision::fp16}, {Device::cuda, ConvPrecision::split_fp16},
};
INSTANTIATE_TEST_SUITE_P(Devices, LenetOn, testing::ValuesIn(settings), [](const auto& tested) {
  return std::string(name(tested.param.device)) + "_" + name(tested.param.precision);
});

class Lenet_simt_ : public testing::TestWithParam<ConvPrecision> {
 protected:
  static void SetUpTestSuite() { simt::provide_device(); }
  void TearDown() override { EXPECT_EQ(core::backend(Device::simt).take_findings().value_or(""), ""); }
};

TEST_P(Lenet_simt_, MatchesTheDefinition) { expect_definition(Stream::on(Device::simt), GetParam(), -0.25, 1, 1); }

INSTANTIATE_TEST_SUITE_P(Precisions, Lenet_simt_, testing::ValuesIn(conv_precisions),
                         [](const auto& tested) { return std::string(name(tested.param)); });

TEST(Lenet, ResultsDoNotDependOnBatch_simt_) {
  simt::provide_device();
  expect_same_bits(Stream::on(Device::simt), ConvPrecision::fp16, 2, 1);
  expect_pipeline(Stream::on(Device::simt), ConvPrecision::fp32, 2, 1);
}

TEST(Lenet, RejectsReducedPrecisionOnTheCpu) {
  expect_error(ErrorCode::unsupported, "Lenet: the CPU supports precision fp32 only, not split_fp16",
               [] { Lenet(Stream::cpu(), {}, {ConvPrecision::split_fp16}); });
}

void expect_widened(const Stream& stream, const lenet::Layers& layers) {
  std::vector<std::uint8_t> bytes(2051);
  for (std::size_t i = 0; i < bytes.size(); ++i) bytes[i] = static_cast<std::uint8_t>(i * 7);
  const Buffer<std::uint8_t> there(stream, bytes);
  for (const std::int64_t offset : {0, 1, 2, 4}) {  // 1 and 2 are not 4-byte aligned
    const std::int64_t n = there.size() - offset;
    Buffer<float> out(stream, n);
    layers.widen(stream, there.data() + offset, n, out.data());
    std::vector<float> host(static_cast<std::size_t>(n));
    out.copy_to(host);
    EXPECT_TRUE(std::equal(host.begin(), host.end(), bytes.begin() + offset)) << offset;
  }
}

TEST(Pixels, AreWidenedOnTheCpu) { expect_widened(Stream::cpu(), lenet::cpu::layers); }
TEST(Pixels, AreWidenedOn_simt_) {
  simt::provide_device();
  expect_widened(Stream::on(Device::simt), lenet::simt::layers);
  EXPECT_EQ(core::backend(Device::simt).take_findings().value_or(""), "");
}

// The classifier alone, with every tile.

std::vector<float> random_features(std::size_t n) {
  std::vector<float> features(n * Lenet::conv2_outputs);
  std::mt19937 random(11);
  for (float& feature : features) feature = static_cast<float>(random() % 1000) / 20;
  return features;
}

LenetReference reference_image(const std::vector<float>& features, std::size_t image, const LenetWeights& weights) {
  std::vector<Bounded> values(Lenet::conv2_outputs);
  for (std::size_t k = 0; k < values.size(); ++k) values[k].value = features[image * values.size() + k];
  return reference_classifier(values, weights);
}

using Classify = void (*)(const Stream&, const lenet::ClassifierArgs&);

std::vector<LenetResult> classified(const Stream& stream, const LenetWeights& weights,
                                    const std::vector<float>& features, const Classify& classify) {
  const Buffer<LenetWeights> there(stream, std::span(&weights, 1));
  const Buffer<float> in(stream, features);
  Buffer<LenetResult> results(stream, static_cast<std::int64_t>(features.size()) / Lenet::conv2_outputs);
  classify(stream, {in.data(), there.data(), results.size(), results.data()});
  std::vector<LenetResult> host(static_cast<std::size_t>(results.size()));
  results.copy_to(host);
  return host;
}

class Tiles_simt_ : public testing::TestWithParam<int> {};

TEST_P(Tiles_simt_, ClassifyAsTheDefinition) {
  simt::provide_device();
  namespace gpu = lenet::simt;
  const Classify classify = GetParam() == 8    ? gpu::classify_tiles<8>
                            : GetParam() == 16 ? gpu::classify_tiles<16>
                                               : gpu::classify_tiles<32>;
  const LenetWeights weights = random_weights(12, -0.25);
  const std::size_t n = static_cast<std::size_t>(GetParam()) + 3;
  const std::vector<float> features = random_features(n);
  const auto results = classified(Stream::on(Device::simt), weights, features, classify);
  for (std::size_t i = 0; i < n; ++i) EXPECT_TRUE(expect_result(results[i], reference_image(features, i, weights)));
  EXPECT_EQ(results.front(),
            classified(Stream::on(Device::simt), weights, random_features(1), gpu::classify_tiles<8>).front())
      << "results must not depend on the tile";
  EXPECT_EQ(core::backend(Device::simt).take_findings().value_or(""), "");
}

INSTANTIATE_TEST_SUITE_P(Images, Tiles_simt_, testing::Values(8, 16, 32), testing::PrintToStringParamName());

void expect_edges(const Stream& stream, const Classify& classify) {
  const std::vector<float> features(Lenet::conv2_outputs, 1);
  LenetWeights weights;
  const LenetResult even = classified(stream, weights, features, classify).front();
  EXPECT_EQ(even.label, 0) << "the first of equal logits";
  for (const float p : even.probabilities) EXPECT_FLOAT_EQ(p, 0.1f);
  weights.fc2_bias[4] = 1000;
  const LenetResult sure = classified(stream, weights, features, classify).front();
  EXPECT_EQ(sure.label, 4);
  EXPECT_EQ(sure.probabilities[4], 1);
  EXPECT_EQ(sure.probabilities[5], 0);
  for (const float bad : {std::numeric_limits<float>::quiet_NaN(), std::numeric_limits<float>::infinity()}) {
    weights.fc2_bias[4] = bad;
    const LenetResult none = classified(stream, weights, features, classify).front();
    EXPECT_EQ(none.label, -1);
    for (const float p : none.probabilities) EXPECT_TRUE(std::isnan(p));
  }
}

// Classifies enough images for the largest tile, then numbers of them for which smaller tiles are chosen.
TEST(Classifier, ResultsDoNotDependOnTheTile_cuda) {
  if (const auto reason = why_unavailable(Device::cuda)) GTEST_SKIP() << *reason;
  const Stream stream = Stream::on(Device::cuda);
  const LenetWeights weights = random_weights(15, -0.25);
  const Lenet lenet(stream, weights, {.batch = 1});
  const std::size_t n = static_cast<std::size_t>(stream.n_multiprocessors()) * 64 + 5;
  const std::vector<float> features = random_features(n);
  const Buffer<float> there(stream, features);
  const auto classify = [&](std::size_t n_first) {
    Buffer<LenetResult> results(stream, static_cast<std::int64_t>(n_first));
    lenet.classify(there.span().first(n_first * Lenet::conv2_outputs), results.span());
    std::vector<LenetResult> host(n_first);
    results.copy_to(host);
    return host;
  };
  const auto all = classify(n);
  for (std::size_t i = 0; i < n; i += 97) expect_result(all[i], reference_image(features, i, weights));
  for (const std::size_t n_first : {n / 3, n / 20, std::size_t{1}}) {
    const auto first = classify(n_first);
    EXPECT_TRUE(std::equal(first.begin(), first.end(), all.begin())) << n_first << " images";
  }
}

TEST(Classifier, HandlesTiesAndNonFiniteLogitsOnTheCpu) { expect_edges(Stream::cpu(), lenet::cpu::layers.classify); }
TEST(Classifier, HandlesTiesAndNonFiniteLogits_simt_) {
  simt::provide_device();
  expect_edges(Stream::on(Device::simt), lenet::simt::classify_tiles<8>);
}

}  // namespace
}  // namespace rafter::classify
