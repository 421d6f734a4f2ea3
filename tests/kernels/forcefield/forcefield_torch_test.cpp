// ForceField compared with the same models in PyTorch, with automatic derivatives in float64. The expected values are
// in forcefield_answers.txt, written by benchmarks/peers/torch_forcefield.py.
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <fstream>
#include <stdexcept>
#include <string>
#include <vector>

#include "rafter/buffer.hpp"
#include "rafter/forcefield.hpp"

namespace rafter {
namespace {

struct TorchMolecules {
  std::vector<std::int64_t> sizes;
  std::vector<std::int32_t> elements;
  std::vector<double> positions;  // [atoms][3]
};

struct Answers {
  std::string model;
  ForceFieldShape shape;
  std::uint64_t seed = 0;
  std::vector<double> energies{}, forces{}, virials{};
};

/// A reader of the file, word by word. An unexpected word fails the test by an exception.
class AnswersFile {
 public:
  explicit AnswersFile(const std::string& path) : in_(path) {
    in_.exceptions(std::ios::failbit | std::ios::badbit | std::ios::eofbit);
    for (std::string line; !line.starts_with("basis");) std::getline(in_, line);
    shape.features = number<std::int64_t>("features");
    shape.layers = number<std::int64_t>("layers");
    shape.radial = number<std::int64_t>("radial");
    shape.elements = number<std::int64_t>("elements");
    shape.cutoff = number<double>("cutoff");
    const auto n_molecules = number<std::int64_t>("molecules");
    for (std::int64_t m = 0; m < n_molecules; ++m) {
      molecules.sizes.push_back(next<std::int64_t>());
      for (std::int64_t i = 0; i < molecules.sizes.back(); ++i) {
        molecules.elements.push_back(next<std::int32_t>());
        append(molecules.positions, 3);
      }
    }
  }

  Answers next_model() {
    expect("model");
    Answers answers{.model = next<std::string>(), .shape = shape};
    const bool is_student = answers.model == "student";
    const auto basis = next<std::string>();
    answers.model += ", " + basis;
    answers.shape.model = is_student ? ForceFieldModel::student : ForceFieldModel::painn;
    answers.shape.basis = basis == "bessel" ? RadialBasis::bessel : RadialBasis::gaussian;
    answers.shape.readout.clear();
    for (int i = 0; i < (is_student ? 2 : 1); ++i) answers.shape.readout.push_back(next<std::int64_t>());
    answers.seed = number<std::uint64_t>("seed");
    for (const std::int64_t n_atoms : molecules.sizes) {
      append(answers.energies, 1);
      append(answers.virials, 9);
      append(answers.forces, 3 * n_atoms);
    }
    return answers;
  }

  ForceFieldShape shape;  // without model, basis and readout
  TorchMolecules molecules;

 private:
  template <class T>
  T next() {
    T value{};
    in_ >> value;
    return value;
  }
  void expect(const std::string& word) {
    if (const auto found = next<std::string>(); found != word)
      throw std::runtime_error("'" + found + "' where '" + word + "' should be");
  }
  template <class T>
  T number(const std::string& word) {
    expect(word);
    return next<T>();
  }
  void append(std::vector<double>& values, std::int64_t n) {
    for (std::int64_t i = 0; i < n; ++i) values.push_back(next<double>());
  }

  std::ifstream in_;
};

template <class T>
void expect_near(const char* what, const std::vector<T>& found, const std::vector<double>& expected, double tolerance) {
  ASSERT_EQ(found.size(), expected.size());
  double greatest = 0;
  for (const double value : expected) greatest = std::max(greatest, std::abs(value));
  ASSERT_GT(greatest, 0.01) << what << " say nothing";
  for (std::size_t i = 0; i < found.size(); ++i)
    ASSERT_NEAR(static_cast<double>(found[i]), expected[i], tolerance) << what << ", value " << i;
}

template <class T>
std::vector<T> on_host(const Buffer<T>& buffer) {
  std::vector<T> values(static_cast<std::size_t>(buffer.size()));
  buffer.copy_to(values);
  return values;
}

template <class T>
void compare(const Stream& stream, const Answers& answers, const TorchMolecules& molecules, double tolerance) {
  SCOPED_TRACE(answers.model);
  const ForceField field(stream, random_forcefield_weights(answers.shape, answers.seed));
  const MoleculeBatch batch(stream, molecules.sizes, molecules.elements);
  const Buffer<T> positions(stream, std::vector<T>(molecules.positions.begin(), molecules.positions.end()));
  Buffer<double> energies(stream, std::ssize(answers.energies)), virials(stream, std::ssize(answers.virials));
  Buffer<T> forces(stream, positions.size());
  field.compute(stream, batch, positions, ForceFieldResults<T>{energies.span(), forces.span(), virials.span()});
  expect_near("energies", on_host(energies), answers.energies, tolerance);
  expect_near("forces", on_host(forces), answers.forces, tolerance);
  expect_near("virials", on_host(virials), answers.virials, tolerance);
}

class ForceFieldOnDevices : public testing::TestWithParam<Device> {};

TEST_P(ForceFieldOnDevices, MatchesPyTorch) {
  if (const auto reason = why_unavailable(GetParam())) GTEST_SKIP() << *reason;
  const Stream stream = Stream::on(GetParam());
  AnswersFile file(RAFTER_FORCEFIELD_ANSWERS);
  ASSERT_EQ(file.molecules.sizes.size(), 5u);
  for (int i = 0; i < 3; ++i) {
    const Answers answers = file.next_model();
    compare<double>(stream, answers, file.molecules, 1e-9);  // the file has 12 digits
    compare<float>(stream, answers, file.molecules, 1e-4);
  }
}

INSTANTIATE_TEST_SUITE_P(Devices, ForceFieldOnDevices, testing::Values(Device::cpu, Device::cuda),
                         [](const auto& tested) { return "_" + std::string(name(tested.param)) + "_"; });

}  // namespace
}  // namespace rafter
