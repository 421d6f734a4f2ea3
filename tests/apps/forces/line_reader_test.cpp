#include "apps/forces/line_reader.hpp"

#include <gtest/gtest.h>

#include "apps/forces/xyz_text.hpp"

namespace rafter::forces {
namespace {

std::vector<std::string> lines_of(const std::string& text, std::size_t at_a_time) {
  LineReader reader(bytes_of_text(text, at_a_time));
  std::vector<std::string> lines;
  while (const auto line = reader.line()) {
    lines.emplace_back(*line);
    EXPECT_EQ(reader.number(), std::ssize(lines));
    reader.advance();
  }
  EXPECT_FALSE(reader.line(1));
  EXPECT_EQ(reader.n_bytes(), std::ssize(text));
  return lines;
}

TEST(LineReader, LinesDoNotDependOnReadSizes) {
  const std::vector<std::string> expected{"one", "", "three", "the last"};
  for (const std::size_t at_a_time : {std::size_t{1}, std::size_t{3}, std::size_t{1000}}) {
    EXPECT_EQ(lines_of("one\n\nthree\nthe last", at_a_time), expected);
    EXPECT_EQ(lines_of("one\n\nthree\nthe last\n", at_a_time), expected);
    EXPECT_EQ(lines_of("", at_a_time), std::vector<std::string>{});
    EXPECT_EQ(lines_of("\n", at_a_time), std::vector<std::string>{""});
  }
}

TEST(LineReader, LooksAheadWithoutLosingALine) {
  const std::string text = "a\nbb\n\ndddd";
  for (const std::size_t at_a_time : {std::size_t{1}, std::size_t{2}, std::size_t{100}}) {
    LineReader reader(bytes_of_text(text, at_a_time));
    reader.advance();
    EXPECT_EQ(reader.line(2), "dddd");
    EXPECT_EQ(reader.line(1), "");
    EXPECT_EQ(reader.line(0), "bb");
    EXPECT_EQ(reader.line(3), std::nullopt);
    EXPECT_EQ(reader.number(), 2);
  }
}

TEST(LineReader, CutsLongLinesAndKeepsTheNextWhole) {
  for (const std::size_t more : {std::size_t{0}, std::size_t{1}, std::size_t{2}, std::size_t{3'000'000}}) {
    const std::string text = "before\n" + std::string(LineReader::longest_line + more, 'x') + "\nbehind";
    LineReader reader(bytes_of_text(text, 100'001));
    EXPECT_EQ(reader.line(2), "behind");
    EXPECT_EQ(reader.line(1)->size(), LineReader::longest_line + (more > 0 ? 1 : 0));
    EXPECT_EQ(reader.line(0), "before");
    reader.advance();
    reader.advance();
    EXPECT_EQ(reader.line(0), "behind");
    EXPECT_EQ(reader.number(), 3);
  }
  const std::string endless(5'000'000, 'x');
  LineReader reader(bytes_of_text(endless));
  EXPECT_EQ(reader.line()->size(), LineReader::longest_line + 1);
  reader.advance();
  EXPECT_FALSE(reader.line());
}

}  // namespace
}  // namespace rafter::forces
