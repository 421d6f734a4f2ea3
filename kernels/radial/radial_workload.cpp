// radial: the workload's contract and its ladder.
#include <cmath>
#include <numbers>

#include "library/core/dtype.hpp"
#include "radial/radial_rung.hpp"
#include "rafter/error.hpp"
#include "workbench/lab/cases/family.hpp"

#define RADIAL_LADDER(RUNG, OP, PEER)                                                                   \
  RUNG(cpu, plain, "One value after the other: the C library's exponential for each.")                  \
  RUNG(cpu, vectorised, "Centres in the lanes of vectors, the exponential as a polynomial.")            \
  OP(cpu, threads, "One contiguous part of the edges per thread, with streaming stores.")               \
  RUNG(cuda, per_op, "One kernel per operation, as a framework runs it: every intermediate is stored.") \
  RUNG(cuda, fused, "One kernel, no intermediates; a thread per value, backward a thread per edge.")    \
  OP(cuda, tiled, "Rows of 256 edges in 16-byte pieces; the cutoff once per row, in shared memory.")

namespace rafter::radial_ladder {

RAFTER_DECLARE_LADDER(RadialRung, RADIAL_LADDER)

namespace {

using namespace lab;
const std::string family = "radial";

constexpr float cutoff = 5, gamma = 16;

/// Generates distances from 0 to 1.2 cutoffs, with occasional 0, cutoff, and the float below the cutoff.
struct DistanceGenerator {
  std::uint64_t seed;
  float operator()(std::int64_t i) const {
    const std::uint64_t bits = random_bits(seed, i);
    switch (bits % 64) {
      case 0: return 0;
      case 1: return cutoff;
      case 2: return std::nextafter(cutoff, 0.F);
      default: return static_cast<float>(bits >> 40) * 0x1p-24F * 1.2F * cutoff;
    }
  }
};

/// Generates centres evenly spaced from 0 to the cutoff.
struct CentreGenerator {
  std::int64_t n;
  float operator()(std::int64_t k) const {
    return n == 1 ? 0 : cutoff * static_cast<float>(k) / static_cast<float>(n - 1);
  }
};

/// A radial function and its derivative in float64, with error bounds. The argument x of the exponential carries four
/// roundings, each of which changes the result by x eps of itself; cosine and sine are off by a few eps of 1. Values
/// below 2^-100 may be 0.
class Function {
 public:
  Function(double d, double centre) : d_(d), t_(d - centre), gaussian_(std::exp(-gamma * t_ * t_)) {}

  Expectation value() const {
    if (d_ >= cutoff) return {};
    return {gaussian_ * envelope(), error() + least};
  }
  Expectation derivative() const {
    if (d_ >= cutoff) return {};
    const double rate = std::numbers::pi / cutoff, steepness = 2 * gamma * t_;
    const double slope = -rate / 2 * std::sin(rate * d_);
    return {gaussian_ * (slope - steepness * envelope()), (error() + least) * (rate + std::abs(steepness)) + least};
  }

 private:
  static constexpr double least = 0x1p-100;

  double envelope() const { return (std::cos(std::numbers::pi * d_ / cutoff) + 1) / 2; }
  double error() const { return 4 * core::epsilon<float> * (1 + gamma * t_ * t_) * gaussian_; }

  double d_, t_, gaussian_;
};

/// The base of the cases of both passes: distances and centres.
template <class Args>
class RadialCaseFor : public CaseFor<Args> {
 protected:
  RadialCaseFor(const Params& params, const Stream& stream, const CaseOptions& options)
      : CaseFor<Args>(stream, options), n_edges_(params.integer("edges")), n_centres_(params.integer("radial")) {}

  RadialInput input(int set) const {
    return {distances_.span(set).data(), n_edges_, centres_.span().data(), n_centres_, gamma, cutoff};
  }
  Function function(int set, std::int64_t e, std::int64_t k) const {
    return {static_cast<double>(distances_.element(set, e)), static_cast<double>(centres_.element(k))};
  }
  /// The cost of a pass: distances and rows once; per value, one exponential and five additions or multiplications.
  Cost cost_of(double row_values_read, double row_values_written) const {
    const auto n = static_cast<double>(n_edges_), k = static_cast<double>(n_centres_);
    PerUnit operations = operations_on(Unit::fp32, 5 * n * k);
    operations[Unit::special] = n * k;
    return {.bytes_read = sizeof(float) * (n + k + n * row_values_read),
            .bytes_written = sizeof(float) * n * row_values_written,
            .operations = operations};
  }

  std::int64_t n_edges_, n_centres_;
  Input<float, DistanceGenerator> distances_{*this, "distances", n_edges_};
  Weights<float, CentreGenerator> centres_{*this, "centres", n_centres_,
                                           [this](int, std::uint64_t) { return CentreGenerator{n_centres_}; }};
};

class RadialForward final : public RadialCaseFor<RadialArgs> {
 public:
  RadialForward(const Params& params, const Stream& stream, const CaseOptions& options)
      : RadialCaseFor(params, stream, options) {}
  static bool fits(const Params& params) { return params.word("output") == "forward"; }

  Cost cost() const override { return cost_of(0, static_cast<double>(n_centres_)); }
  RadialArgs args(int set) override { return {input(set), out_.data()}; }

 private:
  Comparison compare_results(int set) const override {
    return out_.compare_with([&](std::int64_t i) { return function(set, i / n_centres_, i % n_centres_).value(); });
  }
  Output<float> out_{*this, "out", n_edges_* n_centres_};
};

class RadialBackward final : public RadialCaseFor<RadialGradientArgs> {
 public:
  RadialBackward(const Params& params, const Stream& stream, const CaseOptions& options)
      : RadialCaseFor(params, stream, options) {}
  static bool fits(const Params& params) { return params.word("output") == "backward"; }

  Cost cost() const override { return cost_of(static_cast<double>(n_centres_), 1); }
  RadialGradientArgs args(int set) override { return {input(set), out_gradient_.span(set).data(), gradient_.data()}; }

 private:
  /// The error model: a sum of n terms in any order is off by at most n eps / 2 of the sum of their magnitudes.
  Comparison compare_results(int set) const override {
    return gradient_.compare_with([&](std::int64_t e) -> Expectation {
      Expectation sum;
      for (std::int64_t k = 0; k < n_centres_; ++k) {
        const auto factor = static_cast<double>(out_gradient_.element(set, e * n_centres_ + k));
        const Expectation derivative = function(set, e, k).derivative();
        sum.value += factor * derivative.value;
        sum.bound += std::abs(factor) * (derivative.bound + static_cast<double>(n_centres_) * core::epsilon<float> *
                                                                std::abs(derivative.value));
      }
      return sum;
    });
  }
  Input<float> out_gradient_{*this, "out_gradient", n_edges_* n_centres_};
  Output<float> gradient_{*this, "gradient", n_edges_};
};

Params with(std::int64_t edges, const std::string& output, std::int64_t radial = 20) {
  return {{"edges", edges}, {"radial", radial}, {"output", output}};
}

constexpr std::int64_t million = std::int64_t{1} << 20, benzenes = 1024 * 132;

std::vector<Params> standard_cases(Device device, Effort effort) {
  if (device == Device::cuda && effort == Effort::normal)
    return {with(million, "forward"), with(million, "backward"), with(benzenes, "forward"), with(benzenes, "backward")};
  return {with(benzenes, "forward"), with(benzenes, "backward")};
}

/// Numbers of edges around a tile, and of centres around a 16-byte piece.
std::vector<Params> awkward_cases() {
  std::vector<Params> cases;
  for (const char* output : {"forward", "backward"}) {
    for (const std::int64_t edges : {0, 1, 33, 256, 257}) cases.push_back(with(edges, output));
    for (const std::int64_t radial : {1, 3, 4, 7, 32}) cases.push_back(with(19, output, radial));
    for (const std::int64_t radial : {1023, 1024, 1028}) cases.push_back(with(17, output, radial));  // tiles of 16
    cases.push_back(with(5003, output));
  }
  return cases;
}

}  // namespace

const Workload& workload() {
  static const Workload contract{
      .name = family,
      .summary = "Gaussians of distances under a cosine cutoff, and their gradient",
      .parameters = {{"edges", "number of distances", million, true},
                     {"radial", "functions of each distance", std::int64_t{20}},
                     {"output", "values, or the gradient", std::string("forward"), false, {"forward", "backward"}}},
      .rungs = RAFTER_LIST_LADDER(RADIAL_LADDER),
      .standard_cases = standard_cases,
      .awkward_cases = awkward_cases,
      .huge_cases =
          [] {
            return std::vector{with(107374200, "forward"), with(107374200, "backward")};
          },
      .make_case = CaseList<RadialForward, RadialBackward>::make,
      .bytes_per_input_set =
          [](const Params& params) {
            const auto edges = static_cast<double>(params.integer("edges"));
            const auto radial = static_cast<double>(params.integer("radial"));
            return sizeof(float) * edges * (2 + 2 * radial);  // results are copied for comparison
          },
      .adopt = Adopt<RadialRung>{},
  };
  return contract;
}

}  // namespace rafter::radial_ladder
