// scan: the contract, and the ladder.
#include "core/arithmetic.hpp"
#include "lab/cases/case_arrays.hpp"
#include "lab/cases/compensated_sum.hpp"
#include "lab/workload/dtypes.hpp"
#include "lab/workload/ladder.hpp"
#include "scan/scan_rung.hpp"

#define SCAN_LADDER(RUNG, OP, PEER)                                                                                    \
  RUNG(cpu, plain, "One element after the other: every sum waits for the one before it.")                              \
  RUNG(cpu, simd, "Two shifted additions scan four elements: one addition in four waits.")                             \
  OP(cpu, two_phases, "A cached chunk per thread: all add up theirs, then all write theirs; memory is read once.")     \
  PEER(cpu, std_scan, TBB, "std::inclusive_scan and std::exclusive_scan with par, over TBB.")                          \
  RUNG(cuda, one_block, "One block walks the array and carries the sum along: nobody waits, and nobody helps.")        \
  RUNG(cuda, three_phase, "Sums of tiles, running sums of those, running sums within tiles: the array is read twice.") \
  OP(cuda, look_back, "Each tile finds the sum of all before it in what they have published: the array is read once.") \
  PEER(cuda, cub_scan, CUB, "cub::DeviceScan.")

namespace rafter::scan_ladder {
RAFTER_DECLARE_LADDER(ScanRung, SCAN_LADDER)
}  // namespace rafter::scan_ladder

namespace rafter::lab {

namespace {

using namespace scan_ladder;
const std::string family = "scan";

constexpr std::int64_t part_elements = 1 << 18;

/// The sum of an array and of its magnitudes up to a place, as exactly as double can say.
struct Place {
  CompensatedSum sum;
  CompensatedSum magnitude;

  void add(double x) {
    sum.add(x);
    magnitude.add(std::abs(x));
  }
};

/// What stands before each part of an input set.
template <class T>
std::vector<Place> places_of(const Input<T>& in, int set, std::int64_t n) {
  std::vector<Place> places(static_cast<std::size_t>(ceil_div(n, part_elements)) + 1);
#pragma omp parallel for schedule(dynamic)
  for (std::int64_t first = 0; first < n; first += part_elements) {
    Place& after = places[static_cast<std::size_t>(first / part_elements) + 1];
    for (std::int64_t i = first; i < std::min(first + part_elements, n); ++i) {
      after.add(static_cast<double>(in.element(set, i)));
    }
  }
  for (std::size_t i = 1; i < places.size(); ++i) {
    places[i].sum.add(places[i - 1].sum);
    places[i].magnitude.add(places[i - 1].magnitude);
  }
  return places;
}

template <class T>
class ScanCase final : public CaseFor<ScanArgs<T>> {
 public:
  ScanCase(const Params& params, const Stream& stream, const CaseOptions& options)
      : CaseFor<ScanArgs<T>>(stream, options),
        n_(params.integer("n")),
        kind_(params.word("kind") == "inclusive" ? ScanKind::inclusive : ScanKind::exclusive) {
    for (int set = 0; set < options.n_input_sets; ++set) places_.push_back(places_of<T>(in_, set, n_));
  }

  static bool fits(const Params& params) { return is_dtype<T>(params); }

  Cost cost() const override {
    const auto n = static_cast<double>(n_);
    return {.bytes_read = n * sizeof(T), .bytes_written = n * sizeof(T), .operations = operations_in<T>(n)};
  }

  ScanArgs<T> args(int set) override { return {in_.span(set), kind_, out_.span()}; }

 private:
  // As for sum: whole numbers exactly, the others within 4 eps of the magnitudes so far.
  Comparison compare_results(int set) const override {
    const std::span<const T> out = out_.on_host();
    std::vector<Comparison> parts(static_cast<std::size_t>(ceil_div(n_, part_elements)));
#pragma omp parallel for schedule(dynamic)
    for (std::size_t part = 0; part < parts.size(); ++part) parts[part] = compare_part(out, set, part);
    Comparison all = parts.front();
    for (std::size_t part = 1; part < parts.size(); ++part) all.add(parts[part]);
    return all;
  }

  Comparison compare_part(std::span<const T> out, int set, std::size_t part) const {
    const std::int64_t first = static_cast<std::int64_t>(part) * part_elements;
    const std::int64_t length = std::min(part_elements, n_ - first);
    Place place = places_[static_cast<std::size_t>(set)][part];
    std::vector<double> sums;
    std::vector<double> bounds;
    const double factor = in_.is_exact(set) ? 0 : 4 * core::epsilon<T>;
    for (std::int64_t i = first; i < first + length; ++i) {
      if (kind_ == ScanKind::exclusive) sums.push_back(place.sum.value());
      place.add(static_cast<double>(in_.element(set, i)));
      if (kind_ == ScanKind::inclusive) sums.push_back(place.sum.value());
      bounds.push_back(factor * place.magnitude.value());
    }
    return compare<T>(
        out.subspan(static_cast<std::size_t>(first), static_cast<std::size_t>(length)), sums,
        [&](std::int64_t i) { return bounds[static_cast<std::size_t>(i - first)]; }, first);
  }

  std::int64_t n_;
  ScanKind kind_;
  Input<T> in_{*this, "in", n_};
  Output<T> out_{*this, "out", n_};
  std::vector<std::vector<Place>> places_;  // [input set][part]
};

std::vector<Params> sizes(std::initializer_list<std::int64_t> all, const std::string& kind = "exclusive",
                          const std::string& dtype = "float32") {
  std::vector<Params> cases;
  for (const std::int64_t n : all) cases.push_back({{"n", n}, {"kind", kind}, {"dtype", dtype}});
  return cases;
}

std::vector<Params> standard_cases(Device device, Effort effort) {
  constexpr std::int64_t one = 1;
  if (device == Device::cuda) return effort == Effort::quick ? sizes({one << 24}) : sizes({one << 20, one << 28});
  return sizes({one << 24});
}

std::vector<Params> awkward_cases() {
  std::vector<Params> cases;
  const auto add = [&](const std::vector<Params>& more) { cases.insert(cases.end(), more.begin(), more.end()); };
  add(sizes({0, 1, 31, 33, 1023, 1024, 1025, 2049, 4097, 32767, 62001, 270001, (1 << 22) + 4321}));
  add(sizes({1, 2, 1000, 32769, 62497, 262145}, "inclusive"));
  add(sizes({5, 1023, 16385, 31001}, "inclusive", "float64"));
  add(sizes({1, 65, 32000, 40001}, "exclusive", "int32"));
  add(sizes({3, 513, 16001, 31003, 300001}, "inclusive", "int64"));
  return cases;
}

}  // namespace

const Workload& scan_workload() {
  static const Workload workload{
      .name = family,
      .summary = "the running sums of an array",
      .parameters = {{"n", "number of elements", std::int64_t{1} << 24, true},
                     {"kind", "whether a sum includes its own element", "exclusive", false, {"exclusive", "inclusive"}},
                     dtype_parameter(ScanTypes{})},
      .rungs = {RAFTER_LIST_LADDER(SCAN_LADDER)},
      .standard_cases = standard_cases,
      .awkward_cases = awkward_cases,
      .huge_cases = [] { return sizes({(std::int64_t{1} << 31) + 11}); },
      .make_case = CasesOf<ScanCase, ScanTypes>::make,
      .bytes_per_input_set =
          [](const Params& params) { return 2 * static_cast<double>(params.integer("n")) * element_bytes(params); },
      .adopt = Adopt<ScanRung>{},
  };
  return workload;
}

}  // namespace rafter::lab
