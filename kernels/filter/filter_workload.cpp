// filter: the contract, and the ladder.
#include <cmath>

#include "core/arithmetic.hpp"
#include "filter/filter_rung.hpp"
#include "lab/cases/case_arrays.hpp"
#include "lab/workload/dtypes.hpp"
#include "lab/workload/ladder.hpp"

#define FILTER_LADDER(RUNG, OP, PEER)                                                                                \
  RUNG(cpu, plain, "A branch per element: guessed wrong half of the time when half are kept.")                       \
  RUNG(cpu, branchless, "Every element is written, the place moves on if it was to be kept: nothing to guess.")      \
  RUNG(cpu, simd, "A mask of four comparisons finds in a table how to move the kept lanes to the front.")            \
  OP(cpu, two_passes, "A cached chunk per thread: all count theirs, then all write theirs; memory is read once.")    \
  PEER(cpu, std_copy_if, TBB, "std::copy_if with par, over TBB.")                                                    \
  RUNG(cuda, atomic_each, "Every kept element takes its place with an atomic of its own: all queue at one address.") \
  RUNG(cuda, warp_aggregated, "A warp takes all its places with one atomic: up to 32 times fewer of them.")          \
  OP(cuda, tile_atomic, "Tiles of 32 KiB are compacted in shared memory: one atomic each, and whole runs written.")  \
  RUNG(cuda, three_kernels, "Counts of tiles, running sums of those, every tile writes: ordered, but read twice.")   \
  OP(cuda, look_back, "Each tile finds its place in the counts that those before it have published: read once.")     \
  PEER(cuda, cub_select, CUB, "cub::DeviceSelect::If.")                                                              \
  PEER(cuda, thrust_copy_if, CUB, "thrust::copy_if, which waits for the count.")

namespace rafter::filter_ladder {
RAFTER_DECLARE_LADDER(FilterRung, FILTER_LADDER)
}  // namespace rafter::filter_ladder

namespace rafter::lab {

namespace {

using namespace filter_ladder;
const std::string family = "filter";

constexpr std::int64_t part_elements = 1 << 18;
constexpr double integer_range = 1 << 30;

/// Evenly spread over (-1, 1), or for integers over (-2^30, 2^30).
template <class T>
struct Spread {
  std::uint64_t seed = 0;

  double operator()(std::int64_t index) const {
    const std::uint64_t bits = random_bits(seed, index);
    const double share = (static_cast<double>(bits >> 12) + 0.5) / static_cast<double>(std::uint64_t{1} << 52);
    const double signed_share = (bits & 1) != 0 ? share : -share;
    return std::is_integral_v<T> ? std::trunc(signed_share * integer_range) : signed_share;
  }
};

/// A sum of these is the same in any order, and another for almost any other elements.
template <class T>
std::uint64_t fingerprint(T x) {
  std::uint64_t bits = 0;
  std::memcpy(&bits, &x, sizeof x);
  return mix(bits);
}

template <class T>
class FilterCase final : public CaseFor<FilterArgs<T>> {
 public:
  FilterCase(const Params& params, const Stream& stream, const CaseOptions& options)
      : CaseFor<FilterArgs<T>>(stream, options),
        n_(params.integer("n")),
        order_(params.word("order") == "any" ? FilterOrder::any : FilterOrder::preserved),
        bound_(static_cast<T>(params.real("keep") * (std::is_integral_v<T> ? integer_range : 1))) {
    for (int set = 0; set < options.n_input_sets; ++set) places_.push_back(places_of(set));
  }

  static bool fits(const Params& params) { return is_dtype<T>(params); }

  Cost cost() const override {
    const auto n = static_cast<double>(n_);
    const auto n_kept = static_cast<double>(places_.front().back());
    return {.bytes_read = n * sizeof(T), .bytes_written = n_kept * sizeof(T) + 8, .operations = operations_in<T>(n)};
  }

  FilterArgs<T> args(int set) override {
    const Predicate<T> keep{CompareOp::less, bound_, CompareOperand::magnitude};
    return {in_.span(set), keep, order_, out_.span(), count_.data()};
  }

 private:
  Comparison compare_results(int set) const override {
    const std::int64_t n_kept = places_[static_cast<std::size_t>(set)].back();
    Comparison result = compare_equal<std::int64_t>(count_.on_host(), [&](std::int64_t) { return n_kept; });
    if (result.ok() && n_ > 0) result.add(compare_output(out_.on_host(), set));
    return result;
  }

  bool is_kept(T x) const { return std::abs(x) < bound_; }

  /// How many are kept of all parts before each, and of all.
  std::vector<std::int64_t> places_of(int set) const {
    std::vector<std::int64_t> places(static_cast<std::size_t>(ceil_div(n_, part_elements)) + 1);
#pragma omp parallel for schedule(dynamic)
    for (std::int64_t first = 0; first < n_; first += part_elements) {
      std::int64_t n_kept = 0;
      for (std::int64_t i = first; i < std::min(first + part_elements, n_); ++i) {
        n_kept += is_kept(in_.element(set, i)) ? 1 : 0;
      }
      places[static_cast<std::size_t>(first / part_elements) + 1] = n_kept;
    }
    for (std::size_t i = 1; i < places.size(); ++i) places[i] += places[i - 1];
    return places;
  }

  /// In order, element by element; in any order, by what the elements' fingerprints add up to. The rest of the output
  /// must be as it was.
  Comparison compare_output(std::span<const T> out, int set) const {
    const std::vector<std::int64_t>& places = places_[static_cast<std::size_t>(set)];
    const auto n_parts = static_cast<std::int64_t>(places.size()) - 1;
    std::vector<Comparison> parts(static_cast<std::size_t>(n_parts));
    std::uint64_t expected_sum = 0;
#pragma omp parallel for schedule(dynamic) reduction(+ : expected_sum)
    for (std::int64_t part = 0; part < n_parts; ++part) {
      std::vector<T> kept;
      for (std::int64_t i = part * part_elements; i < std::min((part + 1) * part_elements, n_); ++i) {
        const T x = in_.element(set, i);
        if (is_kept(x)) kept.push_back(x);
      }
      for (const T x : kept) expected_sum += fingerprint(x);
      if (order_ == FilterOrder::preserved)
        parts[static_cast<std::size_t>(part)] = compare_kept(out, kept, places, part);
    }
    const auto n_kept = static_cast<std::size_t>(places.back());
    T untouched;
    std::memset(&untouched, 0xff, sizeof untouched);  // GuardedArray's poison
    Comparison all;
    for (const Comparison& part : parts) all.add(part);
    if (order_ == FilterOrder::any) all.add(compare_sums(out.first(n_kept), expected_sum));
    if (n_kept < out.size()) all.add(compare_equal<T>(out.subspan(n_kept), [&](std::int64_t) { return untouched; }));
    return all;
  }

  static Comparison compare_kept(std::span<const T> out, const std::vector<T>& kept,
                                 const std::vector<std::int64_t>& places, std::int64_t part) {
    if (kept.empty()) return {};
    const std::int64_t first = places[static_cast<std::size_t>(part)];
    Comparison result = compare_equal<T>(out.subspan(static_cast<std::size_t>(first), kept.size()),
                                         [&](std::int64_t i) { return kept[static_cast<std::size_t>(i)]; });
    result.first.index += result.n_wrong > 0 ? first : 0;
    result.worst.index += result.n_wrong > 0 ? first : 0;
    return result;
  }

  Comparison compare_sums(std::span<const T> kept, std::uint64_t expected_sum) const {
    const std::int64_t n = std::ssize(kept);
    std::uint64_t sum = 0;
    std::int64_t n_foreign = 0;
#pragma omp parallel for schedule(static) reduction(+ : sum, n_foreign)
    for (std::int64_t i = 0; i < n; ++i) {
      const T x = kept[static_cast<std::size_t>(i)];
      sum += fingerprint(x);
      n_foreign += is_kept(x) ? 0 : 1;
    }
    Comparison result;
    result.n_compared = n;
    if (n_foreign > 0) result.complaint = std::to_string(n_foreign) + " elements that should not have been kept";
    if (n_foreign == 0 && sum != expected_sum) result.complaint = "the elements kept are not those of the input";
    return result;
  }

  std::int64_t n_;
  FilterOrder order_;
  T bound_;
  Input<T, Spread<T>> in_{*this, "in", n_};
  Output<T> out_{*this, "out", n_};
  Output<std::int64_t> count_{*this, "count", 1};
  std::vector<std::vector<std::int64_t>> places_;  // [input set][part]
};

Params a_case(std::int64_t n, double keep, const std::string& order = "kept", const std::string& dtype = "float32") {
  return {{"n", n}, {"keep", keep}, {"order", order}, {"dtype", dtype}};
}

std::vector<Params> standard_cases(Device device, Effort effort) {
  constexpr std::int64_t one = 1;
  if (device != Device::cuda) return {a_case(one << 24, 0.5)};
  if (effort == Effort::quick) return {a_case(one << 24, 0.5), a_case(one << 24, 0.5, "any")};
  return {a_case(one << 28, 0.01), a_case(one << 28, 0.5), a_case(one << 28, 0.9), a_case(one << 28, 0.5, "any")};
}

std::vector<Params> awkward_cases() {
  std::vector<Params> cases;
  for (const char* order : {"kept", "any"}) {
    for (const std::int64_t n : {0, 1, 31, 33, 1023, 1025, 32767, 62001}) cases.push_back(a_case(n, 0.5, order));
    for (const double keep : {0., 0.01, 0.9, 1.}) cases.push_back(a_case(33001, keep, order));
    cases.push_back(a_case(16500, 0.3, order, "float64"));
    cases.push_back(a_case(40001, 0.7, order, "int32"));
    cases.push_back(a_case(20011, 0.5, order, "int64"));
    cases.push_back(a_case(300001, 0.95, order, "float64"));
  }
  cases.push_back(a_case((1 << 22) + 4321, 0.4));  // more than two groups of tiles
  return cases;
}

}  // namespace

const Workload& filter_workload() {
  static const Workload workload{
      .name = family,
      .summary = "the elements whose magnitude is below a bound",
      .parameters = {{"n", "number of elements", std::int64_t{1} << 24, true},
                     {"keep", "share of the elements that are kept", 0.5},
                     {"order", "whether the kept ones stay in order", "kept", false, {"kept", "any"}},
                     dtype_parameter(FilterTypes{})},
      .rungs = {RAFTER_LIST_LADDER(FILTER_LADDER)},
      .standard_cases = standard_cases,
      .awkward_cases = awkward_cases,
      .huge_cases =
          [] {
            constexpr std::int64_t n = (std::int64_t{1} << 31) + 11;
            return std::vector{a_case(n, 0.5), a_case(n, 0.5, "any")};
          },
      .make_case = CasesOf<FilterCase, FilterTypes>::make,
      .bytes_per_input_set =
          [](const Params& params) { return 2 * static_cast<double>(params.integer("n")) * element_bytes(params); },
      .adopt = Adopt<FilterRung>{},
  };
  return workload;
}

}  // namespace rafter::lab
