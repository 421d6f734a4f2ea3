// rows: the workload's contract and its ladder.
#include "library/core/parts.hpp"
#include "rows/rows_rung.hpp"
#include "workbench/lab/cases/family.hpp"
#include "workbench/lab/cases/pitched.hpp"
#include "workbench/lab/data/compensated_sum.hpp"

#define ROWS_LADDER(RUNG, OP, PEER)                                                                                   \
  RUNG(cpu, plain, "Row by row with one accumulator: a row is a chain of dependent additions.")                       \
  RUNG(cpu, simd, "Several accumulators a row, short rows with their length compiled in.")                            \
  RUNG(cpu, threads, "A contiguous band of rows per thread: all cores load at once.")                                 \
  OP(cpu, by_shape, "Bands of short rows, parts of long ones: every thread has work whatever the shape.")             \
  PEER(cpu, eigen, EIGEN, "Eigen's vectorised rowwise().sum(), one thread.")                                          \
  RUNG(cuda, thread_per_row, "Each thread sums one row: adjacent threads read addresses a whole row apart.")          \
  RUNG(cuda, warp_per_row, "A warp's lanes stride over one row: coalesced, but short rows leave lanes idle.")         \
  RUNG(cuda, block_per_row, "256 threads stride over one row: good for long rows, if there are many of them.")        \
  OP(cuda, by_shape, "Tiles of short rows, a warp per medium row, long rows in parts: the roof at any aspect ratio.") \
  PEER(cuda, cub_segmented, CUB, "cub::DeviceSegmentedReduce::Sum, one segment per row.")

namespace rafter::rows_ladder {

RAFTER_DECLARE_LADDER(RowsRung, ROWS_LADDER)

namespace {

using namespace lab;
const std::string family = "rows";

/// The row sums of an input set and the sums of their magnitudes, as accurate as double allows.
struct Answer {
  std::vector<double> sums;
  std::vector<double> magnitudes;
};

template <class T>
Answer answer_of(const Generator& generator, const MatrixShape& shape) {
  const auto n_rows = static_cast<std::size_t>(shape.n_rows);
  Answer answer{std::vector<double>(n_rows), std::vector<double>(n_rows)};
  core::for_each_index(core::default_threads(), shape.n_rows, [&](std::int64_t row) {
    CompensatedSum sum;
    CompensatedSum magnitude;
    for (std::int64_t i = row * shape.n_cols; i < (row + 1) * shape.n_cols; ++i) {
      const auto x = static_cast<double>(static_cast<T>(generator(i)));
      sum.add(x);
      magnitude.add(std::abs(x));
    }
    answer.sums[static_cast<std::size_t>(row)] = sum.value();
    answer.magnitudes[static_cast<std::size_t>(row)] = magnitude.value();
  });
  return answer;
}

template <class T>
class RowsCase final : public CaseFor<RowsArgs<T>> {
 public:
  RowsCase(const Params& params, const Stream& stream, const CaseOptions& options)
      : CaseFor<RowsArgs<T>>(stream, options),
        shape_{params.integer("rows"), params.integer("cols")},
        row_stride_(row_stride_of(params, shape_.n_cols)) {
    for (int set = 0; set < options.n_input_sets; ++set) {
      answers_.push_back(answer_of<T>(in_.generator(set).elements, shape_));
      forbid_gaps(stream, view(set));
    }
  }

  static bool fits(const Params& params) { return is_dtype<T>(params); }

  Cost cost() const override {
    const auto n_rows = static_cast<double>(shape_.n_rows);
    const double n = n_rows * static_cast<double>(shape_.n_cols);
    return {.bytes_read = n * sizeof(T), .bytes_written = n_rows * sizeof(T), .operations = operations_in<T>(n)};
  }

  RowsArgs<T> args(int set) override { return {view(set), out_.span()}; }

 private:
  // As for sum: whole numbers exactly, others within 4 eps of the row's magnitudes. 16-bit types use float's eps, and
  // the sum is then rounded to 16 bits.
  Comparison compare_results(int set) const override {
    const Answer& answer = answers_[static_cast<std::size_t>(set)];
    const bool exact = in_.generator(set).elements.kind == Generator::Kind::whole;
    return compare_elements<T>(out_.on_host(), [&](std::int64_t row) -> Expectation {
      const double sum = answer.sums[static_cast<std::size_t>(row)];
      if (exact) return {static_cast<double>(static_cast<T>(sum)), 0};
      const double error = 4 * core::epsilon<core::Accumulator<T>> * answer.magnitudes[static_cast<std::size_t>(row)];
      return {sum, error + core::rounding_error<T>(std::abs(sum) + error)};
    });
  }

  MatrixView<const T> view(int set) const {
    return MatrixView<const T>::unchecked(in_.span(set).data(), shape_, row_stride_);
  }

  using Elements = PitchedGenerator<>;
  MatrixShape shape_;
  std::int64_t row_stride_;
  Input<T, Elements> in_{*this, "in", extent_of(shape_, row_stride_), [this](int set, std::uint64_t seed) {
                           return Elements{standard_generator<T, Generator>(set, seed), shape_.n_cols, row_stride_};
                         }};
  Output<T> out_{*this, "out", shape_.n_rows};
  std::vector<Answer> answers_;
};

std::vector<Params> shapes(std::initializer_list<MatrixShape> all, const std::string& dtype = "float32") {
  std::vector<Params> cases;
  for (const auto& [n_rows, n_cols] : all) cases.push_back({{"rows", n_rows}, {"cols", n_cols}, {"dtype", dtype}});
  return cases;
}

/// Cases with gaps between the rows.
std::vector<Params> pitched_cases() {
  struct Pitched {
    MatrixShape shape;
    std::int64_t pitch;
  };
  constexpr Pitched all[] = {{{33, 7}, 8},         {{1025, 7}, 9},    {{4, 1}, 5},          {{65, 3}, 4},
                             {{64, 16}, 17},       {{300, 64}, 68},   {{257, 100}, 128},    {{129, 128}, 132},
                             {{9, 1023}, 1024},    {{8, 1024}, 1028}, {{5000, 1030}, 1031}, {{3, 4097}, 4100},
                             {{3, 99991}, 100003}, {{0, 5}, 7},       {{7, 0}, 3},          {{1, 33}, 40}};
  std::vector<Params> cases;
  for (const std::string& dtype : dtype_names(RowsTypes{})) {
    for (const auto& [shape, pitch] : all) {
      if (core::bytes_of(dtype) == 2 && shape.n_rows > 1000) continue;  // takes long on the executor
      cases.push_back(shapes({shape}, dtype).front());
      cases.back().set("pitch", pitch);
    }
  }
  return cases;
}

std::vector<Params> standard_cases(Device device, Effort effort) {
  if (device == Device::cuda) {
    return effort == Effort::quick
               ? shapes({{1000000, 10}, {10, 1000000}})
               : shapes({{10000000, 10}, {1000000, 100}, {1000, 100000}, {4096, 65536}, {10, 10000000}});
  }
  return effort == Effort::quick ? shapes({{1000000, 10}}) : shapes({{1000000, 10}, {1000, 50000}});
}

/// Cases around the sizes of vectors, warps and blocks. 16-bit types have fewer: one block per row takes long on the
/// executor.
std::vector<Params> awkward_cases() {
  std::vector<Params> cases = pitched_cases();
  const auto add = [&](const std::vector<Params>& more) { cases.insert(cases.end(), more.begin(), more.end()); };
  for (const std::string& dtype : dtype_names(RowsTypes{})) {
    add(shapes({{0, 5},
                {7, 0},
                {1, 1},
                {33, 1},
                {1, 33},
                {5, 3},
                {33, 33},
                {100, 16},
                {65, 255},
                {9, 1023},
                {7, 1025},
                {3, 4097},
                {2, 65537},
                {1, 300007},
                {200, 300},
                {5000, 1030},
                {16, 131072}},
               dtype));
    if (core::bytes_of(dtype) == 2) continue;
    add(shapes({{0, 0},
                {0, 5000},
                {31, 31},
                {32, 32},
                {1025, 7},
                {99991, 10},
                {128, 17},
                {300, 64},
                {257, 100},
                {129, 128},
                {64, 256},
                {8, 1024},
                {5, 4095},
                {3, 99991}},
               dtype));
  }
  add(shapes({{4099, 2}}));  // for one type only
  return cases;
}

}  // namespace

const Workload& workload() {
  static const Workload contract{
      .name = family,
      .summary = "the sums of a matrix's rows, any aspect ratio",
      .parameters = {{"rows", "number of rows", std::int64_t{1000000}, true},
                     {"cols", "number of columns", std::int64_t{10}, true},
                     dtype_parameter(RowsTypes{}),
                     pitch_parameter("pitch", "the matrix")},
      .rungs = RAFTER_LIST_LADDER(ROWS_LADDER),
      .standard_cases = standard_cases,
      .awkward_cases = awkward_cases,
      .huge_cases =
          [] {
            return shapes({{(std::int64_t{1} << 31) / 10 + 7, 10}, {3, 715827890}});
          },
      .make_case = CasesOf<RowsCase, RowsTypes>::make,
      .bytes_per_input_set =
          [](const Params& params) {
            const auto n_rows = static_cast<double>(params.integer("rows"));
            const auto n_cols = static_cast<double>(row_stride_of(params, params.integer("cols")));
            return n_rows * (n_cols + 1) * element_bytes(params) + n_rows * 16;
          },
      .adopt = Adopt<RowsRung>{},
  };
  return contract;
}

}  // namespace rafter::rows_ladder
