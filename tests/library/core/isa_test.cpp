#include "library/core/cpu/isa.hpp"

#include <gtest/gtest.h>

namespace rafter::core {
namespace {

TEST(Isa, LevelHasAName) { EXPECT_FALSE(name(isa_level()).empty()); }

TEST(Isa, LevelDoesNotChange) { EXPECT_EQ(isa_level(), isa_level()); }

}  // namespace
}  // namespace rafter::core
