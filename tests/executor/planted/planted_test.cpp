// The checkers report faults planted in Rafter's kernels at the right lines, and report nothing without a fault.
#include <numeric>
#include <string>
#include <vector>

#include "base/pattern.hpp"
#include "planted_rung.hpp"
#include "rafter/buffer.hpp"
#include "rows/rows_rung.hpp"
#include "sum/sum_rung.hpp"
#include "transpose/transpose_rung.hpp"

namespace rafter {

#define RAFTER_PLANTED_SUM(where)  \
  namespace sum_ladder::where {    \
  extern const SumRung last_block; \
  }
#define RAFTER_PLANTED_ROWS(where) \
  namespace rows_ladder::where {   \
  extern const RowsRung by_shape;  \
  }
#define RAFTER_PLANTED_TRANSPOSE(where) \
  namespace transpose_ladder::where {   \
  extern const TransposeRung by_shape;  \
  }
RAFTER_PLANTED_SUM(simt)
RAFTER_PLANTED_SUM(planted_sum_faults)
RAFTER_PLANTED_ROWS(simt)
RAFTER_PLANTED_ROWS(planted_tile_barrier)
RAFTER_PLANTED_TRANSPOSE(simt)
RAFTER_PLANTED_TRANSPOSE(planted_transposed_tile)

int fault() { return test::chosen_fault; }

namespace {

std::vector<float> counted(std::int64_t n) {
  std::vector<float> values(static_cast<std::size_t>(n));
  std::iota(values.begin(), values.end(), 1.0f);
  return values;
}

/// Returns the checkers' findings of `call`, including those of a launch that they end early.
template <class Call>
std::string complaints(Call call) {
  try {
    call();
  } catch (const Error& error) {
    EXPECT_EQ(error.code(), ErrorCode::device_failure) << error.what();
  }
  return core::backend(Device::simt).take_findings().value_or("");
}

class Planted : public testing::Test {
 protected:
  void SetUp() override { simt::provide_device(); }

  /// Sums in several blocks, with last elements that fill no vector.
  static std::string of_sum(const sum_ladder::SumRung& rung, int fault = 0) {
    test::chosen_fault = fault;
    const Stream stream = Stream::on(Device::simt);
    const Buffer<float> in(stream, counted(3 * 8192 + 5));
    Buffer<float> out(stream, 1);
    return complaints([&] { rung(stream, sum_ladder::SumArgs<float>{in.span().elements(), out.data()}); });
  }

  /// Sums short rows, too many for a warp each: tiles in shared memory, the last one partial.
  static std::string of_rows(const rows_ladder::RowsRung& rung) {
    constexpr MatrixShape shape{.n_rows = 157, .n_cols = 101};
    const Stream stream = Stream::on(Device::simt);
    const Buffer<float> in(stream, counted(shape.n_rows * shape.n_cols));
    Buffer<float> out(stream, shape.n_rows);
    return complaints([&] {
      rung(stream, rows_ladder::RowsArgs<float>{contiguous_view(in.span(), shape), out.span().elements()});
    });
  }

  /// Transposes four tiles, three of them partial.
  static std::string of_transpose(const transpose_ladder::TransposeRung& rung) {
    constexpr MatrixShape shape{.n_rows = 132, .n_cols = 132};
    const Stream stream = Stream::on(Device::simt);
    const Buffer<std::uint32_t> in(stream, std::vector<std::uint32_t>(132 * 132, 7));
    Buffer<std::uint32_t> out(stream, shape.n_rows * shape.n_cols);
    const transpose_ladder::TransposeArgs<std::uint32_t> args{contiguous_view(in.span(), shape),
                                                              contiguous_view(out.span(), shape)};
    return complaints([&] { rung(stream, args); });
  }

  /// Expects the finding `head` with one access in `file`, at a line that contains `text`.
  static void expect(const std::string& found, const std::string& head, const std::string& file,
                     const std::string& text) {
    EXPECT_TRUE(found.find(head) != std::string::npos) << head << " is not in:\n" << found;
    const base::Pattern place(file + R"(:\d+: thread \(\d+,0,0\) of block \(\d+,0,0\)[^\n]*\n[^\n]*)" + text);
    EXPECT_TRUE(place.find(found)) << file << ", " << text << " is not in:\n" << found;
  }
};

TEST_F(Planted, ReportsNothingWithoutAFault) {
  EXPECT_EQ(of_sum(sum_ladder::simt::last_block), "");
  EXPECT_EQ(of_sum(sum_ladder::planted_sum_faults::last_block, 0), "");
  EXPECT_EQ(of_rows(rows_ladder::simt::by_shape), "");
  EXPECT_EQ(of_transpose(transpose_ladder::simt::by_shape), "");
}

TEST_F(Planted, ReportsDroppedBarrierInBlockSum) {
  const std::string found = of_sum(sum_ladder::planted_sum_faults::last_block, 1);
  expect(found, "race in shared memory, kernel ", "library/core/cuda/reduce.cuh",
         R"(storage\.partial\[warp\] = value;)");
  expect(found, "[race]", "library/core/cuda/reduce.cuh", R"(storage\.partial\[lane\])");
}

TEST_F(Planted, ReportsTailThatStartsOneTooLate) {
  const std::string found = of_sum(sum_ladder::planted_sum_faults::last_block, 2);
  expect(found, "access out of bounds in global memory, kernel ", "library/core/cuda/reduce.cuh",
         R"(in\[n - \(fault\(\) != 2\) - t\])");
  EXPECT_TRUE(found.find("just past its end") != std::string::npos) << found;
}

TEST_F(Planted, ReportsDroppedFenceBeforeTheTicket) {
  const std::string found = of_sum(sum_ladder::planted_sum_faults::last_block, 3);
  expect(found, "race in global memory, kernel ", "sum/ladder/last_block.cu",
         R"(scratch\.partial\[blockIdx\.x\] = block_total;)");
  expect(found, "[race]", "sum/ladder/last_block.cu", R"(__ldcg\(&scratch\.partial\[i\]\))");
}

TEST_F(Planted, ReportsDroppedBarrierAfterLoadingATile) {
  const std::string found = of_rows(rows_ladder::planted_tile_barrier::by_shape);
  expect(found, "race in shared memory, kernel ", "rows/rows_cuda.cu", R"(target\[t \+ k \* threads\] = v\[k\];)");
  expect(found, "[race]", "rows/rows_cuda.cu", R"(total \+= unit_sum\(row\[unit\]\);)");
}

TEST_F(Planted, ReportsDroppedBarrierInTransposedTile) {
  const std::string found = of_transpose(transpose_ladder::planted_transposed_tile::by_shape);
  EXPECT_TRUE(found.find("race in shared memory, kernel ") != std::string::npos) << found;
  EXPECT_TRUE(found.find("transpose/cuda/transpose_pieces.cuh") != std::string::npos) << found;
}

}  // namespace
}  // namespace rafter
