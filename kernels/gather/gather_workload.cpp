// gather: the workload's contract and its ladder.
#include <limits>

#include "gather/gather_answers.hpp"
#include "gather/gather_rung.hpp"
#include "library/core/stream/pointers.hpp"
#include "rafter/error.hpp"
#include "workbench/lab/cases/family.hpp"

#define GATHER_LADDER(RUNG, OP, PEER)                                                                                \
  RUNG(cpu, plain, "One index at a time: a core has only a handful of misses in flight at once.")                    \
  RUNG(cpu, threads, "One contiguous part of the indices per thread: all cores wait for memory at once.")            \
  OP(cpu, prefetching, "Elements are prefetched, or gathered in groups: more lines are in flight.")                  \
  PEER(cpu, std_transform, TBB, "std::transform with par_unseq, over TBB; reports nothing.")                         \
  RUNG(cuda, thread_per_index, "Each thread waits for its index and then for its element, with nothing else to do.") \
  RUNG(cuda, several_in_flight, "Eight indices per thread: two memory round trips serve eight elements.")            \
  RUNG(cuda, streamed, "Wide accesses that are used once are evicted first: the table stays in the L2.")             \
  RUNG(cuda, sweep, "All blocks sweep over the table together, region by region: what is in use fits in the L2.")    \
  OP(cuda, by_table, "The sweep for tables larger than the L2, the streaming gather for others.")                    \
  PEER(cuda, thrust_gather, CUB, "thrust::gather, which checks no bounds.")

namespace rafter::gather_ladder {

RAFTER_DECLARE_LADDER(GatherRung, GATHER_LADDER)

namespace {

using namespace lab;
const std::string family = "gather";

OutOfRange::Kind out_of_range_kind(const Params& params) {
  const std::string& word = params.word("bounds");
  if (word == "clamp") return OutOfRange::Kind::clamp;
  if (word == "zero") return OutOfRange::Kind::zero;
  return word == "trust" ? OutOfRange::Kind::trust : OutOfRange::Kind::report;
}

void require_possible(const Params& params, std::int64_t most_index) {
  const std::int64_t n_table = params.integer("table");
  const bool all_good = params.integer("n") == 0 || (n_table > 0 && params.real("bad") == 0);
  if (params.word("bounds") == "trust" && !all_good)
    throw Error(ErrorCode::bad_argument, "gather: bounds=trust needs good indices: bad=0 and a table");
  if (params.word("bounds") == "clamp" && n_table == 0 && params.integer("n") > 0)
    throw Error(ErrorCode::bad_argument, "gather: bounds=clamp needs a table that is not empty");
  if (n_table - 1 > most_index)
    throw Error(ErrorCode::bad_argument, "gather: index=" + params.word("index") + " cannot reach all of this table");
}

/// A case for all types of one size: T is an unsigned integer of the element's size.
template <class T, class I>
class GatherCase final : public CaseFor<GatherArgs<T, I>> {
 public:
  GatherCase(const Params& params, const Stream& stream, const CaseOptions& options)
      : CaseFor<GatherArgs<T, I>>(stream, options),
        n_table_((require_possible(params, std::numeric_limits<I>::max()), params.integer("table"))),
        n_(params.integer("n")),
        kind_(out_of_range_kind(params)),
        bad_share_(params.real("bad")) {}

  static bool fits(const Params& params) { return element_bytes(params) == sizeof(T) && is_dtype<I>(params, "index"); }

  Cost cost() const override {
    const auto n = static_cast<double>(n_);
    const double n_good = n * (1 - bad_share_);
    const RandomReads table{n_good, static_cast<double>(n_table_), sizeof(T)};
    const double n_written = kind_ == OutOfRange::Kind::report ? n_good : n;
    return {.bytes_read = n * sizeof(I) + table.bytes_asked(),
            .bytes_written = n_written * sizeof(T),
            .random_reads = table};
  }

  GatherArgs<T, I> args(int set) override {
    return {table_.span(set), indices_.span(set), out_of_range(), out_.span()};
  }

 private:
  OutOfRange out_of_range() {
    switch (kind_) {
      case OutOfRange::Kind::clamp: return OutOfRange::clamp();
      case OutOfRange::Kind::zero: return OutOfRange::zero();
      case OutOfRange::Kind::trust: return OutOfRange::trust();
      default: return OutOfRange::report(core::on_device(bad_.span()));
    }
  }

  Comparison compare_results(int set) const override {
    Comparison result = nothing_to_compare();
    if (n_ > 0) result = out_.compare_with(answer(set));
    if (kind_ == OutOfRange::Kind::report) result.complaint = wrong_report(set);
    return result;
  }

  Gathered<T, I> answer(int set) const { return {table_.generator(set), indices_.generator(set), kind_}; }

  /// Returns an empty string if the report is right, otherwise the difference.
  std::string wrong_report(int set) const {
    std::int64_t count = 0;
    std::int64_t first = -1;
    const BadIndicesOfPart<I> bad_indices{indices_.generator(set), n_};
    for (const BadIndices& part : map_indices(loop_stream(this->stream()), bad_indices.n_parts(), bad_indices)) {
      if (first < 0) first = part.first;
      count += part.count;
    }
    const BadIndices came = bad_.on_host().front();
    if (came.count == count && came.first == first) return {};
    return "it reports " + std::to_string(came.count) + " bad indices, the first at " + std::to_string(came.first) +
           "; there are " + std::to_string(count) + ", the first at " + std::to_string(first);
  }

  std::int64_t n_table_;
  std::int64_t n_;
  OutOfRange::Kind kind_;
  double bad_share_;
  Input<T, TableGenerator<T>> table_{*this, "table", n_table_};
  Input<I, IndexGenerator<I>> indices_{*this, "indices", n_, [&](int, std::uint64_t seed) {
                                         return IndexGenerator<I>{seed, n_table_, bad_share_};
                                       }};
  Output<T> out_{*this, "out", n_, Writes::some};
  Output<BadIndices> bad_{*this, "report", 1, Writes::some};
};

Params with(std::int64_t n_table, std::int64_t n, const std::string& bounds, const std::string& index = "int64",
            const std::string& dtype = "float32", double bad = 0) {
  return {{"table", n_table}, {"n", n}, {"index", index}, {"bounds", bounds}, {"dtype", dtype}, {"bad", bad}};
}

std::vector<Params> standard_cases(Device device, Effort effort) {
  constexpr std::int64_t one = 1;
  if (device == Device::cuda) {
    if (effort == Effort::quick) return {with(one << 22, one << 24, "report")};
    return {with(one << 24, one << 26, "report"), with(one << 24, one << 26, "trust"),
            with(one << 20, one << 26, "report", "int32")};
  }
  if (effort == Effort::quick) return {with(one << 20, one << 22, "report")};
  return {with(one << 22, one << 24, "report")};
}

std::vector<Params> awkward_cases() {
  std::vector<Params> cases;
  // Sizes around groups, warps and tiles.
  for (const std::int64_t n : {0, 1, 2, 3, 7, 31, 32, 33, 1023, 1025, 2047, 2048, 2049, 8209})
    cases.push_back(with(997, n, "report", "int64", "float32", 0.1));
  // Every type with every policy.
  for (const char* index : {"int64", "int32"}) {
    for (const std::string& dtype : dtype_names(GatherTypes{})) {
      for (const char* bounds : {"report", "clamp", "zero"})
        cases.push_back(with(333, 4099, bounds, index, dtype, 0.2));
      cases.push_back(with(333, 4099, "trust", index, dtype));
    }
  }
  // All good, all bad, tables of one element and empty ones; a large one for devices that are fast enough.
  for (const char* bounds : {"report", "clamp", "zero", "trust"}) {
    const double bad = std::string(bounds) == "trust" ? 0 : 1;
    cases.push_back(with(1, 100, bounds, "int64", "float32", bad / 2));
    cases.push_back(with(4096, 3001, bounds));
    cases.push_back(with(4096, 3001, bounds, "int32", "float64", bad));
    cases.push_back(with(0, 0, bounds));
    cases.push_back(with(99991, 1048583, bounds, "int64", "float32", bad / 1000));
    cases.push_back(with(99991, 1048583, bounds, "int32", "bfloat16", bad / 1000));
  }
  cases.push_back(with(0, 5000, "report"));
  cases.push_back(with(0, 5000, "zero"));
  return cases;
}

std::vector<Params> huge_cases() {
  constexpr std::int64_t past = (std::int64_t{1} << 31) + 11;
  return {with(past, 1 << 20, "report"), with(1 << 20, past, "report", "int32", "float32", 1e-9)};
}

}  // namespace

const Workload& workload() {
  static const Workload contract{
      .name = family,
      .summary = "elements of a table by index, with a policy for bad indices",
      .parameters =
          {{"table", "number of elements of the table", std::int64_t{1} << 22, true},
           {"n", "number of indices", std::int64_t{1} << 24, true},
           dtype_parameter(GatherIndexTypes{}, "index", "index type"),
           {"bounds", "what a bad index does", std::string("report"), false, {"report", "clamp", "zero", "trust"}},
           dtype_parameter(GatherTypes{}),
           {"bad", "share of bad indices, 0 to 1", 0.0}},
      .rungs = RAFTER_LIST_LADDER(GATHER_LADDER),
      .standard_cases = standard_cases,
      .awkward_cases = awkward_cases,
      .huge_cases = huge_cases,
      .make_case = CasesOf<GatherCase, core::BitsTypes, GatherIndexTypes>::make,
      .bytes_per_input_set =
          [](const Params& params) {
            const auto n = static_cast<double>(params.integer("n"));
            const auto n_table = static_cast<double>(params.integer("table"));
            const double n_elements = n_table + 2 * n;  // the output is copied for the comparison
            return n_elements * element_bytes(params) + n * element_bytes(params, "index");
          },
      .adopt = Adopt<GatherRung>{},
  };
  return contract;
}

}  // namespace rafter::gather_ladder
