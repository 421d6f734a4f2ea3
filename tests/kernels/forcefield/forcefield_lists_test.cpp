// A GPU's neighbour lists, by pairs and by bins, compared with the CPU's: on the executor, without findings, and on a
// GPU if there is one.
#include "forcefield_lists.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <limits>

#include "executor/device/simt_device.hpp"
#include "library/core/stream/backend.hpp"
#include "rafter/buffer.hpp"

namespace rafter::test {
namespace {

using forcefield_ladder::BatchPlan;
using forcefield_ladder::Edge;
using forcefield_ladder::EdgeList;

constexpr double cutoff = 3;
constexpr std::int64_t all_pairs = std::numeric_limits<std::int64_t>::max();

/// One molecule.
struct Molecule {
  std::vector<double> positions{};  // exactly representable in float32
  UnitCell cell{};

  std::int64_t size() const { return std::ssize(positions) / 3; }
  void add(double x, double y, double z) {
    for (const double p : {x, y, z}) positions.push_back(static_cast<double>(static_cast<float>(p)));
  }
};

double random(unsigned& seed) {
  seed = seed * 1664525U + 1013904223U;
  return static_cast<double>(seed >> 8) / (1 << 24);
}

Molecule cloud(int n, double extent, unsigned seed = 1) {
  Molecule molecule;
  for (int i = 0; i < n; ++i) molecule.add(random(seed) * extent, random(seed) * extent, random(seed) * extent);
  return molecule;
}

/// Returns n x n x n atoms, `step` apart.
Molecule lattice(int n, double step) {
  Molecule molecule;
  for (int i = 0; i < n * n * n; ++i) molecule.add(i / n / n * step, i / n % n * step, i % n * step);
  return molecule;
}

Molecule moved(const Molecule& here, double x, double y, double z) {
  Molecule there{.cell = here.cell};
  for (std::size_t i = 0; i < here.positions.size(); i += 3)
    there.add(here.positions[i] + x, here.positions[i + 1] + y, here.positions[i + 2] + z);
  return there;
}

Molecule repeated(Molecule molecule, const UnitCell& cell) {
  molecule.cell = cell;
  return molecule;
}

template <class T>
bool is_same(const Edge<T>& a, const Edge<T>& b, double tolerance) {
  bool same = a.sender == b.sender;
  for (int x = 0; x < 3; ++x) same = same && std::abs(static_cast<double>(a.vector[x] - b.vector[x])) <= tolerance;
  return same;
}

/// Expects the same edges in any order.
template <class T>
void expect_same(std::span<const Edge<T>> found, std::span<const Edge<T>> expected, double tolerance) {
  ASSERT_EQ(found.size(), expected.size());
  std::vector<Edge<T>> left(found.begin(), found.end());
  for (const Edge<T>& edge : expected) {
    const auto it = std::find_if(left.begin(), left.end(), [&](const auto& e) { return is_same(e, edge, tolerance); });
    ASSERT_NE(it, left.end()) << "no edge from " << edge.sender;
    left.erase(it);
  }
}

/// Expects that every edge has its reverse, with bitwise the same length.
template <class T>
void expect_symmetric(const EdgeList<T>& list, std::int64_t first, std::int64_t n_atoms) {
  for (std::int64_t receiver = 0; receiver < n_atoms; ++receiver) {
    for (const Edge<T>& edge : list.of(first + receiver)) {
      const auto back = list.of(first + edge.sender);
      const auto n = std::count_if(back.begin(), back.end(), [&](const Edge<T>& other) {
        return other.sender == receiver && other.vector[0] == -edge.vector[0] && other.vector[1] == -edge.vector[1] &&
               other.vector[2] == -edge.vector[2];
      });
      ASSERT_GE(n, 1) << receiver << " hears from " << edge.sender << ", which does not hear from it";
    }
  }
}

class ForceFieldLists : public testing::TestWithParam<Device> {
 protected:
  void SetUp() override {
    rafter::simt::provide_device();
    if (const auto reason = why_unavailable(GetParam())) GTEST_SKIP() << *reason;
    if (on_executor()) core::backend(Device::simt).take_findings();
  }
  void TearDown() override {
    if (on_executor()) {
      EXPECT_EQ(core::backend(Device::simt).take_findings().value_or(""), "");
    }
  }
  static bool on_executor() { return GetParam() == Device::simt; }
  static ListMakers makers() {
#ifdef RAFTER_WITH_CUDA
    if (!on_executor()) return cuda::list_makers();
#endif
    return simt::list_makers();
  }

  /// Calls call(stream, batch, positions) with molecules on the device.
  template <class T, class Call>
  static auto with(const std::vector<Molecule>& molecules, const Call& call) {
    const Stream stream = Stream::on(GetParam());
    std::vector<std::int64_t> sizes;
    std::vector<UnitCell> cells;
    std::vector<T> positions;
    for (const Molecule& molecule : molecules) {
      sizes.push_back(molecule.size());
      cells.push_back(molecule.cell);
      for (const double x : molecule.positions) positions.push_back(static_cast<T>(x));
    }
    const BatchPlan batch(stream, sizes, std::vector<std::int32_t>(positions.size() / 3, 1), cells);
    const Buffer<T> on_device(stream, positions);
    return call(stream, batch, on_device.data());
  }

  template <class T>
  static MadeLists<T> make(const std::vector<Molecule>& molecules, std::int64_t most_paired) {
    return with<T>(molecules, [&](const Stream& stream, const BatchPlan& batch, const T* positions) {
      return makers().lists(T{})(stream, batch, positions, cutoff, most_paired);
    });
  }

  template <class T>
  static EdgeList<T> cpus(const Molecule& molecule) {
    const std::vector<T> positions(molecule.positions.begin(), molecule.positions.end());
    EdgeList<T> list;
    forcefield_ladder::find_edges(positions.data(), molecule.size(), cutoff, &molecule.cell, list);
    return list;
  }

  /// Returns the number of edges.
  template <class T>
  static std::int64_t expect_cpus_of(const Molecule& molecule, std::int64_t most_paired) {
    SCOPED_TRACE(most_paired == 0 ? "bins" : "pairs");
    const EdgeList<T> expected = cpus<T>(molecule);
    const MadeLists<T> made = make<T>({molecule}, most_paired);
    EXPECT_EQ(made.n_binned, most_paired == 0 ? molecule.size() : 0);
    // Shifts may be contracted on a GPU.
    const double tolerance = molecule.cell.repeats() ? 4 * double{std::numeric_limits<T>::epsilon()} * cutoff : 0;
    for (std::int64_t i = 0; i < molecule.size() && !testing::Test::HasFatalFailure(); ++i)
      expect_same(made.list.of(i), expected.of(i), tolerance);
    expect_symmetric(made.list, 0, molecule.size());
    return std::ssize(expected.edges);
  }

  /// Expects that bins in both precisions, and pairs, find the same edges as the CPU.
  static std::int64_t expect_cpus(const Molecule& molecule) {
    expect_cpus_of<double>(molecule, 0);
    expect_cpus_of<float>(molecule, 0);
    return expect_cpus_of<float>(molecule, all_pairs);
  }
};

constexpr UnitCell skewed(double scale, bool a = true, bool b = true, bool c = true) {
  return {.vectors = {{{4.3 * scale, 0, 0}, {1.9 * scale, 3.7 * scale, 0}, {-1.2 * scale, 1.5 * scale, 4.9 * scale}}},
          .is_periodic = {a, b, c}};
}
constexpr UnitCell cube(double a) {
  return {.vectors = {{{a, 0, 0}, {0, a, 0}, {0, 0, a}}}, .is_periodic = {true, true, true}};
}

TEST_P(ForceFieldLists, HandleFewAndManyAtomsPerBin) {
  EXPECT_GT(expect_cpus(cloud(120, 25)), 0);
  EXPECT_EQ(expect_cpus(cloud(40, 1)), 40 * 39);
  EXPECT_EQ(expect_cpus(cloud(40, 1000)), 0);
}

TEST_P(ForceFieldLists, HandleZeroOneAndTwoAtoms) {
  EXPECT_EQ(expect_cpus({}), 0);
  EXPECT_EQ(expect_cpus(cloud(1, 1)), 0);
  EXPECT_EQ(expect_cpus(cloud(2, 1)), 2);
  EXPECT_GT(expect_cpus(repeated(cloud(1, 1), skewed(0.4))), 10) << "images of itself";
}

TEST_P(ForceFieldLists, HandleAtomsAtTheCutoffAndAtBinBoundaries) {
  constexpr double widest = cutoff * (1 + 1e-4);  // of a bin
  for (const double step : {cutoff, widest, widest / 2}) {
    SCOPED_TRACE(step);
    expect_cpus(moved(lattice(3, step), -2 * step, -step, 0));
    expect_cpus(repeated(lattice(2, 2 * step), cube(4 * step)));
  }
  EXPECT_EQ(expect_cpus(lattice(3, cutoff)), 2 * 54);
  EXPECT_EQ(expect_cpus(repeated(lattice(3, cutoff), cube(3 * cutoff))), 27 * 6);
}

TEST_P(ForceFieldLists, HandleCellsOfAnyShapeAndPeriodicity) {
  for (int axes = 1; axes < 8; ++axes) {
    SCOPED_TRACE(axes);
    const bool a = (axes & 1) != 0, b = (axes & 2) != 0, c = (axes & 4) != 0;
    EXPECT_GT(expect_cpus(repeated(cloud(4, 3), skewed(0.8, a, b, c))), 0);
    EXPECT_GT(expect_cpus(repeated(cloud(16, 7), skewed(2.1, a, b, c))), 0);
  }
}

TEST_P(ForceFieldLists, HandleThinCells) {
  UnitCell thin = cube(20);
  thin.vectors[1] = {0, 0.7, 0};
  EXPECT_GT(expect_cpus(repeated(cloud(9, 6), thin)), 0);
  UnitCell flat = skewed(5);  // far from a right angle: heights are small, vectors are not
  flat.vectors[1] = {21, 1.1, 0.3};
  EXPECT_GT(expect_cpus(repeated(cloud(9, 6), flat)), 0);
}

TEST_P(ForceFieldLists, HandleAtomsFarFromTheOriginAndOutsideTheCell) {
  const Molecule here = cloud(40, 9);
  EXPECT_GT(expect_cpus(moved(here, 1000, -5000, 300)), 0);
  EXPECT_GT(expect_cpus(moved(here, -1e6, 1e6, 1e7)), 0);
  EXPECT_GT(expect_cpus(repeated(moved(here, 1000, -500, 300), skewed(3))), 0);
  Molecule scattered = repeated(here, skewed(3));
  for (std::size_t i = 0; i < scattered.positions.size(); i += 3) {
    const int cells = static_cast<int>(i / 3) % 5 - 2;
    for (std::size_t x = 0; x < 3; ++x)
      scattered.positions[i + x] += cells * static_cast<double>(static_cast<float>(scattered.cell.vectors[i % 2][x]));
  }
  EXPECT_GT(expect_cpus(moved(scattered, 0, 0, 0)), 0);
}

TEST_P(ForceFieldLists, HandleNonFinitePositionsAndCoincidentAtoms) {
  constexpr double nan = std::numeric_limits<double>::quiet_NaN(), inf = std::numeric_limits<double>::infinity();
  Molecule molecule = cloud(30, 6);
  molecule.add(1, nan, 1);
  molecule.add(inf, 1, 1);
  molecule.add(-inf, nan, inf);
  molecule.add(2, 2, 2);
  molecule.add(2, 2, 2);
  expect_cpus(repeated(molecule, skewed(2)));
  molecule.add(1e30, -1e30, 3e38);
  molecule.add(1e30, -1e30, 3e38);
  expect_cpus(molecule);
}

// Neither an isolated atom far away nor a chain increases the number of candidates that an atom is compared with.
TEST_P(ForceFieldLists, CandidatesGrowWithNeighboursNotWithAtoms) {
  Molecule chain;
  for (int i = 0; i < 700; ++i) chain.add(1.5 * i, 0.1 * (i % 7), 0);
  chain.add(1e7, -1e7, 1e7);
  const std::vector<int> tried = with<float>({chain}, [](const Stream& stream, const auto& batch, const float* at) {
    return makers().n_tried(stream, batch, at, cutoff);
  });
  const auto [least, most] = std::minmax_element(tried.begin(), tried.end());
  EXPECT_LE(*most, 64);
  EXPECT_GE(*least, 32) << "the atom itself is tried";
}

TEST_P(ForceFieldLists, DoNotDependOnOtherMolecules) {
  const Molecule one = cloud(50, 8, 5), two = repeated(cloud(33, 6, 6), skewed(1.3)), three = cloud(71, 9, 7);
  const std::vector<Molecule> all{two, {}, one, cloud(1, 1), three, one};
  const MadeLists<float> together = make<float>(all, 0);
  const auto expect_in_batch = [&](const Molecule& molecule, std::int64_t first) {
    const MadeLists<float> alone = make<float>({molecule}, 0);
    for (std::int64_t i = 0; i < molecule.size(); ++i) {
      const auto a = alone.list.of(i), b = together.list.of(first + i);
      ASSERT_EQ(a.size(), b.size());
      for (std::size_t e = 0; e < a.size(); ++e) ASSERT_TRUE(is_same(a[e], b[e], 0)) << e;
    }
  };
  expect_in_batch(two, 0);  // periodic molecules come first, then the largest
  expect_in_batch(three, 33);
  expect_in_batch(one, 33 + 71);
  expect_in_batch(one, 33 + 71 + 50);
}

TEST_P(ForceFieldLists, UseBinsForLargeMoleculesOnly) {
  const Molecule small = cloud(20, 6), edge = cloud(40, 8, 2), large = cloud(41, 8, 3);
  const MadeLists<float> made = make<float>({small, edge, large}, 40);
  EXPECT_EQ(made.n_binned, 41);
  std::int64_t first = 0;
  for (const Molecule* molecule : {&large, &edge, &small}) {
    const EdgeList<float> expected = cpus<float>(*molecule);
    for (std::int64_t i = 0; i < molecule->size(); ++i) expect_same(made.list.of(first + i), expected.of(i), 0);
    first += molecule->size();
  }
}

INSTANTIATE_TEST_SUITE_P(Devices, ForceFieldLists, testing::Values(Device::simt, Device::cuda),
                         [](const auto& tested) { return "_" + std::string(name(tested.param)) + "_"; });

}  // namespace
}  // namespace rafter::test
