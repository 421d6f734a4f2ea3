// Kernels without a program: arguments from the command line, matched against the real signature.
#include <cmath>
#include <cstring>

#include "../tool.hpp"

namespace rafter::simt::test {
namespace {

class BareKernels : public ToolTest {
 protected:
  void SetUp() override {
    file("kernels.cu", R"(#include <cstdint>
namespace blas {
template <class T> __global__ void axpy(T a, const T* x, T* y, long long n) {
  const long long i = blockIdx.x * (long long)blockDim.x + threadIdx.x;
  if (i < n) y[i] = a * x[i] + y[i];
}
}
__global__ void sum(const float* inp, float* dest, std::int64_t size) {
  for (std::int64_t i = 0; i < size; ++i) *dest += inp[i];
}
__global__ void staged(int* out) {
  extern __shared__ int row[];
  row[threadIdx.x] = threadIdx.x;
  __syncthreads();
  out[(blockIdx.y * gridDim.x + blockIdx.x) * blockDim.x + threadIdx.x] = row[blockDim.x - 1 - threadIdx.x];
})");
  }

  template <class T>
  std::vector<T> read_npy(const std::string& name, const std::string& type, const std::string& shape) const {
    const std::string text = text_of(folder_.path() / name);
    EXPECT_EQ(text.substr(0, 6), "\x93NUMPY") << name;
    const std::size_t end = text.find('\n');
    const std::string head = text.substr(0, end);
    EXPECT_TRUE(has(head, "'descr': '" + type + "'") && has(head, "'shape': (" + shape + ")")) << head;
    std::vector<T> values((text.size() - end - 1) / sizeof(T));
    std::memcpy(values.data(), text.data() + end + 1, values.size() * sizeof(T));
    return values;
  }

  void expect_refusal(const std::string& words, const std::vector<std::string>& parts) const {
    const Outcome refused = rafter("check kernels.cu " + words);
    EXPECT_EQ(refused.code, 2) << words << "\n" << refused.all();
    for (const std::string& part : parts) EXPECT_TRUE(has(refused.err, part)) << part << "\n" << refused.err;
  }
};

const std::string sum_shape = "--kernel sum --grid 1 --block 1 ";

TEST_F(BareKernels, take_constants_and_random_data) {
  const std::string words =
      "kernels.cu " + sum_shape + "--arg inp=f32[1000]:random --arg dest=f32[1]:0 --arg size=i64:1000 ";
  const Outcome checked = rafter("check " + words + "--save dest=sum.npy --save inp=in.npy");
  EXPECT_EQ(checked.code, 0) << checked.all();
  const std::vector<float> sum = read_npy<float>("sum.npy", "<f4", "1,"),
                           in = read_npy<float>("in.npy", "<f4", "1000,");
  ASSERT_EQ(sum.size(), 1u);
  ASSERT_EQ(in.size(), 1000u);
  float expected = 0;
  for (float value : in) expected += value;
  EXPECT_EQ(sum[0], expected);
  EXPECT_NE(in[0], in[1]);
  EXPECT_EQ(rafter("check " + words + "--save inp=again.npy").code, 0);
  EXPECT_EQ(read_npy<float>("again.npy", "<f4", "1000,"), in) << "random, but the same every time";
}

TEST_F(BareKernels, a_wrong_size_is_found) {
  const Outcome checked =
      rafter("check kernels.cu " + sum_shape + "--arg inp=f32[1000]:1 --arg dest=f32[1]:0 --arg size=i64:1001");
  EXPECT_EQ(checked.code, 1) << checked.all();
  EXPECT_TRUE(has(checked.out, "kernels.cu:9: thread (0,0,0) of block (0,0,0) reads 4 bytes")) << checked.out;
  EXPECT_TRUE(has(checked.out, "in device memory of 4000 bytes, at offset 4000\n")) << checked.out;
}

TEST_F(BareKernels, templates_in_namespaces_and_files_of_data) {
  const std::string shape = "kernels.cu --kernel 'blas::axpy<double>' --grid 2 --block 5 --arg n=i64:10 ";
  const Outcome first = rafter("exec " + shape + "--arg a=f64:2 --arg x=f64[10]:3 --arg y=f64[10]:1 --save y=y.npy");
  EXPECT_EQ(first.code, 0) << first.all();
  EXPECT_EQ(read_npy<double>("y.npy", "<f8", "10,"), std::vector<double>(10, 7));
  const Outcome second =
      rafter("check " + shape + "--arg a=f64:-1 --arg x=f64[10]:y.npy --arg y=f64[10]:y.npy --save y=zero.npy");
  EXPECT_EQ(second.code, 0) << second.all();
  EXPECT_EQ(read_npy<double>("zero.npy", "<f8", "10,"), std::vector<double>(10, 0));
}

TEST_F(BareKernels, take_grids_and_shared_memory) {
  const std::string words = "kernels.cu --kernel staged --grid 2,3 --block 4 --arg out=i32[6,4]:0 ";
  EXPECT_EQ(rafter("check " + words + "--shared 16 --save out=out.npy").code, 0);
  std::vector<int> expected;
  for (int i = 0; i < 24; ++i) expected.push_back(3 - i % 4);
  EXPECT_EQ(read_npy<int>("out.npy", "<i4", "6, 4"), expected);
  const Outcome less = rafter("check " + words + "--shared 12");
  EXPECT_EQ(less.code, 1);
  EXPECT_TRUE(has(less.out, "[out_of_bounds]")) << less.out;
}

TEST_F(BareKernels, are_profiled) {
  const Outcome outcome =
      rafter("profile --json kernels.cu --kernel staged --grid 1 --block 32 --shared 128 --arg out=i32[32]:0");
  EXPECT_EQ(outcome.code, 0) << outcome.all();
  EXPECT_EQ(outcome.report()["counts"]["staged"]["places"].size(), 3u) << outcome.out;
}

TEST_F(BareKernels, a_wrong_name_gets_a_suggestion) {
  expect_refusal("--kernel sun --grid 1 --block 1", {"sun", "sum"});
  expect_refusal("--kernel axpi --grid 1 --block 1", {"axpi", "axpy"});
}

TEST_F(BareKernels, arguments_that_do_not_fit_are_named) {
  const std::string inp = "--arg inp=f32[4]:1 ", dest = "--arg dest=f32[1]:0 ", size = "--arg size=i64:4 ";
  expect_refusal(sum_shape + inp + dest, {"size"});
  expect_refusal(sum_shape + inp + dest + size + "--arg extra=i32:4", {"extra"});
  expect_refusal(sum_shape + "--arg inp=f64[4]:1 " + dest + size, {"inp", "f64", "f32"});
  expect_refusal(sum_shape + "--arg inp=f32:1 " + dest + size, {"inp"});
  expect_refusal(sum_shape + inp + dest + "--arg size=i64[2]:1", {"size"});
  expect_refusal(sum_shape + "--arg inp=f32[4]:nowhere.npy " + dest + size, {"nowhere.npy"});
  expect_refusal(sum_shape + "--arg inp=f33[4]:1 " + dest + size, {"f33"});
  expect_refusal(sum_shape + inp + dest + size + "--save sum=out.npy", {"sum"});
}

TEST_F(BareKernels, a_grid_is_needed_and_must_be_one) {
  const std::string arguments = "--arg inp=f32[4]:1 --arg dest=f32[1]:0 --arg size=i64:4 ";
  expect_refusal("--kernel sum --grid 1,2,3,4 --block 1 " + arguments, {"--grid"});
  expect_refusal("--kernel sum --grid x --block 1 " + arguments, {"--grid"});
}

}  // namespace
}  // namespace rafter::simt::test
