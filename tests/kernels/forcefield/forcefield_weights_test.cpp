// Model files of force fields: the tensor names of the PyTorch modules of both models, and malformed files.
#include "forcefield/model/forcefield_weights.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <cstring>
#include <limits>
#include <map>
#include <random>

#include "../stored_tensors.hpp"
#include "library/safetensors/file.hpp"
#include "rafter/half.hpp"
#include "workbench/lab/expect_error.hpp"
#include "workbench/lab/temporary_folder.hpp"

namespace rafter {
namespace {

using lab::expect_error;
using lab::TemporaryFolder;
using Shapes = std::map<std::string, std::vector<std::int64_t>>;

const ForceFieldShape small_student{.features = 4, .layers = 2, .radial = 3, .elements = 9, .readout = {6, 5}};
const ForceFieldShape small_painn{
    .model = ForceFieldModel::painn, .features = 4, .layers = 2, .radial = 3, .elements = 9, .readout = {2}};
const ForceFieldShape small_bessel{.model = ForceFieldModel::painn,
                                   .basis = RadialBasis::bessel,
                                   .features = 4,
                                   .layers = 2,
                                   .radial = 3,
                                   .elements = 9,
                                   .readout = {2},
                                   .cutoff = 4.5};

ForceFieldWeights random_model(const ForceFieldShape& shape) { return random_forcefield_weights(shape, 1); }

std::vector<Stored> tensors_of(const ForceFieldWeights& weights) {
  const TemporaryFolder folder;
  write_forcefield_weights(folder.path() / "m", weights);
  return stored_tensors(safetensors::File(folder.path() / "m"));
}

ForceFieldWeights parse(const std::vector<Stored>& tensors) {
  const std::string file = file_of(tensors);
  return parse_forcefield_weights(std::as_bytes(std::span(file)), "m");
}

void expect_refused(const std::vector<Stored>& tensors, const std::string& words) {
  expect_error(ErrorCode::bad_argument, words, [&] { parse(tensors); });
}

/// Returns a model's tensors, one of them with another shape.
std::vector<Stored> with_shape(const ForceFieldShape& model, const std::string& name, std::vector<std::int64_t> shape) {
  std::vector<Stored> tensors = tensors_of(random_model(model));
  Stored& tensor = tensor_of(tensors, name);
  std::size_t n_bytes = sizeof(float);
  for (const std::int64_t extent : shape) n_bytes *= static_cast<std::size_t>(extent);
  tensor.shape = std::move(shape);
  tensor.bytes.resize(n_bytes, '\x3f');
  return tensors;
}

void set_value(Stored& tensor, std::size_t i, float value) {
  std::memcpy(tensor.bytes.data() + i * sizeof value, &value, sizeof value);
}

TEST(ForceFieldWeightFile, RoundTripsBitForBit) {
  const TemporaryFolder folder;
  const std::string path = folder.path() / "deep/model.safetensors";
  const ForceFieldShape painn{.model = ForceFieldModel::painn, .features = 32, .elements = 100, .readout = {16}};
  const ForceFieldShape least{.features = 1, .layers = 1, .radial = 1, .elements = 1, .readout = {1, 1}};
  for (const auto& shape : {ForceFieldShape{}, painn, small_student, small_painn, small_bessel, least}) {
    ForceFieldWeights model = random_model(shape);
    model.embedding[0] = -0.f;
    model.layers[0].update_bias[0] = std::numeric_limits<float>::denorm_min();
    write_forcefield_weights(path, model);
    const ForceFieldWeights found = read_forcefield_weights(path);
    EXPECT_EQ(found.shape, shape);
    EXPECT_TRUE(found == model);
    EXPECT_TRUE(std::signbit(found.embedding[0]));
    EXPECT_EQ(folder.n_entries(), 2) << "nothing but the folder and the file";
  }
}

TEST(ForceFieldWeightFile, HasTheTensorsOfTheStudent) {
  const Shapes expected{
      {"embedding.weight", {9, 4}},
      {"rbf.centers", {3}},
      {"rbf.widths", {3}},
      {"interactions.0.message.rbf_to_scalar.0.weight", {4, 3}},
      {"interactions.0.message.rbf_to_scalar.0.bias", {4}},
      {"interactions.0.message.rbf_to_scalar.2.weight", {12, 4}},
      {"interactions.0.message.rbf_to_scalar.2.bias", {12}},
      {"interactions.0.update.update_mlp.0.weight", {4, 8}},
      {"interactions.0.update.update_mlp.0.bias", {4}},
      {"interactions.0.update.update_mlp.2.weight", {12, 4}},
      {"interactions.0.update.update_mlp.2.bias", {12}},
      {"interactions.0.update.mixing_matrix", {3, 3}},
      {"interactions.1.message.rbf_to_scalar.0.weight", {4, 3}},
      {"interactions.1.message.rbf_to_scalar.0.bias", {4}},
      {"interactions.1.message.rbf_to_scalar.2.weight", {12, 4}},
      {"interactions.1.message.rbf_to_scalar.2.bias", {12}},
      {"interactions.1.update.update_mlp.0.weight", {4, 8}},
      {"interactions.1.update.update_mlp.0.bias", {4}},
      {"interactions.1.update.update_mlp.2.weight", {12, 4}},
      {"interactions.1.update.update_mlp.2.bias", {12}},
      {"interactions.1.update.mixing_matrix", {3, 3}},
      {"energy_head.0.weight", {6, 4}},
      {"energy_head.0.bias", {6}},
      {"energy_head.2.weight", {5, 6}},
      {"energy_head.2.bias", {5}},
      {"energy_head.4.weight", {1, 5}},
      {"energy_head.4.bias", {1}},
  };
  Shapes found;
  for (const Stored& tensor : tensors_of(random_model(small_student))) found[tensor.name] = tensor.shape;
  EXPECT_EQ(found, expected);
}

TEST(ForceFieldWeightFile, HasTheTensorsOfSchNetPacksPaiNN) {
  const auto shapes_of = [](const ForceFieldShape& shape) {
    Shapes shapes;
    for (const Stored& tensor : tensors_of(random_model(shape))) shapes[tensor.name] = tensor.shape;
    return shapes;
  };
  Shapes expected{
      {"representation.embedding.weight", {9, 4}},
      {"representation.radial_basis.offsets", {3}},
      {"representation.radial_basis.widths", {3}},
      {"representation.cutoff_fn.cutoff", {1}},
      {"representation.filter_net.weight", {24, 3}},
      {"representation.filter_net.bias", {24}},
      {"representation.interactions.0.interatomic_context_net.0.weight", {4, 4}},
      {"representation.interactions.0.interatomic_context_net.0.bias", {4}},
      {"representation.interactions.0.interatomic_context_net.1.weight", {12, 4}},
      {"representation.interactions.0.interatomic_context_net.1.bias", {12}},
      {"representation.interactions.1.interatomic_context_net.0.weight", {4, 4}},
      {"representation.interactions.1.interatomic_context_net.0.bias", {4}},
      {"representation.interactions.1.interatomic_context_net.1.weight", {12, 4}},
      {"representation.interactions.1.interatomic_context_net.1.bias", {12}},
      {"representation.mixing.0.intraatomic_context_net.0.weight", {4, 8}},
      {"representation.mixing.0.intraatomic_context_net.0.bias", {4}},
      {"representation.mixing.0.intraatomic_context_net.1.weight", {12, 4}},
      {"representation.mixing.0.intraatomic_context_net.1.bias", {12}},
      {"representation.mixing.0.mu_channel_mix.weight", {8, 4}},
      {"representation.mixing.1.intraatomic_context_net.0.weight", {4, 8}},
      {"representation.mixing.1.intraatomic_context_net.0.bias", {4}},
      {"representation.mixing.1.intraatomic_context_net.1.weight", {12, 4}},
      {"representation.mixing.1.intraatomic_context_net.1.bias", {12}},
      {"representation.mixing.1.mu_channel_mix.weight", {8, 4}},
      {"output_modules.0.outnet.0.weight", {2, 4}},
      {"output_modules.0.outnet.0.bias", {2}},
      {"output_modules.0.outnet.1.weight", {1, 2}},
      {"output_modules.0.outnet.1.bias", {1}},
  };
  EXPECT_EQ(shapes_of(small_painn), expected);
  expected.erase("representation.radial_basis.offsets");
  expected.erase("representation.radial_basis.widths");
  expected["representation.radial_basis.freqs"] = {3};
  EXPECT_EQ(shapes_of(small_bessel), expected);
}

TEST(ForceFieldWeightFile, MapsEachTensorToItsOwnVector) {
  ForceFieldWeights student = random_model(small_student);
  std::vector<Stored> tensors = tensors_of(student);
  const auto bytes = [&](const std::string& name) { return tensor_of(tensors, name).bytes; };
  EXPECT_EQ(bytes("interactions.1.message.rbf_to_scalar.2.bias"), bytes_of(student.layers[1].filter_bias));
  EXPECT_EQ(bytes("interactions.0.update.update_mlp.0.weight"), bytes_of(student.layers[0].update_hidden_weight));
  EXPECT_EQ(bytes("interactions.0.update.mixing_matrix"), bytes_of(student.layers[0].mixing));
  EXPECT_EQ(bytes("energy_head.2.weight"), bytes_of(student.readout_weight[1]));
  const ForceFieldWeights painn = random_model(small_painn);
  tensors = tensors_of(painn);
  EXPECT_EQ(bytes("representation.filter_net.weight"),
            bytes_of(painn.layers[0].filter_weight) + bytes_of(painn.layers[1].filter_weight));
  EXPECT_EQ(bytes("representation.interactions.1.interatomic_context_net.0.weight"),
            bytes_of(painn.layers[1].context_hidden_weight));
  EXPECT_EQ(bytes("representation.mixing.1.mu_channel_mix.weight"), bytes_of(painn.layers[1].mixing));
  EXPECT_EQ(bytes("representation.cutoff_fn.cutoff"), bytes_of({5.f}));
}

TEST(ForceFieldWeightFile, AcceptsTensorsInAnyOrder) {
  std::mt19937 random(2);
  for (const ForceFieldShape& shape : {small_student, small_painn, small_bessel}) {
    const ForceFieldWeights model = random_model(shape);
    std::vector<Stored> tensors = tensors_of(model);
    for (int i = 0; i < 30; ++i) {
      std::shuffle(tensors.begin(), tensors.end(), random);
      ASSERT_TRUE(parse(tensors) == model) << "order " << i;
    }
  }
}

TEST(ForceFieldWeightFile, ConvertsOtherFloatTypes) {
  ForceFieldWeights model = random_model(small_painn);
  std::vector<Stored> tensors = tensors_of(model);
  store_as<Half>(tensor_of(tensors, "representation.embedding.weight"), "F16", model.embedding);
  store_as<Bfloat16>(tensor_of(tensors, "representation.mixing.0.mu_channel_mix.weight"), "BF16",
                     model.layers[0].mixing);
  store_as<double>(tensor_of(tensors, "representation.radial_basis.offsets"), "F64", model.radial_centre);
  std::vector<float> cutoff{5.f};
  store_as<double>(tensor_of(tensors, "representation.cutoff_fn.cutoff"), "F64", cutoff);
  EXPECT_TRUE(parse(tensors) == model);
  tensor_of(tensors, "representation.filter_net.bias").dtype = "I32";
  expect_refused(tensors, "tensor 'representation.filter_net.bias' has elements of type I32; expected F32, F16, BF16");
  tensors = tensors_of(random_model(small_student));
  set_value(tensor_of(tensors, "energy_head.2.weight"), 7, std::numeric_limits<float>::infinity());
  expect_refused(tensors, "tensor 'energy_head.2.weight' has inf as value 7; expected a finite number");
}

TEST(ForceFieldWeightFile, AcceptsAMissingMatrixOfTheLastLayer) {
  ForceFieldWeights model = random_model(small_student);
  std::vector<Stored> tensors = tensors_of(model);
  std::erase_if(tensors, [](const Stored& t) { return t.name == "interactions.1.update.mixing_matrix"; });
  model.layers[1].mixing.clear();
  EXPECT_TRUE(parse(tensors) == model);
  EXPECT_EQ(tensors_of(model).size(), tensors.size());
  std::erase_if(tensors, [](const Stored& t) { return t.name == "interactions.0.update.mixing_matrix"; });
  expect_refused(tensors, "'m' is not a student force field: it has no interactions.0.update.mixing_matrix");
}

TEST(ForceFieldWeightFile, AcceptsScalarWidthsAndCutoffs) {
  for (const std::vector<std::int64_t>& one : {std::vector<std::int64_t>{}, std::vector<std::int64_t>{1}}) {
    std::vector<Stored> tensors = with_shape(small_student, "rbf.widths", one);
    set_value(tensor_of(tensors, "rbf.widths"), 0, 0.25f);
    EXPECT_EQ(parse(tensors).radial_width, std::vector<float>(3, 0.25f));
    tensors = with_shape(small_painn, "representation.cutoff_fn.cutoff", one);
    set_value(tensor_of(tensors, "representation.cutoff_fn.cutoff"), 0, 5.5f);
    EXPECT_EQ(parse(tensors).shape.cutoff, 5.5);
  }
  expect_refused(with_shape(small_painn, "representation.cutoff_fn.cutoff", {2}),
                 "tensor 'representation.cutoff_fn.cutoff' has the shape (2,); expected (), one number");
}

TEST(ForceFieldWeightFile, RejectsInvalidCutoffsAndWidths) {
  std::vector<Stored> tensors = tensors_of(random_model(small_student));
  EXPECT_EQ(parse(tensors).shape.cutoff, 5.0);
  set_value(tensor_of(tensors, "rbf.centers"), 1, 2.25f);
  set_value(tensor_of(tensors, "rbf.centers"), 2, 4.5f);
  EXPECT_EQ(parse(tensors).shape.cutoff, 4.5) << "the last centre";
  set_value(tensor_of(tensors, "rbf.centers"), 1, -0.5f);
  set_value(tensor_of(tensors, "rbf.centers"), 2, -1.f);
  expect_refused(tensors, "tensor 'rbf.centers' ends with -1.000000: expected the cutoff, greater than 0");
  tensors = tensors_of(random_model(small_student));
  set_value(tensor_of(tensors, "rbf.widths"), 1, 0.f);
  expect_refused(tensors, "tensor 'rbf.widths' has 0.000000 as value 1: expected a width, greater than 0");
  tensors = tensors_of(random_model(small_bessel));
  set_value(tensor_of(tensors, "representation.cutoff_fn.cutoff"), 0, 0.f);
  expect_refused(tensors, "tensor 'representation.cutoff_fn.cutoff' is 0.000000: expected the cutoff, greater than 0");
}

TEST(ForceFieldWeightFile, NamesMissingAndUnknownTensors) {
  expect_refused({},
                 "'m' is not a force-field model: it has neither embedding.weight (student) nor representation.emb");
  std::vector<Stored> tensors = tensors_of(random_model(small_student));
  tensors.push_back({"extra", "F32", {}, "1234"});
  expect_refused(tensors, "'m' is not a student force field: 'extra' is not one of its tensors");
  tensors.back().name = "energy_head.6.bias";
  expect_refused(tensors,
                 "'energy_head.6.bias' is not one of its tensors: did you mean 'energy_head.0.bias' or 'energy_h");
  tensors.pop_back();
  tensor_of(tensors, "interactions.1.update.update_mlp.2.bias").name = "interactions.1.update.update_mlp.1.bias";
  expect_refused(tensors,
                 "it has no interactions.1.update.update_mlp.2.bias; 'interactions.1.update.update_mlp.1.bias' is not "
                 "one of its tensors: did you mean 'interactions.1.update.update_mlp.2.bias'?");
  tensors = tensors_of(random_model(small_painn));
  for (Stored& tensor : tensors) tensor.name = "net." + tensor.name;
  expect_refused(tensors,
                 "'m' is not a PaiNN: it has no representation.embedding.weight, representation.radial_basis.off");
  expect_refused(tensors, "more; 'net.output_modules.0.outnet.0.bias' is not one of its tensors: did you mean");
}

TEST(ForceFieldWeightFile, RequiresInteractionsNumberedFromZero) {
  std::vector<Stored> tensors = tensors_of(random_model(small_student));
  for (Stored& tensor : tensors) {
    if (tensor.name.starts_with("interactions.1.")) tensor.name[13] = '7';
  }
  expect_refused(tensors, "it has no interactions.1.message.rbf_to_scalar.0.weight");
  expect_refused(tensors,
                 "'interactions.7.message.rbf_to_scalar.0.bias' is not one of its tensors: did you mean 'interactio");
  tensors = tensors_of(random_model(small_student));
  std::erase_if(tensors, [](const Stored& tensor) { return tensor.name.starts_with("interactions."); });
  expect_refused(tensors, "it has no interactions.0.message.rbf_to_scalar.0.weight");
  for (int i = 0; i < 1025; ++i) tensors.push_back({"interactions." + std::to_string(i) + ".x", "F32", {0}, ""});
  expect_refused(tensors, "'m' has 1025 interactions; expected at most 1024");
}

TEST(ForceFieldWeightFile, RejectsWrongShapesAndNamesTheExpectedOne) {
  const std::string student_why =
      ", as features is 4 by embedding.weight, radial 3 by rbf.centers, and there are 2 layers by the names";
  expect_refused(with_shape(small_student, "embedding.weight", {36}), "expected two axes, (elements, features)");
  expect_refused(with_shape(small_student, "embedding.weight", {0, 4}), "is empty: (0, 4)");
  expect_refused(with_shape(small_student, "rbf.centers", {3, 1}), "expected one axis, (radial)");
  expect_refused(with_shape(small_student, "rbf.centers", {0}), "is empty: (0,)");
  expect_refused(with_shape(small_student, "rbf.widths", {2}),
                 "has the shape (2,); expected (3,), (radial), or one number" + student_why);
  expect_refused(with_shape(small_student, "interactions.1.message.rbf_to_scalar.0.weight", {7, 3}),
                 "has the shape (7, 3); expected (4, 3), (features, radial)" + student_why);
  expect_refused(with_shape(small_student, "interactions.0.update.mixing_matrix", {9}),
                 "has the shape (9,); expected (3, 3), (3, 3)");
  expect_refused(with_shape(small_student, "energy_head.0.weight", {24}), "expected two axes, (readout[0], features)");
  expect_refused(with_shape(small_student, "energy_head.2.weight", {5, 4}),
                 "has the shape (5, 4); expected (5, 6), (readout[1], readout[0])");
  expect_refused(with_shape(small_student, "energy_head.4.weight", {2, 5}), "expected (1, 5), (1, readout[1])");
  expect_refused(with_shape(small_painn, "representation.filter_net.weight", {12, 3}),
                 "has the shape (12, 3); expected (24, 3), (layers * 3 * features, radial), as features is 4 by "
                 "representation.embedding.weight, radial 3 by representation.radial_basis.offsets, and there are 2");
  expect_refused(with_shape(small_bessel, "representation.filter_net.weight", {24, 4}),
                 "radial 3 by representation.radial_basis.freqs");
}

TEST(ForceFieldWeightFile, ReportsFilesThatCannotBeReadOrWritten) {
  const TemporaryFolder folder;
  const std::string path = folder.path() / "m";
  expect_error(ErrorCode::io, "cannot read '/nowhere/m'",
               [] { static_cast<void>(read_forcefield_weights("/nowhere/m")); });
  std::filesystem::create_directory(path);
  expect_error(ErrorCode::io, "cannot write", [&] { write_forcefield_weights(path, random_model(small_student)); });
  EXPECT_EQ(folder.n_entries(), 1) << "nothing is left behind";
}

TEST(RandomForceFieldWeights, AreReproducible) {
  for (const ForceFieldShape& shape : {small_student, small_painn, small_bessel}) {
    const ForceFieldWeights model = random_forcefield_weights(shape, 7);
    EXPECT_TRUE(random_forcefield_weights(shape, 7) == model);
    EXPECT_NE(random_forcefield_weights(shape, 8).embedding, model.embedding);
  }
}

TEST(RandomForceFieldWeights, HaveTheSizesOfTrainedOnes) {
  const ForceFieldWeights student = random_forcefield_weights({}, 3);
  std::int64_t n_parameters = 0;
  for (const auto& tensor : forcefield_ladder::weight_tensors(student)) {
    if (tensor.kind != forcefield_ladder::WeightKind::radial) n_parameters += tensor.n_values();
  }
  EXPECT_EQ(n_parameters, 427292);
  EXPECT_EQ(student.radial_width, std::vector<float>(20, 0.25f));
  EXPECT_EQ(student.radial_centre[0], 0.f);
  EXPECT_EQ(student.radial_centre[19], 5.f);
  double sum = 0, squares = 0;
  for (const float value : student.embedding) sum += value, squares += value * value;
  const auto n = static_cast<double>(student.embedding.size());
  EXPECT_NEAR(sum / n, 0, 0.05);
  EXPECT_NEAR(squares / n, 1, 0.05);
  const auto [least, most] =
      std::minmax_element(student.layers[0].filter_weight.begin(), student.layers[0].filter_weight.end());
  EXPECT_NEAR(*least, -1 / std::sqrt(128.f), 1e-4);
  EXPECT_NEAR(*most, 1 / std::sqrt(128.f), 1e-4);
  const ForceFieldWeights bessel = random_model(small_bessel);
  EXPECT_TRUE(bessel.radial_width.empty());
  EXPECT_FLOAT_EQ(bessel.radial_centre[2], 3 * 3.14159265f / 4.5f);
  EXPECT_EQ(random_model(small_painn).radial_width, std::vector<float>(3, 2.5f));
  expect_error(ErrorCode::bad_argument, "random_forcefield_weights: shape must have radial from 1",
               [] { static_cast<void>(random_forcefield_weights({.radial = 0}, 1)); });
}

TEST(ForceFieldWeightVectors, MustMatchTheShape) {
  const TemporaryFolder folder;
  const auto refused = [&](const ForceFieldShape& shape, const std::string& words, auto change) {
    ForceFieldWeights model = random_model(shape);
    change(model);
    const std::string path = folder.path() / "m";
    expect_error(ErrorCode::bad_argument, "write_forcefield_weights: " + words,
                 [&] { write_forcefield_weights(path, model); });
    EXPECT_EQ(folder.n_entries(), 0);
  };
  refused(small_student, "layers should have 2 entries, has 1", [](auto& m) { m.layers.pop_back(); });
  refused(small_student, "readout_bias should have 3 entries", [](auto& m) { m.readout_bias.pop_back(); });
  refused(small_student, "interactions.0.message.rbf_to_scalar.2.bias should have (12,) values, (3 * features), has 11",
          [](auto& m) { m.layers[0].filter_bias.pop_back(); });
  refused(small_student, "interactions.0.update.mixing_matrix should have (3, 3) values, (3, 3), has 0",
          [](auto& m) { m.layers[0].mixing.clear(); });
  refused(small_student, "radial_width must have widths greater than 0, has 0.0",
          [](auto& m) { m.radial_width[1] = 0; });
  refused(small_student, "shape must have features from 1 to", [](auto& m) { m.shape.features = 0; });
  refused(small_student, "shape must have layers from 1 to 1024, has 1025", [](auto& m) { m.shape.layers = 1025; });
  refused(small_student, "shape must have a readout of 2 hidden layers, has 1",
          [](auto& m) { m.shape.readout.pop_back(); });
  refused(small_student, "shape must have widths in readout from 1", [](auto& m) { m.shape.readout[1] = -1; });
  refused(small_student, "shape of a student must have a Gaussian basis",
          [](auto& m) { m.shape.basis = RadialBasis::bessel; });
  for (const double cutoff : {0.0, -5.0, std::nan(""), 1e300}) {
    refused(small_painn, "shape must have a finite cutoff greater than 0", [&](auto& m) { m.shape.cutoff = cutoff; });
  }
  refused(small_painn, "representation.filter_net.bias should have (24,) values, (layers * 3 * features), has 13 in a",
          [](auto& m) { m.layers[1].filter_bias.push_back(0); });
  refused(small_painn, "weights have 4 values that painn does not use",
          [](auto& m) { m.layers[1].filter_hidden_bias.resize(4); });
}

}  // namespace
}  // namespace rafter
