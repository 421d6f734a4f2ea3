// rafter try: kernels that are wrong in ways that only a few cases show. Each file in try/wrong has the kernels of an
// exercise with several mistakes, and none of them may be accepted. Without RAFTER_NIGHTLY every third one is tried.
#include <cstdlib>

#include "../tool.hpp"

namespace rafter::simt::test {
namespace {

struct Wrong {
  const char* exercise;
  const char* file;
  std::vector<int> variants;  ///< of the file; variant 0 is right
};

void PrintTo(const Wrong& wrong, std::ostream* out) { *out << wrong.exercise; }

/// Returns first, first + 1, ..., last.
std::vector<int> variants(int first, int last) {
  std::vector<int> all;
  for (int i = first; i <= last; ++i) all.push_back(i);
  return all;
}

class WrongKernels : public testing::TestWithParam<Wrong> {};

TEST_P(WrongKernels, AreRefused) {
  const auto& [exercise, file, wrong] = GetParam();
  const fs::path folder = here / "try/wrong";
  const auto attempt = [&](int variant) {
    return shell(folder, "VARIANT=" + std::to_string(variant) + " timeout 900 " RAFTER_TOOL_PATH " try " + exercise +
                             " " + file + ".cu --time-limit 5");
  };
  const Outcome right = attempt(0);
  EXPECT_EQ(right.code, 0) << "variant 0 is right\n" << right.all();
  const std::size_t step = std::getenv("RAFTER_NIGHTLY") != nullptr ? 1 : 3;
  for (std::size_t i = 0; i < wrong.size(); i += step) {
    const int variant = wrong[i];
    const Outcome outcome = attempt(variant);
    EXPECT_EQ(outcome.code, 1) << "variant " << variant << "\n" << outcome.all();
  }
}

INSTANTIATE_TEST_SUITE_P(
    Try, WrongKernels,
    testing::Values(
        Wrong{"zero", "fill", variants(1, 7)}, Wrong{"one", "fill", variants(1, 4)},
        Wrong{"mul_add", "mul_add", variants(1, 8)}, Wrong{"sum_atomic", "sums", variants(1, 11)},
        Wrong{"sum_1024", "sums", variants(1, 9)}, Wrong{"sum_final", "final", variants(1, 8)},
        Wrong{"sum_rows", "rows", variants(1, 11)}, Wrong{"sum_rows_half", "rows", {1, 2, 3, 4, 5, 7, 8, 9, 12}},
        Wrong{"filter_atomic", "filter", variants(1, 11)}, Wrong{"filter_ordered", "filter", variants(1, 11)},
        Wrong{"index", "index", variants(1, 14)}, Wrong{"scan", "scan", variants(1, 7)},
        Wrong{"exclusive_scan", "scan", variants(1, 7)}, Wrong{"scatter_sum", "keys", variants(1, 8)},
        Wrong{"reduce_by_key", "keys", variants(1, 6)}, Wrong{"reduce_by_key_gradient", "keys", variants(1, 6)},
        Wrong{"transpose", "transpose", variants(1, 8)}, Wrong{"conv", "conv", variants(1, 10)},
        Wrong{"conv_tiled", "conv", {1, 4, 5, 6, 8, 10, 11}}, Wrong{"winograd", "winograd", variants(1, 9)},
        Wrong{"matmul", "matmul", variants(1, 8)}, Wrong{"matmul_tiled", "matmul", {1, 2, 3, 4, 6, 8, 9, 10}}),
    [](const auto& test) { return std::string(test.param.exercise); });

}  // namespace
}  // namespace rafter::simt::test
