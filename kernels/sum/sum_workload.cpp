// sum: the workload's contract and its ladder.
#include "sum/sum_rung.hpp"
#include "workbench/lab/cases/family.hpp"
#include "workbench/lab/data/range_sums.hpp"

#define SUM_LADDER(RUNG, OP, PEER)                                                                                     \
  RUNG(cpu, plain, "One accumulator: every addition waits for the one before it.")                                     \
  RUNG(cpu, simd, "64 accumulators in vector registers cut the chain: one core loads as fast as it can.")              \
  RUNG(cpu, threads, "One contiguous part per thread: all cores load at once.")                                        \
  OP(cpu, chunked, "Fixed chunks whose sums are added as a tree: the same bits on any number of threads.")             \
  PEER(cpu, std_reduce, TBB, "std::reduce with par_unseq, over TBB.")                                                  \
  PEER(cpu, eigen, EIGEN, "Eigen's vectorised sum, one thread.")                                                       \
  RUNG(cuda, atomic, "Every thread adds its element to one number: all additions queue at one address.")               \
  RUNG(cuda, block_tree, "A tree in shared memory per 1024 elements, launched until one number is left: no atomics.")  \
  RUNG(cuda, unrolled, "The tree's loop unrolled; the last warp uses no block barriers: fewer instructions.")          \
  RUNG(cuda, warp_shuffle, "Warps add through registers: five levels of the tree lose their barriers.")                \
  RUNG(cuda, restrict_pointers, "__restrict__ on the pointers: read-only loads, and nothing else changes.")            \
  RUNG(cuda, grid_stride, "A full GPU of blocks strides over the array, four 16-byte loads in flight per thread.")     \
  RUNG(cuda, last_block, "The block that finishes last adds the blocks' sums: one launch instead of two.")             \
  OP(cuda, published, "Blocks publish their sums; the block with the last ticket collects them: one round trip less.") \
  PEER(cuda, cub_reduce, CUB, "cub::DeviceReduce::Sum.")

namespace rafter::sum_ladder {

RAFTER_DECLARE_LADDER(SumRung, SUM_LADDER)

namespace {

using namespace lab;
const std::string family = "sum";

template <class T>
class SumCase final : public CaseFor<SumArgs<T>> {
 public:
  SumCase(const Params& params, const Stream& stream, const CaseOptions& options)
      : CaseFor<SumArgs<T>>(stream, options), n_(params.integer("n")) {
    for (int set = 0; set < options.n_input_sets; ++set) answers_.push_back(answer_of(set));
  }

  static bool fits(const Params& params) { return is_dtype<T>(params); }

  Cost cost() const override {
    const auto n = static_cast<double>(n_);
    return {.bytes_read = n * sizeof(T), .bytes_written = sizeof(SumResult<T>), .operations = operations_in<T>(n)};
  }

  SumArgs<T> args(int set) override { return {in_.span(set), out_.data()}; }

 private:
  // Whole numbers must be summed exactly, rounded only where the type cannot represent the sum. For other numbers,
  // sequential addition errs by about 0.25 eps of the sum of magnitudes when the terms have mean zero; 4 eps allows for
  // unlucky inputs, but not for a lost term of a short array. 16-bit elements are added in float: the eps is float's,
  // plus one rounding of the sum to 16 bits.
  Comparison compare_results(int set) const override {
    const ExactSum& answer = answers_[static_cast<std::size_t>(set)];
    const double sum = answer.sum.value();
    const double error = 4 * core::epsilon<core::Accumulator<T>> * answer.magnitude.value();
    const Expectation exact{static_cast<double>(static_cast<SumResult<T>>(sum)), 0};
    const Expectation near{sum, error + core::rounding_error<T>(std::abs(sum) + error)};
    return out_.compare_with([&](std::int64_t) { return in_.is_exact(set) ? exact : near; });
  }

  ExactSum answer_of(int set) const {
    const InputParts<T> parts{in_.generator(set), n_};
    ExactSum sum;
    for (const ExactSum& part : map_indices(loop_stream(this->stream()), parts.count(), SumPart<T>{parts}))
      sum.add(part);
    return sum;
  }

  std::int64_t n_;
  Input<T> in_{*this, "in", n_};
  Output<SumResult<T>> out_{*this, "out", 1};
  std::vector<ExactSum> answers_;  // one per input set
};

std::vector<Params> standard_cases(Device device, Effort effort) {
  constexpr std::int64_t one = 1;
  if (device == Device::cuda)
    return effort == Effort::quick ? cases_of_sizes({one << 26})
                                   : cases_of_sizes({one << 16, one << 20, one << 28, one << 29});
  return effort == Effort::quick ? cases_of_sizes({one << 24}) : cases_of_sizes({one << 20, one << 26});
}

std::vector<Params> awkward_cases() {
  const auto all = {0,    1,    2,    3,    5,    31,    32,    33,    63,      64,      65,      1023,
                    1024, 1025, 4095, 4096, 4097, 16383, 16385, 99991, 1048576, 1048577, 4325377, (1 << 24) + 12345};
  std::vector<Params> cases;
  for (const std::string& dtype : dtype_names(SumTypes{})) {
    // Long arrays test the rounding of float and double, which 16-bit elements share; answers take long to compute.
    const bool is_long = dtype == "float32" || dtype == "float64";
    const std::int64_t most = is_long ? 1 << 30 : 1 << 20;
    for (const std::int64_t n : all) {
      if (n <= most) cases.push_back({{"n", n}, {"dtype", dtype}});
    }
  }
  return cases;
}

}  // namespace

const Workload& workload() {
  static const Workload contract{
      .name = family,
      .summary = "the sum of an array",
      .parameters = {{"n", "number of elements", std::int64_t{1} << 26, true}, dtype_parameter(SumTypes{})},
      .rungs = RAFTER_LIST_LADDER(SUM_LADDER),
      .standard_cases = standard_cases,
      .awkward_cases = awkward_cases,
      .huge_cases = [] { return cases_of_sizes({(std::int64_t{1} << 31) + 11}); },
      .make_case = CasesOf<SumCase, SumTypes>::make,
      .bytes_per_input_set =
          [](const Params& params) { return static_cast<double>(params.integer("n")) * element_bytes(params); },
      .adopt = Adopt<SumRung>{},
  };
  return contract;
}

}  // namespace rafter::sum_ladder
