#include "apps/forces/frame_check.hpp"

#include <gtest/gtest.h>

#include <cmath>

#include "apps/forces/elements.hpp"

namespace rafter::forces {
namespace {

constexpr std::array all{true, true, true};

Frame with_atoms(std::vector<double> positions, std::optional<UnitCell> cell = std::nullopt) {
  Frame frame{.line = 10, .positions = std::move(positions), .cell = cell};
  frame.elements.assign(frame.positions.size() / 3, 6);
  return frame;
}

void expect_good(const Frame& frame) {
  const auto fault = fault_of(frame, 101);
  EXPECT_FALSE(fault) << fault->reason;
}

void expect_fault(const Frame& frame, std::int64_t line, const std::string& words) {
  const auto fault = fault_of(frame, 101);
  ASSERT_TRUE(fault) << words;
  EXPECT_EQ(fault->line, line);
  EXPECT_NE(fault->reason.find(words), std::string::npos) << fault->reason;
}

TEST(Elements, FoundBySymbolInAnyCaseAndByNumber) {
  for (std::int32_t element = 1; element <= n_elements; ++element) {
    EXPECT_EQ(element_called(symbol_of(element)), element);
    EXPECT_EQ(element_called(std::to_string(element)), element);
  }
  EXPECT_EQ(symbol_of(1), "H");
  EXPECT_EQ(symbol_of(80), "Hg");
  EXPECT_EQ(symbol_of(118), "Og");
  for (const char* chlorine : {"Cl", "CL", "cl", "cL", "17", "017"}) EXPECT_EQ(element_called(chlorine), 17);
  for (const char* none : {"", "X", "Xx", "C1", "H+", "0", "119", "-6", "6.0", "Hel", "6C", "\xc3", "C ", "@", "["})
    EXPECT_EQ(element_called(none), std::nullopt) << none;
}

TEST(FrameCheck, AcceptsGoodFrames) {
  expect_good(with_atoms({}));
  expect_good(with_atoms({0, 0, 0}));
  expect_good(with_atoms({0, 0, 0, 0, 0, 1.1e-6}));
  const UnitCell cube{{{{3, 0, 0}, {0, 3, 0}, {0, 0, 3}}}, all};
  expect_good(with_atoms({0, 0, 0}, cube));
  expect_good(with_atoms({0, 0, 0, 1.5, 1.5, 1.5}, cube));
  expect_good(with_atoms({0, 0, 0, 0, 0, 3}, UnitCell{cube.vectors, {true, true, false}}));
  expect_good(with_atoms({0, 0, 0}, UnitCell{{}, {false, false, false}}));
  expect_good(with_atoms({0, 0, 0, 0, 1, 0}, UnitCell{{{{}, {}, {0, 0, 2}}}, {false, false, true}}));
}

TEST(FrameCheck, FindsCoincidentAtoms) {
  expect_fault(with_atoms({1, 2, 3, 0, 0, 0, 1, 2, 3}), 14, "atoms 1 and 3 coincide: they are 0 Angstrom apart");
  expect_fault(with_atoms({0, 0, 0, 0, 9e-7, 0}), 13, "atoms 1 and 2 coincide: they are 9e-07 Angstrom apart");
}

TEST(FrameCheck, ComparesManyAtomsOfACrystal) {
  std::vector<double> grid;
  for (int x = 0; x < 20; ++x) {
    for (int y = 0; y < 20; ++y) {
      for (int z = 0; z < 20; ++z) grid.insert(grid.end(), {2.5 * x, 2.5 * y, 2.5 * z});
    }
  }
  expect_good(with_atoms(grid));
  grid.insert(grid.end(), {2.5 * 7, 2.5 * 3, 2.5 * 11});
  expect_fault(with_atoms(grid), 8012, "atoms 2872 and 8001 coincide");
}

TEST(FrameCheck, FindsAtomsAtAPeriodicImage) {
  const UnitCell skewed{{{{4, 0, 0}, {1, 5, 0}, {-1, 2, 6}}}, all};
  expect_fault(with_atoms({0, 0, 0, 1, 1, 1, 4, 0, 0}, skewed), 14, "atoms 1 and 3 coincide");
  expect_fault(with_atoms({0.5, 0.25, 1, 0.5 + 3 * 4 - 2 * 1 - 1, 0.25 - 2 * 5 + 2, 7}, skewed), 13, "atoms 1 and 2");
  expect_fault(with_atoms({-1e-7, 0, 0, 1e-7, 0, 0}, skewed), 13, "atoms 1 and 2");     // on both sides of a face
  expect_fault(with_atoms({1e-7, 1e-7, -1e-7, 4, 7, 6}, skewed), 13, "atoms 1 and 2");  // across a corner
  const UnitCell chain{{{{2, 0, 0}, {}, {}}}, {true, false, false}};
  expect_fault(with_atoms({0, 1, 1, -6, 1, 1}, chain), 13, "atoms 1 and 2");
}

TEST(FrameCheck, FindsCellsWithoutVolume) {
  const std::array<std::array<double, 3>, 3> flat{{{1, 0, 0}, {0, 1, 0}, {1, 1, 0}}};
  expect_fault(with_atoms({0, 0, 0}, UnitCell{flat, all}), 11, "the cell has no volume");
  expect_fault(with_atoms({0, 0, 0}, UnitCell{{}, all}), 11, "the cell has no volume");
  expect_fault(with_atoms({}, UnitCell{{{{5, 0, 0}, {0, 5, 0}, {0, 0, 0.01}}}, all}), 11,
               "along vector 3 it is 0.01 Angstrom high, expected 0.1 or more");
  expect_fault(with_atoms({}, UnitCell{{{{1, 0, 0}, {2, 0, 0}, {}}}, {true, true, false}}), 11, "has no volume");
  expect_good(with_atoms({}, UnitCell{flat, {true, true, false}}));
  EXPECT_EQ(volume_of({{{{0, 0, 2}, {3, 0, 0}, {1, 4, 1}}}, all}), 24);
  EXPECT_EQ(volume_of({flat, all}), 0);
}

TEST(FrameCheck, FindsUnsupportedElementsAndDistantAtoms) {
  Frame frame = with_atoms({0, 0, 0, 1, 0, 0});
  frame.elements[1] = 101;
  expect_fault(frame, 13, "the model does not support element Md (101); expected atomic numbers below 101");
  frame.elements[1] = 100;
  expect_good(frame);
  expect_fault(with_atoms({0, 0, 0, 0, -1e7, 0}), 13, "a coordinate is -1e+07 Angstrom; expected at most 1e+06");
  expect_fault(with_atoms({0, 0, 0}, UnitCell{{{{1e300, 0, 0}, {0, 1, 0}, {0, 0, 1}}}, all}), 11, "is 1e+300");
}

}  // namespace
}  // namespace rafter::forces
