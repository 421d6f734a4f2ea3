// scan: the workload's contract and its ladder.
#include <utility>

#include "library/core/arithmetic.hpp"
#include "scan/scan_answers.hpp"
#include "scan/scan_rung.hpp"
#include "workbench/lab/cases/family.hpp"

#define SCAN_LADDER(RUNG, OP, PEER)                                                                                    \
  RUNG(cpu, plain, "One element at a time: every sum waits for the previous one.")                                     \
  RUNG(cpu, simd, "Two shifted additions scan four elements: one addition in four waits.")                             \
  OP(cpu, two_phases, "A cached chunk per thread: all sum theirs, then all write theirs; memory is read once.")        \
  PEER(cpu, std_scan, TBB, "std::inclusive_scan and std::exclusive_scan with par, over TBB.")                          \
  RUNG(cuda, one_block,                                                                                                \
       "One block iterates over the array and carries the sum along: the other multiprocessors idle.")                 \
  RUNG(cuda, three_phase, "Sums of tiles, running sums of those, running sums within tiles: the array is read twice.") \
  OP(cuda, look_back, "Each tile adds up the sums that the tiles before it have published: the array is read once.")   \
  PEER(cuda, cub_scan, CUB, "cub::DeviceScan.")

namespace rafter::scan_ladder {

RAFTER_DECLARE_LADDER(ScanRung, SCAN_LADDER)

namespace {

using namespace lab;
const std::string family = "scan";

template <class T>
class ScanCase final : public CaseFor<ScanArgs<T>> {
 public:
  ScanCase(const Params& params, const Stream& stream, const CaseOptions& options)
      : CaseFor<ScanArgs<T>>(stream, options),
        n_(params.integer("n")),
        kind_(params.word("kind") == "inclusive" ? ScanKind::inclusive : ScanKind::exclusive) {
    for (int set = 0; set < options.n_input_sets; ++set) places_.push_back(places_of(set));
  }

  static bool fits(const Params& params) { return is_dtype<T>(params); }

  Cost cost() const override {
    const auto n = static_cast<double>(n_);
    return {.bytes_read = n * sizeof(T), .bytes_written = n * sizeof(T), .operations = operations_in<T>(n)};
  }

  ScanArgs<T> args(int set) override { return {in_.span(set), kind_, out_.span()}; }

 private:
  // As for sum: whole numbers exactly, others within 4 eps of the magnitudes so far.
  Comparison compare_results(int set) const override {
    const CompareScanPart<T> compare{parts(set), kind_, in_.is_exact(set) ? 0 : 4 * core::epsilon<T>,
                                     places_[static_cast<std::size_t>(set)].data(), out_.loop_data()};
    return compare_parts(loop_stream(this->stream()), n_, compare.parts.count(), compare);
  }

  InputParts<T> parts(int set) const { return {in_.generator(set), n_}; }

  /// Returns the exact sums before each part of an input set.
  Buffer<ExactSum> places_of(int set) const {
    const Stream where = loop_stream(this->stream());
    std::vector<ExactSum> places = map_indices(where, parts(set).count(), SumPart<T>{parts(set)});
    ExactSum sum;
    for (ExactSum& place : places) {
      const ExactSum part = std::exchange(place, sum);
      sum.add(part);
    }
    return {where, places};
  }

  std::int64_t n_;
  ScanKind kind_;
  Input<T> in_{*this, "in", n_};
  Output<T> out_{*this, "out", n_};
  std::vector<Buffer<ExactSum>> places_;  // [input set][part]
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

const Workload& workload() {
  static const Workload contract{
      .name = family,
      .summary = "the running sums of an array",
      .parameters = {{"n", "number of elements", std::int64_t{1} << 24, true},
                     {"kind", "whether a sum includes its own element", "exclusive", false, {"exclusive", "inclusive"}},
                     dtype_parameter(ScanTypes{})},
      .rungs = RAFTER_LIST_LADDER(SCAN_LADDER),
      .standard_cases = standard_cases,
      .awkward_cases = awkward_cases,
      .huge_cases = [] { return sizes({(std::int64_t{1} << 31) + 11}); },
      .make_case = CasesOf<ScanCase, ScanTypes>::make,
      .bytes_per_input_set =
          [](const Params& params) { return 2 * static_cast<double>(params.integer("n")) * element_bytes(params); },
      .adopt = Adopt<ScanRung>{},
  };
  return contract;
}

}  // namespace rafter::scan_ladder
