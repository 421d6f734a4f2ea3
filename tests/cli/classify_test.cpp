// rafter classify as a user meets it: files in, classes and times out, and what is said when it cannot be.
#include <algorithm>
#include <fstream>
#include <nlohmann/json.hpp>
#include <sstream>

#include "apps/classify/image_files.hpp"
#include "apps/classify/lenet_reference.hpp"
#include "base/files.hpp"
#include "base/npy.hpp"
#include "cli.hpp"

namespace rafter {
namespace {

using classify::bytes_of;
using classify::idx_file;
using classify::Lenet;
using classify::LenetResult;
using classify::LenetWeights;
using classify::npy_file;
using classify::random_images;
using classify::random_weights;
using classify::write_lenet_weights;
using cli::Outcome;
using nlohmann::json;

constexpr std::uint32_t n_images = 12;

class Classify : public cli::Cli {
 protected:
  void SetUp() override {
    cli::Cli::SetUp();
    write_lenet_weights(file("w"), weights_);
    put("x", idx_file({n_images, 86, 86}, bytes_of(images_)));
    Buffer<LenetResult> results(Stream::cpu(), n_images);
    Lenet(Stream::cpu(), weights_).run(device_span(Stream::cpu(), images_), results);
    results_.resize(n_images);
    results.copy_to(results_);
  }

  void put(const std::string& name, const std::string& text) const { base::write_file(file(name), text); }
  std::string path(const std::string& name) const { return " " + file(name); }
  Outcome classify(const std::string& arguments) const { return rafter("classify --weights" + path("w") + arguments); }

  /// The classes, and others for the first `n_wrong` images.
  std::string labels(std::size_t n_wrong) const {
    std::string text;
    for (std::size_t i = 0; i < n_images; ++i)
      text += static_cast<char>((results_[i].label + (i < n_wrong ? 1 : 0)) % Lenet::n_classes);
    return text;
  }

  template <class T>
  static std::vector<T> values_of(const std::string& path) {
    base::NpyFile npy{std::filesystem::path(path)};
    std::vector<T> values(static_cast<std::size_t>(npy.n_values(sizeof(T))));
    npy.read(std::as_writable_bytes(std::span(values)));
    return values;
  }

  std::vector<std::int32_t> classes() const {
    std::vector<std::int32_t> all;
    for (const LenetResult& result : results_) all.push_back(result.label);
    return all;
  }

  const LenetWeights weights_ = random_weights(3, -1);
  const std::vector<std::uint8_t> images_ = random_images(n_images, 4);
  std::vector<LenetResult> results_;
};

TEST_F(Classify, PrintsAccuracyAndTimesOfLayers) {
  put("y", idx_file({n_images}, labels(3)));
  const Outcome outcome =
      classify(" --images" + path("x") + " --labels" + path("y") + " --device cpu --times --json" + path("r.json"));
  ASSERT_EQ(outcome.code, 0) << outcome.err;
  EXPECT_EQ(outcome.err, "");
  EXPECT_TRUE(has(outcome.out, "accuracy 75.00 %: 9 of 12")) << outcome.out;
  for (const char* layer : {"conv1 ", "conv2 ", "classifier ", "network "}) EXPECT_TRUE(has(outcome.out, layer));
  std::istringstream lines(outcome.out);
  for (std::string line; std::getline(lines, line);) EXPECT_LE(line.size(), 100u) << line;
  const json result = json::parse(text_of(file("r.json")));
  EXPECT_EQ(result["accuracy"], 0.75);
  EXPECT_EQ(result["images"], 12);
  ASSERT_EQ(result["layers"].size(), 4u);
  for (const json& layer : result["layers"]) EXPECT_GT(layer["op_ns"].get<double>(), 0) << layer;
  EXPECT_GT(result["images_per_s"].get<double>(), 0);
}

TEST_F(Classify, TimesLayersOnlyWhenAsked) {
  const Outcome outcome = classify(" --images" + path("x") + " --json" + path("r.json"));
  ASSERT_EQ(outcome.code, 0) << outcome.err;
  EXPECT_FALSE(has(outcome.out, "conv1")) << outcome.out;
  EXPECT_TRUE(has(outcome.out, "\nclassified in ")) << outcome.out;
  EXPECT_TRUE(has(outcome.out, "lenet on cpu")) << "few images";
  EXPECT_FALSE(json::parse(text_of(file("r.json"))).contains("layers"));
  EXPECT_TRUE(has(classify(" --images" + path("x") + " --csv -").out, "conv1,"));
}

TEST_F(Classify, PrintsTheConfusionMatrix) {
  put("y", idx_file({n_images}, labels(3)));
  const Outcome outcome = classify(" --images" + path("x") + " --labels" + path("y") + " --json" + path("r.json"));
  ASSERT_EQ(outcome.code, 0) << outcome.err;
  std::vector<std::vector<int>> expected(10, std::vector<int>(10));
  const std::string stored = labels(3);
  for (std::size_t i = 0; i < n_images; ++i)
    ++expected[static_cast<std::size_t>(stored[i])][static_cast<std::size_t>(results_[i].label)];
  EXPECT_EQ(json::parse(text_of(file("r.json")))["confusion"], expected);
  std::string line = "\nlabel " + std::to_string(stored[0]) + " ";
  const auto widest =
      std::to_string(std::ranges::max(json::parse(text_of(file("r.json")))["class_counts"].get<std::vector<int>>()))
          .size();
  for (const int n : expected[static_cast<std::size_t>(stored[0])]) {
    const std::string count = n > 0 ? std::to_string(n) : ".";
    line += std::string(2 + widest - count.size(), ' ') + count;
  }
  EXPECT_TRUE(has(outcome.out, line + "\n")) << line << outcome.out;
}

TEST_F(Classify, TakesTheFirstImagesOfOtherSizes) {
  put("small", idx_file({n_images, 28, 28}, std::string(n_images * 28 * 28, '\x7f')));
  put("y", idx_file({n_images}, labels(0)));
  ASSERT_EQ(call("gzip", file("small")).code, 0);
  const Outcome outcome = classify(" --images" + path("small.gz") + " --labels" + path("y") + " --resize --first 5" +
                                   " --out" + path("c.npy") + " --json -");
  ASSERT_EQ(outcome.code, 0) << outcome.err;
  EXPECT_EQ(json::parse(outcome.out)["images"], 5);
  EXPECT_EQ(values_of<std::int32_t>(file("c.npy")).size(), 5u);
}

TEST_F(Classify, SaysThatPixelsLookLikeFractions) {
  std::vector<float> fractions(images_.begin(), images_.end());
  for (float& pixel : fractions) pixel /= 255;
  put("x.npy", npy_file("<f4", "(12, 86, 86)", bytes_of(fractions)));
  const Outcome outcome = classify(" --images" + path("x.npy"));
  EXPECT_EQ(outcome.code, 0);
  EXPECT_TRUE(has(outcome.err, "x.npy' are all from 0 to 1; the network expects 0 to 255")) << outcome.err;
}

TEST_F(Classify, CountsAndWritesClassesWithoutLabels) {
  const Outcome outcome = classify(" --images" + path("x") + " --device cpu --output" + path("c.npy") +
                                   " --probabilities" + path("p.npy") + " --json -");
  ASSERT_EQ(outcome.code, 0) << outcome.err;
  const json result = json::parse(outcome.out);
  EXPECT_FALSE(result.contains("accuracy"));
  std::vector<int> counts(10);
  for (const std::int32_t label : classes()) ++counts[static_cast<std::size_t>(label)];
  EXPECT_EQ(result["class_counts"], counts);
  EXPECT_EQ(values_of<std::int32_t>(file("c.npy")), classes());
  const auto probabilities = values_of<float>(file("p.npy"));
  ASSERT_EQ(probabilities.size(), 120u);
  for (std::size_t i = 0; i < n_images; ++i) {
    for (std::size_t c = 0; c < 10; ++c) EXPECT_EQ(probabilities[i * 10 + c], results_[i].probabilities[c]);
  }
}

TEST_F(Classify, GivesTheSameClassesForEveryFormatAndBatch) {
  const std::vector<float> floats(images_.begin(), images_.end());
  put("u1.npy", npy_file("|u1", "(12, 1, 86, 86)", bytes_of(images_)));
  put("f4.npy", npy_file("<f4", "(12, 86, 86)", bytes_of(floats)));
  for (const char* images : {"u1.npy", "f4.npy"}) {
    const Outcome outcome = classify(" --images" + path(images) + " --device cpu --batch 5 --output" + path("c.npy"));
    ASSERT_EQ(outcome.code, 0) << outcome.err;
    EXPECT_EQ(values_of<std::int32_t>(file("c.npy")), classes()) << images;
  }
}

TEST_F(Classify, OnAGpu_cuda) {
  if (const auto reason = why_unavailable(Device::cuda)) GTEST_SKIP() << *reason;
  for (const ConvPrecision precision : conv_precisions) {
    const Outcome outcome = classify(" --images" + path("x") + " --device cuda --batch 5 --times --precision " +
                                     name(precision) + " --json" + path("r.json"));
    ASSERT_EQ(outcome.code, 0) << outcome.err;
    EXPECT_TRUE(has(outcome.out, "overlapped"));
    for (const json& layer : json::parse(text_of(file("r.json")))["layers"]) {
      for (const char* time : {"op_ns", "in_order_ns", "pinned_ns", "overlapped_ns"})
        EXPECT_GT(layer[time].get<double>(), 0) << layer;
    }
  }
}

TEST_F(Classify, ReportsSumsThatAreNotFinite) {
  LenetWeights huge = weights_;
  huge.fc2.fill(3e38f);
  huge.fc2_bias.fill(3e38f);
  write_lenet_weights(file("w"), huge);
  const Outcome outcome = classify(" --images" + path("x") + " --device cpu");
  EXPECT_EQ(outcome.code, 1);
  EXPECT_TRUE(has(outcome.err, "12 of 12 images have no class: their sums are not finite")) << outcome.err;
}

TEST_F(Classify, RejectsBadInputWithAdvice) {
  put("y11", idx_file({11}, labels(0).substr(1)));
  put("small", idx_file({n_images, 28, 28}, std::string(n_images * 28 * 28, '\0')));
  put("none", idx_file({0, 86, 86}, ""));
  put("cut", text_of(file("w")).substr(0, 1000));
  const std::string images = " --images" + path("x");
  const std::string good = "classify --device cpu --weights" + path("w") + images;
  const struct {
    std::string arguments, words;
  } cases[] = {
      {"classify" + images, "--weights is required"},
      {"classify --weights" + path("w"), "--images is required"},
      {"classify --weights" + path("cut") + images, "is cut short at byte 1000: expected more of layer 4"},
      {"classify --weights nowhere" + images, "cannot read 'nowhere'"},
      {"classify --weights" + path("x") + images, "layers at byte 0: expected 10"},
      {"classify --weights" + path("w") + " --images nowhere", "cannot read 'nowhere'"},
      {"classify --weights" + path("w") + " --images" + path("small"), "has the shape (12, 28, 28); expected images"},
      {"classify --weights" + path("w") + " --images" + path("none"), "holds no images"},
      {"classify --weights" + path("w") + " --images" + path("w"), "is not an IDX file"},
      {good + " --labels" + path("y11"), "has 11 labels; expected one for each of the 12 images"},
      {good + " --labels" + path("x"), "has the shape (12, 86, 86); expected labels"},
      {good + " --precision fp61", "unknown precision 'fp61': did you mean 'fp16'?"},
      {good + " --precision half", "unknown precision 'half'; expected one of: fp32, tf32, fp16, split_fp16"},
      {good + " --precision fp16", "the CPU supports precision fp32 only, not fp16"},
      {"classify --device gpu --weights" + path("w") + images, "unknown device 'gpu'"},
      {good + " --batch -3", "expected a whole number from 1 on, got '-3'"},
      {good + " --first 0", "expected a whole number from 1 on, got '0'"},
      {good + " --batch 0", "expected a whole number from 1 on, got '0'"},
      {good + " --output /proc/nowhere/c.npy", "cannot write"},
      {good + " --output" + path("x"), "is an input file and cannot be the output"},
      {good + " --lables y", "did you mean '--labels'?"},
  };
  for (const auto& [arguments, words] : cases) {
    const Outcome outcome = rafter(arguments);
    EXPECT_EQ(outcome.code, 2) << arguments;
    EXPECT_TRUE(has(outcome.err, words)) << arguments << "\n" << outcome.err;
    EXPECT_FALSE(has(outcome.out, "accuracy")) << arguments;
  }
}

}  // namespace
}  // namespace rafter
