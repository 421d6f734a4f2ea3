// Regular expressions.
#include "base/pattern.hpp"

#include <gtest/gtest.h>

namespace rafter::base {
namespace {

TEST(Pattern, MatchesTheWholeTextOrNothing) {
  const Pattern place(R"((.*?):(\d+)(: note)?)");
  EXPECT_EQ(place.match("a.cu:12"), (Pattern::Match{"a.cu:12", "a.cu", "12", ""}));
  EXPECT_EQ(place.match("a.cu:12: note"), (Pattern::Match{"a.cu:12: note", "a.cu", "12", ": note"}));
  EXPECT_EQ(place.match("a.cu:12: error"), std::nullopt);
}

TEST(Pattern, FindsTheFirstAndAll) {
  const Pattern number(R"(([a-z])=(\d+))");
  EXPECT_EQ(number.find("x, a=1, b=23"), (Pattern::Match{"a=1", "a", "1"}));
  EXPECT_EQ(number.find("nothing"), std::nullopt);
  EXPECT_EQ(number.find_all("x, a=1, b=23"), (std::vector<Pattern::Match>{{"a=1", "a", "1"}, {"b=23", "b", "23"}}));
  EXPECT_TRUE(number.find_all("").empty());
}

TEST(Pattern, ReplacesEachOne) {
  EXPECT_EQ(Pattern(R"(\s+)").replace(" a  b\tc ", "_"), "_a_b_c_");
  EXPECT_EQ(Pattern("x").replace("abc", "_"), "abc");
}

TEST(Pattern, OutlivesWhatItWasCopiedFrom) {
  auto first = std::make_unique<Pattern>("b+");
  const Pattern copy = *first;
  first.reset();
  EXPECT_EQ(copy.find("abbc"), (Pattern::Match{"bb"}));
}

}  // namespace
}  // namespace rafter::base
