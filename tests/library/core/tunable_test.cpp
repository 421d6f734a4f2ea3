#include "library/core/tunable.hpp"

#include <gtest/gtest.h>
#include <unistd.h>

#include <algorithm>
#include <cstdlib>
#include <filesystem>
#include <fstream>

namespace rafter::core {
namespace {

const Tunable planted{"planted.number", "for this test", {{90, 7}, {80, 5}}, {3, 5, 7}};

TEST(Tunable, HasAValueByComputeCapability) {
  EXPECT_EQ(planted.standard(100), 7);
  EXPECT_EQ(planted.standard(90), 7);
  EXPECT_EQ(planted.standard(89), 5);
  EXPECT_EQ(planted.standard(70), 5) << "the oldest is for all that are older";
  EXPECT_TRUE(planted.allows(3));
  EXPECT_FALSE(planted.allows(4));
}

TEST(Tunable, IsListedByName) {
  const auto all = tunables();
  EXPECT_EQ(std::count(all.begin(), all.end(), &planted), 1);
}

TEST(Tunable, LaterDefinitionReplacesOneOfTheSameName) {
  static const Tunable built_in{"planted.twice", "for this test", {{0, 3}}, {3, 5}};
  static const Tunable loaded{"planted.twice", "for this test", {{0, 5}}, {3, 5}};
  const auto all = tunables();
  EXPECT_EQ(std::count(all.begin(), all.end(), &built_in), 0);
  EXPECT_EQ(std::count(all.begin(), all.end(), &loaded), 1);
}

TEST(Tunable, ScopeOverridesTheValue) {
  {
    const TunedScope scope(planted, 3);
    EXPECT_EQ(planted.value_for(90), 3);
    const TunedScope inner(planted, 5);
    EXPECT_EQ(planted.value_for(90), 5);
    EXPECT_EQ(planted.value_here(), 5);
  }
  EXPECT_EQ(planted.value_for(90), 7);
}

TEST(Tunable, ReadsBackWrittenFiles) {
  const auto path = std::filesystem::temp_directory_path() / ("rafter-tuned-" + std::to_string(getpid()));
  std::ofstream(path) << tuned_text({{"NVIDIA H200", "sum.blocks_per_sm", 3}}) << "half a line\nA\tb\n";
  const auto values = read_tuned(path.string());
  std::filesystem::remove(path);
  ASSERT_EQ(values.size(), 1u) << "malformed lines are skipped";
  EXPECT_EQ(values[0].gpu, "NVIDIA H200");
  EXPECT_EQ(values[0].name, "sum.blocks_per_sm");
  EXPECT_EQ(values[0].value, 3);
  EXPECT_TRUE(read_tuned("/nonexistent/file").empty());
}

TEST(Tunable, EnvironmentNamesTheFile) {
  setenv("XDG_CONFIG_HOME", "/config", 1);
  EXPECT_EQ(tuned_path(), "/config/rafter/tuned.tsv");
  setenv("RAFTER_TUNED", "/else/where", 1);
  EXPECT_EQ(tuned_path(), "/else/where");
  unsetenv("RAFTER_TUNED");
  unsetenv("XDG_CONFIG_HOME");
}

}  // namespace
}  // namespace rafter::core
