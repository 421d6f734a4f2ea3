#include "core/arguments.hpp"

#include <gtest/gtest.h>

#include <array>

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

TEST(Arguments, NullWithElementsIsRefused) {
  const std::span<const float> null(static_cast<const float*>(nullptr), 3);
  EXPECT_EQ(refusal([&] { require_array("sum", "in", null); }), "sum: in is null but should hold 3 elements");
}

TEST(Arguments, NullWithoutElementsIsFine) {
  EXPECT_EQ(refusal([] { require_array("sum", "in", std::span<const float>()); }), "");
}

TEST(Arguments, MisalignedPointersAreRefused) {
  alignas(8) std::array<char, 16> bytes{};
  const auto* odd = reinterpret_cast<const float*>(bytes.data() + 2);
  EXPECT_EQ(refusal([&] { require_array("sum", "in", std::span(odd, 2)); }),
            "sum: in must be aligned to its element size of 4 bytes");
}

TEST(Arguments, WrongSizesSayBoth) {
  std::array<float, 3> three{};
  EXPECT_EQ(refusal([&] { require_size("row_sums", "out", std::span<float>(three), 4); }),
            "row_sums: out should have 4 elements, has 3");
}

TEST(Arguments, OverlapIsRefusedAndNeighboursAreFine) {
  std::array<float, 8> eight{};
  const std::span<const float> all(eight);
  EXPECT_EQ(refusal([&] { require_disjoint("sum", "in", all.first(5), "out", all.subspan(4, 1)); }),
            "sum: out overlaps in");
  EXPECT_EQ(refusal([&] { require_disjoint("sum", "in", all.first(4), "out", all.subspan(4, 1)); }), "");
}

}  // namespace
}  // namespace rafter::core
