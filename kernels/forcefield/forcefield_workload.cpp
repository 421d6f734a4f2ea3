// forcefield: the workload's contract and its ladder.
#include <algorithm>
#include <array>

#include "forcefield/forcefield_answers.hpp"
#include "forcefield/forcefield_inputs.hpp"
#include "forcefield/model/forcefield_model.hpp"
#include "forcefield/reference/forcefield_exact.hpp"
#include "library/core/arithmetic.hpp"
#include "workbench/lab/cases/family.hpp"

#define FORCEFIELD_LADDER(RUNG, OP, PEER)                                                                           \
  RUNG(cpu, plain, "Molecule after molecule, step by step; filters are evaluated for every pair.")                  \
  RUNG(cpu, vectorised, "Filters from a table, pair by pair; channels in the lanes of vectors.")                    \
  OP(cpu, batched, "Filters from a table; rows of products are atoms of several molecules; all threads.")           \
  RUNG(cuda, per_op, "One kernel per operation, forward and backward, all results kept, as a framework does.")      \
  RUNG(cuda, fused_edges, "Vectors, cutoff and radial functions in one kernel, and their gradients in another.")    \
  RUNG(cuda, by_receiver, "Filters from a table; a warp sums the messages to an atom; nothing is stored per edge.") \
  OP(cuda, by_size, "A block per molecule, or a cluster if there are few, in one launch; larger ones in stages.")

namespace rafter::forcefield_ladder {

RAFTER_DECLARE_LADDER(ForceFieldRung, FORCEFIELD_LADDER)

namespace {

using namespace lab;
const std::string family = "forcefield";

constexpr std::array<std::pair<const char*, GeometryKind>, 6> kinds{{{"benzene", GeometryKind::benzene},
                                                                     {"druglike", GeometryKind::druglike},
                                                                     {"mixed", GeometryKind::mixed},
                                                                     {"large", GeometryKind::large},
                                                                     {"crystal", GeometryKind::crystal},
                                                                     {"tiny", GeometryKind::tiny}}};

std::string word_or(const Params& params, const char* name, const char* otherwise) {
  return params.find(name) == nullptr ? otherwise : params.word(name);
}

GeometryKind kind_of(const Params& params) {
  for (const auto& [name, kind] : kinds) {
    if (params.word("kind") == name) return kind;
  }
  throw Error(ErrorCode::bad_argument, "forcefield: unknown kind " + params.word("kind"));
}

ForceFieldShape shape_of(const Params& params) {
  const bool is_painn = params.word("model") == "painn";
  const std::int64_t features = params.integer_or("features", 128);
  ForceFieldShape shape{
      .model = is_painn ? ForceFieldModel::painn : ForceFieldModel::student,
      .basis = word_or(params, "basis", "gaussian") == "bessel" ? RadialBasis::bessel : RadialBasis::gaussian,
      .features = features,
      .layers = params.integer_or("layers", 3),
      .radial = params.integer_or("radial", 20),
      .elements = 101,
      .readout = {},
      .cutoff = static_cast<double>(params.integer_or("cutoff", 5))};
  const std::int64_t half = ceil_div(features, 8) * 4, quarter = ceil_div(features, 16) * 4;
  shape.readout = is_painn ? std::vector{half} : std::vector{half, quarter};
  return shape;
}

/// The molecules of a case; all input sets have the same ones at different positions.
struct Problem {
  ForceFieldWeights weights;
  std::vector<Geometries> sets;  // one per input set
};

/// The factor of an untrained model's messages: it sums the messages of all neighbours, so many neighbours need smaller
/// ones.
void calm(ForceFieldWeights& weights) {
  for (ForceFieldLayer& layer : weights.layers) {
    for (float& weight : layer.filter_weight) weight *= 0.2F;
    for (float& bias : layer.filter_bias) bias *= 0.2F;
  }
}

Problem problem_of(const Params& params, const CaseOptions& options) {
  if (params.integer("molecules") < 0)
    throw Error(ErrorCode::bad_argument, "forcefield: molecules must be 0 or more: " + params.text());
  const GeometryKind kind = kind_of(params);
  Problem problem{random_forcefield_weights(shape_of(params), options.seed), {}};
  if (kind == GeometryKind::large || kind == GeometryKind::crystal) calm(problem.weights);
  for (int set = 0; set < options.n_input_sets; ++set)
    problem.sets.push_back(
        make_geometries(kind, params.integer("molecules"), problem.weights.shape.cutoff, set_seed(options, set)));
  return problem;
}

template <class T>
class ForceFieldCase final : public CaseFor<ForceFieldArgs<T>> {
 public:
  ForceFieldCase(const Params& params, const Stream& stream, const CaseOptions& options)
      : CaseFor<ForceFieldArgs<T>>(stream, options),
        problem_(problem_of(params, options)),
        wants_forces_(word_or(params, "output", "forces") != "energies"),
        wants_virials_(word_or(params, "output", "forces") == "virials"),
        answers_(options) {}

  static bool fits(const Params& params) { return word_or(params, "dtype", "float32") == core::DType<T>::name; }

  /// The cost: weights, positions and results once, and the products of atoms, forward and backward. Filters are
  /// functions of one number; their cost depends on the method and is not counted.
  Cost cost() const override {
    const ForceFieldShape& shape = problem_.weights.shape;
    const Geometries& set = problem_.sets.front();
    const auto f = static_cast<double>(shape.features), layers = static_cast<double>(shape.layers);
    const double per_layer = shape.model == ForceFieldModel::painn ? 15 * f * f : 5 * f * f;
    double readout = 0, n_in = f;
    for (const std::int64_t width : shape.readout) {
      readout += n_in * static_cast<double>(width);
      n_in = static_cast<double>(width);
    }
    const double products = static_cast<double>(set.n_atoms()) * (layers * per_layer + readout + n_in);
    const double passes = wants_forces_ ? 2 : 1;
    const auto atoms = static_cast<double>(set.n_atoms()), molecules = static_cast<double>(set.sizes.size());
    return {.bytes_read = sizeof(T) * 3 * atoms + 4 * static_cast<double>(layout_of(shape).size),
            .bytes_written = (wants_forces_ ? sizeof(T) * 3 * atoms : 0) + 8 * molecules * (wants_virials_ ? 10 : 1),
            .operations = operations_in<T>(2 * passes * products)};
  }

  ForceFieldArgs<T> args(int set) override {
    return {.model = &model_,
            .batch = &batch_,
            .positions = positions_.span(set).data(),
            .energies = energies_.data(),
            .forces = wants_forces_ ? forces_.data() : nullptr,
            .virials = wants_virials_ ? virials_.data() : nullptr};
  }

 private:
  /// The tolerance. The contract asks for forces within 1e-4 eV / A; float32 is more accurate.
  static constexpr double tolerance = std::is_same_v<T, float> ? 2e-5 : 1e-10;

  Comparison compare_results(int set) const override {
    const ExactResults& answers = answers_of(set);
    const std::int64_t n_molecules = batch_.n_molecules();
    const double size = n_molecules == 0 ? 0 : static_cast<double>(batch_.n_atoms()) / static_cast<double>(n_molecules);
    Comparison all = energies_.compare_with(NearAnswer{answers.energies.data(), tolerance, 1 + size / 8});
    if (wants_forces_ && batch_.n_atoms() > 0)
      all.add(forces_.compare_with(NearAnswer{answers.forces.data(), tolerance, 1}));
    if (wants_virials_) all.add(virials_.compare_with(NearAnswer{answers.virials.data(), tolerance, 1 + size / 2}));
    return all;
  }

  const ExactResults& answers_of(int set) const {
    return answers_.of(set, [&] {
      const Geometries& geometries = problem_.sets[static_cast<std::size_t>(set)];
      return Exact{problem_.weights, model_, batch_, geometries}.on(loop_stream(this->stream()), set);
    });
  }

  Problem problem_;
  std::vector<std::vector<T>> host_positions_ = [this] {
    std::vector<std::vector<T>> all;
    for (const Geometries& set : problem_.sets) all.emplace_back(set.positions.begin(), set.positions.end());
    return all;
  }();
  bool wants_forces_, wants_virials_;
  ForceFieldNetwork model_{this->stream(), problem_.weights, {}};
  BatchPlan batch_{this->stream(), problem_.sets.front().sizes, problem_.sets.front().elements,
                   problem_.sets.front().cells};
  Input<T, FromHost<T>> positions_{
      *this, "positions", std::ssize(problem_.sets.front().positions),
      [this](int set, std::uint64_t) { return FromHost<T>{host_positions_[static_cast<std::size_t>(set)].data()}; }};
  Output<double> energies_{*this, "energies", batch_.n_molecules()};
  Output<T> forces_{*this, "forces", wants_forces_ ? 3 * batch_.n_atoms() : 0};
  Output<double> virials_{*this, "virials", wants_virials_ ? 9 * batch_.n_molecules() : 0};
  KeptAnswers<ExactResults> answers_;
};

Params case_of(const std::string& model, std::int64_t molecules, const std::string& kind = "benzene",
               const std::string& output = "forces") {
  return {{"model", model}, {"molecules", molecules}, {"kind", kind}, {"output", output}};
}

Params small_case(const std::string& model, std::int64_t molecules, const std::string& kind, const std::string& output,
                  std::int64_t features = 20, std::int64_t layers = 2) {
  Params params = case_of(model, molecules, kind, output);
  params.set("features", features);
  params.set("layers", layers);
  params.set("radial", std::int64_t{6});
  params.set("cutoff", std::int64_t{2});
  return params;
}

std::vector<Params> standard_cases(Device device, Effort effort) {
  const bool quick = effort == Effort::quick;
  if (device != Device::cuda) {
    if (quick) return {case_of("student", 1)};
    return {case_of("student", 1), case_of("student", 16), case_of("painn", 16), case_of("student", 16, "druglike")};
  }
  if (quick) return {case_of("student", 64)};
  return {
      case_of("student", 1),    case_of("student", 16), case_of("student", 64), case_of("student", 256),
      case_of("student", 1024), case_of("painn", 1),    case_of("painn", 1024), case_of("student", 1024, "druglike")};
}

/// Cases with sizes around the tiles of atoms and groups of channels, isolated atoms, and periodic cells.
std::vector<Params> awkward_cases() {
  std::vector<Params> cases;
  for (const char* model : {"student", "painn"}) {
    cases.push_back(small_case(model, 0, "mixed", "forces"));
    cases.push_back(small_case(model, 7, "tiny", "virials", 68, 1));
    cases.push_back(small_case(model, 2, "mixed", "forces", 12));
    cases.push_back(small_case(model, 2, "tiny", "forces", 128, 1));  // clusters of blocks
    cases.push_back(small_case(model, 1, "tiny", "energies", 132, 1));
    cases.push_back(small_case(model, 1, "crystal", "virials", 8, 1));
    cases.push_back(small_case(model, 1, "large", "forces", 4, 1));
    cases.push_back(small_case(model, 1, "mixed", "forces", 10));
    Params exact = small_case(model, 3, "tiny", "virials", 9, 3);
    exact.set("dtype", std::string("float64"));
    cases.push_back(exact);
  }
  cases.push_back(small_case("student", 6, "druglike", "virials", 4, 1));  // medium and small molecules
  Params bessel = small_case("painn", 1, "benzene", "forces", 8);
  bessel.set("basis", std::string("bessel"));
  cases.push_back(bessel);
  return cases;
}

}  // namespace

const Workload& workload() {
  static const Workload contract{
      .name = family,
      .summary = "energies and forces of many molecules by message passing",
      .parameters =
          {{"model", "architecture", std::string("student"), false, {"student", "painn"}},
           {"molecules", "in the batch", std::int64_t{64}, true},
           {"kind",
            "of molecules",
            std::string("benzene"),
            false,
            {"benzene", "druglike", "mixed", "large", "crystal", "tiny"}},
           {"output", "computed results", std::string("forces"), false, {"energies", "forces", "virials"}, false},
           {"dtype", "type of positions and forces", std::string("float32"), false, {"float32", "float64"}, false},
           {"basis", "radial functions", std::string("gaussian"), false, {"gaussian", "bessel"}, false},
           {"features", "of an atom", std::int64_t{128}, false, {}, false},
           {"layers", "layers of messages and updates", std::int64_t{3}, false, {}, false},
           {"radial", "functions of the distance", std::int64_t{20}, false, {}, false},
           {"cutoff", "cutoff of messages in Angstrom", std::int64_t{5}, false, {}, false}},
      .rungs = RAFTER_LIST_LADDER(FORCEFIELD_LADDER),
      .standard_cases = standard_cases,
      .awkward_cases = awkward_cases,
      .huge_cases = [] { return std::vector{small_case("student", 100000, "tiny", "forces", 8)}; },
      .make_case = CaseList<ForceFieldCase<float>, ForceFieldCase<double>>::make,
      .bytes_per_input_set =
          [](const Params& params) { return static_cast<double>(params.integer("molecules")) * 300 * 3 * 16; },
      .adopt = Adopt<ForceFieldRung>{},
  };
  return contract;
}

}  // namespace rafter::forcefield_ladder
