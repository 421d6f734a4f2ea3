#include "library/core/arguments.hpp"

#include <gtest/gtest.h>

#include <array>
#include <utility>

#include "library/core/error_origin.hpp"

namespace rafter::core {
namespace {

template <class Call>
std::string refusal(Call&& call) {
  try {
    call();
  } catch (const Error& error) {
    EXPECT_EQ(error.code(), ErrorCode::bad_argument);
    return error.what();
  }
  return "";
}

TEST(Arguments, RejectsNullWithElements) {
  const std::span<const float> null(static_cast<const float*>(nullptr), 3);
  EXPECT_EQ(refusal([&] { require_array(Stream::cpu(), "sum", "in", null); }),
            "sum: in is null but should hold 3 elements");
}

TEST(Arguments, AcceptsNullWithoutElements) {
  EXPECT_EQ(refusal([] { require_array(Stream::cpu(), "sum", "in", std::span<const float>()); }), "");
}

TEST(Arguments, RejectsMisalignedPointers) {
  alignas(8) std::array<char, 16> bytes{};
  const auto* odd = reinterpret_cast<const float*>(bytes.data() + 2);
  EXPECT_EQ(refusal([&] { require_array(Stream::cpu(), "sum", "in", std::span(odd, 2)); }),
            "sum: in must be aligned to its element size of 4 bytes");
}

TEST(Arguments, RejectsMatricesWithOverlappingRows) {
  std::array<float, 20> memory{};
  const auto refused = [&](std::int64_t n_rows, std::int64_t n_cols, std::int64_t row_stride) {
    const auto view = MatrixView<float>::unchecked(memory.data(), {n_rows, n_cols}, row_stride);
    return refusal([&] { require_matrix(Stream::cpu(), "row_sums", "in", view); });
  };
  EXPECT_EQ(refused(4, 4, 5), "");
  EXPECT_EQ(refused(0, 0, 0), "");
  EXPECT_EQ(refused(4, 4, 3), "row_sums: in must have a row_stride of at least its 4 columns, has 3");
  EXPECT_NE(refused(-1, 4, 4).find("extents of 0 or more"), std::string::npos);
  EXPECT_NE(refused(std::int64_t{1} << 40, 4, std::int64_t{1} << 40).find("2^59"), std::string::npos);
  EXPECT_EQ(refusal([] {
              require_matrix(Stream::cpu(), "row_sums", "in", MatrixView<float>::unchecked(nullptr, {2, 3}, 10));
            }),
            "row_sums: in is null but should hold 13 elements");
}

TEST(Arguments, RejectsFieldsTooLargeToCount) {
  constexpr std::int64_t most = std::int64_t{1} << 59;
  const auto refused = [&](std::int64_t row_stride, std::int64_t plane_stride) {
    const auto view = GridView<float>::unchecked(nullptr, {4, 3, 2}, row_stride, plane_stride);
    return refusal([&] { require_field(Stream::cpu(), "heat_advance", "in", view); });
  };
  EXPECT_EQ(refused(2, 6), "heat_advance: in is null but should hold 24 elements");
  EXPECT_EQ(refused(most / 2, most),
            "heat_advance: in must have a row_stride of fewer than 2^59 / ny, has " + std::to_string(most / 2));
  EXPECT_EQ(refused(2, most / 2),
            "heat_advance: in must have a plane_stride of fewer than 2^59 / nz, has " + std::to_string(most / 2));
}

TEST(Arguments, ReportsBothSizes) {
  std::array<float, 3> three{};
  EXPECT_EQ(refusal([&] { require_size("row_sums", "out", std::span<float>(three), 4); }),
            "row_sums: out should have 4 elements, has 3");
}

TEST(Arguments, RejectsOverlapAndAcceptsAdjacentArrays) {
  std::array<float, 8> eight{};
  const std::span<const float> all(eight);
  EXPECT_EQ(refusal([&] { require_disjoint("sum", "in", all.first(5), "out", all.subspan(4, 1)); }),
            "sum: out overlaps in");
  EXPECT_EQ(refusal([&] { require_disjoint("sum", "in", all.first(4), "out", all.subspan(4, 1)); }), "");
}

TEST(Arguments, RefusalsCarryTheirOpAndArgument) {
  try {
    require_size("sum", "out", std::span<const float>(), 1);
    FAIL();
  } catch (const Error& error) {
    EXPECT_EQ(error.op(), "sum");
    EXPECT_EQ(error.argument(), "out");
  }
}

TEST(Arguments, ErrorsOfNoOpCarryNone) {
  const Error error(ErrorCode::io, "cannot read 'a'");
  EXPECT_EQ(error.op(), "");
  EXPECT_EQ(error.argument(), "");
}

TEST(Arguments, ErrorsBelowAnOpGetItsName) {
  using Names = std::pair<std::string, std::string>;
  const auto thrown = [](const Error& below) {
    try {
      in_op("sum", "in", [&] { throw Error(below); });
    } catch (const Error& error) {
      EXPECT_STREQ(error.what(), below.what());
      EXPECT_EQ(error.code(), below.code());
      return Names(error.op(), error.argument());
    }
    return Names("no error", "");
  };
  EXPECT_EQ(thrown(Error(ErrorCode::out_of_memory, "no memory")), Names("sum", "in"));
  EXPECT_EQ(thrown(Error(ErrorCode::unsupported, "no", "", "precision")), Names("sum", "precision"));
  EXPECT_EQ(thrown(Error(ErrorCode::unsupported, "no", "fill", "out")), Names("fill", "out"));
}

}  // namespace
}  // namespace rafter::core
