#include "workbench/draw/text.hpp"

#include <gtest/gtest.h>

namespace rafter::draw {
namespace {

const TextStyle style{.size = 10};

TEST(Text, RaisedDigitsAreSmallerWithoutTheCaret) {
  EXPECT_LT(text_width("10^-3", style), text_width("10\u22123", style));
  EXPECT_GT(text_width("10^-3", style), text_width("10", style));
  EXPECT_GT(text_width("a^b", style), text_width("ab", style));  // without digits the caret is shown
  EXPECT_EQ(text_width("", style), 0);
}

TEST(Text, TruncatedTextEndsInAnEllipsis) {
  EXPECT_EQ(fitted("short", style, 100), "short");
  const std::string cut = fitted("W\u00e4rmeleitf\u00e4higkeit von Kupfer", style, 60);
  EXPECT_TRUE(cut.ends_with("\u2026")) << cut;
  for (double width = 1; width < 120; width += 1) {
    const std::string part = fitted("\u00e4\u00e4\u00e4\u00e4\u00e4\u00e4\u00e4\u00e4\u00e4\u00e4", style, width);
    if (part != "\u2026") {
      EXPECT_LE(text_width(part, style), width) << part;  // throws if a character was split
    }
  }
}

TEST(Text, IsWrappedAtSpaces) {
  const std::string text = "one two three four five six seven";
  const auto lines = wrapped(text, style, text_width("one two three", style) + 1, 5);
  ASSERT_EQ(lines.size(), 3u);
  EXPECT_EQ(lines[0], "one two three");
  EXPECT_EQ(lines[1], "four five six");
  const auto two = wrapped(text, style, text_width("one two three", style) + 1, 2);
  ASSERT_EQ(two.size(), 2u);
  EXPECT_TRUE(two[1].ends_with("\u2026")) << two[1];
}

}  // namespace
}  // namespace rafter::draw
