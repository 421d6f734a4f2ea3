#include "library/core/cpu/isa.hpp"

#include <gtest/gtest.h>

namespace rafter::core {
namespace {

TEST(Isa, LevelHasAName) { EXPECT_FALSE(name(isa_level()).empty()); }

TEST(Isa, LevelDoesNotChange) { EXPECT_EQ(isa_level(), isa_level()); }

TEST(Isa, LevelsOfX86IncludeTheOnesBefore) {
  EXPECT_TRUE(runs_on(IsaLevel::v3, IsaLevel::v2));
  EXPECT_TRUE(runs_on(IsaLevel::v3, IsaLevel::v3));
  EXPECT_FALSE(runs_on(IsaLevel::v3, IsaLevel::v4));
}

TEST(Isa, CodeForAVectorLengthOfSveNeedsThatLength) {
  EXPECT_TRUE(runs_on(IsaLevel::sve256, IsaLevel::base));
  EXPECT_TRUE(runs_on(IsaLevel::sve256, IsaLevel::sve256));
  EXPECT_FALSE(runs_on(IsaLevel::sve256, IsaLevel::sve128));
  EXPECT_FALSE(runs_on(IsaLevel::sve128, IsaLevel::sve256));
  EXPECT_FALSE(runs_on(IsaLevel::base, IsaLevel::sve128));
}

TEST(Isa, RunsOnThisMachine) { EXPECT_TRUE(runs_on(host_isa_level(), isa_level())); }

}  // namespace
}  // namespace rafter::core
