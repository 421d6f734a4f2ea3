#include "apps/solve/heat_faces.hpp"

#include <gtest/gtest.h>

#include "workbench/lab/expect_error.hpp"

namespace rafter::solve {
namespace {

using Kind = HeatFace::Kind;
using lab::expect_error;

TEST(HeatFaces, ParsesAndShowsText) {
  EXPECT_EQ(parse_faces("periodic"), heat_faces(HeatBoundary::periodic));
  const SolveFaces faces = parse_faces("zero-flux,x-=value:400,x+=flux:-2.5,y=periodic,z+=frozen");
  EXPECT_EQ(faces.low[0], (HeatFace{Kind::flux, 0}));
  EXPECT_EQ(faces.high[0], (HeatFace{Kind::frozen}));
  EXPECT_EQ(faces.low[1], (HeatFace{Kind::periodic}));
  EXPECT_EQ(faces.high[1], (HeatFace{Kind::periodic}));
  EXPECT_EQ(faces.low[2], (HeatFace{Kind::value, 400}));
  EXPECT_EQ(faces.high[2], (HeatFace{Kind::flux, -2.5}));
  for (const char* words : {"frozen", "periodic", "zero-flux", "value:0.1", "flux:1e-300", "zero-flux,x-=value:400",
                            "frozen,z=periodic", "value:0,y+=flux:0.3333333333333333", "frozen,z-=value:1,y=value:2"}) {
    EXPECT_EQ(show_faces(parse_faces(words)), words);
  }
  EXPECT_EQ(show_faces(parse_faces("x=zero-flux,y=zero-flux,z=zero-flux")), "zero-flux");
  EXPECT_EQ(parse_faces(show_faces(faces)), faces);
}

TEST(HeatFaces, ParsesExpressionsAndRobinFaces) {
  const SolveFaces faces = parse_faces("zero-flux, x-=value:20+5*sin(t), x+=robin:8:min(x, t), y=flux:(t >= 2)");
  EXPECT_EQ(faces.low[2], (HeatFace{Kind::value, 1}));
  EXPECT_EQ(faces.low_expressions[2], "20+5*sin(t)");
  EXPECT_EQ(faces.high[2], (HeatFace{Kind::robin, 1, 8}));
  EXPECT_EQ(faces.high_expressions[2], "min(x, t)");
  EXPECT_EQ(faces.low_expressions[1], "(t >= 2)");
  EXPECT_TRUE(faces.low_expressions[0].empty());
  EXPECT_EQ(parse_faces(show_faces(faces)), faces) << show_faces(faces);
  EXPECT_EQ(show_faces(parse_faces("robin:0.5:20")), "robin:0.5:20");
  EXPECT_EQ(show_faces(parse_faces("value:t>=2")), "value:t>=2");
  EXPECT_FALSE(plain_boundary(parse_faces("flux:0*t")));
  EXPECT_FALSE(has_prescribed_flow(parse_faces("flux:t")));
}

TEST(HeatFaces, RejectsInvalidTextWithWhatWasExpected) {
  const auto refused = [](const char* words, const char* why) {
    expect_error(ErrorCode::bad_argument, why, [&] { parse_faces(words); });
  };
  refused("perodic", "did you mean 'periodic'?");
  refused("zero-flux,x-=valu:3", "did you mean 'value'?");
  refused("value:", "'' is not a number");
  refused("value:nan", "'nan' is not a number");
  refused("flux", "flux:NUMBER");
  refused("robin:3", "expected robin:H:U");
  refused("robin:-3:20", "positive number H");
  refused("robin:t:20", "positive number H");
  refused("value:3*w", "'3*w' is not a number and not an expression of x, y, z and t");
  refused("xx=frozen", "got 'xx'");
  refused("=frozen", "got ''");
  refused("frozen,", "unknown boundary ''");
  refused("y+=periodic", "y=periodic is for both sides");
}

TEST(HeatFaces, DescribesTheFrozenLayers) {
  EXPECT_EQ(describe_faces(parse_faces("frozen"), 4), "frozen (the outer 4 layers keep their values)");
  EXPECT_EQ(describe_faces(parse_faces("periodic,z=frozen"), 1),
            "periodic,z=frozen (the outer layer keeps its values)");
  EXPECT_EQ(describe_faces(parse_faces("zero-flux"), 4), "zero-flux");
}

TEST(HeatFaces, FindsPlainBoundaries) {
  EXPECT_EQ(plain_boundary(parse_faces("zero-flux")), HeatBoundary::zero_flux);
  EXPECT_EQ(plain_boundary(parse_faces("frozen")), HeatBoundary::frozen);
  EXPECT_FALSE(plain_boundary(parse_faces("flux:1")));
  EXPECT_FALSE(plain_boundary(parse_faces("zero-flux,x=periodic")));
}

TEST(HeatFaces, FluxesAddUp) {
  const SolveFaces faces = parse_faces("zero-flux,x-=flux:2,z+=flux:-3,y=periodic");
  EXPECT_TRUE(has_prescribed_flow(faces));
  EXPECT_FALSE(has_prescribed_flow(parse_faces("zero-flux,x-=value:2")));
  EXPECT_FALSE(has_prescribed_flow(parse_faces("frozen")));
  EXPECT_DOUBLE_EQ(prescribed_flow(faces, {2, 3, 4}, {1, 0.5, 2}), 2 * (2 * 1.5) - 3 * (1.5 * 8));
}

}  // namespace
}  // namespace rafter::solve
