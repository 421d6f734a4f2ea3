// Model files of the SpectralShapeAutoencoder: the tensor names of PyTorch's module, and invalid files.
#include <gtest/gtest.h>

#include <algorithm>
#include <cstring>
#include <limits>
#include <random>

#include "../stored_tensors.hpp"
#include "library/safetensors/file.hpp"
#include "rafter/half.hpp"
#include "rafter/spectral.hpp"
#include "spectral_models.hpp"
#include "workbench/lab/expect_error.hpp"
#include "workbench/lab/temporary_folder.hpp"

namespace rafter {
namespace {

using lab::expect_error;
using lab::TemporaryFolder;

constexpr SpectralShape small{.mels = 3, .frames = 2, .latent = 4, .slice = 5};

SpectralWeights random_model(const SpectralShape& shape) { return random_spectral_weights(shape, 1); }

std::vector<Stored> tensors_of(const SpectralWeights& w) {
  const SpectralShape& s = w.shape;
  return {{"slice_encoder.0.weight", "F32", {s.mels}, bytes_of(w.encoder_norm_weight)},
          {"slice_encoder.0.bias", "F32", {s.mels}, bytes_of(w.encoder_norm_bias)},
          {"slice_encoder.1.weight", "F32", {s.slice, s.mels}, bytes_of(w.encoder_weight)},
          {"slice_encoder.1.bias", "F32", {s.slice}, bytes_of(w.encoder_bias)},
          {"global_basis", "F32", {s.latent, s.features()}, bytes_of(w.basis)},
          {"bottleneck_mlp.0.weight", "F32", {s.latent}, bytes_of(w.latent_norm_weight)},
          {"bottleneck_mlp.0.bias", "F32", {s.latent}, bytes_of(w.latent_norm_bias)},
          {"bottleneck_mlp.1.weight", "F32", {s.latent, s.latent}, bytes_of(w.latent_weight)},
          {"bottleneck_mlp.1.bias", "F32", {s.latent}, bytes_of(w.latent_bias)},
          {"slice_decoder.0.weight", "F32", {s.mels, s.slice}, bytes_of(w.decoder_weight)},
          {"slice_decoder.0.bias", "F32", {s.mels}, bytes_of(w.decoder_bias)}};
}

SpectralWeights parse_spectral(const std::vector<Stored>& tensors) {
  const std::string file = file_of(tensors);
  return parse_spectral_weights(std::as_bytes(std::span(file)), "m");
}

TEST(SpectralWeightFile, IsReadBackBitForBit) {
  const TemporaryFolder folder;
  const std::string path = folder.path() / "deep/model.safetensors";
  for (const SpectralShape& shape : {SpectralShape{}, small, SpectralShape{1, 1, 1, 1}}) {
    SpectralWeights model = random_model(shape);
    model.basis[0] = -0.f;
    model.decoder_bias[0] = std::numeric_limits<float>::denorm_min();
    write_spectral_weights(path, model);
    const SpectralWeights found = read_spectral_weights(path);
    EXPECT_EQ(found, model);
    EXPECT_TRUE(std::signbit(found.basis[0]));
    EXPECT_EQ(folder.n_entries(), 2) << "nothing but the folder and the file";
  }
}

TEST(SpectralWeightFile, HasTheTensorsOfPyTorchsModule) {
  const TemporaryFolder folder;
  const SpectralWeights model = random_model(small);
  write_spectral_weights(folder.path() / "m", model);
  const safetensors::File file(folder.path() / "m");
  std::vector<Stored> expected = tensors_of(model);
  ASSERT_EQ(file.tensors().size(), expected.size());
  for (const safetensors::Tensor& tensor : file.tensors()) {
    const Stored& same = tensor_of(expected, tensor.name);
    EXPECT_EQ(tensor.dtype, "F32");
    EXPECT_EQ(tensor.shape, same.shape) << tensor.name;
    EXPECT_EQ(std::memcmp(tensor.bytes.data(), same.bytes.data(), same.bytes.size()), 0) << tensor.name;
  }
}

TEST(SpectralWeightFile, AcceptsTensorsInAnyOrder) {
  const SpectralWeights model = random_model(small);
  std::vector<Stored> tensors = tensors_of(model);
  std::mt19937 random(2);
  for (int i = 0; i < 100; ++i) {
    std::shuffle(tensors.begin(), tensors.end(), random);
    ASSERT_EQ(parse_spectral(tensors), model) << "order " << i;
  }
}

TEST(SpectralWeightFile, IgnoresTensorsThatTheModuleDoesNotUse) {
  const SpectralWeights model = random_model(small);
  std::vector<Stored> tensors = tensors_of(model);
  tensors.insert(tensors.begin() + 4, {"global_decoder.weight", "I8", {7}, "1234567"});  // misaligns the others
  EXPECT_EQ(parse_spectral(tensors), model);
}

TEST(SpectralWeightFile, AcceptsABasisWithThreeAxes) {
  const SpectralWeights model = random_model(small);
  std::vector<Stored> tensors = tensors_of(model);
  tensor_of(tensors, "global_basis").shape = {4, 2, 5};
  EXPECT_EQ(parse_spectral(tensors), model);
}

TEST(SpectralWeightFile, WidensOrRoundsOtherFloatTypes) {
  SpectralWeights model = random_model(small);
  std::vector<Stored> tensors = tensors_of(model);
  model.encoder_weight[0] = 0x1p-24f;  // subnormal as Half
  store_as<Half>(tensor_of(tensors, "slice_encoder.1.weight"), "F16", model.encoder_weight);
  store_as<Bfloat16>(tensor_of(tensors, "global_basis"), "BF16", model.basis);
  store_as<double>(tensor_of(tensors, "slice_decoder.0.bias"), "F64", model.decoder_bias);
  EXPECT_EQ(parse_spectral(tensors), model);
  EXPECT_EQ(parse_spectral(tensors).encoder_weight[0], 0x1p-24f);
  const double between = 1 + 0x1.8p-24;  // between two floats
  std::memcpy(tensor_of(tensors, "slice_decoder.0.bias").bytes.data(), &between, sizeof between);
  EXPECT_EQ(parse_spectral(tensors).decoder_bias[0], 1 + 0x1p-23f);
}

TEST(SpectralWeightFile, NamesMissingAndUnknownTensors) {
  std::vector<Stored> tensors = tensors_of(random_model(small));
  const auto refused = [&](const std::string& words) {
    expect_error(ErrorCode::bad_argument, words, [&] { parse_spectral(tensors); });
  };
  tensors.push_back({"extra", "F32", {}, "1234"});
  refused("'m' is not a SpectralShapeAutoencoder: 'extra' is not one of its tensors");
  tensors.pop_back();
  tensors[1].name = "slice_encoder.0.biass";
  refused(
      "it has no slice_encoder.0.bias; 'slice_encoder.0.biass' is not one of its tensors: did you mean "
      "'slice_encoder.0.bias'?");
  tensors[4].name = "module.global_basis";
  tensors[1].name = "slice_encoder.0.bias";
  refused("it has no global_basis; 'module.global_basis' is not one of its tensors");
  tensors.erase(tensors.begin() + 2, tensors.end());
  refused("it has no slice_encoder.1.weight, slice_encoder.1.bias, global_basis, bottleneck_mlp.0.weight");
  tensors.clear();
  refused("it has no slice_encoder.0.weight, slice_encoder.0.bias");
  refused("bottleneck_mlp.1.weight and 3 more");
}

TEST(SpectralWeightFile, RejectsWrongShapesAndStatesTheExpectedOne) {
  const struct {
    const char* tensor;
    std::vector<std::int64_t> shape;
    std::string words;
  } cases[] = {
      {"slice_encoder.0.bias",
       {4},
       "tensor 'slice_encoder.0.bias' has the shape (4,); expected (3,), (mels), as mels is 3"},
      {"slice_encoder.0.bias", {3, 1}, "has the shape (3, 1); expected (3,), (mels)"},
      {"slice_encoder.1.weight", {15}, "has the shape (15,); expected two axes, (slice, mels)"},
      {"slice_encoder.1.weight",
       {3, 5},
       "expected (latent, frames * slice), and the slice is 3, by slice_encoder.1.weight"},
      {"slice_encoder.1.weight", {0, 3}, "tensor 'slice_encoder.1.weight' is empty: (0, 3)"},
      {"slice_decoder.0.weight", {5, 3}, "has the shape (5, 3); expected (3, 5), (mels, slice)"},
      {"bottleneck_mlp.1.weight", {4, 5}, "has the shape (4, 5); expected (4, 4), (latent, latent)"},
      {"bottleneck_mlp.1.weight", {}, "has the shape (); expected two axes, (latent, latent)"},
      {"global_basis", {4, 11}, "has the shape (4, 11); expected (latent, frames * slice), and the slice is 5, by"},
      {"global_basis", {5, 10}, "tensor 'global_basis' has the shape (5, 10); expected (4, 10)"},
      {"global_basis", {4, 2, 6}, "tensor 'global_basis' has the shape (4, 2, 6); expected (4, 2, 5)"},
      {"global_basis", {40}, "has the shape (40,); expected two axes, (latent, frames * slice), or three"},
      {"global_basis", {4, 0}, "tensor 'global_basis' is empty: (4, 0)"},
  };
  for (const auto& [name, shape, words] : cases) {
    std::vector<Stored> tensors = tensors_of(random_model(small));
    Stored& tensor = tensor_of(tensors, name);
    tensor.shape = shape;
    std::size_t n_bytes = sizeof(float);
    for (const std::int64_t extent : shape) n_bytes *= static_cast<std::size_t>(extent);
    tensor.bytes.resize(n_bytes);
    expect_error(ErrorCode::bad_argument, words, [&] { parse_spectral(tensors); });
  }
}

TEST(SpectralWeightFile, RejectsOtherTypesAndNonFiniteNumbers) {
  std::vector<Stored> tensors = tensors_of(random_model(small));
  const float nan = std::numeric_limits<float>::quiet_NaN();
  std::memcpy(tensors[2].bytes.data() + 8, &nan, sizeof nan);
  expect_error(ErrorCode::bad_argument, "tensor 'slice_encoder.1.weight' has nan as value 2; expected a finite number",
               [&] { parse_spectral(tensors); });
  tensors = tensors_of(random_model(small));
  tensors[0] = {"slice_encoder.0.weight", "F16", {3}, std::string("\0\0\0\xfc\0\0", 6)};
  expect_error(ErrorCode::bad_argument, "tensor 'slice_encoder.0.weight' has -inf as value 1",
               [&] { parse_spectral(tensors); });
  tensors[0].dtype = "I16";
  expect_error(ErrorCode::bad_argument, "has elements of type I16; expected F32, F16, BF16 or F64",
               [&] { parse_spectral(tensors); });
  const double too_large[3]{1, 1e39, 1};
  tensors[0] = {"slice_encoder.0.weight", "F64", {3}, std::string(reinterpret_cast<const char*>(too_large), 24)};
  expect_error(ErrorCode::bad_argument, "has inf as value 1; expected a finite number in float32",
               [&] { parse_spectral(tensors); });
}

TEST(SpectralWeightFile, ReportsFilesThatCannotBeReadOrWritten) {
  const TemporaryFolder folder;
  const std::string path = folder.path() / "m";
  expect_error(ErrorCode::io, "cannot read '/nowhere/m'",
               [] { static_cast<void>(read_spectral_weights("/nowhere/m")); });
  SpectralWeights model = random_model(small);
  model.encoder_bias.pop_back();
  expect_error(ErrorCode::bad_argument, "slice_encoder.1.bias should have (5,) values, (slice), has 4",
               [&] { write_spectral_weights(path, model); });
  model = random_model(small);
  model.shape.mels = 0;
  expect_error(ErrorCode::bad_argument, "slice_encoder.0.weight should have (0,) values",
               [&] { write_spectral_weights(path, model); });
  EXPECT_EQ(folder.n_entries(), 0);
  std::filesystem::create_directory(path);
  expect_error(ErrorCode::io, "cannot write", [&] { write_spectral_weights(path, random_model(small)); });
  EXPECT_EQ(folder.n_entries(), 1) << "nothing is left behind";
}

}  // namespace
}  // namespace rafter
