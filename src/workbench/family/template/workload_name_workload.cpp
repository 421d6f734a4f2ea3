// workload_name: the contract and the ladder.
#include <cmath>

#include "workbench/lab/cases/family.hpp"
#include "workload_name_rung.hpp"

// One line per rung, from the naive one to the best: RUNG is in ladder/, OP in workload_name_cpu.cpp or
// workload_name_cuda.cu, PEER(device, name, LIBRARY, "idea") in peers/. A rung for cuda is also one for the executor.
#define WORKLOAD_NAME_LADDER(RUNG, OP, PEER)                                     \
  RUNG(cpu, plain, "One loop on one thread: one core's loads.")                  \
  OP(cpu, threads, "One contiguous part per thread: all cores load at once.")    \
  RUNG(cuda, one_block, "One block processes the arrays on one multiprocessor.") \
  OP(cuda, many_blocks, "One thread per element: all multiprocessors load.")

namespace rafter::workload_name_ladder {

RAFTER_DECLARE_LADDER(WorkloadNameRung, WORKLOAD_NAME_LADDER)

namespace {

using namespace lab;
const std::string family = "workload_name";

/// One case on one device.
template <class T>
class WorkloadNameCase final : public CaseFor<WorkloadNameArgs<T>> {
 public:
  WorkloadNameCase(const Params& params, const Stream& stream, const CaseOptions& options)
      : CaseFor<WorkloadNameArgs<T>>(stream, options),
        n_(params.integer("n")),
        factor_(static_cast<T>(params.real("factor"))) {}

  static bool fits(const Params& params) { return is_dtype<T>(params); }

  /// The least bytes and operations of any implementation; the floor follows from them.
  Cost cost() const override {
    const auto n = static_cast<double>(n_);
    return {.bytes_read = 2 * n * sizeof(T), .bytes_written = n * sizeof(T), .operations = operations_in<T>(2 * n)};
  }

  /// Returns the arguments of a rung for an input set.
  WorkloadNameArgs<T> args(int set) override { return {factor_, a_.span(set), b_.span(set), out_.span()}; }

 private:
  /// Compares with a simple float64 reference. The bound: rounding the product and the sum errs by half an epsilon of
  /// each. Inputs of set 0 are small whole numbers.
  Comparison compare_results(int set) const override {
    return compare_elements<T>(out_.on_host(), [&](std::int64_t i) -> Expectation {
      const double product = static_cast<double>(factor_) * static_cast<double>(a_.element(set, i));
      const double sum = product + static_cast<double>(b_.element(set, i));
      return {sum, core::epsilon<T> * (std::abs(product) + std::abs(sum))};
    });
  }

  // Inputs are functions of a seed and an index, so that answers need no storage. Outputs are poisoned before each
  // launch, and all arrays are placed between guard zones.
  std::int64_t n_;
  T factor_;
  Input<T> a_{*this, "a", n_};
  Input<T> b_{*this, "b", n_};
  Output<T> out_{*this, "out", n_};
};

/// The cases that `rafter run` measures by default.
std::vector<Params> standard_cases(Device device, Effort effort) {
  constexpr std::int64_t one = 1;
  if (device == Device::cuda) return cases_of_sizes({effort == Effort::quick ? one << 24 : one << 26});
  return cases_of_sizes({effort == Effort::quick ? one << 22 : one << 24});
}

/// Sizes that break kernels: 0, 1, and slightly more or less than blocks and vectors have.
std::vector<Params> awkward_cases() {
  std::vector<Params> cases;
  for (const std::string& dtype : dtype_names(WorkloadNameTypes{})) {
    for (const Params& params : cases_of_sizes({0, 1, 2, 31, 33, 255, 257, 1023, 1025, 9973}, dtype))
      cases.push_back(params);
  }
  for (const Params& params : cases_of_sizes({1048579})) cases.push_back(params);
  return cases;
}

}  // namespace

const Workload& workload() {
  static const Workload contract{
      .name = family,
      .summary = "a scaled array plus another",
      .parameters = {{"n", "number of elements", std::int64_t{1} << 24, true},
                     dtype_parameter(WorkloadNameTypes{}),
                     {"factor", "factor of the first array", 0.75}},
      .rungs = RAFTER_LIST_LADDER(WORKLOAD_NAME_LADDER),
      .standard_cases = standard_cases,
      .awkward_cases = awkward_cases,
      .huge_cases = [] { return cases_of_sizes({(std::int64_t{1} << 31) + 11}); },
      .make_case = CasesOf<WorkloadNameCase, WorkloadNameTypes>::make,
      .bytes_per_input_set =
          [](const Params& params) { return 3 * static_cast<double>(params.integer("n")) * element_bytes(params); },
      .adopt = Adopt<WorkloadNameRung>{},
  };
  return contract;
}

}  // namespace rafter::workload_name_ladder
