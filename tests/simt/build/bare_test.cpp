// Kernels found in a source, and bare kernels run with arguments from the command line.
#include "simt/build/bare.hpp"

#include <gtest/gtest.h>

#include <cstring>

#include "../../lab/expect_error.hpp"
#include "../../lab/temporary_folder.hpp"
#include "base/process.hpp"
#include "simt/build/kernels.hpp"
#include "toolchain.hpp"

namespace rafter::simt::build {
namespace {

TEST(Kernels, names_and_parameters) {
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

/// One driver for all tests: it takes seconds to build.
class Bare : public testing::Test {
 protected:
  static void SetUpTestSuite() {
    folder_ = new lab::TemporaryFolder;
    const std::filesystem::path shim = folder_->path() / "shim/rafter_simt";
    Toolchain toolchain = test::make_toolchain(folder_->path());
    for (const char* name : {"bare.hpp", "bare_arguments.hpp", "bare_types.hpp", "npy.hpp"})
      std::filesystem::copy_file(std::filesystem::path(RAFTER_SIMT_INCLUDE) / "rafter_simt" / name, shim / name);
    base::write_file(shim / "launch.hpp", "#pragma once\n#include <cuda_runtime.h>\n");
    base::write_file(shim / "runtime_api.hpp", R"(#pragma once
#include <cstring>
enum cudaError_t { cudaSuccess }; enum { cudaMemcpyHostToDevice, cudaMemcpyDeviceToHost };
inline cudaError_t cudaMalloc(void** p, std::size_t n) { *p = std::malloc(n + 1); return cudaSuccess; }
inline cudaError_t cudaFree(void* p) { std::free(p); return cudaSuccess; }
inline cudaError_t cudaMemcpy(void* a, const void* b, std::size_t n, int) { std::memcpy(a, b, n); return cudaSuccess; }
inline cudaError_t cudaGetLastError() { return cudaSuccess; }
inline cudaError_t cudaDeviceSynchronize() { return cudaSuccess; }
inline const char* cudaGetErrorString(cudaError_t) { return ""; }
)");
    base::write_file(file(), R"(
struct float2 { float x, y; };
namespace ns {
template <class T> __global__ void sum(const T* inp, T* dest, long size, float2* pairs, bool on) {
  for (long i = 0; i < size; ++i) dest[0] += inp[i] + (on ? pairs[0].y : 0);
}
}
__global__ void other(int) {}
int main() { return 77; }
)");
    base::write_file(folder_->path() / "bare.cu", generate_bare_driver(file(), "ns::sum<double>"));
    const lab::ScopedVariable cache("XDG_CACHE_HOME", (folder_->path() / "cache").c_str());
    Build build;
    build.sources = {folder_->path() / "bare.cu"};
    build.output = folder_->path() / "driver";
    try {  // to ctest, a suite that cannot be set up is a skipped one
      build_program(build, toolchain);
    } catch (const std::exception& error) {
      problem_ = error.what();
    }
  }
  void SetUp() override { ASSERT_EQ(problem_, ""); }
  static void TearDownTestSuite() { delete folder_; }

  static std::filesystem::path file() { return folder_->path() / "kernels.cu"; }
  static std::string at(const std::string& name) { return (folder_->path() / name).string(); }
  static test::Run call(const std::vector<std::string>& words) {
    base::Command command{at("driver")};
    command.insert(command.end(), words.begin(), words.end());
    const base::Outcome outcome = base::run(command);
    return {outcome.status(), outcome.output};
  }

  static lab::TemporaryFolder* folder_;
  static inline std::string problem_;
};
lab::TemporaryFolder* Bare::folder_ = nullptr;

TEST_F(Bare, runs_and_saves) {
  const test::Run first =
      call({"--grid", "1,2", "--block", "2,2,2", "--arg", "inp=f64[2,5]:arange", "--arg", "dest=f64[1]:0.5", "--arg",
            "size=10", "--arg", "pairs=f32[4]:2", "--arg", "on=bool:1", "--save", "dest=" + at("out.npy")});
  ASSERT_EQ(first.status, 0) << first.output;
  const std::string bytes = base::read_file(at("out.npy")).value();
  ASSERT_EQ(bytes.size(), 128U + 8U);
  EXPECT_NE(bytes.find("{'descr': '<f8', 'fortran_order': False, 'shape': (1,), }"), std::string::npos);
  double value = 0;
  std::memcpy(&value, bytes.data() + 128, 8);
  EXPECT_EQ(value, 0.5 + 16 * (45 + 10 * 2));
  const test::Run second = call({"--arg", "inp=" + at("out.npy"), "--arg", "dest=f64[1]:0", "--arg", "size=i64:1",
                                 "--arg", "pairs=null", "--arg", "on=0", "--save", "dest=" + at("again.npy")});
  ASSERT_EQ(second.status, 0) << second.output;
  EXPECT_EQ(base::read_file(at("again.npy")).value(), bytes);
}

TEST_F(Bare, says_what_does_not_fit) {
  const std::vector<std::string> good{"--arg", "dest=f64[1]:0",  "--arg", "size=10",
                                      "--arg", "pairs=f32[4]:2", "--arg", "on=1"};
  const auto with = [&](std::vector<std::string> words) {
    words.insert(words.end(), good.begin(), good.end());
    const test::Run result = call(words);
    EXPECT_EQ(result.status, 2);
    return result.output;
  };
  const auto expect_says = [](const std::string& output, const std::string& part) {
    EXPECT_NE(output.find(part), std::string::npos) << output;
  };
  expect_says(with({"--arg", "inp=f32[10]:1"}), "argument 'inp': the kernel takes const f64*, but f32[10] was given");
  expect_says(with({"--arg", "inp=f64:1"}), "needs a shape");
  expect_says(with({"--arg", "inp=f64[10]:often"}), "'often' is no way to fill");
  expect_says(with({"--arg", "inp=f65[10]"}), "'f65' is no type");
  expect_says(with({"--arg", "ipn=f64[10]"}), "no parameter 'ipn': did you mean 'inp'?");
  expect_says(with({}),
              "no --arg for inp\nns::sum<double>(const f64* inp, f64* dest, i64 size, f32x2* pairs, bool on)");
  expect_says(with({"--arg", "inp=none.npy"}), "cannot read 'none.npy'");
  expect_says(with({"--arg", "inp=f64[3]:1", "--save", "size=x.npy"}), "only arrays can be saved");
  expect_says(with({"--grid", "1,0"}), "--grid 1,0: expected");
  expect_says(with({"--arg", "inp=f64[1", "--block", "4"}), "does not end");
}

TEST_F(Bare, unknown_kernels_are_listed) {
  lab::expect_error(ErrorCode::bad_argument, "did you mean 'other'?", [] { generate_bare_driver(file(), "othr"); });
  lab::expect_error(ErrorCode::bad_argument, "kernels.cu:4: ns::sum<...>", [] { generate_bare_driver(file(), "zzz"); });
  lab::expect_error(ErrorCode::bad_argument, "is a template", [] { generate_bare_driver(file(), "sum"); });
  EXPECT_NE(generate_bare_driver(file(), "sum<float>").find("&::ns::sum<float>"), std::string::npos);
}

}  // namespace
}  // namespace rafter::simt::build
