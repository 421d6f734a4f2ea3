// filter: the workload's contract and its ladder.
#include <algorithm>

#include "filter/filter_answers.hpp"
#include "filter/filter_rung.hpp"
#include "library/core/arithmetic.hpp"
#include "workbench/lab/cases/family.hpp"

#define FILTER_LADDER(RUNG, OP, PEER)                                                                             \
  RUNG(cpu, plain, "A branch per element: mispredicted half of the time when half are kept.")                     \
  RUNG(cpu, branchless, "Every element is written, the index advances past kept ones only: no branch.")           \
  RUNG(cpu, simd, "The mask of a vector's comparisons selects the shuffle that compacts it.")                     \
  OP(cpu, two_passes, "A cached chunk per thread: kept elements marked as bits, then written; memory read once.") \
  PEER(cpu, std_copy_if, TBB, "std::copy_if with par, over TBB.")                                                 \
  RUNG(cuda, atomic_each, "One atomic addition per kept element gives its index: all serialise at one address.")  \
  RUNG(cuda, warp_aggregated, "One atomic addition per warp: up to 32 times fewer of them.")                      \
  OP(cuda, tile_atomic, "Tiles of 36 KiB are compacted in shared memory: one atomic each, contiguous writes.")    \
  RUNG(cuda, three_kernels, "Count per tile, scan of the counts, write per tile: ordered, but read twice.")       \
  OP(cuda, look_back, "Decoupled look-back: a tile's offset from the counts of earlier tiles; read once.")        \
  PEER(cuda, cub_select, CUB, "cub::DeviceSelect::If.")                                                           \
  PEER(cuda, thrust_copy_if, CUB, "thrust::copy_if, which waits for the count.")

namespace rafter::filter_ladder {

RAFTER_DECLARE_LADDER(FilterRung, FILTER_LADDER)

namespace {

using namespace lab;
const std::string family = "filter";

FilterOrder order_of(const Params& params) {
  return params.word("order") == "any" ? FilterOrder::any : FilterOrder::preserved;
}

/// Returns the bound of the magnitudes that are kept.
template <class T>
T bound_of(const Params& params) {
  return static_cast<T>(params.real("keep") * (std::is_integral_v<T> ? filter_integer_range : 1));
}

/// A case for what is written of a kept element: Elements or Columns.
template <class T, class What>
class FilterCase;

template <class T>
class FilterCase<T, Elements> final : public CaseFor<FilterArgs<T>> {
 public:
  FilterCase(const Params& params, const Stream& stream, const CaseOptions& options)
      : CaseFor<FilterArgs<T>>(stream, options),
        n_(params.integer("n")),
        order_(order_of(params)),
        bound_(bound_of<T>(params)) {
    for (int set = 0; set < options.n_input_sets; ++set) answers_.push_back(answer_of(set));
  }

  static bool fits(const Params& params) { return is_dtype<T>(params) && params.word("writes") == "elements"; }

  Cost cost() const override {
    const auto n = static_cast<double>(n_);
    const auto n_kept = static_cast<double>(answers_.front().kept.n);
    return {.bytes_read = n * sizeof(T), .bytes_written = n_kept * sizeof(T) + 8, .operations = operations_in<T>(n)};
  }

  FilterArgs<T> args(int set) override {
    const Predicate<T> keep{CompareOp::less, bound_, CompareOperand::magnitude};
    return {in_.span(set), keep, order_, out_.span(), count_.data()};
  }

 private:
  /// The kept elements of an input set, and the number kept before each part.
  struct Answer {
    KeptElements kept;
    Buffer<std::int64_t> n_before;
  };

  Answer answer_of(int set) const {
    const Stream where = loop_stream(this->stream());
    KeptElements kept;
    std::vector<std::int64_t> n_before;
    for (const KeptElements& part : map_indices(where, n_parts(n_), KeptOfPart<T>{{n_, bound_}, in_.generator(set)})) {
      n_before.push_back(kept.n);
      kept.add(part);
    }
    return {kept, {where, n_before}};
  }

  static std::int64_t n_parts(std::int64_t n) { return ceil_div(n, filter_part_elements); }

  /// Compares the count and the kept elements, and checks that the rest of the output is unchanged.
  Comparison compare_results(int set) const override {
    const Answer& answer = answers_[static_cast<std::size_t>(set)];
    const std::int64_t n_kept = answer.kept.n;
    Comparison result = count_.compare_with([&](std::int64_t) { return n_kept; });
    if (!result.ok()) return result;
    result.add(order_ == FilterOrder::preserved ? compare_in_order(answer, set) : compare_in_any_order(answer.kept));
    if (n_kept < n_) {
      const T* rest = out_.loop_data() + n_kept;
      result.add(compare_elements(loop_stream(this->stream()), rest, n_ - n_kept, Untouched<T>{}));
    }
    return result;
  }

  Comparison compare_in_order(const Answer& answer, int set) const {
    const CompareKeptOfPart<T> compare{{n_, bound_}, in_.generator(set), answer.n_before.data(), out_.loop_data()};
    return compare_parts(loop_stream(this->stream()), answer.kept.n, n_parts(n_), compare);
  }

  Comparison compare_in_any_order(const KeptElements& expected) const {
    KeptElements came;
    const ElementsOfPart<T> elements{{expected.n, bound_}, out_.loop_data()};
    for (const KeptElements& part : map_indices(loop_stream(this->stream()), n_parts(expected.n), elements))
      came.add(part);
    Comparison result;
    result.n_compared = came.n;
    if (came.n_foreign > 0) {
      result.complaint = std::to_string(came.n_foreign) + " elements do not satisfy the predicate";
    } else if (came.fingerprints != expected.fingerprints) {
      result.complaint = "the output's elements are not the kept elements of the input";
    }
    return result;
  }

  std::int64_t n_;
  FilterOrder order_;
  T bound_;
  Input<T, EvenlySpread<T>> in_{*this, "in", n_};
  Output<T> out_{*this, "out", n_, Writes::some};
  Output<std::int64_t> count_{*this, "count", 1};
  std::vector<Answer> answers_;  // one per input set
};

/// Elements that are unique, so that an output in any order shows the index of each.
struct Numbered {
  std::uint64_t seed = 0;
  constexpr std::int64_t first() const { return static_cast<std::int64_t>(seed % 1000); }
  constexpr double operator()(std::int64_t index) const { return static_cast<double>(first() + index); }
};

/// Writes the indices of kept keys, or three columns: the keys, one of 2-byte and one of 8-byte elements.
template <class T>
class FilterCase<T, Columns> final : public CaseFor<FilterArgs<T, Columns>> {
 public:
  FilterCase(const Params& params, const Stream& stream, const CaseOptions& options)
      : CaseFor<FilterArgs<T, Columns>>(stream, options),
        n_(params.integer("n")),
        order_(order_of(params)),
        bound_(bound_of<T>(params)),
        has_columns_(params.word("writes") == "columns"),
        kept_(options) {}

  static bool fits(const Params& params) { return is_dtype<T>(params) && params.word("writes") != "elements"; }

  Cost cost() const override {
    const auto n = static_cast<double>(n_);
    const auto n_kept = static_cast<double>(kept(0).size());
    const double bytes_read = has_columns_ ? sizeof(Half) + sizeof(std::int64_t) : 0;  // per kept element
    const double bytes_written = has_columns_ ? sizeof(T) + bytes_read : sizeof(std::int64_t);
    return {.bytes_read = n * sizeof(T) + n_kept * bytes_read,
            .bytes_written = n_kept * bytes_written + 8,
            .operations = operations_in<T>(n)};
  }

  FilterArgs<T, Columns> args(int set) override {
    const Predicate<T> keep{CompareOp::less, bound_, CompareOperand::magnitude};
    KeptColumns columns{{{nullptr, longs_out_.data(), 8}}, 1, n_};
    if (has_columns_) {
      columns = {{{in_.span(set).data(), keys_out_.data(), sizeof(T)},
                  {halves_.span(set).data(), halves_out_.data(), 2},
                  {longs_.span(set).data(), longs_out_.data(), 8}},
                 3,
                 n_};
    }
    return {in_.span(set), keep, order_, columns, count_.data()};
  }

 private:
  /// The indices of the keys that are kept, ascending.
  const std::vector<std::int64_t>& kept(int set) const {
    return kept_.of(set, [&] {
      const FilterParts<T> parts{n_, bound_};
      const auto counts = map_indices(loop_stream(this->stream()), ceil_div(n_, filter_part_elements),
                                      KeptOfPart<T>{parts, in_.generator(set)});
      std::vector<std::int64_t> places;  // of the first index from each part
      std::int64_t n_kept = 0;
      for (const KeptElements& count : counts) {
        places.push_back(n_kept);
        n_kept += count.n;
      }
      std::vector<std::int64_t> indices(static_cast<std::size_t>(n_kept));
      core::for_each_index(core::default_threads(), std::ssize(counts), [&](std::int64_t part) {
        std::size_t place = static_cast<std::size_t>(places[static_cast<std::size_t>(part)]);
        for (std::int64_t i = parts.first(part); i < parts.end(part); ++i) {
          if (parts.is_kept(in_.element(set, i))) indices[place++] = i;
        }
      });
      return indices;
    });
  }

  /// Compares the count and all columns, and checks that the rest of the outputs is unchanged.
  Comparison compare_results(int set) const override {
    const std::int64_t n_kept = std::ssize(kept(set));
    std::vector<std::int64_t> found;  // of an output in any order
    Comparison result = count_.compare_with([&](std::int64_t) { return n_kept; });
    if (!result.ok() || n_ == 0) return result;
    if (order_ == FilterOrder::any) {
      const auto longs = longs_out_.on_host().first(static_cast<std::size_t>(n_kept));
      found.resize(longs.size());
      const std::int64_t first = has_columns_ ? longs_.generator(set).first() : 0;
      std::transform(longs.begin(), longs.end(), found.begin(), [&](std::int64_t x) { return x - first; });
      std::vector<std::int64_t> sorted = found;
      std::sort(sorted.begin(), sorted.end());
      if (sorted != kept(set)) {
        result.complaint = "the output's elements are not the kept elements of the input";
        return result;
      }
    }
    const std::vector<std::int64_t>& order = order_ == FilterOrder::any ? found : kept(set);
    const auto compare = [&]<class Out>(const Output<Out>& out, const auto& element) {
      result.add(out.compare_with([&](std::int64_t i) {
        return i < n_kept ? element(order[static_cast<std::size_t>(i)]) : Untouched<Out>{}(i);
      }));
    };
    if (!has_columns_) {
      compare(longs_out_, [](std::int64_t index) { return index; });
      return result;
    }
    compare(keys_out_, [&](std::int64_t index) { return in_.element(set, index); });
    compare(halves_out_, [&](std::int64_t index) { return halves_.element(set, index); });
    compare(longs_out_, [&](std::int64_t index) { return longs_.element(set, index); });
    return result;
  }

  std::int64_t n_;
  FilterOrder order_;
  T bound_;
  bool has_columns_;
  KeptAnswers<std::vector<std::int64_t>> kept_;
  Input<T, EvenlySpread<T>> in_{*this, "in", n_};
  Input<Half> halves_{*this, "halves", has_columns_ ? n_ : 0};
  Input<std::int64_t, Numbered> longs_{*this, "longs", has_columns_ ? n_ : 0};
  Output<T> keys_out_{*this, "keys_out", has_columns_ ? n_ : 0, Writes::some};
  Output<Half> halves_out_{*this, "halves_out", has_columns_ ? n_ : 0, Writes::some};
  Output<std::int64_t> longs_out_{*this, "longs_out", n_, Writes::some};
  Output<std::int64_t> count_{*this, "count", 1};
};

Params a_case(std::int64_t n, double keep, const std::string& order = "kept", const std::string& dtype = "float32",
              const std::string& writes = "elements") {
  return {{"n", n}, {"keep", keep}, {"order", order}, {"dtype", dtype}, {"writes", writes}};
}

std::vector<Params> standard_cases(Device device, Effort effort) {
  constexpr std::int64_t one = 1;
  if (device != Device::cuda) return {a_case(one << 24, 0.5)};
  if (effort == Effort::quick) return {a_case(one << 24, 0.5), a_case(one << 24, 0.5, "any")};
  return {a_case(one << 28, 0.01),
          a_case(one << 28, 0.5),
          a_case(one << 28, 0.9),
          a_case(one << 28, 0.5, "any"),
          a_case(one << 28, 0.5, "kept", "float32", "indices"),
          a_case(one << 26, 0.5, "kept", "float32", "columns")};
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
    for (const char* writes : {"indices", "columns"}) {
      for (const std::int64_t n : {0, 1, 33, 1025, 32767}) cases.push_back(a_case(n, 0.5, order, "float32", writes));
      cases.push_back(a_case(16500, 0.9, order, "float64", writes));
      cases.push_back(a_case(5001, 0.1, order, "int32", writes));
      cases.push_back(a_case(70001, 0.4, order, "int64", writes));
    }
  }
  cases.push_back(a_case((1 << 22) + 4321, 0.4));  // more than two groups of tiles
  return cases;
}

}  // namespace

const Workload& workload() {
  static const Workload contract{
      .name = family,
      .summary = "the elements whose magnitude is below a bound",
      .parameters = {{"n", "number of elements", std::int64_t{1} << 24, true},
                     {"keep", "share of the elements that are kept", 0.5},
                     {"order", "whether kept elements stay in order", "kept", false, {"kept", "any"}},
                     dtype_parameter(FilterTypes{}),
                     {"writes",
                      "what is written: kept elements, their indices, or three columns",
                      "elements",
                      false,
                      {"elements", "indices", "columns"}}},
      .rungs = RAFTER_LIST_LADDER(FILTER_LADDER),
      .standard_cases = standard_cases,
      .awkward_cases = awkward_cases,
      .huge_cases =
          [] {
            constexpr std::int64_t n = (std::int64_t{1} << 31) + 11;
            return std::vector{a_case(n, 0.5), a_case(n, 0.5, "any")};
          },
      .make_case = CasesOf<FilterCase, FilterTypes, FilterOutputTypes>::make,
      .bytes_per_input_set =
          [](const Params& params) {
            const bool has_columns = params.word("writes") == "columns";
            const double others = has_columns ? 2 * (2 + 8) : params.word("writes") == "indices" ? 8 : 0;
            return static_cast<double>(params.integer("n")) * (2 * element_bytes(params) + others);
          },
      .adopt = Adopt<FilterRung>{},
      // The op for any order does not keep it; the op for kept order takes every case.
      .op_refuses = [](const Rung& rung,
                       const Params& params) { return rung.name == "tile_atomic" && params.word("order") == "kept"; },
  };
  return contract;
}

}  // namespace rafter::filter_ladder
