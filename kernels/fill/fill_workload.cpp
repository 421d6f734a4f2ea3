// fill: the contract, and the ladder.
#include "fill/fill_rung.hpp"
#include "lab/workload/old_ladder.hpp"

#define FILL_LADDER(RUNG, OP, PEER)                                                                          \
  RUNG(cpu, plain, "One loop on one thread: one core's stores.")                                             \
  OP(cpu, threads, "One contiguous part per thread, past the caches: no line is read before it is written.") \
  PEER(cpu, std_fill, TBB, "std::fill with par_unseq, over TBB.")                                            \
  RUNG(cuda, one_block, "One block walks the array: one multiprocessor works, the others idle.")             \
  RUNG(cuda, many_blocks, "One thread per element: all multiprocessors write.")                              \
  OP(cuda, vectorised, "Four 16-byte stores per thread: a sixteenth of the threads and instructions.")       \
  PEER(cuda, thrust_fill, CUB, "thrust::fill, on the stream.")

namespace rafter::fill_ladder {
#define RAFTER_SIGNATURE RAFTER_FILL_SIGNATURE
RAFTER_DECLARE_LADDER(FILL_LADDER)
}  // namespace rafter::fill_ladder

namespace rafter::lab {

namespace {

using namespace fill_ladder;
const std::string family = "fill";

/// Nothing to read: what differs between input sets is the value.
template <class T>
class FillCase final : public Case {
 public:
  FillCase(const Params& params, const Stream& stream, const CaseOptions& options)
      : out_(stream, params.integer("n"), options.offset), options_(options) {}

  static bool fits(const Params& params) { return params.word("dtype") == dtype_name<T>; }

  Cost cost() const override { return {.bytes_written = static_cast<double>(out_.size()) * sizeof(T)}; }
  int n_input_sets() const override { return options_.n_input_sets; }
  void prepare(int) override { out_.poison(); }
  std::optional<std::string> changed_input() override { return std::nullopt; }

  Comparison check(int set) override {
    const std::span<const T> out = out_.on_host();
    const T expected = value(set);
    Comparison result =
        out.empty() ? nothing_to_compare() : compare_equal<T>(out, [=](std::int64_t) { return expected; });
    if (const auto damage = out_.damage()) result.complaint = "output: " + *damage;
    return result;
  }

  template <class Rung>
  void call(Rung rung, const Stream& stream, int set) {
    rung(stream, out_.span(), value(set));
  }

 private:
  /// A positive number, which poison is not.
  T value(int set) const { return static_cast<T>(random_below(set_seed(options_, set), 0, 1000000) + 1); }

  GuardedArray<T> out_;
  CaseOptions options_;
};

using Cases = OldCaseList<FillCase<float>, FillCase<double>, FillCase<std::int32_t>, FillCase<std::int64_t>>;
#define RAFTER_INSTANCES(rung) rung<float>, rung<double>, rung<std::int32_t>, rung<std::int64_t>

std::vector<Params> standard_cases(Device device, Effort effort) {
  constexpr std::int64_t one = 1;
  if (device == Device::cuda)
    return effort == Effort::quick ? cases_of_sizes({one << 26}) : cases_of_sizes({one << 20, one << 28});
  return effort == Effort::quick ? cases_of_sizes({one << 24}) : cases_of_sizes({one << 26});
}

std::vector<Params> awkward_cases() {
  std::vector<Params> cases;
  for (const char* dtype : {"float32", "float64", "int32", "int64"}) {
    for (const Params& params :
         cases_of_sizes({0, 1, 2, 3, 5, 31, 32, 33, 1023, 1025, 4095, 4097, 16411, 99991}, dtype))
      cases.push_back(params);
  }
  for (const Params& params : cases_of_sizes({4325377, 10000019})) cases.push_back(params);
  return cases;
}

}  // namespace

const Workload& fill_workload() {
  static const Workload workload{
      .name = family,
      .summary = "one value in every element of an array",
      .parameters = {{"n", "number of elements", std::int64_t{1} << 26, true},
                     dtype_parameter<float, double, std::int32_t, std::int64_t>()},
      .rungs = {RAFTER_LIST_LADDER(FILL_LADDER)},
      .standard_cases = standard_cases,
      .awkward_cases = awkward_cases,
      .huge_cases = [] { return cases_of_sizes({(std::int64_t{1} << 31) + 11}); },
      .make_case = Cases::make,
      .bytes_per_input_set =
          [](const Params& params) { return static_cast<double>(params.integer("n")) * element_bytes(params); },
      .adopt = RAFTER_ADOPT(cpu::plain),
  };
  return workload;
}

}  // namespace rafter::lab
