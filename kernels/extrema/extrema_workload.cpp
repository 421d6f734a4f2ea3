// extrema: the workload's contract and its ladder.
#include "extrema/extrema_rung.hpp"
#include "library/core/arithmetic.hpp"
#include "workbench/lab/cases/family.hpp"

#define EXTREMA_LADDER(RUNG, OP, PEER)                                                                            \
  RUNG(cpu, plain, "One loop with one best element: every comparison waits for the one before it.")               \
  OP(cpu, chunked, "Four vectors of integer keys per thread; the index is searched for once, in the best block.") \
  PEER(cpu, std_element, TBB, "std::min_element or max_element with par_unseq, over TBB.")                        \
  RUNG(cuda, block_tree, "A tree of keys and indices per 1024 elements, launched until one is left.")             \
  OP(cuda, published,                                                                                             \
     "Blocks publish keys and indices, the last collects them: one launch; a tile is read for indices.")          \
  PEER(cuda, cub_reduce, CUB, "cub::DeviceReduce::Min or Max, for values alone.")

namespace rafter::extrema_ladder {

RAFTER_DECLARE_LADDER(ExtremaRung, EXTREMA_LADDER)

namespace {

using namespace lab;
const std::string family = "extrema";

bool wants_index(const Params& params) { return params.word("find").starts_with("arg"); }

template <class T>
class ExtremaCase final : public CaseFor<ExtremaArgs<T>> {
 public:
  ExtremaCase(const Params& params, const Stream& stream, const CaseOptions& options)
      : CaseFor<ExtremaArgs<T>>(stream, options),
        n_(params.integer("n")),
        which_(params.word("find").ends_with("min") ? Extremum::least : Extremum::greatest),
        wants_index_(wants_index(params)),
        answers_(options) {}

  static bool fits(const Params& params) { return is_dtype<T>(params); }

  Cost cost() const override {
    const auto n = static_cast<double>(n_);
    return {.bytes_read = n * sizeof(T), .bytes_written = wants_index_ ? 8. : sizeof(T)};
  }

  ExtremaArgs<T> args(int set) override {
    return {in_.span(set), which_, wants_index_ ? nullptr : value_.data(), wants_index_ ? index_.data() : nullptr};
  }

 private:
  /// The index of the answer in in[first, last): the first of equal elements.
  std::int64_t answer_in(int set, std::int64_t first, std::int64_t last) const {
    std::int64_t best = first;
    for (std::int64_t i = first + 1; i < last; ++i) {
      if (is_better(set, i, best)) best = i;
    }
    return best;
  }

  bool is_better(int set, std::int64_t a, std::int64_t b) const {
    const auto x = static_cast<double>(in_.element(set, a));
    const auto y = static_cast<double>(in_.element(set, b));
    return which_ == Extremum::least ? x < y : x > y;
  }

  /// Inputs contain neither NaN nor zeros of both signs; tests/kernels/extrema_test.cpp has those.
  Comparison compare_results(int set) const override {
    const std::int64_t answer = answers_.of(set, [&] {
      constexpr std::int64_t per_part = 1 << 16;
      const std::vector<std::int64_t> parts = map_indices(
          Stream::cpu(), ceil_div(n_, per_part),
          [&](std::int64_t part) { return answer_in(set, part * per_part, std::min((part + 1) * per_part, n_)); });
      std::int64_t best = parts.front();
      for (const std::int64_t part : parts) best = is_better(set, part, best) ? part : best;
      return best;
    });
    if (wants_index_) return index_.compare_with([&](std::int64_t) { return answer; });
    return value_.compare_with([&](std::int64_t) { return in_.element(set, answer); });
  }

  std::int64_t n_;
  Extremum which_;
  bool wants_index_;
  Input<T> in_{*this, "in", n_};
  Output<T> value_{*this, "value", wants_index_ ? 0 : 1};
  Output<std::int64_t> index_{*this, "index", wants_index_ ? 1 : 0};
  KeptAnswers<std::int64_t> answers_;
};

Params a_case(std::int64_t n, const std::string& find, const std::string& dtype = "float32") {
  return {{"n", n}, {"find", find}, {"dtype", dtype}};
}

std::vector<Params> standard_cases(Device device, Effort effort) {
  constexpr std::int64_t one = 1;
  if (device != Device::cuda) return {a_case(one << 24, "min"), a_case(one << 24, "argmin")};
  if (effort == Effort::quick) return {a_case(one << 26, "min"), a_case(one << 26, "argmin")};
  return {a_case(one << 16, "argmin"), a_case(one << 20, "argmin"), a_case(one << 28, "min"),
          a_case(one << 28, "argmin"), a_case(one << 28, "argmin", "float16")};
}

std::vector<Params> awkward_cases() {
  std::vector<Params> cases;
  for (const std::string& dtype : dtype_names(ExtremaTypes{})) {
    for (const std::int64_t n : {1, 3, 33, 1025, 8191, 99991}) {
      for (const char* find : {"min", "argmax"}) cases.push_back(a_case(n, find, dtype));
    }
    for (const char* find : {"max", "argmin"}) cases.push_back(a_case(16385, find, dtype));
  }
  for (const char* find : {"max", "argmin"}) cases.push_back(a_case((1 << 22) + 12345, find));
  return cases;
}

}  // namespace

const Workload& workload() {
  static const Workload contract{
      .name = family,
      .summary = "the least or the greatest element of an array, or its index",
      .parameters = {{"n", "number of elements", std::int64_t{1} << 26, true},
                     {"find", "what to find", "argmin", false, {"min", "max", "argmin", "argmax"}},
                     dtype_parameter(ExtremaTypes{})},
      .rungs = RAFTER_LIST_LADDER(EXTREMA_LADDER),
      .standard_cases = standard_cases,
      .awkward_cases = awkward_cases,
      .huge_cases = [] { return std::vector{a_case((std::int64_t{1} << 31) + 11, "argmin")}; },
      .make_case = CasesOf<ExtremaCase, ExtremaTypes>::make,
      .bytes_per_input_set =
          [](const Params& params) { return static_cast<double>(params.integer("n")) * element_bytes(params); },
      .adopt = Adopt<ExtremaRung>{},
  };
  return contract;
}

}  // namespace rafter::extrema_ladder
