// Weights of untrained models, reproducible for a seed with every compiler: numbers come from SplitMix64 and are
// rounded once, to float32.
#include <cmath>
#include <numbers>

#include "forcefield/model/forcefield_weights.hpp"

namespace rafter {

const char* v1::name(ForceFieldModel model) noexcept {
  switch (model) {
    case ForceFieldModel::student: return "student";
    case ForceFieldModel::painn: return "painn";
  }
  return "";
}

const char* v1::name(RadialBasis basis) noexcept {
  switch (basis) {
    case RadialBasis::gaussian: return "gaussian";
    case RadialBasis::bessel: return "bessel";
  }
  return "";
}

namespace forcefield_ladder {

namespace {

class RandomWeights {
 public:
  explicit RandomWeights(std::uint64_t seed) : state_(seed) {}

  float uniform(double bound) { return static_cast<float>(bound * (2 * unit() - 1)); }

  /// A nearly normal number of unit variance: the sum of twelve uniform ones.
  float normal() {
    double sum = -6;
    for (int i = 0; i < 12; ++i) sum += unit();
    return static_cast<float>(sum);
  }

 private:
  /// A number in [0, 1) with 24 bits; sums of a few are exact.
  double unit() {
    std::uint64_t z = state_ += 0x9e3779b97f4a7c15u;
    z = (z ^ (z >> 30)) * 0xbf58476d1ce4e5b9u;
    z = (z ^ (z >> 27)) * 0x94d049bb133111ebu;
    return static_cast<double>((z ^ (z >> 31)) >> 40) * 0x1p-24;
  }

  std::uint64_t state_;
};

/// The bounds of a linear layer's uniform numbers: those of torch.nn.Linear for the student, Glorot's for PaiNN's
/// weights, as in SchNetPack. SchNetPack initialises biases with 0; here they are not zero, so that results depend on
/// them.
struct LinearBounds {
  double weight, bias;
};
LinearBounds bounds_of(ForceFieldModel model, std::int64_t n_out, std::int64_t n_in) {
  const auto out = static_cast<double>(n_out), in = static_cast<double>(n_in);
  if (model == ForceFieldModel::painn) return {std::sqrt(6 / (in + out)), 0.1};
  return {1 / std::sqrt(in), 1 / std::sqrt(in)};
}

/// Generates Gaussians evenly spaced from 0 to the cutoff, PaiNN's as wide as their spacing, the student's a little
/// narrower; or sines.
void set_radial(ForceFieldWeights& weights) {
  const ForceFieldShape& shape = weights.shape;
  const bool is_student = shape.model == ForceFieldModel::student;
  const double student_width = shape.cutoff / static_cast<double>(shape.radial);  // 0.25 for 20 up to 5 Angstrom
  const double spacing = shape.cutoff / static_cast<double>(std::max<std::int64_t>(1, shape.radial - 1));
  for (std::int64_t k = 0; k < shape.radial; ++k) {
    if (shape.basis == RadialBasis::bessel) {
      const double half_waves = static_cast<double>(k + 1) * std::numbers::pi;
      weights.radial_centre.push_back(static_cast<float>(half_waves / shape.cutoff));
      continue;
    }
    const bool is_last = k == shape.radial - 1;
    weights.radial_centre.push_back(static_cast<float>(is_last ? shape.cutoff : static_cast<double>(k) * spacing));
    weights.radial_width.push_back(static_cast<float>(is_student ? student_width : spacing));
  }
}

/// Generates all tensors but the radial functions, in the order of weight_tensors.
void fill_with_random(ForceFieldWeights& weights, std::uint64_t seed) {
  RandomWeights random(seed);
  LinearBounds bounds{};  // a bias uses those of the preceding weight
  for (const auto& tensor : weight_tensors(weights)) {
    if (tensor.kind == WeightKind::linear)
      bounds = bounds_of(weights.shape.model, tensor.axes[0].extent, tensor.axes[1].extent);
    const auto next = [&](std::size_t i) {
      switch (tensor.kind) {
        case WeightKind::embedding: return random.normal();
        case WeightKind::linear: return random.uniform(bounds.weight);
        case WeightKind::bias: return random.uniform(bounds.bias);
        case WeightKind::axes_mixing:
          return (i % 4 == 0 ? 1.f : 0.f) + random.uniform(0.1);  // close to the identity matrix
        case WeightKind::radial: break;
      }
      return 0.f;
    };
    if (tensor.kind == WeightKind::radial) continue;
    for (std::vector<float>* part : tensor.parts) {
      part->resize(static_cast<std::size_t>(tensor.n_values()) / tensor.parts.size());
      for (std::size_t i = 0; i < part->size(); ++i) (*part)[i] = next(i);
    }
  }
}

}  // namespace

}  // namespace forcefield_ladder

ForceFieldWeights v1::random_forcefield_weights(const ForceFieldShape& shape, std::uint64_t seed) {
  using namespace forcefield_ladder;
  require_forcefield_shape("random_forcefield_weights", shape);
  ForceFieldWeights weights{shape};
  weights.shape.cutoff = static_cast<float>(shape.cutoff);  // float32, as in files
  weights.layers.resize(static_cast<std::size_t>(shape.layers));
  weights.readout_weight.resize(shape.readout.size() + 1);
  weights.readout_bias.resize(shape.readout.size() + 1);
  set_radial(weights);
  fill_with_random(weights, seed);
  return weights;
}

}  // namespace rafter
