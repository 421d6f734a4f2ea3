// Guarantees of edge_vectors(), edge_gradient() and EdgePlan beyond correct results, on every device present.
#include "rafter/edges.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <limits>
#include <vector>

#include "kernels/all_ops.hpp"
#include "workbench/lab/expect_error.hpp"

namespace rafter {
namespace {

using lab::expect_error;
using Floats = std::vector<float>;
using Index = std::vector<std::int64_t>;

struct HostEdges {
  Floats vectors, distances, units;
};

class Edges : public testing::TestWithParam<Device> {
 protected:
  void SetUp() override {
    if (const auto reason = why_unavailable(GetParam())) GTEST_SKIP() << *reason;
  }

  static HostEdges edges_of(const Floats& positions, const Index& index) {
    const Stream stream = Stream::on(GetParam());
    const std::size_t n = index.size() / 2;
    const Buffer<float> r(stream, positions);
    const Buffer<std::int64_t> pairs(stream, index);
    Buffer<float> e(stream, std::ssize(index) / 2 * 3), d(stream, std::ssize(index) / 2), u(stream, e.size());
    edge_vectors(stream, r, pairs, {e.span(), d.span(), u.span()});
    HostEdges out{Floats(3 * n), Floats(n), Floats(3 * n)};
    e.copy_to(out.vectors);
    d.copy_to(out.distances);
    u.copy_to(out.units);
    return out;
  }

  static Floats gradient_of(const Floats& positions, const Index& index, const HostEdges& given) {
    const Stream stream = Stream::on(GetParam());
    const Buffer<float> r(stream, positions), e(stream, given.vectors), d(stream, given.distances),
        u(stream, given.units);
    const Buffer<std::int64_t> pairs(stream, index);
    const EdgePlan plan(stream, pairs, std::ssize(positions) / 3);
    Buffer<float> out(stream, r.size());
    edge_gradient(stream, r, plan, {e, d, u}, out.span());
    Floats result(positions.size());
    out.copy_to(result);
    return result;
  }
};

Floats edge_numbers(std::size_t n, unsigned seed) {
  Floats values(n);
  for (float& value : values) {
    seed = seed * 1664525u + 1013904223u;
    value = static_cast<float>(seed >> 8) * 0x1p-22F - 2;
  }
  return values;
}

TEST_P(Edges, VectorsPointFromTheTargetToTheSource) {
  const HostEdges edges = edges_of({0, 0, 0, 3, 4, 12}, {1, 0, 0, 1});
  EXPECT_EQ(edges.vectors, (Floats{3, 4, 12, -3, -4, -12}));
  EXPECT_EQ(edges.distances, (Floats{13, 13}));
  for (std::size_t i = 0; i < 6; ++i) EXPECT_NEAR(edges.units[i], edges.vectors[i] / 13, 1e-7F);
}

TEST_P(Edges, GivesCoincidentAtomsAZeroDirection) {
  const Floats positions{1, 2, 3, 1, 2, 3};
  const HostEdges edges = edges_of(positions, {0, 1});
  EXPECT_EQ(edges.distances[0], 0);
  EXPECT_EQ(edges.units, (Floats{0, 0, 0}));
  EXPECT_EQ(gradient_of(positions, {0, 1}, {{1, 0, 0}, {5}, {0, 0, 0}}), (Floats{1, 0, 0, -1, 0, 0}));
}

TEST_P(Edges, NanReachesOnlyEdgesOfItsAtom) {
  Floats positions = edge_numbers(12, 1);
  positions[4] = std::nanf("");
  const Index index{0, 1, 2, 1, 0, 3};
  const HostEdges edges = edges_of(positions, index);
  EXPECT_TRUE(std::isnan(edges.distances[0]) && std::isnan(edges.distances[1]) && std::isfinite(edges.distances[2]));
  const Floats gradient = gradient_of(positions, index, {Floats(9, 1), Floats(3, 1), Floats(9, 1)});
  EXPECT_TRUE(std::isnan(gradient[0]) && std::isnan(gradient[4]));
  for (std::size_t i = 6; i < 12; ++i) EXPECT_TRUE(std::isfinite(gradient[i])) << i;
}

/// The loss that edge_gradient() differentiates, in float64.
double loss_of(const std::vector<double>& r, const Index& index, const HostEdges& by) {
  double sum = 0;
  const std::size_t n = index.size() / 2;
  for (std::size_t i = 0; i < n; ++i) {
    double e[3], squares = 0;
    for (std::size_t c = 0; c < 3; ++c) {
      e[c] = r[3 * static_cast<std::size_t>(index[i]) + c] - r[3 * static_cast<std::size_t>(index[n + i]) + c];
      squares += e[c] * e[c];
    }
    const double d = std::sqrt(squares);
    sum += d * static_cast<double>(by.distances[i]);
    for (std::size_t c = 0; c < 3; ++c)
      sum += e[c] * static_cast<double>(by.vectors[3 * i + c]) +
             e[c] / (d + 1e-8) * static_cast<double>(by.units[3 * i + c]);
  }
  return sum;
}

TEST_P(Edges, GradientMatchesFiniteDifferences) {
  const Floats positions = edge_numbers(15, 7);
  const Index index{0, 1, 1, 2, 3, 0, 4, 2, 1, 0, 2, 3, 0, 4, 1, 1};  // atoms with different numbers of edges
  const HostEdges by{edge_numbers(24, 8), edge_numbers(8, 9), edge_numbers(24, 10)};
  const Floats gradient = gradient_of(positions, index, by);
  for (std::size_t i = 0; i < positions.size(); ++i) {
    constexpr double h = 1e-6;
    std::vector<double> ahead(positions.begin(), positions.end()), behind = ahead;
    ahead[i] += h;
    behind[i] -= h;
    const double slope = (loss_of(ahead, index, by) - loss_of(behind, index, by)) / (2 * h);
    EXPECT_NEAR(static_cast<double>(gradient[i]), slope, 1e-5 * (1 + std::abs(slope))) << i;
  }
}

TEST_P(Edges, GradientIsBitwiseReproducible) {
  const Floats positions = edge_numbers(3000, 3);
  Index index;
  for (std::int64_t i = 0; i < 20000; ++i) index.push_back(i * 7919 % 1000);
  for (std::int64_t i = 0; i < 20000; ++i) index.push_back((i * 104729 + 1) % 1000);
  const HostEdges by{edge_numbers(60000, 8), edge_numbers(20000, 9), edge_numbers(60000, 10)};
  const Floats first = gradient_of(positions, index, by);
  for (int i = 0; i < 3; ++i) EXPECT_EQ(gradient_of(positions, index, by), first);
}

TEST_P(Edges, PlanSortsEndsByAtom) {
  const Stream stream = Stream::on(GetParam());
  const Buffer<std::int64_t> index(stream, Index{2, 0, 2, 0, 2, 1});
  const EdgePlan plan(stream, index, 4);
  EXPECT_EQ(plan.n_edges(), 3);
  EXPECT_EQ(plan.n_atoms(), 4);
  std::vector<std::int32_t> first(9), ends(12);
  detail::copy_out(stream, first.data(), plan.first_ends().data(), 36);
  detail::copy_out(stream, ends.data(), plan.ends().data(), 48);
  EXPECT_EQ(first, (std::vector<std::int32_t>{0, 1, 2, 2, 3, 5, 6, 6, 6}));
  EXPECT_EQ(ends, (std::vector<std::int32_t>{1, 2, 0, 2, 2, 2, 0, 0, 2, 1, 1, 0}));  // edge, other
}

TEST_P(Edges, RejectsMismatchedAndOverlappingArguments) {
  const Stream stream = Stream::on(GetParam());
  Buffer<float> r(stream, Floats(6, 1)), e(stream, Floats(6, 1)), d(stream, Floats(2, 1)), u(stream, Floats(6, 1));
  const Buffer<std::int64_t> index(stream, Index{0, 1, 1, 0}), far(stream, Index{0, 2});
  const EdgeArrays<float> out{e.span(), d.span(), u.span()};
  const auto refuses = [&](const char* message, const auto& call) {
    expect_error(ErrorCode::bad_argument, message, call);
  };
  refuses("positions should have three elements per atom, has 5",
          [&] { edge_vectors(stream, r.span().first(5), index, out); });
  refuses("index should have two elements per edge, has 3",
          [&] { edge_vectors(stream, r, index.span().first(3), out); });
  refuses("distances should have 2 elements, has 1", [&] {
    edge_vectors(stream, r, index, {e.span(), d.span().first(1), u.span()});
  });
  refuses("vectors overlaps positions", [&] { edge_vectors(stream, e, index, out); });
  refuses("units overlaps vectors", [&] { edge_vectors(stream, r, index, {e.span(), d.span(), e.span()}); });
  refuses("index should have atoms from 0 to 1, has 2 at [1]", [&] { EdgePlan(stream, far, 2); });
  const EdgePlan plan(stream, index, 2);
  refuses("gradient should have 6 elements", [&] { edge_gradient(stream, r, plan, {e, d, u}, d.span()); });
  refuses("gradient overlaps units", [&] { edge_gradient(stream, r, plan, {e, d, u}, u.span()); });
  refuses("positions should have 6 elements", [&] {
    edge_gradient(stream, r.span().first(3), plan, {e, d, u}, r.span().last(3));
  });
  edge_vectors(stream, r, {}, {});
  const EdgePlan none(stream, {}, 2);
  edge_gradient(stream, r, none, {}, e.span());
  Floats zeros(6, 1);
  e.copy_to(zeros);
  EXPECT_EQ(zeros, Floats(6, 0));  // empty sums
}

INSTANTIATE_TEST_SUITE_P(Devices, Edges, testing::Values(Device::cpu, Device::cuda),
                         [](const auto& device) { return std::string(name(device.param)); });

// ---- The op's sample for the tests of streams ----
/// A chain of atoms along x, `value` apart, with an edge from each atom to the previous one.
class EdgesSample final : public OpSample {
 public:
  EdgesSample(const Stream& stream, std::int64_t, int value)
      : value_(static_cast<float>(value)),
        positions_(stream, chain()),
        index_(stream, chain_edges()),
        plan_(stream, index_, n_edges + 1),
        vectors_(stream, 3 * n_edges),
        lengths_(stream, n_edges),
        units_(stream, 3 * n_edges),
        gradient_(stream, 3 * (n_edges + 1)) {}
  void enqueue(const Stream& stream) override {
    edge_vectors(stream, positions_, index_, {vectors_.span(), lengths_.span(), units_.span()});
    edge_gradient(stream, positions_, plan_, {vectors_, lengths_, units_}, gradient_.span());
  }
  void check() override {
    EXPECT_EQ(take(lengths_), filled(n_edges, value_));
    for (const float cell : take(units_)) ASSERT_TRUE(cell == 0 || std::abs(cell - 1) < 1e-6F) << cell;
    const std::vector<float> vectors = take(vectors_), gradient = take(gradient_);
    for (std::size_t i = 0; i < vectors.size(); ++i) ASSERT_EQ(vectors[i], i % 3 == 0 ? value_ : 0) << i;
    // The contributions of an edge to its two atoms cancel, except at the two ends of the chain.
    for (std::size_t i = 0; i < gradient.size(); ++i) {
      const bool is_end = i == 0 || i == 3 * n_edges;
      ASSERT_NEAR(gradient[i], !is_end ? 0 : i == 0 ? -2 * value_ : 2 * value_, 1e-4F) << i;
    }
  }

 private:
  static constexpr int n_edges = 300;

  std::vector<float> chain() const {
    std::vector<float> positions(3 * (n_edges + 1));
    for (std::size_t atom = 0; atom <= n_edges; ++atom) positions[3 * atom] = static_cast<float>(atom) * value_;
    return positions;
  }
  static std::vector<std::int64_t> chain_edges() {
    std::vector<std::int64_t> index(2 * n_edges);
    for (std::size_t edge = 0; edge < n_edges; ++edge) {
      index[edge] = static_cast<std::int64_t>(edge) + 1;
      index[n_edges + edge] = static_cast<std::int64_t>(edge);
    }
    return index;
  }

  float value_;
  Buffer<float> positions_;
  Buffer<std::int64_t> index_;
  EdgePlan plan_;
  Buffer<float> vectors_, lengths_, units_, gradient_;
};
const RegisterOp<EdgesSample> edges_sample;

}  // namespace
}  // namespace rafter
