// Errors of whole programs: sticky errors, asserts, invalid launches, and printing in kernels.
#include "../tool.hpp"

namespace rafter::simt::test {
namespace {

const fs::path folder = here / "errors";

void expect_as_on_a_gpu(const std::string& file, int code_of_check) {
  const Outcome ran = rafter(folder, "exec " + file);
  EXPECT_EQ(ran.code, 0) << ran.all();
  EXPECT_EQ(ran.out, "as on a GPU\n") << ran.all();
  const Outcome checked = rafter(folder, "check " + file);
  EXPECT_EQ(checked.code, code_of_check) << checked.all();
  EXPECT_TRUE(checked.out.starts_with("as on a GPU\n")) << checked.all();
}

TEST(Errors, IllegalAddressIsSticky) { expect_as_on_a_gpu("illegal_address.cu", 1); }
TEST(Errors, DeviceAssertIsSticky) { expect_as_on_a_gpu("device_assert.cu", 1); }
TEST(Errors, InvalidLaunchIsNotSticky) {
  expect_as_on_a_gpu("launch_errors.cu", 1);
  expect_as_on_a_gpu("error_handling.cu", 1);
  expect_as_on_a_gpu("child_errors.cu", 1);
}

using Refused = ToolTest;

TEST_F(Refused, LaunchesAreReported) {
  const std::vector<std::pair<std::string, std::string>> shapes{
      {"0, 64", "a grid of (0, 1, 1) blocks"},
      {"1, dim3(64, 0)", "a block of (64, 0, 1) threads"},
      {"1, 2048", "2048 threads per block (at most 1024)"},
      {"1, dim3(1, 1, 65)", "a block of (1, 1, 65) threads (at most 1024, 1024, 64)"},
      {"dim3(1, 70000), 1", "a grid of (1, 70000, 1) blocks (at most 2147483647, 65535, 65535)"},
      {"1, 1, 50000", "50000 bytes of dynamic shared memory (at most 49152)"}};
  std::string kernels, launches;
  for (std::size_t i = 0; i < shapes.size(); ++i) {
    kernels += "__global__ void k" + std::to_string(i) + "() {}\n";
    launches += "  k" + std::to_string(i) + "<<<" + shapes[i].first + ">>>();\n";
  }
  file("refused.cu", kernels + "int main() {\n" + launches + "}\n");
  const Outcome checked = rafter("check refused.cu");
  EXPECT_EQ(checked.code, 1) << checked.all();
  for (std::size_t i = 0; i < shapes.size(); ++i) {
    const std::string line = "kernel k" + std::to_string(i) + " failed: the launch was refused: ";
    EXPECT_TRUE(has(checked.out, line + shapes[i].second + "\n")) << shapes[i].second << "\n" << checked.all();
  }
  EXPECT_FALSE(has(checked.out + checked.err, "nothing")) << checked.all();
  const Outcome profiled = rafter("profile refused.cu");
  EXPECT_EQ(profiled.code, 1) << profiled.all();
  EXPECT_TRUE(has(profiled.out, "kernel k0 failed: the launch was refused")) << profiled.all();
}

TEST(Errors, AssertPrintsCudasMessage) {
  const Outcome ran = rafter(folder, "exec device_assert.cu");
  EXPECT_TRUE(has(ran.err, "device_assert.cu:12: ")) << ran.err;
  EXPECT_TRUE(has(ran.err, "block: [1,0,0], thread: [5,0,0] Assertion `in[i] > 0` failed.")) << ran.err;
}

TEST(Errors, BadPointerIsReportedWhereItIsDereferenced) {
  const json report = rafter(folder, "check --json illegal_address.cu").report();
  ASSERT_EQ(report["findings"].size(), 1u) << report.dump(2);
  EXPECT_EQ(report["findings"][0]["kind"], "out_of_bounds");
  EXPECT_EQ(report["findings"][0]["sides"][0]["place"]["line"], 10);
}

using Printing = ToolTest;

TEST_F(Printing, PrintsInOrderWithAllFormats) {
  file("print.cu", R"(#include <cstdio>
__global__ void say(const char* word) {
  printf("%d %u %lld %5.2f %s %c %%\n", -(int)threadIdx.x, blockIdx.x, 1ll << 40, 1.5f * threadIdx.x, word, 'x');
}
int main() {
  say<<<1, 3>>>("hello");
  cudaDeviceSynchronize();
  printf("host\n");
})");
  const std::string expected =
      "0 0 1099511627776  0.00 hello x %\n-1 0 1099511627776  1.50 hello x %\n-2 0 1099511627776  3.00 hello x "
      "%\nhost\n";
  const Outcome ran = rafter("exec print.cu");
  EXPECT_EQ(ran.out, expected) << ran.all();
  EXPECT_TRUE(rafter("check print.cu").out.starts_with(expected));
  const Outcome as_json = rafter("check print.cu --json");
  EXPECT_TRUE(as_json.report().is_object()) << "the program's output is separate: " << as_json.out;
  EXPECT_TRUE(has(as_json.err, expected)) << as_json.err;
}

}  // namespace
}  // namespace rafter::simt::test
