// fill: the workload's contract and its ladder.
#include "fill/fill_rung.hpp"
#include "workbench/lab/cases/family.hpp"

#define FILL_LADDER(RUNG, OP, PEER)                                                                           \
  RUNG(cpu, plain, "One loop on one thread: one core's stores.")                                              \
  OP(cpu, threads, "One contiguous part per thread, streaming stores: no line is read before it is written.") \
  PEER(cpu, std_fill, TBB, "std::fill with par_unseq, over TBB.")                                             \
  RUNG(cuda, one_block, "One block strides over the array: one multiprocessor works, the others idle.")       \
  RUNG(cuda, many_blocks, "One thread per element: all multiprocessors write.")                               \
  OP(cuda, vectorised, "Four 16-byte stores per thread: a sixteenth of the threads and instructions.")        \
  PEER(cuda, thrust_fill, CUB, "thrust::fill, on the stream.")

namespace rafter::fill_ladder {

RAFTER_DECLARE_LADDER(FillRung, FILL_LADDER)

namespace {

using namespace lab;
const std::string family = "fill";

/// A case for all types of one element size. There is no input array: input sets differ in the value.
template <class Bits>
class FillCase final : public CaseFor<FillArgs<Bits>> {
 public:
  FillCase(const Params& params, const Stream& stream, const CaseOptions& options)
      : CaseFor<FillArgs<Bits>>(stream, options), n_(params.integer("n")) {}

  static bool fits(const Params& params) { return element_bytes(params) == sizeof(Bits); }

  Cost cost() const override { return {.bytes_written = static_cast<double>(n_) * sizeof(Bits)}; }

  FillArgs<Bits> args(int set) override { return {value(set), out_.span()}; }

 private:
  /// A random value that differs from poison (all ones), because its lowest bit is 0.
  Bits value(int set) const { return static_cast<Bits>(random_bits(set_seed(this->options(), set), 0) << 1); }

  Comparison compare_results(int set) const override {
    return compare_elements<Bits>(out_.on_host(), [expected = value(set)](std::int64_t) { return expected; });
  }

  std::int64_t n_;
  Output<Bits> out_{*this, "out", n_};
};

std::vector<Params> standard_cases(Device device, Effort effort) {
  constexpr std::int64_t one = 1;
  if (device == Device::cuda)
    return effort == Effort::quick ? cases_of_sizes({one << 26}) : cases_of_sizes({one << 20, one << 28});
  return effort == Effort::quick ? cases_of_sizes({one << 24}) : cases_of_sizes({one << 26});
}

std::vector<Params> awkward_cases() {
  std::vector<Params> cases;
  for (const std::string& dtype : dtype_names(FillTypes{})) {
    for (const Params& params :
         cases_of_sizes({0, 1, 2, 3, 5, 31, 32, 33, 1023, 1025, 4095, 4097, 16411, 99991}, dtype))
      cases.push_back(params);
  }
  for (const Params& params : cases_of_sizes({4325377, 10000019})) cases.push_back(params);
  return cases;
}

}  // namespace

const Workload& workload() {
  static const Workload contract{
      .name = family,
      .summary = "one value in every element of an array",
      .parameters = {{"n", "number of elements", std::int64_t{1} << 26, true}, dtype_parameter(FillTypes{})},
      .rungs = RAFTER_LIST_LADDER(FILL_LADDER),
      .standard_cases = standard_cases,
      .awkward_cases = awkward_cases,
      .huge_cases = [] { return cases_of_sizes({(std::int64_t{1} << 31) + 11}); },
      .make_case = CasesOf<FillCase, core::BitsTypes>::make,
      .bytes_per_input_set =
          [](const Params& params) { return static_cast<double>(params.integer("n")) * element_bytes(params); },
      .adopt = Adopt<FillRung>{},
  };
  return contract;
}

}  // namespace rafter::fill_ladder
