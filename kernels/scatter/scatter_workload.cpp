// scatter: the workload's contract and its ladder.
#include <algorithm>
#include <cmath>
#include <limits>

#include "library/core/stream/pointers.hpp"
#include "scatter/scatter_answer.hpp"
#include "scatter/scatter_keys.hpp"
#include "scatter/scatter_rung.hpp"
#include "workbench/lab/cases/family.hpp"

#define SCATTER_LADDER(RUNG, OP, PEER)                                                                                \
  RUNG(cpu, plain, "One element at a time: a repeated key waits for its last addition.")                              \
  RUNG(cpu, private_copies, "A copy of the result per thread, added at the end: all cores work.")                     \
  OP(cpu, by_shape, "Tables of eight lanes for few keys, owners of key ranges for many, runs for sorted ones.")       \
  PEER(cpu, tbb_atomics, TBB, "std::for_each with par, over TBB, of atomic additions.")                               \
  RUNG(cuda, device_atomics, "An atomic addition per element: equal keys queue up at one address.")                   \
  RUNG(cuda, warp_combined, "Equal keys of a warp are added up first: up to 32 times fewer atomics.")                 \
  RUNG(cuda, privatised, "A copy of the sums in each block's shared memory, one flush per block: few keys only.")     \
  RUNG(cuda, binned, "Elements are first sorted by ranges of keys, whose sums then fit in shared memory: many keys.") \
  RUNG(cuda, sorted_segments, "A warp per key finds its segment of the sorted keys: no atomics, if keys are sorted.") \
  OP(cuda, by_shape, "Tiles of sorted runs, several copies for few keys, bins or atomics for many: no bad shape.")    \
  PEER(cuda, cub_by_key, CUB, "cub::DeviceReduce::ReduceByKey, for sorted keys.")                                     \
  PEER(cuda, thrust_by_key, CUB, "thrust::reduce_by_key, for sorted keys.")

namespace rafter::scatter_ladder {

RAFTER_DECLARE_LADDER(ScatterRung, SCATTER_LADDER)

namespace {

using namespace lab;
const std::string family = "scatter";

Reduction reduction_of(const Params& params) {
  const std::string& word = params.word("reduce");
  return word == "mean"  ? Reduction::mean
         : word == "min" ? Reduction::min
         : word == "max" ? Reduction::max
                         : Reduction::sum;
}

KeyOrder order_of(const Params& params) {
  return params.word("sorted") == "yes" ? KeyOrder::sorted : KeyOrder::unsorted;
}

template <class T, class Key>
class ScatterCase final : public CaseFor<ScatterArgs<T, Key>> {
 public:
  ScatterCase(const Params& params, const Stream& stream, const CaseOptions& options)
      : CaseFor<ScatterArgs<T, Key>>(stream, options),
        n_(params.integer("n")),
        n_keys_(params.integer("keys")),
        options_{reduction_of(params), order_of(params)},
        spread_(spread_named(params.word("spread"))),
        has_counts_(params.word("details") == "yes" || options_.reduction == Reduction::mean),
        has_arguments_(params.word("details") == "yes" && is_extreme()) {
    for (int set = 0; set < options.n_input_sets; ++set) {
      answers_.push_back(scatter_answer(
          n_, n_keys_, options_.reduction,
          [&](std::int64_t i) { return static_cast<std::int64_t>(keys_.element(set, i)); },
          [&](std::int64_t i) { return static_cast<double>(values_.element(set, i)); }));
    }
  }

  static bool fits(const Params& params) { return is_dtype<T>(params) && is_dtype<Key>(params, "index"); }

  Cost cost() const override {
    const auto n = static_cast<double>(n_);
    const double per_key = sizeof(T) + (has_counts_ ? 8. : 0.) + (has_arguments_ ? 8. : 0.);
    return {.bytes_read = n * (sizeof(T) + sizeof(Key)),
            .bytes_written = static_cast<double>(n_keys_) * per_key,
            .operations = operations_in<T>(n)};
  }

  ScatterArgs<T, Key> args(int set) override {
    return {keys_.span(set),
            values_.span(set),
            options_,
            out_.span(),
            {core::on_device(counts_.span()), core::on_device(arguments_.span())}};
  }

 private:
  bool is_extreme() const { return options_.reduction == Reduction::min || options_.reduction == Reduction::max; }

  Comparison compare_results(int set) const override {
    const ScatterAnswer& answer = answers_[static_cast<std::size_t>(set)];
    Comparison result = compare_output(answer, set);
    if (has_counts_) result.add(compare_details(counts_, answer, &KeyAnswer::count));
    if (has_arguments_) result.add(compare_details(arguments_, answer, &KeyAnswer::argument));
    return result;
  }

  // Whole numbers and extremes must be exact; their sums are rounded if the type cannot represent them. Other sums as
  // for the family sum: within 4 eps of the key's magnitudes; a mean has one more rounding. 16-bit types use float's
  // eps, and the result is then rounded to 16 bits.
  Comparison compare_output(const ScatterAnswer& answer, int set) const {
    const bool is_mean = options_.reduction == Reduction::mean;
    const bool is_exact = values_.is_exact(set) || is_extreme();
    constexpr double eps = core::epsilon<core::Accumulator<T>>;
    return compare_elements<T>(out_.on_host(), [&](std::int64_t k) -> Expectation {
      const KeyAnswer& key = answer[static_cast<std::size_t>(k)];
      const double result = key.result;
      if constexpr (std::is_integral_v<T>) return {bounded<T>(std::trunc(result)), 0};
      if (is_exact && !is_mean) return {static_cast<double>(static_cast<T>(result)), 0};
      const double sum_error = is_exact ? 0 : 4 * eps * key.magnitude;
      const auto count = static_cast<double>(std::max(key.count, std::int64_t{1}));
      const double error = is_mean ? sum_error / count + eps * std::abs(result) : sum_error;
      return {result, error + core::rounding_error<T>(std::abs(result) + error)};
    });
  }

  /// Returns the min or max of no elements for integers.
  template <class Integer>
  static double bounded(double x) {
    const auto most = static_cast<double>(std::numeric_limits<Integer>::max());
    return std::clamp(x, static_cast<double>(std::numeric_limits<Integer>::lowest()), most);
  }

  static Comparison compare_details(const Output<std::int64_t>& actual, const ScatterAnswer& answer,
                                    std::int64_t KeyAnswer::*detail) {
    const std::span<const std::int64_t> host = actual.on_host();
    return compare_elements<std::int64_t>(host,
                                          [&](std::int64_t k) { return answer[static_cast<std::size_t>(k)].*detail; });
  }

  std::int64_t n_;
  std::int64_t n_keys_;
  ScatterOptions options_;
  Spread spread_;
  bool has_counts_;
  bool has_arguments_;
  Input<T> values_{*this, "values", n_};
  Input<Key, KeyGenerator> keys_{*this, "keys", n_, [&](int, std::uint64_t seed) {
                                   return KeyGenerator{n_, n_keys_, spread_, options_.order, seed};
                                 }};
  Output<T> out_{*this, "out", n_keys_};
  Output<std::int64_t> counts_{*this, "counts", has_counts_ ? n_keys_ : 0};
  Output<std::int64_t> arguments_{*this, "arguments", has_arguments_ ? n_keys_ : 0};
  std::vector<ScatterAnswer> answers_;
};

Params a_case(std::int64_t n, std::int64_t n_keys, const Params& changed = {}) {
  Params params = {{"n", n},          {"keys", n_keys},      {"sorted", "no"},  {"index", "int64"},
                   {"reduce", "sum"}, {"spread", "uniform"}, {"details", "no"}, {"dtype", "float32"}};
  for (const auto& [name, value] : changed.all()) params.set(name, value);
  return params;
}

const Params sorted_int32 = {{"sorted", "yes"}, {"index", "int32"}};

std::vector<Params> standard_cases(Device device, Effort effort) {
  constexpr std::int64_t million = 1000000;
  const std::int64_t n = std::int64_t{1} << (device != Device::cuda ? 22 : effort == Effort::quick ? 24 : 26);
  if (effort == Effort::quick) return {a_case(n, 1000)};
  if (device == Device::cuda) {
    return {a_case(n, 1), a_case(n, 1000), a_case(n, million), a_case(n, million, sorted_int32)};
  }
  return {a_case(n, 1000), a_case(n, million / 10), a_case(n, million / 10, sorted_int32)};
}

/// Returns cases with every reduction and order on a few shapes, every distribution and type on fewer.
std::vector<Params> awkward_cases() {
  std::vector<Params> cases;
  for (const auto& [n, n_keys] : {std::pair<std::int64_t, std::int64_t>{0, 0},
                                  {0, 5},
                                  {7, 0},
                                  {1, 1},
                                  {31, 3},
                                  {33, 40},
                                  {1025, 32},
                                  {4095, 7},
                                  {4097, 1},
                                  {8191, 1200},
                                  {9001, 600},
                                  {20011, 3}}) {
    for (const char* sorted : {"no", "yes"}) cases.push_back(a_case(n, n_keys, {{"sorted", sorted}}));
  }
  for (const char* reduce : {"mean", "min", "max"}) {
    for (const char* sorted : {"no", "yes"}) {
      cases.push_back(a_case(4099, 100, {{"sorted", sorted}, {"reduce", reduce}, {"details", "yes"}}));
      cases.push_back(a_case(999, 1500, {{"sorted", sorted}, {"reduce", reduce}, {"details", "yes"}}));
    }
  }
  for (const char* spread : {"skewed", "equal", "distinct", "strays"}) {
    for (const char* sorted : {"no", "yes"}) {
      cases.push_back(a_case(9001, 300, {{"sorted", sorted}, {"spread", spread}}));
      cases.push_back(a_case(3001, 3500, {{"sorted", sorted}, {"spread", spread}, {"index", "int32"}}));
    }
  }
  for (const char* dtype : {"float64", "int32", "int64"}) {
    for (const char* reduce : {"sum", "mean", "min", "max"}) {
      for (const char* sorted : {"no", "yes"}) {
        for (const char* index : {"int32", "int64"}) {
          const bool is_wide = std::string_view(index) == "int64";
          cases.push_back(a_case(is_wide ? 5003 : 2049, is_wide ? 77 : 2500,
                                 {{"sorted", sorted},
                                  {"reduce", reduce},
                                  {"index", index},
                                  {"details", "yes"},
                                  {"spread", "strays"},
                                  {"dtype", dtype}}));
        }
      }
    }
  }
  // Few cases of 16 bits: they are reduced as float32 by the same kernels.
  for (const char* sorted : {"no", "yes"}) {
    cases.push_back(a_case(4099, 77, {{"sorted", sorted}, {"spread", "skewed"}, {"dtype", "float16"}}));
    cases.push_back(a_case(999, 1500, {{"sorted", sorted}, {"index", "int32"}, {"dtype", "bfloat16"}}));
  }
  for (const char* reduce : {"mean", "min", "max"}) {
    const char* sorted = std::string_view(reduce) == "min" ? "yes" : "no";
    cases.push_back(a_case(
        2049, 77,
        {{"sorted", sorted}, {"reduce", reduce}, {"details", "yes"}, {"spread", "strays"}, {"dtype", "bfloat16"}}));
  }
  for (const std::int64_t n_keys : {1, 1000, 30000, 200000}) {  // too long for the executor
    for (const char* sorted : {"no", "yes"}) cases.push_back(a_case(300007, n_keys, {{"sorted", sorted}}));
  }
  return cases;
}

}  // namespace

const Workload& workload() {
  static const Workload contract{
      .name = family,
      .summary = "sums, means, minima or maxima of the elements of each key",
      .parameters = {{"n", "number of elements", std::int64_t{1} << 24, true},
                     {"keys", "number of keys", std::int64_t{1000}, true},
                     {"sorted", "whether equal keys are adjacent", "no", false, {"no", "yes"}},
                     dtype_parameter(ScatterKeyTypes{}, "index", "type of the keys"),
                     {"reduce", "the reduction of a key's elements", "sum", false, {"sum", "mean", "min", "max"}},
                     {"spread",
                      "distribution of the keys",
                      "uniform",
                      false,
                      {"uniform", "skewed", "equal", "distinct", "strays"}},
                     {"details", "whether to compute counts and arguments", "no", false, {"no", "yes"}},
                     dtype_parameter(ScatterTypes{})},
      .rungs = RAFTER_LIST_LADDER(SCATTER_LADDER),
      .standard_cases = standard_cases,
      .awkward_cases = awkward_cases,
      .huge_cases =
          [] {
            const std::int64_t n = (std::int64_t{1} << 31) + 11;
            return std::vector<Params>{a_case(n, 1000, {{"index", "int32"}}), a_case(n, 1000000, sorted_int32)};
          },
      .make_case = CasesOf<ScatterCase, ScatterTypes, ScatterKeyTypes>::make,
      .bytes_per_input_set =
          [](const Params& params) {
            const auto n = static_cast<double>(params.integer("n"));
            const auto n_keys = static_cast<double>(params.integer("keys"));
            return n * (element_bytes(params) + element_bytes(params, "index")) + n_keys * (element_bytes(params) + 16);
          },
      .adopt = Adopt<ScatterRung>{},
  };
  return contract;
}

}  // namespace rafter::scatter_ladder
