#include "apps/forces/xyz_comment.hpp"

#include <gtest/gtest.h>

#include "workbench/lab/expect_error.hpp"

namespace rafter::forces {
namespace {

using Vectors = std::array<std::array<double, 3>, 3>;

TEST(XyzComment, KeepsAPlainRemark) {
  for (const char* line : {"", "  \r", "\t"}) {
    const XyzComment comment = parse_comment(line);
    EXPECT_EQ(comment.other_keys, "");
    EXPECT_FALSE(comment.cell);
    EXPECT_EQ(comment.columns, AtomColumns{});
  }
  EXPECT_EQ(parse_comment(" benzene, opt 12 \r").other_keys, "comment=\"benzene, opt 12\"");
  EXPECT_EQ(parse_comment("a 5\" \\ pipe").other_keys, "comment=\"a 5\\\" \\\\ pipe\"");
  EXPECT_EQ(parse_comment("=== step 5 ===").other_keys, "comment=\"=== step 5 ===\"") << "no list of keys";
  EXPECT_EQ(parse_comment("name=\"open").other_keys, "comment=\"name=\\\"open\"");
}

TEST(XyzComment, KeepsOtherKeysVerbatim) {
  EXPECT_EQ(parse_comment("i = 5, time = 2.5 fs E=-1.25").other_keys, "i=5, time=2.5 fs E=-1.25");
  EXPECT_EQ(parse_comment("name=\"a \\\" b\" tags={x y {z}} list=[[1, 2], [3]] flag charge=-1 none=").other_keys,
            "name=\"a \\\" b\" tags={x y {z}} list=[[1, 2], [3]] flag charge=-1 none=\"\"");
  EXPECT_EQ(
      parse_comment("energy=-1 virial=\"1 2\" stress={3} forces=x free_energy=2 energy old_free_energy=3").other_keys,
      "energy old_free_energy=3")
      << "results are recomputed";
}

TEST(XyzComment, CellsArePeriodicAlongAllVectorsByDefault) {
  const Vectors vectors{{{1, 2, 3}, {4, 5.5, -6}, {7, 8, 1e1}}};
  for (const char* lattice : {"Lattice=\"1 2 3 4 5.5 -6 7 8 1e1\"", "lattice = {1 2 3  4 5.5 -6  7 +8 10}",
                              "LATTICE=[[1, 2, 3], [4, 5.5, -6], [7, 8, 10]]"}) {
    const XyzComment comment = parse_comment(lattice);
    ASSERT_TRUE(comment.cell) << lattice;
    EXPECT_EQ(comment.cell->vectors, vectors);
    EXPECT_EQ(comment.cell->is_periodic, (std::array{true, true, true}));
    EXPECT_EQ(comment.other_keys, "");
  }
  for (const char* pbc : {"pbc=\"T T F\"", "pbc=[true, 1, False]", "PBC={t,T,0}"}) {
    const std::string lattice = " Lattice=\"1 0 0 0 1 0 0 0 1\" ";
    EXPECT_EQ(parse_comment(pbc + lattice).cell->is_periodic, (std::array{true, true, false})) << pbc;
    EXPECT_EQ(parse_comment(lattice + pbc).cell->is_periodic, (std::array{true, true, false})) << pbc;
  }
  EXPECT_FALSE(parse_comment("pbc=\"F F F\"").cell);
}

TEST(XyzComment, ColumnsMayBeInAnyOrder) {
  const auto columns = [](const std::string& properties) { return parse_comment("Properties=" + properties).columns; };
  EXPECT_EQ(columns("species:S:1:pos:R:3"), (AtomColumns{0, 1, 4, true}));
  EXPECT_EQ(columns("pos:R:3:forces:R:3:species:S:1"), (AtomColumns{6, 0, 7, true}));
  EXPECT_EQ(columns("Z:I:1:pos:R:3:tag:L:2"), (AtomColumns{0, 1, 6, true}));
  EXPECT_EQ(columns("id:I:1:pos:R:3:numbers:I:1"), (AtomColumns{4, 1, 5, true}));
  EXPECT_EQ(columns("Z:I:1:positions:R:3:species:S:1"), (AtomColumns{4, 1, 5, true})) << "symbols before numbers";
}

TEST(XyzComment, RejectsInvalidCommentsWithWhatWasExpected) {
  const struct {
    const char *line, *words;
  } cases[] = {
      {"Lattice=\"1 2 3\"", "Lattice must have 9 numbers, got 3"},
      {"Lattice=\"1 0 0 0 1 0 0 0 x\"", "Lattice must have 9 finite numbers, got 'x'"},
      {"Lattice=\"1 0 0 0 nan 0 0 0 1\"", "got 'nan'"},
      {"Lattice=\"1 0 0", "the value of 'Lattice' begins with \" but has no closing \""},
      {"pbc=\"T T\"", "pbc must be three of T and F, as in pbc=\"T T F\"; got 'T T'"},
      {"pbc=\"T T maybe\"", "got 'T T maybe'"},
      {"pbc=\"T F F\"", "Lattice is missing"},
      {"Properties=species:S:1", "Properties has no pos:R:3"},
      {"Properties=pos:R:3", "Properties has neither species:S:1 nor Z:I:1"},
      {"Properties=", "Properties has no pos:R:3"},
      {"Properties=species:S:1:pos:Q:3", "got 'pos:Q:3'"},
      {"Properties=species:S:1:pos:R", "got 'pos:R:'"},
      {"Properties=species:S:1:pos:R:0", "got 'pos:R:0'"},
      {"Properties=species:S:1:pos:R:99999999999999999999", "name:type:columns"},
      {"Properties=species:S:1:pos:R:2", "Properties has no pos:R:3"},
  };
  for (const auto& [line, words] : cases)
    lab::expect_error(ErrorCode::bad_argument, words, [&text = line] { parse_comment(text); });
}

}  // namespace
}  // namespace rafter::forces
