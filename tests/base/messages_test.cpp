#include "base/messages.hpp"

#include <gtest/gtest.h>

#include <vector>

namespace rafter::base {
namespace {

const std::vector<std::string> workloads{"sum", "rows", "stencil", "transpose"};

TEST(UnknownName, SuggestsNamesWithSwappedLetters) {
  EXPECT_EQ(unknown_name("workload", "smu", workloads), "unknown workload 'smu': did you mean 'sum'?");
}

TEST(UnknownName, SuggestsNamesWithMissingExtraAndWrongLetters) {
  for (const char* typo : {"stencl", "stenccil", "stensil"}) {
    EXPECT_NE(unknown_name("workload", typo, workloads).find("did you mean 'stencil'?"), std::string::npos) << typo;
  }
}

TEST(UnknownName, SuggestsNamesThatContainTheWord) {
  EXPECT_NE(unknown_name("workload", "trans", workloads).find("did you mean 'transpose'?"), std::string::npos);
}

TEST(UnknownName, SuggestsAllSimilarNames) {
  const std::vector<std::string> rungs{"simd_128", "simd_256", "scalar"};
  EXPECT_EQ(unknown_name("rung", "simd", rungs), "unknown rung 'simd': did you mean 'simd_128' or 'simd_256'?");
}

TEST(UnknownName, SuggestsADuplicateNameOnce) {
  const std::vector<std::string> rungs{"by_shape", "by_shape"};
  EXPECT_EQ(unknown_name("rung", "by_shap", rungs), "unknown rung 'by_shap': did you mean 'by_shape'?");
}

TEST(UnknownName, ListsKnownNamesWhenNoneIsSimilar) {
  EXPECT_EQ(unknown_name("workload", "fft", workloads),
            "unknown workload 'fft'; expected one of: sum, rows, stencil, transpose");
}

TEST(UnknownName, ListsKnownNamesForAnEmptyName) {
  EXPECT_NE(unknown_name("workload", "", workloads).find("expected one of: sum, rows"), std::string::npos);
}

}  // namespace
}  // namespace rafter::base
