#include "workbench/tune/worth.hpp"

#include <gtest/gtest.h>

#include "workbench/lab/expect_error.hpp"

namespace rafter::tune {

TEST(Worth, IsTheBestTimeWithEachValue) {
  const Space space = parse_space({"A=1,2", "B=x,y,z"}, "", {});
  const std::vector<Trial> trials{
      {.point = {0, 0}, .ns = 100},         {.point = {0, 1}, .ns = 200},
      {.point = {1, 0}, .ns = 110},         {.point = {1, 1}, .ns = 150},
      {.point = {0, 2}, .status = "wrong"}, {.point = {1, 2}, .status = "does not compile"}};
  const auto worth = worth_of(space, trials);
  ASSERT_EQ(worth.size(), 2u);
  EXPECT_EQ(worth[0].name, "B") << "it matters more";
  EXPECT_DOUBLE_EQ(worth[0].ratio(), 1.5);
  EXPECT_DOUBLE_EQ(worth[1].ratio(), 1.1);
  EXPECT_EQ(worth[0].values[0].best_ns, 100);
  EXPECT_EQ(worth[0].values[1].best_ns, 150);
  EXPECT_FALSE(worth[0].values[2].best_ns);
  const std::string table = worth_table(worth);
  EXPECT_NE(table.find("B (1.50x)"), std::string::npos);
  EXPECT_NE(table.find("none right"), std::string::npos);
  const nlohmann::json written = to_json(space, trials);
  EXPECT_EQ(written["trials"][4]["status"], "wrong");
  const auto again = worth_of_json(written);
  ASSERT_EQ(again.size(), 2u);
  EXPECT_EQ(again[0].name, "B");
  EXPECT_EQ(again[0].values[1].best_ns, 150);
  lab::expect_error(ErrorCode::bad_argument, "is malformed", [] { worth_of_json({{"trials", 3}}); });
}

}  // namespace rafter::tune
