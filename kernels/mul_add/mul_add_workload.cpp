// mul_add: the workload's contract and its ladder.
#include <cmath>

#include "mul_add/mul_add_rung.hpp"
#include "workbench/lab/cases/family.hpp"

#define MUL_ADD_LADDER(RUNG, OP, PEER)                                                                      \
  RUNG(cpu, plain, "One loop on one thread: one core's loads.")                                             \
  OP(cpu, threads, "One contiguous part per thread, written past the caches: all cores load at once.")      \
  PEER(cpu, eigen, EIGEN, "Eigen's a * b + c of arrays, one thread.")                                       \
  RUNG(cuda, one_block, "One block strides over the arrays: one multiprocessor works, the others idle.")    \
  RUNG(cuda, many_blocks, "One thread per element: all multiprocessors load, 12 bytes a thread in flight.") \
  OP(cuda, vectorised, "Two 16-byte pieces of each array per thread: 96 bytes in flight.")                  \
  PEER(cuda, thrust_transform, CUB, "thrust::transform over zipped iterators, on the stream.")

namespace rafter::mul_add_ladder {

RAFTER_DECLARE_LADDER(MulAddRung, MUL_ADD_LADDER)

namespace {

using namespace lab;
const std::string family = "mul_add";

template <class T>
class MulAddCase final : public CaseFor<MulAddArgs<T>> {
 public:
  MulAddCase(const Params& params, const Stream& stream, const CaseOptions& options)
      : CaseFor<MulAddArgs<T>>(stream, options), n_(params.integer("n")) {}

  static bool fits(const Params& params) { return is_dtype<T>(params); }

  Cost cost() const override {
    const auto n = static_cast<double>(n_);
    return {.bytes_read = 3 * n * sizeof(T), .bytes_written = n * sizeof(T), .operations = operations_in<T>(2 * n)};
  }

  MulAddArgs<T> args(int set) override {
    return {{a_.span(set).data(), b_.span(set).data(), c_.span(set).data()}, out_.span()};
  }

 private:
  // Whole numbers must be exact. For other numbers, rounding the product and the sum errs by half an eps of each, and
  // the last digit of the float64 reference may add as much. 16-bit elements use float's eps, and the result is then
  // rounded to 16 bits.
  Comparison compare_results(int set) const override {
    const bool exact = a_.is_exact(set);
    return compare_elements<T>(out_.on_host(), [&](std::int64_t i) -> Expectation {
      const auto a = static_cast<double>(a_.element(set, i));
      const auto b = static_cast<double>(b_.element(set, i));
      const double result = std::fma(a, b, static_cast<double>(c_.element(set, i)));
      const double error = core::epsilon<core::Accumulator<T>> * (std::abs(a * b) + std::abs(result));
      return {result, exact ? 0 : error + core::rounding_error<T>(std::abs(result) + error)};
    });
  }

  std::int64_t n_;
  Input<T> a_{*this, "a", n_};
  Input<T> b_{*this, "b", n_};
  Input<T> c_{*this, "c", n_};
  Output<T> out_{*this, "out", n_};
};

std::vector<Params> standard_cases(Device device, Effort effort) {
  constexpr std::int64_t one = 1;
  if (device == Device::cuda)
    return effort == Effort::quick ? cases_of_sizes({one << 24}) : cases_of_sizes({one << 20, one << 26});
  return effort == Effort::quick ? cases_of_sizes({one << 22}) : cases_of_sizes({one << 24});
}

std::vector<Params> awkward_cases() {
  std::vector<Params> cases;
  for (const std::string& dtype : dtype_names(MulAddTypes{})) {
    for (const Params& params : cases_of_sizes({0, 1, 2, 3, 5, 31, 32, 33, 1023, 1025, 2047, 2049, 9973}, dtype))
      cases.push_back(params);
  }
  for (const Params& params : cases_of_sizes({1048579, 4325377})) cases.push_back(params);
  return cases;
}

}  // namespace

const Workload& workload() {
  static const Workload contract{
      .name = family,
      .summary = "the product of two arrays plus a third",
      .parameters = {{"n", "number of elements", std::int64_t{1} << 24, true}, dtype_parameter(MulAddTypes{})},
      .rungs = RAFTER_LIST_LADDER(MUL_ADD_LADDER),
      .standard_cases = standard_cases,
      .awkward_cases = awkward_cases,
      .huge_cases = [] { return cases_of_sizes({(std::int64_t{1} << 31) + 11}); },
      .make_case = CasesOf<MulAddCase, MulAddTypes>::make,
      .bytes_per_input_set =
          [](const Params& params) { return 4 * static_cast<double>(params.integer("n")) * element_bytes(params); },
      .adopt = Adopt<MulAddRung>{},
  };
  return contract;
}

}  // namespace rafter::mul_add_ladder
