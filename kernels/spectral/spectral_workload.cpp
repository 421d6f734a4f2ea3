// spectral: the workload's contract and its ladder.
#include <array>

#include "library/core/parts.hpp"
#include "spectral/spectral_answers.hpp"
#include "spectral/spectral_model.hpp"
#include "spectral/spectral_reference.hpp"
#include "workbench/lab/cases/family.hpp"

#define SPECTRAL_LADDER(RUNG, OP, PEER)                                                                             \
  RUNG(cpu, plain, "The module's operations in order, the basis normalised in every call.")                         \
  RUNG(cpu, vectorised, "Weights folded and packed; outputs in the lanes of vectors, GELU too.")                    \
  OP(cpu, batched, "Weights serve 14 windows while in registers; groups of windows divided among the threads.")     \
  RUNG(cuda, per_op, "One kernel per operation, as a framework runs the module: ten launches.")                     \
  RUNG(cuda, one_kernel, "All in one launch: one block per window, weights through the caches.")                    \
  RUNG(cuda, fused, "Weights folded, packed and in shared memory; 8 or 16 windows per ten warps, on tensor cores.") \
  OP(cuda, by_shape, "The fused kernel; for other configurations products with fused epilogues.")                   \
  PEER(cuda, cublaslt, CUBLASLT, "per_op with products by cuBLASLt, biases in them.")                               \
  PEER(cuda, cublaslt_graph, CUBLASLT, "cublaslt as one CUDA graph.")                                               \
  PEER(cuda, cublaslt_fold, CUBLASLT, "The folded model: four products by cuBLASLt and four small kernels.")

namespace rafter::spectral_ladder {

RAFTER_DECLARE_LADDER(SpectralRung, SPECTRAL_LADDER)

#ifdef RAFTER_WITH_CUDA
namespace cuda {
void calculate_answers(const Stream& stream, const SpectralArgs& args, double* y, double* scores);
}
#endif

namespace {

using namespace lab;
const std::string family = "spectral";

struct Configuration {
  const char* name;
  SpectralShape shape;
};
constexpr std::array<Configuration, 5> configurations{{{"original", {64, 5, 32, 64}},
                                                       {"medium", {128, 10, 128, 256}},
                                                       {"large", {256, 10, 256, 512}},
                                                       {"xlarge", {512, 10, 512, 1024}},
                                                       {"xxlarge", {1024, 10, 1024, 2048}}}};

SpectralShape shape_of(const Params& params) {
  SpectralShape shape;
  for (const Configuration& one : configurations) {
    if (params.word("config") == one.name) shape = one.shape;
  }
  const auto change = [&](const char* name, std::int64_t& extent) {
    if (const std::int64_t value = params.integer_or(name, 0); value != 0) extent = value;
  };
  change("mels", shape.mels);
  change("frames", shape.frames);
  change("latent", shape.latent);
  change("slice", shape.slice);
  if (std::min({shape.mels, shape.frames, shape.latent, shape.slice}) < 1 || params.integer("batch") < 0)
    throw Error(ErrorCode::bad_argument, "spectral: every extent must be 1 or more: " + params.text());
  return shape;
}

SpectralPrecision precision_of(const Params& params) {
  for (const SpectralPrecision precision : spectral_precisions) {
    if (params.word("precision") == name(precision)) return precision;
  }
  throw Error(ErrorCode::bad_argument, "spectral: there is no precision " + params.word("precision"));
}

/// Returns weights as PyTorch initialises a Linear, with scales and shifts of LayerNorm slightly off 1 and 0.
SpectralWeights random_weights(const SpectralShape& shape, std::uint64_t seed) {
  SpectralWeights weights{.shape = shape};
  std::int64_t index = 0;
  const Generator bell{Generator::Kind::bell, seed};
  for_each_tensor(shape, [&](auto tensor, auto, std::int64_t size) {
    std::vector<float>& values = weights.*tensor;
    values.resize(static_cast<std::size_t>(size));
    for_indices(Stream::cpu(), size, [&values, &bell, index](std::int64_t i) {
      values[static_cast<std::size_t>(i)] = static_cast<float>(bell(index + i));
    });
    index += size;
  });
  const auto scale = [](std::vector<float>& values, double factor, float offset = 0) {
    for (float& value : values) value = static_cast<float>(factor) * value + offset;
  };
  const auto by_inputs = [](std::int64_t n) { return 0.6 / std::sqrt(static_cast<double>(n)); };
  scale(weights.encoder_norm_weight, 0.2, 1);
  scale(weights.encoder_norm_bias, 0.1);
  scale(weights.encoder_weight, by_inputs(shape.mels));
  scale(weights.encoder_bias, by_inputs(shape.mels));
  scale(weights.latent_norm_weight, 0.2, 1);
  scale(weights.latent_norm_bias, 0.1);
  scale(weights.latent_weight, by_inputs(shape.latent));
  scale(weights.latent_bias, by_inputs(shape.latent));
  scale(weights.decoder_weight, by_inputs(shape.slice));
  scale(weights.decoder_bias, by_inputs(shape.slice));
  return weights;
}

class SpectralCase final : public CaseFor<SpectralArgs> {
 public:
  SpectralCase(const Params& params, const Stream& stream, const CaseOptions& options)
      : CaseFor<SpectralArgs>(stream, options),
        shape_(shape_of(params)),
        batch_(params.integer("batch")),
        precision_(precision_of(params)),
        has_scores_(params.find("output") != nullptr && params.word("output") == "scores"),
        host_weights_(random_weights(shape_, options.seed)),
        host_array_(tensor_array(host_weights_)),
        answers_(options) {}

  static bool fits(const Params&) { return true; }

  /// Returns the cost: windows in and out, and the weights once. The multiply-adds are those of the folded model; on a
  /// GPU, a float32 product may be three of tf32.
  Cost cost() const override {
    const double per_window =
        static_cast<double>(shape_.frames * shape_.mels * shape_.slice) +
        static_cast<double>(shape_.latent * (shape_.features() + shape_.latent + shape_.window()));
    const double weights = static_cast<double>(shape_.mels * shape_.slice) +
                           static_cast<double>(shape_.latent * (shape_.features() + shape_.latent + shape_.window()));
    const double n = static_cast<double>(batch_);
    return {.bytes_read = sizeof(float) * (n * static_cast<double>(shape_.window()) + weights),
            .bytes_written = sizeof(float) * static_cast<double>(out_.size()),
            .operations = operations(2 * n * per_window)};
  }

  SpectralArgs args(int set) override {
    return {.x = in_.span(set).data(),
            .batch = batch_,
            .tensors = tensors_in(tensors_.span().data(), shape_),
            .model = &model_,
            .y = has_scores_ ? nullptr : out_.data(),
            .scores = has_scores_ ? out_.data() : nullptr};
  }

 private:
  PerUnit operations(double n) const {
    if (stream().device() == Device::cpu) return operations_on(Unit::fp32, n);
    switch (precision_) {
      case SpectralPrecision::fp32: return operations_on(Unit::tensor_tf32, 3 * n);
      case SpectralPrecision::tf32: return operations_on(Unit::tensor_tf32, n);
      case SpectralPrecision::bf16: return operations_on(Unit::tensor_bf16, n);
    }
    return {};
  }

  Comparison compare_results(int set) const override {
    // The error of a squared error is about twice the error.
    const double tolerance = tolerance_of(precision_) * (has_scores_ ? 4 : 1);
    return out_.compare_with(NearAnswer{answer_of(set).data(), tolerance});
  }

  const Buffer<double>& answer_of(int set) const {
    return answers_.of(set, [&] { return calculate(set); });
  }

  /// Computes large answers on the GPU, by the operations of per_op in float64; conformance compares per_op with the
  /// CPU's answers.
  Buffer<double> calculate(int set) const {
    const Stream where = loop_stream(stream());
    Buffer<double> answer(where, out_.size());
#ifdef RAFTER_WITH_CUDA
    constexpr double many = 1e10;
    if (where.device() == Device::cuda && static_cast<double>(batch_ * n_weights(shape_)) > many) {
      SpectralArgs args{.x = in_.span(set).data(),
                        .batch = batch_,
                        .tensors = tensors_in(tensors_.span().data(), shape_),
                        .model = &model_,
                        .y = nullptr,
                        .scores = nullptr};
      if (!has_scores_) {
        cuda::calculate_answers(where, args, answer.data(), nullptr);
      } else {
        Buffer<double> y(where, batch_ * shape_.window());
        cuda::calculate_answers(where, args, y.data(), answer.data());
      }
      return answer;
    }
#endif
    answer.copy_from(calculate_on_host(set));
    return answer;
  }

  std::vector<double> calculate_on_host(int set) const {
    const SpectralReference<double> reference(shape_, tensors_in(host_array_.data(), shape_));
    const std::int64_t window = shape_.window();
    std::vector<double> results(static_cast<std::size_t>(out_.size()));
    core::for_each_index(core::default_threads(), batch_, [&](std::int64_t i) {
      std::vector<float> x(static_cast<std::size_t>(window));
      for (std::int64_t k = 0; k < window; ++k) x[static_cast<std::size_t>(k)] = in_.element(set, i * window + k);
      std::vector<double> y(x.size());
      reference.run(x.data(), y.data());
      if (has_scores_) {
        results[static_cast<std::size_t>(i)] = reference.score(x.data(), y.data());
      } else {
        std::copy(y.begin(), y.end(), results.begin() + i * window);
      }
    });
    return results;
  }

  SpectralShape shape_;
  std::int64_t batch_;
  SpectralPrecision precision_;
  bool has_scores_;
  SpectralWeights host_weights_;
  std::vector<float> host_array_;
  SpectralModel model_{stream(), host_weights_,
                       stream().device() == Device::cpu ? SpectralPrecision::fp32 : precision_};
  Input<float> in_{*this, "x", batch_* shape_.window()};
  Weights<float, FromHost<float>> tensors_{*this, "weights", n_weights(shape_),
                                           [this](int, std::uint64_t) { return FromHost<float>{host_array_.data()}; }};
  Output<float> out_{*this, has_scores_ ? "scores" : "y", has_scores_ ? batch_ : batch_* shape_.window()};
  KeptAnswers<Buffer<double>> answers_;
};

Params case_of(std::int64_t batch, const std::string& config = "original", const std::string& precision = "fp32",
               const std::string& output = "y") {
  return {{"batch", batch}, {"config", config}, {"precision", precision}, {"output", output}};
}

Params case_of(const SpectralShape& shape, std::int64_t batch, const std::string& precision,
               const std::string& output = "y") {
  Params params = case_of(batch, "original", precision, output);
  params.set("mels", shape.mels);
  params.set("frames", shape.frames);
  params.set("latent", shape.latent);
  params.set("slice", shape.slice);
  return params;
}

std::vector<Params> standard_cases(Device device, Effort effort) {
  const bool quick = effort == Effort::quick;
  if (device != Device::cuda) return quick ? std::vector{case_of(32)} : std::vector{case_of(1), case_of(512)};
  if (quick) return {case_of(512)};
  return {case_of(32),
          case_of(64),
          case_of(128),
          case_of(256),
          case_of(512),
          case_of(16384),
          case_of(2048, "xxlarge", "tf32")};
}

/// Returns batches around the groups of windows, and shapes around the tiles.
std::vector<Params> awkward_cases() {
  std::vector<Params> cases;
  for (const std::int64_t batch : {0, 1, 8, 9, 33}) cases.push_back(case_of(batch));
  for (const char* precision : {"fp32", "tf32", "bf16"}) {
    cases.push_back(case_of(17, "original", precision, "scores"));
    cases.push_back(case_of({40, 3, 36, 72}, 45, precision));
  }
  cases.push_back(case_of({1, 1, 1, 1}, 3, "fp32"));
  cases.push_back(case_of({3, 2, 5, 7}, 5, "bf16"));
  cases.push_back(case_of({70, 2, 130, 20}, 2, "tf32", "scores"));
  return cases;
}

}  // namespace

const Workload& workload() {
  static const Workload contract{
      .name = family,
      .summary = "the SpectralShapeAutoencoder's forward pass",
      .parameters =
          {{"batch", "windows", std::int64_t{512}, true},
           {"config",
            "extents of the model",
            std::string("original"),
            false,
            {"original", "medium", "large", "xlarge", "xxlarge"}},
           {"precision", "of the products", std::string("fp32"), false, {"fp32", "tf32", "bf16"}},
           {"output", "reconstructions, or their mean squared errors", std::string("y"), false, {"y", "scores"}, false},
           {"mels", "values of a spectrum; 0: as config has it", std::int64_t{0}, false, {}, false},
           {"frames", "spectra of a window; 0: as config has it", std::int64_t{0}, false, {}, false},
           {"latent", "values of a window's code; 0: as config has it", std::int64_t{0}, false, {}, false},
           {"slice", "values of a spectrum's code; 0: as config has it", std::int64_t{0}, false, {}, false}},
      .rungs = RAFTER_LIST_LADDER(SPECTRAL_LADDER),
      .standard_cases = standard_cases,
      .awkward_cases = awkward_cases,
      .huge_cases = [] { return std::vector{case_of(7000000)}; },
      .make_case = CaseList<SpectralCase>::make,
      .bytes_per_input_set =
          [](const Params& params) {
            return static_cast<double>(params.integer("batch") * shape_of(params).window() * 2) * sizeof(float);
          },
      .adopt = Adopt<SpectralRung>{},
  };
  return contract;
}

}  // namespace rafter::spectral_ladder
