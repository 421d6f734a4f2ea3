#include "apps/forces/xyz_reader.hpp"

#include <gtest/gtest.h>

#include "apps/forces/xyz_text.hpp"
#include "workbench/lab/expect_error.hpp"

namespace rafter::forces {
namespace {

const std::string water =
    "3\n"
    "water\n"
    "O 0 0 0.119\n"
    "H 0 0.763 -0.477\n"
    "H 0 -0.763 -0.477\n";

/// Expects one malformed frame between two good ones to be skipped, with the line and the text of its fault.
void expect_skipped(const std::string& malformed, std::int64_t line, const std::string& words) {
  const ReadFrames all = read_frames(water + malformed + water);
  ASSERT_EQ(all.frames.size(), 2u) << malformed;
  EXPECT_EQ(all.frames[0].line, 1);
  EXPECT_EQ(all.frames[1].line, 6 + std::count(malformed.begin(), malformed.end(), '\n')) << malformed;
  EXPECT_EQ(all.frames[1].index, 2);
  EXPECT_EQ(all.frames[1].positions, all.frames[0].positions);
  ASSERT_EQ(all.skipped.size(), 1u) << malformed;
  const SkippedFrame& skipped = all.skipped[0];
  EXPECT_EQ(skipped.index, 1);
  EXPECT_EQ(skipped.line, line) << malformed << skipped.reason;
  EXPECT_NE(skipped.reason.find(words), std::string::npos) << skipped.reason;
  EXPECT_EQ(skipped.first_line, 6);
  EXPECT_EQ(skipped.last_line, all.frames[1].line - 1);
}

TEST(XyzReader, ReadsPlainFrames) {
  for (const std::size_t at_a_time : {std::size_t{1}, std::size_t{17}, std::string::npos}) {
    const ReadFrames all =
        read_frames(water + "1\n\n 6\t1e-3 +2. -.5  extra columns 7 \n0\nnothing\n" + water, at_a_time);
    EXPECT_TRUE(all.skipped.empty());
    ASSERT_EQ(all.frames.size(), 4u);
    EXPECT_EQ(all.frames[0].elements, (std::vector{8, 1, 1}));
    EXPECT_EQ(all.frames[0].positions, (std::vector<double>{0, 0, 0.119, 0, 0.763, -0.477, 0, -0.763, -0.477}));
    EXPECT_EQ(all.frames[0].other_keys, "comment=\"water\"");
    EXPECT_FALSE(all.frames[0].cell);
    EXPECT_EQ(all.frames[1].elements, std::vector{6});
    EXPECT_EQ(all.frames[1].positions, (std::vector{1e-3, 2., -.5}));
    EXPECT_EQ(all.frames[1].line, 6);
    EXPECT_EQ(all.frames[2].n_atoms(), 0);
    EXPECT_EQ(all.frames[3].index, 3);
    EXPECT_EQ(all.frames[3].line_of(1), 14);
  }
}

TEST(XyzReader, ReadsExtendedFrames) {
  const ReadFrames all = read_frames(
      "2\n"
      "Lattice=\"5 0 0 0 5 0 0 0 5\" Properties=pos:R:3:mass:R:1:species:S:1 name=salt pbc=\"T T F\" energy=-3\n"
      "0 0 0 23.0 NA\n"
      "2.5 0 0 35.5 cl\n"
      "1\n"
      "Properties=id:I:1:Z:I:1:pos:R:3\n"
      "99 79 1 2 3\n");
  EXPECT_TRUE(all.skipped.empty());
  ASSERT_EQ(all.frames.size(), 2u);
  EXPECT_EQ(all.frames[0].elements, (std::vector{11, 17}));
  EXPECT_EQ(all.frames[0].positions, (std::vector{0., 0., 0., 2.5, 0., 0.}));
  EXPECT_EQ(all.frames[0].other_keys, "name=salt");
  EXPECT_EQ(all.frames[0].cell->is_periodic, (std::array{true, true, false}));
  EXPECT_EQ(all.frames[1].elements, std::vector{79});
  EXPECT_EQ(all.frames[1].positions, (std::vector{1., 2., 3.}));
}

TEST(XyzReader, AcceptsAllLineEndings) {
  std::string dos = "\xef\xbb\xbf";
  for (const char c : water) dos += c == '\n' ? std::string("  \r\n") : std::string(1, c);
  for (const std::string& text :
       {water, dos, water.substr(0, water.size() - 1), water + "\n \n\t\r\n", "\n\n" + water}) {
    const ReadFrames all = read_frames(text);
    EXPECT_TRUE(all.skipped.empty());
    ASSERT_EQ(all.frames.size(), 1u);
    EXPECT_EQ(all.frames[0].elements, (std::vector{8, 1, 1}));
    EXPECT_EQ(all.frames[0].other_keys, "comment=\"water\"");
  }
  for (const char* text : {"", "\n", " \r\n\r\n"}) {
    EXPECT_TRUE(read_frames(text).frames.empty());
    EXPECT_TRUE(read_frames(text).skipped.empty());
  }
}

TEST(XyzReader, FaultInAnAtomSkipsOnlyItsFrame) {
  expect_skipped("2\nx\nC 0 0 0\nC 0 zero 1\n", 9, "'zero' is not a number; expected y of an atom");
  expect_skipped("2\nx\nC 0 0 1,5\nC 0 x 1\n", 8, "'1,5' is not a number; expected z of an atom");
  expect_skipped("2\nx\nC nan 0 0\nC 0 0 1\n", 8, "x of an atom is nan");
  expect_skipped("2\nx\nC 0 0 0\nC 0 0 -inf\n", 9, "z of an atom is -inf");
  expect_skipped("2\nx\nC 0 0 0\nC 0 0 1e999\n", 9, "'1e999' is not a number");
  expect_skipped("2\nx\nC 0 0 0\nXy 0 0 1\n", 9,
                 "'Xy' is not an element; expected a symbol such as 'C' or an atomic number");
  expect_skipped("1\nx\n0 0 0 1\n", 8, "'0' is not an element");
  expect_skipped("1\nx\n101 0 0 1\n", 8, "the model does not support element Md (101)");
  expect_skipped("2\nx\nC 0 0 1\nC 0 0 1\n", 9, "atoms 1 and 2 coincide");
  expect_skipped("1\nLattice=\"1 0 0 0 1 0 0 0 0\"\nC 0 0 1\n", 7, "the cell has no volume");
  expect_skipped("1\nLattice=\"1 0 0 0\"\nC 0 0 1\n", 7, "Lattice must have 9 numbers, got 4");
  expect_skipped("2\nProperties=species:S:1:pos:R:3:q:R:1\nC 0 0 1 0\nC 0 0 2\n", 9,
                 "expected 5 columns, as Properties says, got 4");
  expect_skipped("1\nProperties=species:S:1:pos:R:3\nC 0 0 1 0\n", 8, "expected 4 columns, as Properties says, got 5");
}

TEST(XyzReader, FindsTheNextFrameAfterAWrongCount) {
  expect_skipped("x2\nx\nC 0 0 0\nC 0 0 1\n", 6, "expected the number of atoms of a frame, got 'x2'");
  expect_skipped("-2\nx\nC 0 0 0\nC 0 0 1\n", 6, "got '-2'");
  expect_skipped("2 atoms\nx\nC 0 0 0\nC 0 0 1\n", 6, "got '2 atoms'");
  expect_skipped("99999999999999999999\nx\nC 0 0 0\n", 6, "got '99999999999999999999'");
  expect_skipped("2.5\n7\nC 0 0 0\nC 0 0 1\n", 6, "got '2.5'");  // 7 is a comment, and no count
  expect_skipped("3\nx\nC 0 0 0\nC 0 0 1\n", 10, "expected atom 3 of 3, got '3'");
  expect_skipped("9000000000000000000\nx\nC 0 0 0\nC 0 0 1\n", 10, "expected atom 3 of 9000000000000000000, got '3'");
  expect_skipped("3\nx\nC 0 0 0\n\nC 0 0 1\nC 0 0 2\n", 9, "expected atom 2 of 3, got ''");
  expect_skipped("1\nx\nC 0 0 0\nC 0 0 1\n", 9, "expected the next frame after 1 atoms, got 'C 0 0 1'");
  expect_skipped("2\nC 0 0 0\nC 0 0 1\n", 9,
                 "expected atom 2 of 2, got '3'; the second line of a frame must be a comment, but here it is an atom");
  expect_skipped("\x01\x02\xff\xfe garbage\n5\n6\n= = =\n", 6, "got '???? garbage'");
}

TEST(XyzReader, AFileMayEndAnywhere) {
  for (std::size_t n = 1; n < water.size() - 10; ++n) {
    const ReadFrames all = read_frames(water + water.substr(0, n));
    ASSERT_EQ(all.frames.size(), 1u) << n;
    ASSERT_EQ(all.skipped.size(), 1u) << n;
    EXPECT_EQ(all.skipped[0].first_line, 6);
  }
  const ReadFrames all = read_frames(water + "3\nx\nC 0 0 0\n");
  EXPECT_EQ(all.skipped.at(0).reason, "the file ends after 1 of 3 atoms");
  EXPECT_EQ(all.skipped[0].line, 9);
  EXPECT_EQ(all.skipped[0].last_line, 8);
  EXPECT_EQ(read_frames("5").skipped.at(0).reason, "the file ends after the atom count, 5, of a frame");
}

TEST(XyzReader, RejectsLinesThatAreTooLong) {
  const std::string spaces(LineReader::longest_line, ' ');
  expect_skipped("1\nx" + spaces + "\nC 0 0 1\n", 7, "the line is longer than 1048576 bytes");
  expect_skipped("1\nx\nC 0 0 1" + spaces + "9\n", 8, "the line is longer than 1048576 bytes");
}

TEST(XyzReader, ManyFramesPassThroughASmallBuffer) {
  const std::string text = [] {
    std::string all;
    for (int i = 0; i < 20000; ++i) all += i % 1000 == 7 ? "2\nbad\nC 0 0 0\nC 0 0 oops\n" : water;
    return all;
  }();
  const ReadFrames all = read_frames(text, 65537);
  EXPECT_EQ(all.frames.size(), 19980u);
  ASSERT_EQ(all.skipped.size(), 20u);
  EXPECT_EQ(all.skipped[1].index, 1007);
  EXPECT_EQ(all.skipped[1].line, 1006 * 5 + 4 + 4);
}

TEST(XyzReader, ThrowsOnAReadError) {
  XyzReader reader([](std::span<char>) -> std::size_t { throw Error(ErrorCode::io, "the disk is lost"); }, 101);
  lab::expect_error(ErrorCode::io, "the disk is lost", [&] { reader.next(); });
}

}  // namespace
}  // namespace rafter::forces
