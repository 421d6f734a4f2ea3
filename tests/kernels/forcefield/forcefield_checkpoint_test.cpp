// Model files as trainings leave them: wrapped names, energy offsets, units, trained radial functions, PyTorch's
// format.
#include "forcefield/model/forcefield_checkpoint.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <cstring>
#include <map>
#include <optional>

#include "../stored_tensors.hpp"
#include "base/files.hpp"
#include "library/safetensors/file.hpp"
#include "rafter/half.hpp"
#include "workbench/lab/expect_error.hpp"
#include "workbench/lab/temporary_folder.hpp"

namespace rafter {
namespace {

using forcefield_ladder::ForceFieldCheckpoint;
using forcefield_ladder::read_forcefield_checkpoint;
using lab::expect_error;
using Metadata = std::map<std::string, std::string>;

const ForceFieldShape student_shape{.features = 4, .layers = 2, .radial = 3, .elements = 9, .readout = {6, 5}};
const ForceFieldShape painn_shape{
    .model = ForceFieldModel::painn, .features = 4, .layers = 2, .radial = 3, .elements = 9, .readout = {2}};

Stored doubles(const std::string& name, const std::vector<double>& values, std::vector<std::int64_t> shape) {
  return {name, "F64", std::move(shape),
          std::string(reinterpret_cast<const char*>(values.data()), values.size() * sizeof(double))};
}

class Checkpoint : public testing::Test {
 protected:
  std::vector<Stored> tensors_of(const ForceFieldShape& shape) const {
    write_forcefield_weights(path_, random_forcefield_weights(shape, 1));
    return stored_tensors(safetensors::File(std::filesystem::path(path_)));
  }
  void put(const std::vector<Stored>& tensors, const Metadata& metadata = {}) const {
    std::vector<safetensors::Tensor> all;
    for (const Stored& t : tensors) all.push_back({t.name, t.dtype, t.shape, std::as_bytes(std::span(t.bytes))});
    safetensors::write_file(path_, all, metadata);
  }
  ForceFieldCheckpoint read(std::optional<double> cutoff = {}) const {
    return read_forcefield_checkpoint(path_, cutoff);
  }
  void expect_refused(const std::string& words, std::optional<double> cutoff = {}) const {
    expect_error(ErrorCode::bad_argument, words.c_str(), [&] { read(cutoff); });
  }
  /// A student whose middle radial function was moved by a training.
  std::vector<Stored> trained_student() const {
    std::vector<Stored> tensors = tensors_of(student_shape);
    const float moved = 2.6f;
    std::memcpy(tensor_of(tensors, "rbf.centers").bytes.data() + sizeof moved, &moved, sizeof moved);
    return tensors;
  }

  const lab::TemporaryFolder folder_;
  const std::string path_ = folder_.path() / "m.safetensors";
};

TEST_F(Checkpoint, AcceptsTheNamesOfWrappers) {
  for (const ForceFieldShape& shape : {student_shape, painn_shape}) {
    for (const std::string prefix : {"model.", "module.", "_orig_mod.", "model._orig_mod.module."}) {
      std::vector<Stored> tensors = tensors_of(shape);
      for (Stored& tensor : tensors) tensor.name = prefix + tensor.name;
      put(tensors);
      EXPECT_TRUE(read().weights == random_forcefield_weights(shape, 1)) << prefix;
      EXPECT_TRUE(read_forcefield_weights(path_) == random_forcefield_weights(shape, 1)) << prefix;
      tensors.push_back(doubles("ema.decay", {0.99}, {}));
      put(tensors);
      expect_refused("is not one of its tensors");
    }
  }
}

TEST_F(Checkpoint, AddsTheMeanAndTheReferencesOfAtoms) {
  std::vector<Stored> tensors = tensors_of(painn_shape);
  tensors.push_back(doubles("postprocessors.1.mean", {-4.25}, {1}));
  put(tensors);
  EXPECT_EQ(read().energy_offsets, std::vector<double>(9, -4.25));
  EXPECT_TRUE(read().has_mean);
  EXPECT_FALSE(read().has_atom_references);
  const double hydrogen = -13.605693122994123;
  tensors.push_back(doubles("postprocessors.1.atomref", {0, hydrogen, -2, -3}, {4, 1}));
  put(tensors);
  EXPECT_EQ(read().energy_offsets, (std::vector<double>{-4.25, hydrogen - 4.25, -6.25, -7.25})) << "in float64";
  EXPECT_TRUE(read().has_atom_references);
  EXPECT_TRUE(read().weights == random_forcefield_weights(painn_shape, 1));
  tensors.push_back(doubles("postprocessors.2.mean", {1}, {}));
  put(tensors);
  EXPECT_EQ(read().energy_offsets[3], -6.25) << "all postprocessors are added";
  expect_error(ErrorCode::bad_argument, "has energy offsets (postprocessors), which are not part of a network",
               [&] { static_cast<void>(read_forcefield_weights(path_)); });
}

TEST_F(Checkpoint, IgnoresOffsetsOfZero) {
  std::vector<Stored> tensors = tensors_of(painn_shape);
  tensors.push_back(doubles("postprocessors.0.mean", {0}, {1}));
  tensors.push_back(doubles("postprocessors.0.atomref", {0, 0}, {2}));
  put(tensors);
  EXPECT_TRUE(read().energy_offsets.empty());
  EXPECT_TRUE(read_forcefield_weights(path_) == random_forcefield_weights(painn_shape, 1));
}

TEST_F(Checkpoint, RefusesOtherPostprocessors) {
  const struct {
    Stored tensor;
    const char* words;
  } cases[] = {
      {doubles("postprocessors.1.scale", {2}, {1}), "'postprocessors.1.scale' is not one of its tensors"},
      {doubles("postprocessors.x.mean", {2}, {1}), "'postprocessors.x.mean' is not one of its tensors"},
      {doubles("postprocessors.1.mean", {2, 3}, {2}), "has the shape (2,); expected (), one number"},
      {doubles("postprocessors.1.atomref", {2, 3}, {1, 2}), "has the shape (1, 2); expected one axis"},
      {doubles("postprocessors.1.atomref", {2, NAN}, {2}), "has nan as value 1; expected a finite number"},
  };
  for (const auto& [tensor, words] : cases) {
    std::vector<Stored> tensors = tensors_of(painn_shape);
    tensors.push_back(tensor);
    put(tensors);
    expect_refused(words);
  }
}

TEST_F(Checkpoint, ReadsTheUnitAndTheElementType) {
  std::vector<Stored> tensors = tensors_of(painn_shape);
  put(tensors, {{"energy_unit", "kcal/mol"}});
  EXPECT_EQ(read().energy_unit, "kcal/mol");
  EXPECT_FALSE(read().is_rounded_from_64);
  std::vector<float> values = random_forcefield_weights(painn_shape, 1).embedding;
  store_as<double>(tensor_of(tensors, "representation.embedding.weight"), "F64", values);
  put(tensors);
  EXPECT_EQ(read().energy_unit, "");
  EXPECT_TRUE(read().is_rounded_from_64);
}

TEST_F(Checkpoint, RefusesToGuessTheCutoffOfTrainedRadialFunctions) {
  put(trained_student());
  expect_refused("tensor 'rbf.centers' has centres that are not evenly spaced: they were trained");
  expect_error(ErrorCode::bad_argument, "not evenly spaced",
               [&] { static_cast<void>(read_forcefield_weights(path_)); });
  EXPECT_EQ(read(4.5).weights.shape.cutoff, 4.5);
  put(trained_student(), {{"cutoff", "4.75"}});
  EXPECT_EQ(read().weights.shape.cutoff, 4.75);
  EXPECT_EQ(read(4.75).weights.shape.cutoff, 4.75);
  expect_refused("has the cutoff 4.750000; it cannot be changed to 4.500000", 4.5);
  for (const char* cutoff : {"", "-1", "far", "inf", "nan"}) {
    put(trained_student(), {{"cutoff", cutoff}});
    expect_refused("in its metadata; expected a number greater than 0, in Angstrom");
  }
  tensors_of(student_shape);
  EXPECT_EQ(read().weights.shape.cutoff, 5) << "evenly spaced centres end with the cutoff";
  expect_refused("has the cutoff 5.000000; it cannot be changed to 4.500000", 4.5);
  tensors_of(painn_shape);
  expect_refused("has the cutoff 5.000000; it cannot be changed to 4.500000", 4.5);
}

TEST_F(Checkpoint, AcceptsCentresRoundedToHalfPrecision) {
  for (const char* dtype : {"F16", "BF16"}) {
    std::vector<Stored> tensors = tensors_of({.features = 4, .layers = 1, .radial = 20, .elements = 9});
    std::vector<float> centres = random_forcefield_weights({.radial = 20}, 1).radial_centre;
    Stored& stored = tensor_of(tensors, "rbf.centers");
    std::string(dtype) == "F16" ? store_as<Half>(stored, dtype, centres) : store_as<Bfloat16>(stored, dtype, centres);
    put(tensors);
    EXPECT_EQ(read().weights.shape.cutoff, 5) << dtype;
  }
}

TEST_F(Checkpoint, KeepsACutoffThatIsNotTheLastCentre) {
  ForceFieldWeights weights = random_forcefield_weights(student_shape, 1);
  weights.shape.cutoff = 4.75;
  weights.radial_centre[1] = 2.6f;
  write_forcefield_weights(path_, weights);
  EXPECT_TRUE(read_forcefield_weights(path_) == weights);
}

TEST_F(Checkpoint, SaysHowToConvertAPyTorchFile) {
  const std::string path = folder_.path() / "best_model.pt";
  for (const std::string start : {"PK\x03\x04 a zip archive", "\x80\x02 a pickle"}) {
    base::write_file(path, start);
    expect_error(ErrorCode::bad_argument, "is a PyTorch file; expected safetensors. Convert it: python3 -c",
                 [&] { read_forcefield_checkpoint(path); });
    expect_error(ErrorCode::bad_argument, "'best_model.safetensors')\"", [&] { read_forcefield_checkpoint(path); });
  }
}

}  // namespace
}  // namespace rafter
