#include "apps/forces/xyz_writer.hpp"

#include <gtest/gtest.h>

#include <cfloat>
#include <random>

#include "apps/forces/xyz_text.hpp"

namespace rafter::forces {
namespace {

TEST(XyzWriter, WritesExtendedXyz) {
  const Frame frame = read_frames("2\nhydrogen chloride\nh 0 0 1.28\n17 0 0 0\n").frames.at(0);
  const std::vector<float> forces{0, 0, 0.1f, 0, 0, -0.1f};
  std::string text;
  append_frame<float>(text, frame, {.energy = -1.5, .forces = forces});
  EXPECT_EQ(text,
            "2\n"
            "Properties=species:S:1:pos:R:3:forces:R:3 energy=-1.5 comment=\"hydrogen chloride\" pbc=\"F F F\"\n"
            "H 0 0 1.28 0 0 0.1\n"
            "Cl 0 0 0 0 0 -0.1\n");
  text.clear();
  append_frame<double>(text, frame, {.energy = 0.1, .virial = Tensor3x3{1, 2, 3, 4, 5, 6, 7, 8, 9}});
  EXPECT_EQ(text,
            "2\n"
            "Properties=species:S:1:pos:R:3 energy=0.1 virial=\"1 2 3 4 5 6 7 8 9\" comment=\"hydrogen chloride\" "
            "pbc=\"F F F\"\n"
            "H 0 0 1.28\n"
            "Cl 0 0 0\n");
}

TEST(XyzWriter, StressIsMinusTheVirialOverTheVolumeOfACell) {
  const std::string atom = "\nC 0 0 0\n";
  const auto written = [&](const std::string& comment) {
    std::string text;
    append_frame<float>(text, read_frames("1\n" + comment + atom).frames.at(0),
                        {.energy = 1, .virial = Tensor3x3{4, 0, 0, 0, -8, 0, 0, 0, 16}});
    return text;
  };
  EXPECT_EQ(written("a=b Lattice=\"2 0 0 0 2 0 1 0 2\""),
            "1\nLattice=\"2 0 0 0 2 0 1 0 2\" Properties=species:S:1:pos:R:3 energy=1 virial=\"4 0 0 0 -8 0 0 0 16\" "
            "stress=\"-0.5 -0 -0 -0 1 -0 -0 -0 -2\" a=b pbc=\"T T T\"" +
                atom);
  for (const char* comment :
       {"x", "Lattice=\"2 0 0 0 2 0 1 0 2\" pbc=\"F F F\"", "Lattice=\"2 0 0 0 2 0 0 0 0\" pbc=\"T T F\""})
    EXPECT_EQ(written(comment).find("stress"), std::string::npos) << comment;
}

TEST(XyzWriter, ReadsBackTheSameFrame) {
  std::mt19937_64 random(7);
  std::uniform_real_distribution<double> uniform(-1000, 1000);
  Frame frame{.cell = UnitCell{{}, {true, false, true}}, .other_keys = "name=\"a b\" flag list=[1, 2]"};
  for (auto& vector : frame.cell->vectors) {
    for (double& x : vector) x = uniform(random);
  }
  for (std::int32_t element = 1; element < 101; ++element) {
    frame.elements.push_back(element);
    for (int axis = 0; axis < 3; ++axis) frame.positions.push_back(uniform(random) * (axis == 2 ? 1e-9 : 1));
  }
  frame.positions[7] = -0.0;
  frame.positions[11] = DBL_TRUE_MIN;
  const std::vector<double> forces(frame.positions.rbegin(), frame.positions.rend());
  std::string text;
  for (int i = 0; i < 2; ++i)
    append_frame<double>(text, frame, {.energy = uniform(random), .forces = forces, .virial = Tensor3x3{1, 2, 3}});
  const ReadFrames all = read_frames(text);
  ASSERT_EQ(all.frames.size(), 2u) << all.skipped.at(0).reason;
  for (const Frame& again : all.frames) {
    EXPECT_EQ(again.elements, frame.elements);
    EXPECT_EQ(again.positions, frame.positions);
    EXPECT_EQ(again.other_keys, frame.other_keys);
    EXPECT_EQ(again.cell->vectors, frame.cell->vectors);
    EXPECT_EQ(again.cell->is_periodic, frame.cell->is_periodic);
  }
}

}  // namespace
}  // namespace rafter::forces
