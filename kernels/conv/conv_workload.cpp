// conv: the workload's contract and its ladder.
#include "conv/conv_answers.hpp"
#include "conv/conv_rung.hpp"
#include "workbench/lab/cases/family.hpp"

#define CONV_LADDER(RUNG, OP, PEER)                                                                             \
  RUNG(cpu, direct, "The definition: seven loops around one multiply-add.")                                     \
  RUNG(cpu, blocked, "A row of outputs stays in the L1 during the loop over all taps.")                         \
  OP(cpu, vectorised, "Maps x pixels in registers, either in the lanes of vectors; bands of rows per thread.")  \
  PEER(cpu, onednn, ONEDNN, "oneDNN's convolution, in layouts of its own choice.")                              \
  RUNG(cuda, unroll_gemm, "Unroll to a matrix, multiply in tiles, permute: three kernels, all through memory.") \
  RUNG(cuda, fused, "Tiles of the unrolled matrix are built in shared memory: one kernel.")                     \
  RUNG(cuda, restrict_unroll, "fused with __restrict__ and unrolled loops.")                                    \
  RUNG(cuda, constant_weights, "One output per thread, kernels in constant memory: no tiles at all.")           \
  RUNG(cuda, swept, "fused with the best tile and outputs per thread of a sweep.")                              \
  RUNG(cuda, half_storage, "swept with tiles of float16: half the shared memory.")                              \
  RUNG(cuda, wmma, "Tiles of the unrolled matrix on tensor cores, through WMMA's fragments.")                   \
  RUNG(cuda, mma_registers, "mma with all weights in registers, pixels directly from the image.")               \
  RUNG(cuda, direct, "Direct convolution: maps x rows x pixels in registers, the image in shared memory.")      \
  RUNG(cuda, winograd_passes, "3 x 3: F(2x2,3x3) with transforms and 16 matrix products through memory.")       \
  RUNG(cuda, winograd, "3 x 3: F(2x2,3x3) in one kernel, transformed tiles in shared memory.")                  \
  OP(cuda, by_shape, "Direct or Winograd in fp32, mma on tensor cores, tiles compiled for the kernel's size.")  \
  PEER(cuda, cublas_unrolled, CUBLAS, "cuBLAS on the unrolled matrix, image by image.")                         \
  PEER(cuda, cudnn, CUDNN, "cuDNN on NCHW, with its fastest algorithm.")                                        \
  PEER(cuda, cudnn_nhwc, CUDNN, "cuDNN on NHWC, with the copies to that layout and back.")

namespace rafter::conv_ladder {

RAFTER_DECLARE_LADDER(ConvRung, CONV_LADDER)

namespace {

using namespace lab;
const std::string family = "conv";

ConvShape shape_of(const Params& params) {
  const auto or_as = [&](const char* name, std::int64_t other) {
    const std::int64_t value = params.integer_or(name, 0);
    return value == 0 ? other : value;
  };
  ConvShape shape{.batch = params.integer("batch"),
                  .channels = params.integer("channels"),
                  .height = params.integer("size"),
                  .width = 0,
                  .maps = params.integer("maps"),
                  .kernel_height = params.integer("kernel"),
                  .kernel_width = 0,
                  .pad_height = params.integer_or("pad", 0),
                  .pad_width = params.integer_or("pad", 0)};
  shape.width = or_as("width", shape.height);
  shape.kernel_width = or_as("kernel_width", shape.kernel_height);
  if (shape.batch < 0 || shape.channels < 1 || shape.maps < 1 || shape.kernel_height < 1 || shape.kernel_width < 1 ||
      shape.out_height() < 1 || shape.out_width() < 1 || shape.pad_height < 0) {
    throw Error(
        ErrorCode::bad_argument,
        "conv: the kernel must fit into the padded image, and every extent must be 1 or more; got " + params.text());
  }
  return shape;
}

MaxPool pool_of(const Params& params) {
  const std::int64_t size = params.integer_or("pool", 1);
  return {size, size, true};
}

ConvPrecision precision_of(const Params& params) {
  for (const ConvPrecision precision : conv_precisions) {
    if (params.word("precision") == name(precision)) return precision;
  }
  throw Error(ErrorCode::bad_argument, "conv: unknown precision " + params.word("precision"));
}

/// The least arithmetic in a precision. For 3 x 3 kernels in fp32 it is that of Winograd's F(2x2,3x3): 4 multiply-adds
/// instead of the definition's 9.
PerUnit operations_of(const ConvShape& shape, ConvPrecision precision) {
  const double products = static_cast<double>(shape.batch * shape.maps * shape.out_height() * shape.out_width()) *
                          static_cast<double>(shape.kernel());
  switch (precision) {
    case ConvPrecision::fp32: break;
    case ConvPrecision::tf32: return operations_on(Unit::tensor_tf32, 2 * products);
    case ConvPrecision::fp16: return operations_on(Unit::tensor_fp16, 2 * products);
    case ConvPrecision::split_fp16: return operations_on(Unit::tensor_fp16, 6 * products);
  }
  const bool is_3x3 = shape.kernel_height == 3 && shape.kernel_width == 3;
  return operations_on(Unit::fp32, 2 * products / (is_3x3 ? 2.25 : 1));
}

template <class T>
class ConvCase final : public CaseFor<ConvArgs<T>> {
 public:
  ConvCase(const Params& params, const Stream& stream, const CaseOptions& options)
      : CaseFor<ConvArgs<T>>(stream, options),
        shape_(shape_of(params)),
        precision_(precision_of(params)),
        has_layer_(params.find("layer") != nullptr && params.word("layer") == "relu"),
        pool_(pool_of(params)),
        may_winograd_(params.find("winograd") == nullptr || params.word("winograd") == "allowed"),
        answers_(options) {}

  static bool fits(const Params& params) { return is_dtype<T>(params); }

  Cost cost() const override {
    const auto elements = [](std::int64_t n) { return static_cast<double>(n) * sizeof(T); };
    return {.bytes_read = elements(in_.size() + kernels_.size()),
            .bytes_written = elements(out_.size()),
            .operations = operations_of(shape_, precision_)};
  }

  ConvArgs<T> args(int set) override {
    return {in_.span(set).data(),
            kernels_.span().data(),
            shape_,
            precision_,
            has_layer_ ? bias_.span().data() : nullptr,
            has_layer_,
            pool_,
            may_winograd_,
            out_.data()};
  }

 private:
  Comparison compare_results(int set) const override {
    const ConvAnswer<T> answer{in_.generator(set), kernels_.generator(0),
                               bias_.generator(0), shape_,
                               precision_,         has_layer_,
                               has_layer_,         pool_,
                               may_winograd_};
    const auto& kept = answers_.of(set, [&] { return keep_expectations(this->stream(), out_.size(), answer); });
    return kept ? out_.compare_with(KeptExpectation{kept->data()}) : out_.compare_with(answer);
  }

  ConvShape shape_;
  ConvPrecision precision_;
  bool has_layer_;
  MaxPool pool_;
  bool may_winograd_;
  Input<T> in_{*this, "in", shape_.batch* shape_.image()};
  Weights<T> kernels_{*this, "kernels", shape_.maps* shape_.kernel()};
  Weights<T> bias_{*this, "bias", shape_.maps};
  Output<T> out_{*this, "out",
                 shape_.batch* shape_.maps* pool_.out(shape_.out_height()) * pool_.out(shape_.out_width())};
  KeptAnswers<std::optional<Buffer<Expectation>>> answers_;
};

/// A layer: batch, channels, image, maps, kernel, padding.
struct Layer {
  std::int64_t batch, channels, height, width, maps, kernel_height, kernel_width, pad = 0;
};

Params case_of(const Layer& layer, const std::string& precision = "fp32", const std::string& dtype = "float32",
               const std::string& after = "none", std::int64_t pool = 1, const std::string& winograd = "allowed") {
  return {{"batch", layer.batch},
          {"channels", layer.channels},
          {"maps", layer.maps},
          {"size", layer.height},
          {"kernel", layer.kernel_height},
          {"width", layer.width},
          {"kernel_width", layer.kernel_width},
          {"pad", layer.pad},
          {"precision", precision},
          {"layer", after},
          {"pool", pool},
          {"winograd", winograd},
          {"dtype", dtype}};
}

Layer lenet_1(std::int64_t batch) { return {batch, 1, 86, 86, 4, 7, 7}; }
Layer lenet_2(std::int64_t batch) { return {batch, 4, 40, 40, 16, 7, 7}; }

std::vector<Params> standard_cases(Device device, Effort effort) {
  const bool quick = effort == Effort::quick;
  if (device != Device::cuda) return {case_of(lenet_1(quick ? 20 : 200)), case_of(lenet_2(quick ? 20 : 200))};
  const std::int64_t batch = quick ? 1000 : 10000;
  std::vector<Params> cases;
  for (const Layer& layer : {lenet_1(batch), lenet_2(batch)}) {
    for (const char* precision : {"fp32", "fp16"}) cases.push_back(case_of(layer, precision));
  }
  if (!quick) {
    cases.push_back(case_of({64, 64, 56, 56, 64, 3, 3, 1}));
    cases.push_back(case_of({64, 256, 14, 14, 256, 3, 3, 1}));
  }
  return cases;
}

/// Cases with one output pixel, kernels as large as the image, one to 65 channels and maps, and sides around the tiles.
std::vector<Params> awkward_cases() {
  constexpr Layer all[] = {{1, 1, 1, 1, 1, 1, 1},      {0, 1, 8, 8, 4, 3, 3},     {2, 3, 5, 7, 2, 5, 7},
                           {3, 1, 9, 8, 5, 2, 3},      {7, 4, 12, 11, 16, 7, 7},  {1, 1, 20, 22, 4, 7, 7},
                           {2, 2, 10, 9, 3, 1, 1},     {1, 65, 6, 6, 3, 3, 3, 1}, {1, 3, 7, 6, 65, 3, 3},
                           {1, 33, 4, 5, 17, 3, 3, 1}, {2, 1, 4, 40, 4, 3, 5, 2}, {11, 1, 7, 7, 1, 7, 7}};
  std::vector<Params> cases;
  for (const Layer& layer : all) {
    for (const char* precision : {"fp32", "tf32", "fp16", "split_fp16"}) cases.push_back(case_of(layer, precision));
  }
  for (const char* precision : {"fp32", "fp16"}) {
    cases.push_back(case_of({2, 2, 11, 13, 3, 3, 3, 1}, precision, "float16"));
    cases.push_back(case_of({2, 1, 17, 18, 4, 7, 7}, precision, "float32", "relu", 2));
    cases.push_back(case_of({1, 4, 13, 15, 16, 7, 7}, precision, "float32", "relu", 4));
    cases.push_back(case_of({1, 3, 9, 9, 5, 3, 3, 1}, precision, "float16", "relu", 3));
    cases.push_back(case_of({3, 2, 6, 6, 2, 3, 3, 1}, precision, "float32", "none", 2));
    cases.push_back(case_of({1, 1, 15, 13, 5, 3, 3}, precision, "float32", "relu", 4));
  }
  cases.push_back(case_of({10001, 1, 8, 9, 1, 7, 7}));
  // Blocks of the direct kernel with several images, rounds of rows and rounds of maps; small enough for the executor.
  cases.push_back(case_of({40, 1, 9, 10, 4, 3, 3}, "fp32", "float32", "none", 1, "no"));
  cases.push_back(case_of({1, 1, 82, 80, 4, 3, 3}, "fp32", "float32", "none", 1, "no"));
  cases.push_back(case_of({1, 1, 28, 40, 16, 1, 1}));
  cases.push_back(case_of({2, 4, 40, 40, 16, 7, 7}, "fp16"));
  // Several chunks of channels, blocks of maps and blocks of tiles for Winograd's kernel; the second case forbids it.
  cases.push_back(case_of({3, 9, 6, 10, 66, 3, 3, 1}));
  cases.push_back(case_of({1, 64, 5, 6, 33, 3, 3, 1}, "fp32", "float32", "none", 1, "no"));
  cases.push_back(case_of({1, 16, 7, 8, 33, 3, 3, 1}, "fp32", "float32", "relu", 2));
  cases.push_back(case_of({1, 16, 7, 9, 33, 3, 3}, "fp32", "float16", "relu", 1));
  return cases;
}

}  // namespace

const Workload& workload() {
  static const Workload contract{
      .name = family,
      .summary = "convolution of images with few channels, NCHW, stride 1",
      .parameters = {{"batch", "number of images", std::int64_t{1000}, true},
                     {"channels", "channels of an image", std::int64_t{1}, true},
                     {"maps", "maps of the output", std::int64_t{4}, true},
                     {"size", "rows of an image", std::int64_t{86}, true},
                     {"kernel", "rows of a kernel", std::int64_t{7}, true},
                     {"width", "columns of an image; 0: as many as rows", std::int64_t{0}, false, {}, false},
                     {"kernel_width", "columns of a kernel; 0: as many as rows", std::int64_t{0}, false, {}, false},
                     {"pad", "zeros around an image", std::int64_t{0}, false, {}, false},
                     {"precision",
                      "precision of the products",
                      std::string("fp32"),
                      false,
                      {"fp32", "tf32", "fp16", "split_fp16"}},
                     {"layer", "bias and ReLU after the sums", std::string("none"), false, {"none", "relu"}, false},
                     {"pool", "side of the max-pooling windows", std::int64_t{1}, false, {}, false},
                     {"winograd",
                      "Winograd's algorithm for 3 x 3 in fp32",
                      std::string("allowed"),
                      false,
                      {"allowed", "no"},
                      false},
                     dtype_parameter(ConvTypes{})},
      .rungs = RAFTER_LIST_LADDER(CONV_LADDER),
      .standard_cases = standard_cases,
      .awkward_cases = awkward_cases,
      .huge_cases =
          [] {
            return std::vector{case_of({84000, 1, 86, 86, 4, 7, 7}, "fp32")};
          },
      .make_case = CasesOf<ConvCase, ConvTypes>::make,
      .bytes_per_input_set =
          [](const Params& params) {
            const ConvShape shape = shape_of(params);
            return static_cast<double>(shape.batch) * element_bytes(params) *
                   static_cast<double>(shape.image() + shape.maps * shape.out_height() * shape.out_width());
          },
      .adopt = Adopt<ConvRung>{},
      .op_refuses = [](const Rung& rung, const Params& params)  // a CPU has no tensor cores
      { return rung.device == Device::cpu && params.word("precision") != "fp32"; },
  };
  return contract;
}

}  // namespace rafter::conv_ladder
