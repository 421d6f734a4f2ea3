// rafter try: kernels that are wrong in ways that only a few cases show. Each file in try/wrong and try/subtle has the
// kernels of an exercise with several mistakes, and none of them may be accepted. Those in try/subtle pretend: they
// work in one thread while the others load, or only in the first launch. Without RAFTER_NIGHTLY every sixth one of the
// first and every twelfth one of the others is tried, with inputs that are the same each time.
#include <cstdlib>

#include "../tool.hpp"

namespace rafter::simt::test {
namespace {

struct Wrong {
  const char* folder;
  const char* exercise;
  const char* file;
  std::vector<int> variants;  ///< of the file; variant 0 is right
};

void PrintTo(const Wrong& wrong, std::ostream* out) { *out << wrong.folder << ' ' << wrong.exercise; }

/// Returns first, first + 1, ..., last.
std::vector<int> variants(int first, int last) {
  std::vector<int> all;
  for (int i = first; i <= last; ++i) all.push_back(i);
  return all;
}

class WrongKernels : public testing::TestWithParam<Wrong> {};

TEST_P(WrongKernels, AreRefused) {
  const auto& [name, exercise, file, wrong] = GetParam();
  const fs::path folder = here / "try" / name;
  const bool is_nightly = std::getenv("RAFTER_NIGHTLY") != nullptr;
  const auto attempt = [&](int variant) {
    return shell(folder, "VARIANT=" + std::to_string(variant) + " timeout 900 " RAFTER_TOOL_PATH " try " + exercise +
                             " " + file + ".cu --time-limit 5" + (is_nightly ? "" : " --seed 37"));
  };
  const Outcome right = attempt(0);
  EXPECT_EQ(right.code, 0) << "variant 0 is right\n" << right.all();
  const std::size_t step = is_nightly ? 1 : std::string(name) == "wrong" ? 6 : 12;
  for (std::size_t i = 0; i < wrong.size(); i += step) {
    const int variant = wrong[i];
    const Outcome outcome = attempt(variant);
    EXPECT_EQ(outcome.code, 1) << "variant " << variant << "\n" << outcome.all();
  }
}

INSTANTIATE_TEST_SUITE_P(
    Try, WrongKernels,
    testing::Values(
        Wrong{"wrong", "zero", "fill", variants(1, 7)}, Wrong{"wrong", "one", "fill", variants(1, 4)},
        Wrong{"wrong", "mul_add", "mul_add", variants(1, 8)}, Wrong{"wrong", "sum_atomic", "sums", variants(1, 11)},
        Wrong{"wrong", "sum_1024", "sums", variants(1, 9)}, Wrong{"wrong", "sum_final", "final", variants(1, 8)},
        Wrong{"wrong", "sum_rows", "rows", variants(1, 11)},
        Wrong{"wrong", "sum_rows_half", "rows", {1, 2, 3, 4, 5, 7, 8, 9, 12}},
        Wrong{"wrong", "filter_atomic", "filter", variants(1, 11)},
        Wrong{"wrong", "filter_ordered", "filter", variants(1, 11)}, Wrong{"wrong", "index", "index", variants(1, 14)},
        Wrong{"wrong", "scan", "scan", variants(1, 7)}, Wrong{"wrong", "exclusive_scan", "scan", variants(1, 7)},
        Wrong{"wrong", "scatter_sum", "keys", variants(1, 8)}, Wrong{"wrong", "reduce_by_key", "keys", variants(1, 6)},
        Wrong{"wrong", "reduce_by_key_gradient", "keys", variants(1, 6)},
        Wrong{"wrong", "transpose", "transpose", variants(1, 8)}, Wrong{"wrong", "conv", "conv", variants(1, 10)},
        Wrong{"wrong", "conv_tiled", "conv", {1, 4, 5, 6, 8, 10, 11}},
        Wrong{"wrong", "winograd", "winograd", variants(1, 9)}, Wrong{"wrong", "matmul", "matmul", variants(1, 8)},
        Wrong{"wrong", "matmul_tiled", "matmul", {1, 2, 3, 4, 6, 8, 9, 10}}),
    [](const auto& test) { return std::string(test.param.exercise); });

INSTANTIATE_TEST_SUITE_P(
    Subtle, WrongKernels,
    testing::Values(
        Wrong{"subtle", "zero", "fill", variants(1, 11)}, Wrong{"subtle", "one", "fill", variants(1, 11)},
        Wrong{"subtle", "mul_add", "mul_add", variants(1, 13)}, Wrong{"subtle", "sum_atomic", "sums", variants(1, 13)},
        Wrong{"subtle", "sum_1024", "sums", variants(1, 13)}, Wrong{"subtle", "sum_final", "final", variants(1, 12)},
        Wrong{"subtle", "sum_rows", "rows", variants(1, 12)},
        Wrong{"subtle", "filter_atomic", "filter", variants(1, 14)},
        Wrong{"subtle", "filter_ordered", "filter", variants(1, 14)},
        Wrong{"subtle", "index", "index", variants(1, 13)}, Wrong{"subtle", "scan", "scan", variants(1, 14)},
        Wrong{"subtle", "exclusive_scan", "scan", variants(1, 14)},
        Wrong{"subtle", "scatter_sum", "keys", variants(1, 11)},
        Wrong{"subtle", "reduce_by_key", "keys", variants(1, 10)},
        Wrong{"subtle", "reduce_by_key_gradient", "keys", variants(1, 9)},
        Wrong{"subtle", "transpose", "transpose", variants(1, 12)}, Wrong{"subtle", "conv", "conv", variants(1, 12)},
        Wrong{"subtle", "conv_tiled", "conv", variants(1, 9)}, Wrong{"subtle", "winograd", "winograd", variants(1, 9)},
        Wrong{"subtle", "matmul", "matmul", variants(1, 14)}, Wrong{"subtle", "matmul_tiled", "matmul", variants(1, 9)},
        Wrong{"subtle", "sum_rows_half", "rows", {1, 2, 3, 4, 5, 6, 7, 8, 11, 12, 20, 21, 22}}),
    [](const auto& test) { return std::string(test.param.exercise); });

}  // namespace
}  // namespace rafter::simt::test
