// Kernels found in a source, and the programs generated around them.
#include "executor/build/kernel_driver.hpp"

#include <gtest/gtest.h>

#include "../../workbench/lab/expect_error.hpp"
#include "../../workbench/lab/temporary_folder.hpp"
#include "base/files.hpp"
#include "executor/build/rewrite/kernels.hpp"

namespace rafter::simt::build {
namespace {

TEST(Kernels, FindsNamesAndParameters) {
  const std::vector<Kernel> kernels = find_kernels(
      "__global__ void plain(const float* __restrict__ in, unsigned int n = 3);\n"
      "namespace a { namespace b {\ntemplate <class T, int N>\n__global__ void __launch_bounds__(N) k(T (&x)[N], "
      "std::pair<int, T> y) {}\n}}\n"
      "__global__ void plain(const float* __restrict__ input, unsigned int count) {}\n"
      "static __global__ __launch_bounds__(256, 2) void none(void) {}\n// __global__ void hidden(int x) {}\n"
      "extern \"C\" __global__ void c_name(float*, int values[4]) {}\n");
  ASSERT_EQ(kernels.size(), 4U);
  EXPECT_EQ(kernels[0].name, "plain");
  EXPECT_EQ(kernels[0].parameters, (std::vector<std::string>{"input", "count"}));
  EXPECT_EQ(kernels[0].types[1], "unsigned int");
  EXPECT_EQ(kernels[1].name, "a::b::k");
  EXPECT_TRUE(kernels[1].is_template);
  EXPECT_EQ(kernels[1].parameters[1], "y");
  EXPECT_EQ(kernels[2].name, "none");
  EXPECT_TRUE(kernels[2].parameters.empty());
  EXPECT_EQ(kernels[3].parameters, (std::vector<std::string>{"", "values"}));
}

TEST(KernelDriver, ListsTheKernelsWhenTheNameIsUnknown) {
  const lab::TemporaryFolder folder;
  const std::filesystem::path file = folder.path() / "kernels.cu";
  base::write_file(file, R"(
struct float2 { float x, y; };
namespace ns {
template <class T> __global__ void sum(const T* inp, T* dest, long size, float2* pairs, bool on) {}
}
__global__ void other(int) {}
)");
  lab::expect_error(ErrorCode::bad_argument, "did you mean 'other'?",
                    [&] { generate_kernel_driver(Declared(file, {}), file, "othr"); });
  lab::expect_error(ErrorCode::bad_argument, "kernels.cu:4: ns::sum<...>",
                    [&] { generate_kernel_driver(Declared(file, {}), file, "zzz"); });
  lab::expect_error(ErrorCode::bad_argument, "is a template",
                    [&] { generate_kernel_driver(Declared(file, {}), file, "sum"); });
  EXPECT_NE(generate_kernel_driver(Declared(file, {}), file, "sum<float>").find("&::ns::sum<float>"),
            std::string::npos);
}

}  // namespace
}  // namespace rafter::simt::build
