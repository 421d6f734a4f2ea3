// The CPU's force fields: SiLU compared with its definition in float64, and invariance of a molecule's results.
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <numeric>
#include <vector>

#include "forcefield/forcefield_simd.hpp"
#include "rafter/forcefield.hpp"

namespace rafter::forcefield_ladder::cpu {
namespace {

struct Silu {
  std::vector<float> values, slopes;
};

Silu silu_of(std::vector<float> values) {
  const std::size_t n = values.size();
  values.resize((n + block_channels - 1) / block_channels * block_channels);
  std::vector<float> slopes(values.size());
  forcefield_loops().silu({values.data(), 0}, {slopes.data(), 0}, 1, std::ssize(values));
  values.resize(n);
  slopes.resize(n);
  return {values, slopes};
}

TEST(ForceFieldSilu, StaysWithinItsErrorBound) {
  std::vector<float> in;
  for (int i = -86999; i <= 86999; ++i) in.push_back(static_cast<float>(i) * 1e-3F);
  const Silu out = silu_of(in);
  double worst = 0, worst_slope = 0;
  for (std::size_t i = 0; i < in.size(); ++i) {
    const auto x = static_cast<double>(in[i]);
    const double share = 1 / (1 + std::exp(-x)), value = x * share, slope = share * (1 + x * (1 - share));
    const double off = std::abs(static_cast<double>(out.values[i]) - value);
    worst = std::max(worst, off == 0 ? 0 : off / std::abs(value));
    worst_slope = std::max(worst_slope, std::abs(static_cast<double>(out.slopes[i]) - slope));
  }
  EXPECT_LE(worst, 2.5e-7);
  EXPECT_LE(worst_slope, 2.5e-7);
}

TEST(ForceFieldSilu, ReachesItsLimitsAndPropagatesNan) {
  const float largest = std::numeric_limits<float>::max(), nan = std::numeric_limits<float>::quiet_NaN();
  const Silu out = silu_of({1000, largest, -1000, nan, 1});
  EXPECT_EQ(out.values[0], 1000);
  EXPECT_EQ(out.values[1], largest);
  EXPECT_NEAR(out.values[2], 0, 1e-33);
  EXPECT_TRUE(std::isnan(out.values[3]) && std::isnan(out.slopes[3]));
  EXPECT_NEAR(out.values[4], 0.7310586, 2e-7) << "beside it";
}

struct Results {
  std::vector<double> energies;
  std::vector<float> forces;
  std::vector<double> virials;
  bool operator==(const Results&) const = default;
};

/// Returns molecules of 1, 3, 14 and 70 atoms, one of them in a cell smaller than the cutoff.
struct Molecules {
  std::vector<std::int64_t> sizes;
  std::vector<std::int32_t> elements;
  std::vector<float> positions;
  std::vector<UnitCell> cells;
};

Molecules molecule(std::int64_t size) {
  Molecules one{{size}, {}, {}, {UnitCell{}}};
  for (std::int64_t i = 0; i < size; ++i) {
    one.elements.push_back(static_cast<std::int32_t>(1 + i * 5 % 8));
    for (const std::int64_t x : {i % 4, i / 4 % 4, i / 16})  // a grid with displacements
      one.positions.push_back(static_cast<float>(x) * 1.3F + static_cast<float>((i * 37 + x * 11) % 23) * 0.02F);
  }
  if (size == 3) one.cells[0] = {{{{4, 0, 0}, {0.5, 6, 0}, {0, 0, 7}}}, {true, true, false}};
  return one;
}

Molecules joined(const std::vector<Molecules>& parts) {
  Molecules all;
  const auto append = [](auto& to, const auto& from) { to.insert(to.end(), from.begin(), from.end()); };
  for (const Molecules& part : parts) {
    append(all.sizes, part.sizes);
    append(all.elements, part.elements);
    append(all.positions, part.positions);
    append(all.cells, part.cells);
  }
  return all;
}

Results compute(const ForceField& model, const Molecules& of, int n_threads) {
  const Stream stream = Stream::cpu(n_threads);
  const MoleculeBatch batch(stream, of.sizes, of.elements, of.cells);
  Results results{std::vector<double>(of.sizes.size()), std::vector<float>(of.positions.size()),
                  std::vector<double>(9 * of.sizes.size())};
  model.compute(stream, batch, device_span(stream, of.positions),
                {device_span(stream, results.energies), device_span(stream, results.forces),
                 device_span(stream, results.virials)});
  return results;
}

class ForceFieldCpu : public testing::TestWithParam<ForceFieldModel> {
 protected:
  ForceFieldWeights weights(std::int64_t features) const {
    ForceFieldShape shape{.model = GetParam(), .features = features, .layers = 3, .radial = 8, .elements = 10};
    shape.readout =
        GetParam() == ForceFieldModel::painn ? std::vector<std::int64_t>{9} : std::vector<std::int64_t>{9, 5};
    return random_forcefield_weights(shape, 3);
  }
};

TEST_P(ForceFieldCpu, ResultsDoNotDependOnTheBatch) {
  const ForceField model(Stream::cpu(), weights(40));
  ASSERT_EQ(model.properties().filters, ForceFieldFilters::tabulated);
  std::vector<Molecules> parts;
  for (const std::int64_t size : {14, 1, 70, 3, 14, 14, 3, 14, 14, 14, 0, 14}) parts.push_back(molecule(size));
  for (std::size_t k = 0; k < parts.size(); ++k) {  // all different
    for (float& x : parts[k].positions) x *= 1 + 0.01F * static_cast<float>(k);
  }
  const Results all = compute(model, joined(parts), 2);
  std::size_t m = 0, atom = 0;
  for (const Molecules& part : parts) {
    const Results alone = compute(model, part, 1);
    EXPECT_EQ(alone.energies[0], all.energies[m]) << m;
    EXPECT_TRUE(std::equal(alone.forces.begin(), alone.forces.end(), all.forces.begin() + static_cast<long>(atom)))
        << m;
    EXPECT_TRUE(std::equal(alone.virials.begin(), alone.virials.end(), all.virials.begin() + static_cast<long>(9 * m)))
        << m;
    ++m;
    atom += part.positions.size();
  }
}

TEST_P(ForceFieldCpu, TablesAreWithinTheirErrorOfExactFilters) {
  const Stream stream = Stream::cpu();
  const ForceField tabulated(stream, weights(40)), exact(stream, weights(40), {ForceFieldFilters::exact});
  EXPECT_LE(tabulated.properties().table_error, 1e-6);
  const Molecules all = joined({molecule(14), molecule(70), molecule(3)});
  const Results a = compute(tabulated, all, 2), b = compute(exact, all, 2);
  for (std::size_t i = 0; i < a.energies.size(); ++i) EXPECT_NEAR(a.energies[i], b.energies[i], 1e-4) << i;
  for (std::size_t i = 0; i < a.forces.size(); ++i) EXPECT_NEAR(a.forces[i], b.forces[i], 1e-4) << i;
  for (std::size_t i = 0; i < a.virials.size(); ++i) EXPECT_NEAR(a.virials[i], b.virials[i], 2e-3) << i;
}

TEST_P(ForceFieldCpu, NonFinitePositionsGiveNan) {
  for (const ForceFieldFilters filters : {ForceFieldFilters::tabulated, ForceFieldFilters::exact}) {
    const ForceField model(Stream::cpu(), weights(12), {filters});
    Molecules all = joined({molecule(14), molecule(3), molecule(1), molecule(14)});
    all.positions[3 * 14 + 4] = std::numeric_limits<float>::quiet_NaN();
    all.positions[3 * 17] = std::numeric_limits<float>::infinity();
    const Results results = compute(model, all, 2);
    for (std::size_t m = 0; m < 4; ++m) EXPECT_EQ(std::isnan(results.energies[m]), m == 1 || m == 2) << m;
    for (std::size_t i = 0; i < results.forces.size(); ++i)
      EXPECT_EQ(std::isnan(results.forces[i]), i >= 3 * 14 && i < 3 * 18) << i;
    for (std::size_t i = 0; i < results.virials.size(); ++i)
      EXPECT_EQ(std::isnan(results.virials[i]), i >= 9 && i < 27) << i;
  }
}

INSTANTIATE_TEST_SUITE_P(Models, ForceFieldCpu, testing::Values(ForceFieldModel::student, ForceFieldModel::painn),
                         [](const auto& of) { return std::string(name(of.param)); });

}  // namespace
}  // namespace rafter::forcefield_ladder::cpu
