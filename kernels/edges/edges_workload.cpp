// edges: the workload's contract and its ladder.
#include <array>
#include <cmath>

#include "edges/edges_rung.hpp"
#include "library/core/dtype.hpp"
#include "library/core/stream/pointers.hpp"
#include "rafter/error.hpp"
#include "workbench/lab/cases/family.hpp"

#define EDGES_LADDER(RUNG, OP, PEER)                                                                           \
  RUNG(cpu, plain, "One edge after the other; backward, each adds to the sums of its two atoms.")              \
  OP(cpu, threads, "A part of the edges per thread, vector square roots and divisions; sums by sorted edges.") \
  RUNG(cuda, per_op, "One kernel per operation, as a framework runs it: every intermediate is stored.")        \
  RUNG(cuda, fused, "A thread per edge; backward, edge gradients are stored, then a thread per atom sums.")    \
  OP(cuda, by_atom, "Backward, eight lanes per atom compute the terms they add: one launch, no intermediates.")

namespace rafter::edges_ladder {

RAFTER_DECLARE_LADDER(EdgesRung, EDGES_LADDER)

namespace {

using namespace lab;
const std::string family = "edges";

/// The edges of a case: all pairs within molecules of 12 atoms, ordered by target, or random pairs of as many atoms.
struct Graph {
  enum class Kind { molecules, random };
  static constexpr std::int64_t molecule_atoms = 12, molecule_edges = molecule_atoms * (molecule_atoms - 1);
  Kind kind;
  std::int64_t n_edges;

  explicit Graph(const Params& params)
      : kind(params.find("graph") != nullptr && params.word("graph") == "random" ? Kind::random : Kind::molecules),
        n_edges(params.integer("edges")) {}

  std::int64_t n_atoms() const { return (n_edges / molecule_edges + 1) * molecule_atoms; }

  std::array<std::int64_t, 2> edge(std::uint64_t seed, std::int64_t i) const {  // source, target
    if (kind == Kind::random) return {random_below(seed, i, n_atoms()), random_below(~seed, i, n_atoms())};
    const std::int64_t first = i / molecule_edges * molecule_atoms, pair = i % molecule_edges;
    const std::int64_t target = pair / (molecule_atoms - 1), other = pair % (molecule_atoms - 1);
    return {first + other + (other >= target ? 1 : 0), first + target};
  }
};

/// Generates the index array, [2][n_edges].
struct IndexGenerator {
  Graph graph;
  std::uint64_t seed;
  std::int64_t operator()(std::int64_t i) const {
    const bool is_target = i >= graph.n_edges;
    return graph.edge(seed, is_target ? i - graph.n_edges : i)[is_target ? 1 : 0];
  }
};

using Row = std::array<double, 3>;

double length(const Row& v) { return std::sqrt(v[0] * v[0] + v[1] * v[1] + v[2] * v[2]); }

/// The base of the cases of both passes: the graph, the positions and the index.
template <class Args>
class EdgesCaseFor : public CaseFor<Args> {
 protected:
  EdgesCaseFor(const Params& params, const Stream& stream, const CaseOptions& options)
      : CaseFor<Args>(stream, options), graph_(params), n_(graph_.n_edges) {}

  /// The cost of a pass: the index and the positions, and so many floats read and written per edge and written per
  /// atom.
  Cost cost_of(double edge_reads, double edge_writes, double atom_writes) const {
    const auto n = static_cast<double>(n_), n_atoms = static_cast<double>(graph_.n_atoms());
    return {.bytes_read = n * (2 * sizeof(std::int64_t) + sizeof(float) * edge_reads) + n_atoms * 3 * sizeof(float),
            .bytes_written = sizeof(float) * (n * edge_writes + n_atoms * atom_writes),
            .operations = operations_on(Unit::fp32, 12 * n)};
  }
  Row vector(int set, std::int64_t i) const {
    const auto [source, target] = graph_.edge(index_.generator(0).seed, i);
    Row e;
    for (std::int64_t c = 0; c < 3; ++c) {
      e[static_cast<std::size_t>(c)] = static_cast<double>(positions_.element(set, 3 * source + c)) -
                                       static_cast<double>(positions_.element(set, 3 * target + c));
    }
    return e;
  }

  static constexpr double eps = core::epsilon<float>;
  static constexpr double unit_plus = static_cast<double>(unit_epsilon);

  Graph graph_;
  std::int64_t n_;
  Input<float> positions_{*this, "positions", 3 * graph_.n_atoms(), [](int, std::uint64_t seed) {
                            return Generator{Generator::Kind::bell, seed};
                          }};
  Weights<std::int64_t, IndexGenerator> index_{*this, "index", 2 * n_, [this](int, std::uint64_t seed) {
                                                 return IndexGenerator{graph_, seed};
                                               }};
};

class EdgeVectors final : public EdgesCaseFor<EdgeVectorArgs> {
 public:
  EdgeVectors(const Params& params, const Stream& stream, const CaseOptions& options)
      : EdgesCaseFor(params, stream, options) {}
  static bool fits(const Params& params) { return params.word("output") == "forward"; }

  Cost cost() const override { return cost_of(0, 7, 0); }
  EdgeVectorArgs args(int set) override {
    const std::int64_t* index = index_.span().data();
    return {positions_.span(set).data(), index, index + n_, n_, {vectors_.data(), distances_.data(), units_.data()}};
  }

 private:
  /// The error model: a vector is one subtraction. Its length carries that rounding and those of the squares and of the
  /// root; the unit vector carries two more.
  Comparison compare_results(int set) const override {
    Comparison result = vectors_.compare_with([&](std::int64_t i) -> Expectation {
      const double e = vector(set, i / 3)[static_cast<std::size_t>(i % 3)];
      return {e, eps * std::abs(e)};
    });
    result.add(distances_.compare_with([&](std::int64_t i) -> Expectation {
      const double d = length(vector(set, i));
      return {d, 4 * eps * d};
    }));
    result.add(units_.compare_with([&](std::int64_t i) -> Expectation {
      const Row e = vector(set, i / 3);
      const double u = e[static_cast<std::size_t>(i % 3)] / (length(e) + unit_plus);
      return {u, 8 * eps * std::abs(u)};
    }));
    return result;
  }
  Output<float> vectors_{*this, "vectors", 3 * n_};
  Output<float> distances_{*this, "distances", n_};
  Output<float> units_{*this, "units", 3 * n_};
};

class EdgeGradient final : public EdgesCaseFor<EdgeGradientArgs> {
 public:
  EdgeGradient(const Params& params, const Stream& stream, const CaseOptions& options)
      : EdgesCaseFor(params, stream, options), answers_(options) {}
  static bool fits(const Params& params) { return params.word("output") == "backward"; }

  Cost cost() const override { return cost_of(7, 0, 3); }
  EdgeGradientArgs args(int set) override {
    return {.positions = positions_.span(set).data(),
            .n_atoms = plan_.n_atoms(),
            .pairs = plan_.pairs().data(),
            .n_edges = n_,
            .ends = plan_.ends().data(),
            .first_ends = plan_.first_ends().data(),
            .out_gradient = {by_vector_.span(set).data(), by_distance_.span(set).data(), by_unit_.span(set).data()},
            .gradient = gradient_.data()};
  }

 private:
  Comparison compare_results(int set) const override {
    const std::vector<Expectation>& answer = answers_.of(set, [&] { return calculate(set); });
    return gradient_.compare_with([&](std::int64_t i) { return answer[static_cast<std::size_t>(i)]; });
  }

  /// Computes the reference edge by edge. The error bound is 12 eps of each term's magnitude for its own roundings, and
  /// eps of the sum of magnitudes for each addition of an atom.
  std::vector<Expectation> calculate(int set) const {
    std::vector<Expectation> sums(static_cast<std::size_t>(gradient_.size()));
    std::vector<double> n_ends(sums.size() / 3);
    for (std::int64_t i = 0; i < n_; ++i) {
      const auto atoms = graph_.edge(index_.generator(0).seed, i);
      for (const std::int64_t atom : atoms) ++n_ends[static_cast<std::size_t>(atom)];
      add_edge(set, i, &sums[static_cast<std::size_t>(3 * atoms[0])], &sums[static_cast<std::size_t>(3 * atoms[1])]);
    }
    for (std::size_t i = 0; i < sums.size(); ++i) sums[i].bound *= eps * (12 + n_ends[i / 3]);
    return sums;
  }

  /// Adds edge i to the sums of its atoms, and its magnitudes to their bounds.
  void add_edge(int set, std::int64_t i, Expectation* source, Expectation* target) const {
    const Row e = vector(set, i);
    const double d = length(e), w = 1 / (d + unit_plus);
    double along = 0, across = 0;
    Row by_unit;
    for (std::size_t c = 0; c < 3; ++c) {
      by_unit[c] = static_cast<double>(by_unit_.element(set, 3 * i + static_cast<std::int64_t>(c)));
      along += e[c] * by_unit[c];
      across += std::abs(e[c] * by_unit[c]);
    }
    const auto by_distance = static_cast<double>(by_distance_.element(set, i));
    for (std::size_t c = 0; c < 3; ++c) {
      const auto by_vector = static_cast<double>(by_vector_.element(set, 3 * i + static_cast<std::int64_t>(c)));
      const double value = by_vector + by_unit[c] * w + (d > 0 ? e[c] * (by_distance - along * w * w) / d : 0);
      const double magnitude = std::abs(by_vector) + std::abs(by_unit[c] * w) +
                               (d > 0 ? std::abs(e[c]) * (std::abs(by_distance) + across * w * w) / d : 0);
      source[c].value += value;
      target[c].value -= value;
      source[c].bound += magnitude;
      target[c].bound += magnitude;
    }
  }

  EdgePlan plan_{stream(), core::on_device(index_.span()), graph_.n_atoms()};
  Input<float> by_vector_{*this, "gradient by vectors", 3 * n_};
  Input<float> by_distance_{*this, "gradient by distances", n_};
  Input<float> by_unit_{*this, "gradient by units", 3 * n_};
  Output<float> gradient_{*this, "gradient", 3 * graph_.n_atoms()};
  KeptAnswers<std::vector<Expectation>> answers_;
};

Params with(std::int64_t edges, const std::string& output, const std::string& graph = "molecules") {
  return {{"edges", edges}, {"output", output}, {"graph", graph}};
}

constexpr std::int64_t million = std::int64_t{1} << 20, benzenes = 1024 * Graph::molecule_edges;

std::vector<Params> standard_cases(Device device, Effort effort) {
  if (device == Device::cuda && effort == Effort::normal)
    return {with(million, "forward"), with(million, "backward"), with(benzenes, "forward"), with(benzenes, "backward")};
  return {with(benzenes, "forward"), with(benzenes, "backward")};
}

std::vector<Params> awkward_cases() {
  std::vector<Params> cases;
  for (const char* output : {"forward", "backward"}) {
    for (const char* graph : {"molecules", "random"}) {
      for (const std::int64_t edges : {0, 1, 133, 255, 256, 257, 601}) cases.push_back(with(edges, output, graph));
      cases.push_back(with(20011, output, graph));
    }
  }
  return cases;
}

}  // namespace

const Workload& workload() {
  static const Workload contract{
      .name = family,
      .summary = "vectors, distances and unit vectors of edges, and their gradient",
      .parameters = {{"edges", "number of edges", million, true},
                     {"output", "values, or the gradient", std::string("forward"), false, {"forward", "backward"}},
                     {"graph",
                      "benzenes of 12 atoms, or random pairs",
                      std::string("molecules"),
                      false,
                      {"molecules", "random"},
                      false}},
      .rungs = RAFTER_LIST_LADDER(EDGES_LADDER),
      .standard_cases = standard_cases,
      .awkward_cases = awkward_cases,
      .huge_cases = [] { return std::vector{with(715827900, "forward")}; },
      .make_case = CaseList<EdgeVectors, EdgeGradient>::make,
      .bytes_per_input_set =
          [](const Params& params) {
            const auto edges = static_cast<double>(params.integer("edges"));
            return edges * (2 * sizeof(std::int64_t) + 2 * 7 * sizeof(float));  // results are copied for comparison
          },
      .adopt = Adopt<EdgesRung>{},
  };
  return contract;
}

}  // namespace rafter::edges_ladder
