// ForceField, the public class: forces compared with central differences, and its other guarantees, on every device.
#include "rafter/forcefield.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <limits>

#include "kernels/all_ops.hpp"
#include "library/core/stream/backend.hpp"
#include "rafter/buffer.hpp"
#include "workbench/lab/expect_error.hpp"

namespace rafter {
namespace {

using lab::expect_error;

struct Molecules {
  std::vector<std::int64_t> sizes{};
  std::vector<std::int32_t> elements{};
  std::vector<double> positions{};
  std::vector<UnitCell> cells{};

  void add(const Molecules& other) {
    sizes.insert(sizes.end(), other.sizes.begin(), other.sizes.end());
    elements.insert(elements.end(), other.elements.begin(), other.elements.end());
    positions.insert(positions.end(), other.positions.begin(), other.positions.end());
  }
};

template <class T>
struct Results {
  std::vector<double> energies{}, virials{};
  std::vector<T> forces{};
};

ForceFieldShape shape_of(ForceFieldModel model) {
  ForceFieldShape shape{.model = model, .features = 16, .layers = 2, .radial = 8, .elements = 20, .cutoff = 3};
  shape.readout = model == ForceFieldModel::painn ? std::vector<std::int64_t>{8} : std::vector<std::int64_t>{8, 4};
  return shape;
}

double random(unsigned& seed) {
  seed = seed * 1664525U + 1013904223U;
  return static_cast<double>(seed >> 8) / (1 << 24);
}

/// Returns a randomly grown molecule: atoms at least 0.9 A apart, no distance within 1e-3 of the cutoff.
Molecules molecule(int n, unsigned seed) {
  Molecules one{.sizes = {n}};
  while (std::ssize(one.elements) < n) {
    std::array<double, 3> p{};
    for (double& x : p) x = static_cast<double>(static_cast<float>((random(seed) - 0.5) * 1.6 * std::cbrt(n)));
    bool fits = true;
    for (std::size_t i = 0; i < one.elements.size(); ++i) {
      const double d =
          std::hypot(p[0] - one.positions[3 * i], p[1] - one.positions[3 * i + 1], p[2] - one.positions[3 * i + 2]);
      fits = fits && d > 0.9 && std::abs(d - 3) > 1e-3;
    }
    if (!fits) continue;
    one.elements.push_back(1 + static_cast<std::int32_t>(random(seed) * 9));
    one.positions.insert(one.positions.end(), p.begin(), p.end());
  }
  return one;
}

template <class T>
Results<T> compute(const Stream& stream, const ForceField& field, const MoleculeBatch& batch,
                   const Molecules& molecules, bool wants_forces = true) {
  const Buffer<T> positions(stream, std::vector<T>(molecules.positions.begin(), molecules.positions.end()));
  const std::int64_t n = batch.n_molecules();
  Buffer<double> energies(stream, n), virials(stream, wants_forces ? 9 * n : 0);
  Buffer<T> forces(stream, wants_forces ? positions.size() : 0);
  field.compute(stream, batch, positions, ForceFieldResults<T>{energies.span(), forces.span(), virials.span()});
  Results<T> results;
  results.energies.resize(static_cast<std::size_t>(n));
  results.virials.resize(static_cast<std::size_t>(virials.size()));
  results.forces.resize(static_cast<std::size_t>(forces.size()));
  energies.copy_to(results.energies);
  virials.copy_to(results.virials);
  forces.copy_to(results.forces);
  return results;
}

template <class T>
Results<T> compute(const Stream& stream, const ForceField& field, const Molecules& molecules,
                   bool wants_forces = true) {
  const MoleculeBatch batch(stream, molecules.sizes, molecules.elements, molecules.cells);
  return compute<T>(stream, field, batch, molecules, wants_forces);
}

class ForceFields : public testing::TestWithParam<Device> {
 protected:
  void SetUp() override {
    if (const auto reason = why_unavailable(GetParam())) GTEST_SKIP() << *reason;
    stream = Stream::on(GetParam());
  }

  ForceField field(ForceFieldModel model) const { return {stream, random_forcefield_weights(shape_of(model), 3)}; }

  Stream stream = Stream::cpu();
};

constexpr ForceFieldModel both[]{ForceFieldModel::student, ForceFieldModel::painn};

TEST_P(ForceFields, ForcesMatchCentralDifferences) {
  for (const ForceFieldModel model : both) {
    SCOPED_TRACE(name(model));
    const ForceField forces = field(model);
    const Molecules here = molecule(6, 11);
    const auto exact = compute<double>(stream, forces, here);
    const auto single = compute<float>(stream, forces, here);
    for (std::size_t i = 0; i < here.positions.size(); ++i) {
      constexpr double h = 1e-4;
      const auto energy = [&](double step) {
        Molecules moved = here;
        moved.positions[i] += step;
        return compute<double>(stream, forces, moved, false).energies[0];
      };
      // Central differences of fourth order in h.
      const double slope = (8 * (energy(h) - energy(-h)) - (energy(2 * h) - energy(-2 * h))) / (12 * h);
      EXPECT_NEAR(exact.forces[i], -slope, 1e-8);
      EXPECT_NEAR(static_cast<double>(single.forces[i]), -slope, 1e-4);
    }
  }
}

TEST_P(ForceFields, VirialsMatchDerivativesByStrain) {
  for (const ForceFieldModel model : both) {
    const ForceField forces = field(model);
    for (const bool repeats : {false, true}) {
      Molecules here = molecule(4, 5);
      if (repeats)
        here.cells = {{.vectors = {{{4.3, 0, 0}, {0.9, 3.7, 0}, {0.2, -0.5, 4.9}}}, .is_periodic = {true, true, true}}};
      const auto found = compute<double>(stream, forces, here);
      for (std::size_t k = 0; k < 9; ++k) {
        constexpr double h = 1e-5;
        const auto energy = [&](double step) {
          Molecules strained = here;
          for (std::size_t i = 0; i < here.elements.size(); ++i)
            strained.positions[3 * i + k / 3] += step * here.positions[3 * i + k % 3];
          for (std::size_t v = 0; repeats && v < 3; ++v)
            strained.cells[0].vectors[v][k / 3] += step * here.cells[0].vectors[v][k % 3];
          return compute<double>(stream, forces, strained, false).energies[0];
        };
        EXPECT_NEAR(found.virials[k], -(energy(h) - energy(-h)) / (2 * h), 1e-6) << name(model) << k << repeats;
      }
    }
  }
}

TEST_P(ForceFields, ResultsDoNotDependOnOtherMolecules) {
  for (const ForceFieldModel model : both) {
    const ForceField forces = field(model);
    Molecules all;
    std::vector<Molecules> alone;
    for (const int n : {5, 1, 13, 0, 2, 24, 5}) alone.push_back(molecule(n, static_cast<unsigned>(n)));
    for (const Molecules& one : alone) all.add(one);
    const auto together = compute<float>(stream, forces, all);
    std::size_t atom = 0;
    for (std::size_t m = 0; m < alone.size(); ++m) {
      const auto one = compute<float>(stream, forces, alone[m]);
      EXPECT_EQ(one.energies[0], together.energies[m]);
      for (std::size_t i = 0; i < one.forces.size(); ++i) EXPECT_EQ(one.forces[i], together.forces[3 * atom + i]);
      for (std::size_t i = 0; i < 9; ++i) EXPECT_EQ(one.virials[i], together.virials[9 * m + i]);
      atom += alone[m].elements.size();
    }
    EXPECT_EQ(compute<float>(stream, forces, all).forces, together.forces) << "another time";
    EXPECT_EQ(compute<float>(stream, forces, all, false).energies, together.energies) << "without forces";
  }
}

TEST_P(ForceFields, ResultsDoNotDependOnTheNumberOfMolecules) {
  for (const ForceFieldModel model : both) {
    ForceFieldShape shape = shape_of(model);
    shape.features = 128;  // on a GPU: a cluster each for few molecules, a block each for many, stages for 40 atoms
    const ForceField forces(stream, random_forcefield_weights(shape, 3));
    for (const int n : {21, 40}) {
      const Molecules one = molecule(n, 3);
      Molecules many;
      for (int i = 0; i < 300; ++i) many.add(one);
      const auto alone = compute<float>(stream, forces, one), together = compute<float>(stream, forces, many);
      for (std::size_t m = 0; m < 300; ++m) {
        ASSERT_EQ(together.energies[m], alone.energies[0]) << m;
        for (std::size_t i = 0; i < alone.forces.size(); ++i)
          ASSERT_EQ(together.forces[m * alone.forces.size() + i], alone.forces[i]) << m;
        for (std::size_t i = 0; i < 9; ++i) ASSERT_EQ(together.virials[9 * m + i], alone.virials[i]) << m;
      }
    }
  }
}

TEST_P(ForceFields, AreInvariantToPermutationAndTranslation) {
  for (const ForceFieldModel model : both) {
    const ForceField forces = field(model);
    const Molecules here = molecule(7, 21);
    Molecules there = here;
    std::reverse(there.elements.begin(), there.elements.end());
    const std::size_t n = here.elements.size();
    for (std::size_t i = 0; i < 3 * n; ++i)
      there.positions[i] = here.positions[3 * (n - 1 - i / 3) + i % 3] + (i % 3 == 0 ? 8.0 : -4.0);
    const auto a = compute<double>(stream, forces, here), b = compute<double>(stream, forces, there);
    EXPECT_NEAR(a.energies[0], b.energies[0], 1e-11);
    double sum[3] = {};
    for (std::size_t i = 0; i < 3 * n; ++i) {
      EXPECT_NEAR(a.forces[3 * (n - 1 - i / 3) + i % 3], b.forces[i], 1e-10);
      sum[i % 3] += a.forces[i];
    }
    for (const double total : sum) EXPECT_NEAR(total, 0, 1e-11);
  }
}

TEST_P(ForceFields, PainnIsRotationEquivariantAndTheStudentIsNot) {
  const Molecules here = molecule(6, 31);
  Molecules there = here;  // rotated by 90 degrees about z
  for (std::size_t i = 0; i < here.elements.size(); ++i) {
    there.positions[3 * i] = -here.positions[3 * i + 1];
    there.positions[3 * i + 1] = here.positions[3 * i];
  }
  const ForceField painn = field(ForceFieldModel::painn), student = field(ForceFieldModel::student);
  EXPECT_TRUE(painn.properties().is_rotation_equivariant);
  EXPECT_TRUE(painn.properties().warnings.empty());
  EXPECT_FALSE(student.properties().is_rotation_equivariant);
  EXPECT_FALSE(student.properties().is_continuous_at_cutoff);
  EXPECT_EQ(student.properties().warnings.size(), 3u);
  const auto a = compute<double>(stream, painn, here), b = compute<double>(stream, painn, there);
  EXPECT_NEAR(a.energies[0], b.energies[0], 1e-11);
  for (std::size_t i = 0; i < here.elements.size(); ++i) {
    EXPECT_NEAR(b.forces[3 * i], -a.forces[3 * i + 1], 1e-10);
    EXPECT_NEAR(b.forces[3 * i + 1], a.forces[3 * i], 1e-10);
  }
  EXPECT_GT(std::abs(compute<double>(stream, student, here).energies[0] -
                     compute<double>(stream, student, there).energies[0]),
            1e-5);
}

TEST_P(ForceFields, DoubledCellHasTwiceTheEnergy) {
  for (const ForceFieldModel model : both) {
    const ForceField forces = field(model);
    Molecules one = molecule(4, 41);  // a cell smaller than the cutoff: atoms are neighbours of their own images
    one.cells = {{.vectors = {{{2.6, 0, 0}, {0.7, 3.1, 0}, {0.1, -0.4, 2.9}}}, .is_periodic = {true, true, true}}};
    Molecules two = one;
    two.sizes = {8};
    two.elements.insert(two.elements.end(), one.elements.begin(), one.elements.end());
    for (std::size_t i = 0; i < one.positions.size(); ++i)
      two.positions.push_back(one.positions[i] + one.cells[0].vectors[1][i % 3]);
    for (double& x : two.cells[0].vectors[1]) x *= 2;
    Molecules moved = one;  // an atom is at the position of its image
    for (std::size_t x = 0; x < 3; ++x)
      moved.positions[x] += 2 * one.cells[0].vectors[0][x] - one.cells[0].vectors[2][x];
    const auto a = compute<double>(stream, forces, one), b = compute<double>(stream, forces, two),
               c = compute<double>(stream, forces, moved);
    EXPECT_NEAR(2 * a.energies[0], b.energies[0], 1e-9);
    EXPECT_NEAR(a.energies[0], c.energies[0], 1e-9);
    for (std::size_t i = 0; i < a.forces.size(); ++i) {
      EXPECT_NEAR(a.forces[i], b.forces[i], 1e-9);
      EXPECT_NEAR(a.forces[i], c.forces[i], 1e-9);
    }
    const auto single = compute<float>(stream, forces, one);
    for (std::size_t i = 0; i < a.forces.size(); ++i)
      EXPECT_NEAR(a.forces[i], static_cast<double>(single.forces[i]), 1e-4);
  }
}

TEST_P(ForceFields, ChangedCellsGiveTheResultsOfAFreshBatch) {
  const UnitCell narrow{.vectors = {{{2.6, 0, 0}, {0.7, 3.1, 0}, {0.1, -0.4, 2.9}}}, .is_periodic = {true, true, true}};
  UnitCell wide = narrow, slab = narrow;
  for (auto& vector : wide.vectors) vector[0] *= 1.25;
  slab.is_periodic = {true, true, false};
  const ForceField forces = field(ForceFieldModel::painn);
  Molecules two = molecule(4, 41);
  two.add(molecule(5, 7));
  const MoleculeBatch original(stream, two.sizes, two.elements);
  MoleculeBatch batch = original;
  const auto none = compute<float>(stream, forces, two);
  // From none periodic to both, other cells of both, one of them, two axes, none; cells that do not repeat at last.
  for (const std::vector<UnitCell>& cells : {std::vector{narrow, wide},
                                             {wide, narrow},
                                             {UnitCell{}, narrow},
                                             {UnitCell{}, slab},
                                             {},
                                             {narrow, narrow},
                                             {UnitCell{}, UnitCell{}}}) {
    batch.set_cells(cells);
    two.cells = cells;
    const auto fresh = compute<float>(stream, forces, two), changed = compute<float>(stream, forces, batch, two);
    EXPECT_EQ(changed.energies, fresh.energies);
    EXPECT_EQ(changed.forces, fresh.forces);
    EXPECT_EQ(changed.virials, fresh.virials);
    const auto fresh64 = compute<double>(stream, forces, two), changed64 = compute<double>(stream, forces, batch, two);
    EXPECT_EQ(changed64.forces, fresh64.forces);
  }
  EXPECT_EQ(compute<float>(stream, forces, original, two).forces, none.forces) << "a copy is independent";
}

TEST_P(ForceFields, KeepTheirCellsWhenNewOnesAreRejected) {
  const UnitCell cell{.vectors = {{{2.6, 0, 0}, {0.7, 3.1, 0}, {0.1, -0.4, 2.9}}}, .is_periodic = {true, true, true}};
  UnitCell flat = cell, other = cell;
  flat.vectors[1] = flat.vectors[0];
  other.vectors[0][0] = 4;
  const ForceField forces = field(ForceFieldModel::student);
  Molecules two = molecule(4, 41);
  two.add(molecule(5, 7));
  two.cells = {cell, cell};
  MoleculeBatch batch(stream, two.sizes, two.elements, two.cells);
  const auto before = compute<float>(stream, forces, batch, two);
  expect_error(ErrorCode::bad_argument, "MoleculeBatch::set_cells: cells should have 2 elements, has 1",
               [&] { batch.set_cells(std::vector{other}); });
  expect_error(ErrorCode::bad_argument, "the periodic vectors of a cell span no volume", [&] {
    batch.set_cells(std::vector{other, flat});
  });
  EXPECT_EQ(compute<float>(stream, forces, batch, two).forces, before.forces);
}

// Uses a cell list on a GPU.
TEST_P(ForceFields, DistantFragmentsHaveAdditiveEnergies) {
  for (const ForceFieldModel model : both) {
    const ForceField forces = field(model);
    const Molecules piece = molecule(12, 45);
    constexpr std::size_t n_pieces = 80;
    Molecules all{.sizes = {12 * std::int64_t{n_pieces}}};
    for (std::size_t k = 0; k < n_pieces; ++k) {
      all.elements.insert(all.elements.end(), piece.elements.begin(), piece.elements.end());
      for (std::size_t i = 0; i < piece.positions.size(); ++i)
        all.positions.push_back(piece.positions[i] + (i % 3 == k % 3 ? 16.0 * static_cast<double>(k) : 0));
    }
    const auto one = compute<float>(stream, forces, piece), many = compute<float>(stream, forces, all);
    EXPECT_NEAR(many.energies[0], static_cast<double>(n_pieces) * one.energies[0], 1e-3);
    for (std::size_t i = 0; i < many.forces.size(); ++i)
      ASSERT_NEAR(many.forces[i], one.forces[i % one.forces.size()], 1e-4F) << i;
  }
}

TEST_P(ForceFields, HandleIsolatedAtomsAndPairsAtTheCutoff) {
  for (const ForceFieldModel model : both) {
    const ForceField forces = field(model);
    const auto pair = [&](double distance) {
      return compute<float>(stream, forces, {.sizes = {2}, .elements = {6, 8}, .positions = {0, 0, 0, distance, 0, 0}});
    };
    const auto alone =
        compute<float>(stream, forces, {.sizes = {1, 1}, .elements = {6, 8}, .positions = {0, 0, 0, 1, 2, 3}});
    for (const float force : alone.forces) EXPECT_EQ(force, 0);
    const double apart = alone.energies[0] + alone.energies[1];
    EXPECT_NEAR(pair(3.0001).energies[0], apart, 1e-6);
    const double step = std::abs(pair(3).energies[0] - apart);  // at the cutoff itself they are neighbours
    EXPECT_EQ(step < 1e-5, model == ForceFieldModel::painn) << step;
  }
}

TEST_P(ForceFields, NanStaysInItsMolecule) {
  constexpr double nan = std::numeric_limits<double>::quiet_NaN();
  const ForceField forces = field(ForceFieldModel::painn);
  Molecules all = molecule(3, 1);
  all.add({.sizes = {2}, .elements = {1, 1}, .positions = {0, nan, 0, 1, 0, 0}});
  all.add({.sizes = {2}, .elements = {1, 1}, .positions = {1, 1, 1, 1, 1, 1}});
  all.add(molecule(3, 1));
  const auto found = compute<float>(stream, forces, all);
  EXPECT_EQ(found.energies[0], found.energies[3]);
  EXPECT_TRUE(std::isfinite(found.energies[0]));
  EXPECT_TRUE(std::isnan(found.energies[1]));
  EXPECT_TRUE(std::isnan(found.forces[9]));
  EXPECT_TRUE(std::isnan(found.forces[15]) || std::isinf(found.forces[15])) << "coincident atoms";
}

TEST_P(ForceFields, TablesAreCloseToExactFilters) {
  for (const ForceFieldModel model : both) {
    const ForceFieldWeights weights = random_forcefield_weights(shape_of(model), 3);
    const ForceField exact(stream, weights, {ForceFieldFilters::exact}), tabulated(stream, weights);
    EXPECT_EQ(exact.properties().filters, ForceFieldFilters::exact);
    EXPECT_EQ(exact.properties().table_error, 0);
    ASSERT_EQ(tabulated.properties().filters, ForceFieldFilters::tabulated);
    EXPECT_GT(tabulated.properties().table_error, 0);
    EXPECT_LE(tabulated.properties().table_error, 1e-6);
    const Molecules here = molecule(9, 51);
    const auto a = compute<float>(stream, exact, here), b = compute<float>(stream, tabulated, here);
    EXPECT_NEAR(a.energies[0], b.energies[0], 2e-6 * (1 + std::abs(a.energies[0])));
    for (std::size_t i = 0; i < a.forces.size(); ++i) EXPECT_NEAR(a.forces[i], b.forces[i], 1e-5F);
  }
}

TEST_P(ForceFields, RejectMismatchedArguments) {
  const ForceField forces = field(ForceFieldModel::painn);
  const MoleculeBatch batch(stream, std::vector<std::int64_t>{2}, std::vector<std::int32_t>{1, 19});
  Buffer<float> positions(stream, std::vector<float>(6)), out(stream, 5);
  Buffer<double> energies(stream, 1);
  expect_error(ErrorCode::bad_argument, "ForceField::compute: forces should have 6 elements, has 5", [&] {
    forces.compute(stream, batch, positions, ForceFieldResults<float>{energies.span(), out.span()});
  });
  const MoleculeBatch heavy(stream, std::vector<std::int64_t>{2}, std::vector<std::int32_t>{1, 20});
  expect_error(ErrorCode::bad_argument, "ForceField::compute: batch has the atomic number 20; the model has 0 to 19",
               [&] { forces.compute(stream, heavy, positions, ForceFieldResults<float>{energies.span()}); });
  expect_error(ErrorCode::bad_argument, "MoleculeBatch: elements should have 3 elements, has 2", [&] {
    MoleculeBatch(stream, std::vector<std::int64_t>{3}, std::vector<std::int32_t>{1, 1});
  });
  expect_error(ErrorCode::bad_argument, "the periodic vectors of a cell span no volume", [&] {
    MoleculeBatch(
        stream, std::vector<std::int64_t>{1}, std::vector<std::int32_t>{1},
        std::vector<UnitCell>{{.vectors = {{{1, 0, 0}, {2, 0, 0}, {0, 0, 1}}}, .is_periodic = {true, true, false}}});
  });
}

INSTANTIATE_TEST_SUITE_P(Devices, ForceFields, testing::Values(Device::cpu, Device::cuda),
                         [](const auto& tested) { return "_" + std::string(name(tested.param)) + "_"; });

TEST(ForceFieldDynamics, ConservesEnergyOverTenThousandSteps) {
  const Stream stream = Stream::cpu(1);
  const ForceField field(stream, random_forcefield_weights(shape_of(ForceFieldModel::painn), 3));
  Molecules here = molecule(5, 61);
  const MoleculeBatch batch(stream, here.sizes, here.elements);
  std::vector<double> velocity(here.positions.size()), forces(here.positions.size()), energy(1);
  constexpr double step = 0.01, mass = 12;  // the step is small compared with the fastest vibration
  const auto evaluate = [&] {
    field.compute(stream, batch, device_span(stream, here.positions),
                  ForceFieldResults<double>{device_span(stream, energy), device_span(stream, forces)});
  };
  const auto total = [&] {
    double kinetic = 0;
    for (const double v : velocity) kinetic += mass * v * v / 2;
    return kinetic + energy[0];
  };
  evaluate();
  const double start = total();
  double worst = 0, fastest = 0;
  for (int i = 0; i < 10000; ++i) {
    for (std::size_t k = 0; k < velocity.size(); ++k) {
      velocity[k] += step / 2 * forces[k] / mass;
      here.positions[k] += step * velocity[k];
    }
    evaluate();
    for (std::size_t k = 0; k < velocity.size(); ++k) {
      velocity[k] += step / 2 * forces[k] / mass;
      fastest = std::max(fastest, std::abs(velocity[k]));
    }
    worst = std::max(worst, std::abs(total() - start));
  }
  EXPECT_GT(fastest, 1e-3) << "nothing moved";
  EXPECT_LT(worst, 1e-5);
}

TEST(ForceFieldModels, StudentHasTheDocumentedNumberOfParameters) {
  EXPECT_EQ(ForceField(Stream::cpu(), random_forcefield_weights({}, 1)).properties().n_parameters, 427292);
}

// ---- The op's sample for the tests of streams ----
/// Zigzag molecules, wider for a larger value, and small enough for a GPU's blocks: others cannot be captured. The CPU
/// computes the answers.
class ForceFieldSample final : public OpSample {
 public:
  ForceFieldSample(const Stream& stream, std::int64_t, int value)
      : field_(stream, weights()),
        molecules_(stream, sizes(), elements()),
        positions_(stream, zigzags(value)),
        energies_(stream, n_molecules),
        forces_(stream, positions_.size()),
        expected_energies_(n_molecules),
        expected_forces_(static_cast<std::size_t>(positions_.size())) {
    const Stream cpu = Stream::cpu(1);
    ForceField(cpu, weights())
        .compute(cpu, MoleculeBatch(cpu, sizes(), elements()), Buffer<float>(cpu, zigzags(value)).span(),
                 ForceFieldResults<float>{device_span(cpu, expected_energies_), device_span(cpu, expected_forces_)});
  }
  void enqueue(const Stream& stream) override {
    field_.compute(stream, molecules_, positions_, ForceFieldResults<float>{energies_.span(), forces_.span()});
  }
  void check() override {
    const std::vector<double> energies = take(energies_);
    const std::vector<float> forces = take(forces_);
    for (std::size_t i = 0; i < energies.size(); ++i) ASSERT_NEAR(energies[i], expected_energies_[i], 1e-4) << i;
    for (std::size_t i = 0; i < forces.size(); ++i) ASSERT_NEAR(forces[i], expected_forces_[i], 1e-4F) << i;
  }

 private:
  static constexpr int n_molecules = 5, n_atoms = 6;  // atoms per molecule

  static ForceFieldWeights weights() {
    return random_forcefield_weights({.model = ForceFieldModel::painn,
                                      .features = 8,
                                      .layers = 2,
                                      .radial = 4,
                                      .elements = 10,
                                      .readout = {4},
                                      .cutoff = 3},
                                     1);
  }
  static std::vector<std::int64_t> sizes() { return filled<std::int64_t>(n_molecules, n_atoms); }
  static std::vector<std::int32_t> elements() {
    std::vector<std::int32_t> all;
    for (int i = 0; i < n_molecules * n_atoms; ++i) all.push_back(i % 9 + 1);
    return all;
  }
  static std::vector<float> zigzags(int value) {
    std::vector<float> positions;
    for (int i = 0; i < n_molecules * n_atoms; ++i) {
      const int atom = i % n_atoms;
      for (const float x : {1.1F * static_cast<float>(atom), 0.2F * static_cast<float>(value * (atom % 2)), 0.F})
        positions.push_back(x);
    }
    return positions;
  }

  ForceField field_;
  MoleculeBatch molecules_;
  Buffer<float> positions_;
  Buffer<double> energies_;
  Buffer<float> forces_;
  std::vector<double> expected_energies_;
  std::vector<float> expected_forces_;
};
const RegisterOp<ForceFieldSample> forcefield_sample;

}  // namespace
}  // namespace rafter
