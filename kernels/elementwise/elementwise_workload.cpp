// elementwise: the workload's contract and its ladder.
#include <bit>
#include <cmath>
#include <functional>

#include "elementwise/cpu/elementwise_element.hpp"
#include "elementwise/elementwise_rung.hpp"
#include "workbench/lab/cases/family.hpp"

#define ELEMENTWISE_LADDER(RUNG, OP, PEER)                                                                   \
  RUNG(cpu, plain, "One loop on one thread: one core's loads.")                                              \
  OP(cpu, threads, "One contiguous part per thread, vectorised, written past the caches: all cores load.")   \
  RUNG(cuda, many_blocks, "One thread per element: all multiprocessors load, few bytes a thread in flight.") \
  OP(cuda, vectorised, "Pieces of up to 16 bytes, four per thread: enough bytes in flight, few instructions.")

namespace rafter::elementwise_ladder {

RAFTER_DECLARE_LADDER(ElementwiseRung, ELEMENTWISE_LADDER)

namespace {

using namespace lab;
const std::string family = "elementwise";

/// The right element of an index. One type for all maps, so that the comparison is compiled once per element type.
template <class T>
using Expected = std::function<T(std::int64_t)>;

/// Returns the element type of convert's output. It is left out of a case's parameters when it has its default.
std::string result_dtype(const Params& params) {
  const Value* type = params.find("to");
  return type != nullptr ? std::get<std::string>(*type) : "same";
}

template <class T>
bool is_case_of(const Params& params, const char* op) {
  return params.word("op") == op && is_dtype<T>(params) && result_dtype(params) == "same";
}

/// A case of one map.
template <class Map>
class ElementwiseCase;

template <class T>
class ElementwiseCase<Multiplication<T>> final : public CaseFor<ElementwiseArgs<Multiplication<T>>> {
 public:
  ElementwiseCase(const Params& params, const Stream& stream, const CaseOptions& options)
      : CaseFor<ElementwiseArgs<Multiplication<T>>>(stream, options), n_(params.integer("n")) {}

  static bool fits(const Params& params) { return is_case_of<T>(params, "multiply"); }

  Cost cost() const override {
    const auto n = static_cast<double>(n_);
    return {.bytes_read = 2 * n * sizeof(T), .bytes_written = n * sizeof(T), .operations = operations_in<T>(n)};
  }

  ElementwiseArgs<Multiplication<T>> args(int set) override {
    return {{a_.span(set).data(), b_.span(set).data()}, out_.span()};
  }

 private:
  Comparison compare_results(int set) const override {
    return out_.compare_with(
        Expected<T>([&](std::int64_t i) { return cpu::product(a_.element(set, i), b_.element(set, i)); }));
  }

  std::int64_t n_;
  Input<T> a_{*this, "a", n_};
  Input<T> b_{*this, "b", n_};
  Output<T> out_{*this, "out", n_};
};

template <class T>
class ElementwiseCase<Scaling<T>> final : public CaseFor<ElementwiseArgs<Scaling<T>>> {
 public:
  ElementwiseCase(const Params& params, const Stream& stream, const CaseOptions& options)
      : CaseFor<ElementwiseArgs<Scaling<T>>>(stream, options), n_(params.integer("n")) {}

  static bool fits(const Params& params) { return is_case_of<T>(params, "scale"); }

  Cost cost() const override {
    const auto n = static_cast<double>(n_);
    return {.bytes_read = n * sizeof(T), .bytes_written = n * sizeof(T), .operations = operations_in<T>(n)};
  }

  ElementwiseArgs<Scaling<T>> args(int set) override { return {{a_.span(set).data(), factor(set)}, out_.span()}; }

 private:
  T factor(int set) const {
    return static_cast<T>(standard_generator<T, Generator>(set, set_seed(this->options(), set))(0));
  }

  Comparison compare_results(int set) const override {
    return out_.compare_with(
        Expected<T>([&](std::int64_t i) { return cpu::product(a_.element(set, i), factor(set)); }));
  }

  std::int64_t n_;
  Input<T> a_{*this, "a", n_};
  Output<T> out_{*this, "out", n_};
};

/// Elements that conversions treat differently: any bits, and numbers of few bits and any magnitude, which are often
/// halfway between two of a shorter type.
template <class T>
struct ConvertedElements {
  std::uint64_t seed = 0;
  T operator()(std::int64_t index) const {
    const std::uint64_t bits = random_bits(seed, index);
    const auto shift = static_cast<int>(bits & 63);
    if constexpr (std::is_integral_v<T>) {
      const auto integer = static_cast<T>(static_cast<std::int64_t>(bits) >> shift);
      return (bits & 64) != 0 ? integer : static_cast<T>(integer & ~T{0xfff});
    } else {
      if ((bits & 192) == 0) return std::bit_cast<T>(static_cast<core::BitsOf<T>>(bits >> 8));
      return T(std::ldexp(static_cast<double>(static_cast<std::int64_t>(bits) >> 50), shift - 20));
    }
  }
};

template <class From, class To>
class ElementwiseCase<Conversion<From, To>> final : public CaseFor<ElementwiseArgs<Conversion<From, To>>> {
 public:
  ElementwiseCase(const Params& params, const Stream& stream, const CaseOptions& options)
      : CaseFor<ElementwiseArgs<Conversion<From, To>>>(stream, options), n_(params.integer("n")) {}

  static bool fits(const Params& params) {
    if (params.word("op") != "convert" || !is_dtype<From>(params)) return false;
    return result_dtype(params) == "same" ? std::is_same_v<From, To> : is_dtype<To>(params, "to");
  }

  Cost cost() const override {
    const auto n = static_cast<double>(n_);
    return {.bytes_read = n * sizeof(From), .bytes_written = n * sizeof(To)};
  }

  ElementwiseArgs<Conversion<From, To>> args(int set) override { return {{in_.span(set).data()}, out_.span()}; }

 private:
  Comparison compare_results(int set) const override {
    return out_.compare_with(Expected<To>([&](std::int64_t i) { return cpu::converted<To>(in_.element(set, i)); }));
  }

  std::int64_t n_;
  Input<From, ConvertedElements<From>> in_{*this, "in", n_};
  Output<To> out_{*this, "out", n_};
};

/// A case without an input array. Input sets differ in the start and the step.
template <class T>
class ElementwiseCase<Sequence<T>> final : public CaseFor<ElementwiseArgs<Sequence<T>>> {
 public:
  ElementwiseCase(const Params& params, const Stream& stream, const CaseOptions& options)
      : CaseFor<ElementwiseArgs<Sequence<T>>>(stream, options), n_(params.integer("n")) {}

  static bool fits(const Params& params) { return is_case_of<T>(params, "iota"); }

  Cost cost() const override { return {.bytes_written = static_cast<double>(n_) * sizeof(T)}; }

  ElementwiseArgs<Sequence<T>> args(int set) override { return {map(set), out_.span()}; }

 private:
  Sequence<T> map(int set) const {
    const Generator numbers = standard_generator<T, Generator>(set, set_seed(this->options(), set));
    return {static_cast<T>(numbers(0)), static_cast<T>(numbers(1)), 0};
  }

  Comparison compare_results(int set) const override {
    return out_.compare_with(Expected<T>([map = map(set)](std::int64_t i) { return cpu::plain_element(map, i); }));
  }

  std::int64_t n_;
  Output<T> out_{*this, "out", n_};
};

Params a_case(const std::string& op, std::int64_t n, const std::string& dtype = "float32",
              const std::string& to = "same") {
  return {{"n", n}, {"op", op}, {"dtype", dtype}, {"to", to}};
}

std::vector<Params> standard_cases(Device device, Effort effort) {
  constexpr std::int64_t one = 1;
  const std::int64_t n = device != Device::cuda ? one << 24 : effort == Effort::quick ? one << 24 : one << 26;
  return {a_case("multiply", n), a_case("scale", n), a_case("convert", n, "float32", "float16"),
          a_case("convert", n, "float64", "int32"), a_case("iota", n, "int64")};
}

std::vector<Params> awkward_cases() {
  std::vector<Params> cases;
  const std::vector<std::string> dtypes = dtype_names(ElementwiseTypes{});
  for (const std::string& dtype : dtypes) {
    for (const char* op : {"multiply", "scale", "iota"}) {
      for (const std::int64_t n : {0, 1, 3, 33, 1025, 4099}) cases.push_back(a_case(op, n, dtype));
    }
    for (const std::string& to : dtypes) {
      for (const std::int64_t n : {1, 33, 3001}) cases.push_back(a_case("convert", n, dtype, to));
    }
  }
  cases.push_back(a_case("convert", 0));
  // Just above the size from which a CPU's stores bypass the caches.
  cases.push_back(a_case("multiply", 1400009));
  cases.push_back(a_case("scale", 2100001));
  cases.push_back(a_case("iota", 2100001, "int64"));
  cases.push_back(a_case("convert", 1700021, "int64", "bfloat16"));
  cases.push_back(a_case("convert", 1700021, "float16", "float64"));
  return cases;
}

std::vector<Params> huge_cases() {
  constexpr std::int64_t past = (std::int64_t{1} << 31) + 11;
  return {a_case("multiply", past), a_case("convert", past, "float32", "float16"), a_case("iota", past)};
}

double bytes_per_input_set(const Params& params) {
  const std::string& op = params.word("op");
  const double from = element_bytes(params);
  const double to = result_dtype(params) == "same" ? from : element_bytes(params, "to");
  const double read = op == "iota" ? 0 : op == "multiply" ? 2 * from : from;
  return static_cast<double>(params.integer("n")) * (read + to);
}

Parameter result_type() {
  std::vector<std::string> choices = dtype_names(ElementwiseTypes{});
  choices.insert(choices.begin(), "same");
  return {"to", "element type of convert's output", "same", false, choices, false};
}

}  // namespace

const Workload& workload() {
  static const Workload contract{
      .name = family,
      .summary = "products, conversions between element types, and evenly spaced numbers",
      .parameters = {{"n", "number of elements", std::int64_t{1} << 24, true},
                     {"op", "what is computed", "multiply", false, {"multiply", "scale", "convert", "iota"}},
                     dtype_parameter(ElementwiseTypes{}),
                     result_type()},
      .rungs = RAFTER_LIST_LADDER(ELEMENTWISE_LADDER),
      .standard_cases = standard_cases,
      .awkward_cases = awkward_cases,
      .huge_cases = huge_cases,
      .make_case = CasesOf<ElementwiseCase, Maps>::make,
      .bytes_per_input_set = bytes_per_input_set,
      .adopt = Adopt<ElementwiseRung>{},
  };
  return contract;
}

}  // namespace rafter::elementwise_ladder
