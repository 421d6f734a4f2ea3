// mul_add: the contract, and the ladder.
#include <cmath>
#include <limits>

#include "lab/workload/old_ladder.hpp"
#include "mul_add/mul_add_rung.hpp"

#define MUL_ADD_LADDER(RUNG, OP, PEER)                                                                      \
  RUNG(cpu, plain, "One loop on one thread: one core's loads.")                                             \
  OP(cpu, threads, "One contiguous part per thread, written past the caches: all cores load at once.")      \
  PEER(cpu, eigen, EIGEN, "Eigen's a * b + c of arrays, one thread.")                                       \
  RUNG(cuda, one_block, "One block walks the arrays: one multiprocessor works, the others idle.")           \
  RUNG(cuda, many_blocks, "One thread per element: all multiprocessors load, 12 bytes a thread in flight.") \
  OP(cuda, vectorised, "Two 16-byte pieces of each array per thread: 96 bytes in flight.")                  \
  PEER(cuda, thrust_transform, CUB, "thrust::transform over zipped iterators, on the stream.")

namespace rafter::mul_add_ladder {
#define RAFTER_SIGNATURE RAFTER_MUL_ADD_SIGNATURE
RAFTER_DECLARE_LADDER(MUL_ADD_LADDER)
}  // namespace rafter::mul_add_ladder

namespace rafter::lab {

namespace {

using namespace mul_add_ladder;
const std::string family = "mul_add";

/// Other seeds for each of a case's arrays.
CaseOptions array_options(const CaseOptions& options, std::uint64_t array) {
  CaseOptions own = options;
  own.seed = mix(options.seed ^ mix(array));
  return own;
}

template <class T>
class MulAddCase final : public Case {
 public:
  MulAddCase(const Params& params, const Stream& stream, const CaseOptions& options)
      : a_(stream, params.integer("n"), array_options(options, 1)),
        b_(stream, params.integer("n"), array_options(options, 2)),
        c_(stream, params.integer("n"), array_options(options, 3)),
        out_(stream, params.integer("n"), options.offset) {}

  static bool fits(const Params& params) { return params.word("dtype") == dtype_name<T>; }

  Cost cost() const override {
    const auto n = static_cast<double>(out_.size());
    return {.bytes_read = 3 * n * sizeof(T), .bytes_written = n * sizeof(T), .operations = operations_in<T>(2 * n)};
  }
  int n_input_sets() const override { return a_.count(); }
  void prepare(int) override { out_.poison(); }
  std::optional<std::string> changed_input() override {
    for (InputSets<T>* inputs : {&a_, &b_, &c_}) {
      if (auto change = inputs->changed()) return change;
    }
    return std::nullopt;
  }

  // Whole numbers must come out exactly. For the others: rounding the product and the sum errs by half an eps of each,
  // and so may the reference's own last digit in float64.
  Comparison check(int set) override {
    const std::span<const T> out = out_.on_host();
    const double factor = a_.is_exact(set) ? 0 : static_cast<double>(std::numeric_limits<T>::epsilon());
    const auto expected = [&](std::int64_t i) -> Expectation {
      const auto a = static_cast<double>(a_.element(set, i));
      const auto b = static_cast<double>(b_.element(set, i));
      const double result = std::fma(a, b, static_cast<double>(c_.element(set, i)));
      return {result, factor * (std::abs(a * b) + std::abs(result))};
    };
    Comparison result = out.empty() ? nothing_to_compare() : compare_near<T>(out, expected);
    if (const auto damage = out_.damage()) result.complaint = "output: " + *damage;
    return result;
  }

  template <class Rung>
  void call(Rung rung, const Stream& stream, int set) {
    rung(stream, Factors<T>{a_.span(set).data(), b_.span(set).data(), c_.span(set).data()}, out_.span());
  }

 private:
  InputSets<T> a_;
  InputSets<T> b_;
  InputSets<T> c_;
  GuardedArray<T> out_;
};

using Cases = OldCaseList<MulAddCase<float>, MulAddCase<double>, MulAddCase<std::int32_t>, MulAddCase<std::int64_t>>;
#define RAFTER_INSTANCES(rung) rung<float>, rung<double>, rung<std::int32_t>, rung<std::int64_t>

std::vector<Params> standard_cases(Device device, Effort effort) {
  constexpr std::int64_t one = 1;
  if (device == Device::cuda)
    return effort == Effort::quick ? cases_of_sizes({one << 24}) : cases_of_sizes({one << 20, one << 26});
  return effort == Effort::quick ? cases_of_sizes({one << 22}) : cases_of_sizes({one << 24});
}

std::vector<Params> awkward_cases() {
  std::vector<Params> cases;
  for (const char* dtype : {"float32", "float64", "int32", "int64"}) {
    for (const Params& params : cases_of_sizes({0, 1, 2, 3, 5, 31, 32, 33, 1023, 1025, 2047, 2049, 9973}, dtype))
      cases.push_back(params);
  }
  for (const Params& params : cases_of_sizes({1048579, 4325377})) cases.push_back(params);
  return cases;
}

}  // namespace

const Workload& mul_add_workload() {
  static const Workload workload{
      .name = family,
      .summary = "the product of two arrays plus a third",
      .parameters = {{"n", "number of elements", std::int64_t{1} << 24, true},
                     dtype_parameter<float, double, std::int32_t, std::int64_t>()},
      .rungs = {RAFTER_LIST_LADDER(MUL_ADD_LADDER)},
      .standard_cases = standard_cases,
      .awkward_cases = awkward_cases,
      .huge_cases = [] { return cases_of_sizes({(std::int64_t{1} << 31) + 11}); },
      .make_case = Cases::make,
      .bytes_per_input_set =
          [](const Params& params) { return 4 * static_cast<double>(params.integer("n")) * element_bytes(params); },
      .adopt = RAFTER_ADOPT(cpu::plain),
  };
  return workload;
}

}  // namespace rafter::lab
