// Kernels without a host program: arguments from the command line are matched with the kernel's signature.
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

TEST_F(BareKernels, ShowTheArraysTheyWrote) {
  file("show.cu", R"(
#include <cuda_fp16.h>
#include <cuda_bf16.h>
__global__ void fill(const float* in, int* table, double* line, __half* half, __nv_bfloat16* brain, bool* flags,
                     unsigned char* bytes, float* none) {
  const int i = threadIdx.x;
  table[i] = i - 5;
  if (i < 20) line[i] = in[0] + i / 4.;
  if (i < 3) half[i] = __float2half(-1.5f * i), brain[i] = __float2bfloat16(2.5f * i), flags[i] = i == 1, bytes[i] = 254 + i;
})");
  const std::string words =
      "show.cu --kernel fill --block 40 --arg in=f32[1]:3 --arg table=i32[8,5] --arg line=f64[20] --arg half=f16[3] "
      "--arg brain=bf16[3] --arg flags=bool[3] --arg bytes=u8[3] --arg none=null";
  const Outcome shown = rafter("exec " + words);
  EXPECT_EQ(shown.code, 0) << shown.all();
  EXPECT_EQ(shown.out,
            "table = i32[8,5]:\n"
            "  -5 -4 -3 -2 -1\n"
            "   0  1  2  3  4\n"
            "   5  6  7  8  9\n"
            "  10 11 12 13 14\n"
            "  15 16 17 18 19\n"
            "  20 21 22 23 24\n"
            "  ... (8 rows)\n"
            "line = f64[20]: 3 3.25 3.5 3.75 4 4.25 ... 7.75\n"
            "half = f16[3]: -0 -1.5 -3\n"
            "brain = bf16[3]: 0 2.5 5\n"
            "flags = bool[3]: false true false\n"
            "bytes = u8[3]: 254 255 0\n");
}

const std::string sum_shape = "--kernel sum --grid 1 --block 1 ";

TEST_F(BareKernels, AcceptConstantsAndRandomData) {
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
  EXPECT_EQ(read_npy<float>("again.npy", "<f4", "1000,"), in) << "random values are reproducible";
}

TEST_F(BareKernels, AcceptNamedSizes) {
  const Outcome summed = rafter(
      "exec kernels.cu --kernel sum --set size=1000 --grid 'ceil(size/1000)' --block 'size/1000' --arg "
      "'inp=f32[size, 1]:size/500' --arg 'dest=f32[min(size, 1)]:0'");
  EXPECT_EQ(summed.code, 0) << summed.all();
  EXPECT_NE(summed.out.find("dest = f32[1]: 2000"), std::string::npos) << summed.all();
  const Outcome refused = rafter("exec kernels.cu --kernel sum --set size=1000 --grid size/3 --block 1");
  EXPECT_EQ(refused.code, 2);
  EXPECT_NE(refused.all().find("ceil(size/3)"), std::string::npos) << refused.all();
}

TEST_F(BareKernels, IgnoreMacrosOfTheFile) {
  file("macros.cu",
       "#define P 3\n#define N 4\n#define min(a, b) ((a) < (b) ? (a) : (b))\n#define size 5\n"
       "__global__ void fill(int* out) { out[threadIdx.x] = min(P, N) + size; }\n");
  const Outcome filled = rafter("exec macros.cu --kernel fill --grid 1 --block 2 --arg out=i32[2]");
  EXPECT_EQ(filled.code, 0) << filled.all();
  EXPECT_EQ(filled.out, "out = i32[2]: 8 8\n");
}

TEST_F(BareKernels, ReportAccessPastAWrongSize) {
  const Outcome checked =
      rafter("check kernels.cu " + sum_shape + "--arg inp=f32[1000]:1 --arg dest=f32[1]:0 --arg size=i64:1001");
  EXPECT_EQ(checked.code, 1) << checked.all();
  EXPECT_TRUE(has(checked.out, "kernels.cu:9: thread (0,0,0) of block (0,0,0) reads 4 bytes")) << checked.out;
  EXPECT_TRUE(has(checked.out, "in inp[1000], device memory of 4000 bytes, at offset 4000\n")) << checked.out;
}

TEST_F(BareKernels, AcceptTemplatesInNamespacesAndDataFiles) {
  const std::string shape = "kernels.cu --kernel 'blas::axpy<double>' --grid 2 --block 5 --arg n=i64:10 ";
  const Outcome first = rafter("exec " + shape + "--arg a=f64:2 --arg x=f64[10]:3 --arg y=f64[10]:1 --save y=y.npy");
  EXPECT_EQ(first.code, 0) << first.all();
  EXPECT_EQ(read_npy<double>("y.npy", "<f8", "10,"), std::vector<double>(10, 7));
  const Outcome second =
      rafter("check " + shape + "--arg a=f64:-1 --arg x=f64[10]:y.npy --arg y=f64[10]:y.npy --save y=zero.npy");
  EXPECT_EQ(second.code, 0) << second.all();
  EXPECT_EQ(read_npy<double>("zero.npy", "<f8", "10,"), std::vector<double>(10, 0));
}

TEST_F(BareKernels, AreCompiledOnce) {
  const std::string run =
      "XDG_CACHE_HOME=$PWD/cache " RAFTER_TOOL_PATH
      " exec kernels.cu --kernel staged --grid 1 --block 4 --arg out=i32[4]:0 --shared 16 >/dev/null";
  const Outcome ran =
      test::shell(folder_.path(), run + " && " + run + " && find cache/rafter/simt -maxdepth 1 -type f -perm -100");
  EXPECT_EQ(ran.code, 0) << ran.all();
  EXPECT_EQ(std::count(ran.out.begin(), ran.out.end(), '\n'), 1) << ran.all();
}

TEST_F(BareKernels, AcceptGridsAndSharedMemory) {
  const std::string words = "kernels.cu --kernel staged --grid 2,3 --block 4 --arg out=i32[6,4]:0 ";
  EXPECT_EQ(rafter("check " + words + "--shared 16 --save out=out.npy").code, 0);
  std::vector<int> expected;
  for (int i = 0; i < 24; ++i) expected.push_back(3 - i % 4);
  EXPECT_EQ(read_npy<int>("out.npy", "<i4", "6, 4"), expected);
  const Outcome less = rafter("check " + words + "--shared 12");
  EXPECT_EQ(less.code, 1);
  EXPECT_TRUE(has(less.out, "[out_of_bounds]")) << less.out;
}

TEST_F(BareKernels, AreProfiled) {
  const Outcome outcome =
      rafter("profile --json kernels.cu --kernel staged --grid 1 --block 32 --shared 128 --arg out=i32[32]:0");
  EXPECT_EQ(outcome.code, 0) << outcome.all();
  EXPECT_EQ(outcome.report()["counts"]["staged"]["places"].size(), 3u) << outcome.out;
}

TEST_F(BareKernels, SuggestANameForAMisspeltKernel) {
  expect_refusal("--kernel sun --grid 1 --block 1", {"sun", "sum"});
  expect_refusal("--kernel axpi --grid 1 --block 1", {"axpi", "axpy"});
}

TEST_F(BareKernels, NameArgumentsThatDoNotMatch) {
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

TEST_F(BareKernels, RejectNumbersOutsideTheType) {
  const std::string inp = "--arg inp=f32[4]:1 ", dest = "--arg dest=f32[1]:0 ", size = "--arg size=i64:4 ";
  expect_refusal(sum_shape + inp + dest + "--arg size=i64:99999999999999999999", {"'size'", "does not fit into i64"});
  expect_refusal(sum_shape + inp + dest + "--arg size=i64:1.5", {"'size'", "1.5 is not a whole number"});
  expect_refusal(sum_shape + inp + dest + "--arg size=i64:4x", {"'4x' is not a fill"});
  expect_refusal(sum_shape + "--arg inp=f32[4]:1e39 " + dest + size, {"1e39 is too large for f32"});
  expect_refusal(sum_shape + "--arg 'inp=f32[4]:random(abc)' " + dest + size, {"a seed is a whole number"});
  expect_refusal(sum_shape + "--arg 'inp=f32[4]:random()' " + dest + size, {"a seed is a whole number"});
  const std::string staged = "--kernel staged --grid 1 --block 4 --arg out=i32[4]:";
  expect_refusal(staged + "99999999999", {"99999999999 does not fit into i32"});
  expect_refusal(staged + "-2147483649", {"does not fit"});
  const Outcome limits = rafter("check kernels.cu " + staged + "-2147483648 --shared 16");
  EXPECT_EQ(limits.code, 0) << limits.all();
  const Outcome whole = rafter("check kernels.cu " + sum_shape + inp + dest + "--arg size=i64:0x4");
  EXPECT_EQ(whole.code, 0) << whole.all();
}

TEST_F(BareKernels, ReportAFailedAllocation) {
  const std::string rest = " --arg dest=f32[1]:0 --arg size=i64:4";
  expect_refusal(sum_shape + "--arg inp=f32[1000000000000]:1" + rest,
                 {"'inp'", "not enough memory for f32[1000000000000]"});
  expect_refusal(sum_shape + "--arg inp=f32[1000000000000]" + rest, {"'inp'", "memory"});
  expect_refusal(sum_shape + "--arg inp=f32[9999999999,9999999999]:1" + rest, {"larger than any memory"});
  expect_refusal("--kernel staged --grid 1 --block 4 --arg out=i32[4]:0 --shared 100k",
                 {"--shared 100k", "expected a number of bytes"});
}

TEST_F(BareKernels, ReportAnUnwritableOutputFile) {
  expect_refusal("--kernel staged --grid 1 --block 4 --shared 16 --arg out=i32[4]:0 --save out=nowhere/out.npy",
                 {"nowhere/out.npy"});
}

TEST_F(BareKernels, RejectAFileNameThatCannotBeIncluded) {
  file("a\"b.cu", "__global__ void one(int* out) { *out = 1; }\n");
  const Outcome checked = rafter("check 'a\"b.cu' --kernel one --grid 1 --block 1 --arg out=i32[1]:0");
  EXPECT_EQ(checked.code, 2);
  EXPECT_TRUE(has(checked.err, "a quote, a backslash or a line break")) << checked.err;
}

TEST_F(BareKernels, AreListedForAFileWithoutMain) {
  const Outcome checked = rafter("check kernels.cu");
  EXPECT_EQ(checked.code, 2);
  for (const char* part : {"the program has no main", "kernels.cu:3: blas::axpy<...>", "kernels.cu:8: sum",
                           "rafter check kernels.cu --kernel 'blas::axpy<float>' --grid 4 --block 256 "})
    EXPECT_TRUE(has(checked.err, part)) << part << "\n" << checked.err;
  EXPECT_FALSE(has(checked.err, "undefined reference")) << checked.err;
}

TEST_F(BareKernels, RejectInvalidGridsAndBlocks) {
  const std::string arguments = "--arg inp=f32[4]:1 --arg dest=f32[1]:0 --arg size=i64:4 ";
  expect_refusal("--kernel sum --grid 1,2,3,4 --block 1 " + arguments, {"--grid"});
  expect_refusal("--kernel sum --grid x --block 1 " + arguments, {"--grid"});
  expect_refusal("--kernel sum --grid '' --block 1 " + arguments, {"--grid was given without a value"});
  expect_refusal("--kernel sum --grid 1 --block 1025 " + arguments, {"--block 1025,1,1", "1024"});
  expect_refusal("--kernel sum --grid 1,70000 --block 1 " + arguments, {"--grid 1,70000,1", "65535"});
  const Outcome threads = rafter("exec kernels.cu --kernel sum --grid 1 --block 1 --threads 0 " + arguments);
  EXPECT_EQ(threads.code, 2);
  EXPECT_TRUE(has(threads.err, "--threads: expected a whole number from 1 on, got '0'")) << threads.err;
}

/// A kernel with parameters of every kind.
class KernelWithManyParameters : public ToolTest {
 protected:
  void SetUp() override {
    file("many.cu", R"(
namespace ns {
template <class T> __global__ void sum(const T* inp, T* dest, long size, float2* pairs, bool on) {
  for (long i = 0; i < size; ++i) atomicAdd(dest, inp[i] + (on ? pairs[0].y : 0));
}
}
int main() { return 77; }
)");
  }
  Outcome call(const std::string& words) const { return rafter("exec many.cu --kernel 'ns::sum<double>' " + words); }
  std::string refusal(const std::string& words) const {
    const Outcome refused =
        call("--grid 1 --block 1 --arg 'dest=f64[1]:0' --arg size=10 --arg 'pairs=f32[4]:2' --arg on=1 " + words);
    EXPECT_EQ(refused.code, 2) << refused.all();
    return refused.err;
  }
};

TEST_F(KernelWithManyParameters, RunsAndSavesArrays) {
  const Outcome first = call(
      "--grid 1,2 --block 2,2,2 --arg 'inp=f64[2,5]:arange' --arg 'dest=f64[1]:0.5' --arg size=10 "
      "--arg 'pairs=f32[4]:2' --arg on=bool:1 --save dest=out.npy");
  ASSERT_EQ(first.code, 0) << first.all();
  const std::string bytes = text_of(folder_.path() / "out.npy");
  ASSERT_EQ(bytes.size(), 128U + 8U);
  EXPECT_TRUE(has(bytes, "{'descr': '<f8', 'fortran_order': False, 'shape': (1,), }"));
  double value = 0;
  std::memcpy(&value, bytes.data() + 128, 8);
  EXPECT_EQ(value, 0.5 + 16 * (45 + 10 * 2));
  const Outcome second = call(
      "--grid 1 --block 1 --arg inp=out.npy --arg 'dest=f64[1]:0' --arg size=i64:1 --arg pairs=null --arg on=0 "
      "--save dest=again.npy");
  ASSERT_EQ(second.code, 0) << second.all();
  EXPECT_EQ(text_of(folder_.path() / "again.npy"), bytes);
}

TEST_F(KernelWithManyParameters, ExplainsArgumentsThatDoNotMatch) {
  const std::pair<const char*, const char*> cases[] = {
      {"--arg 'inp=f32[10]:1'", "argument 'inp': the kernel takes const f64*, but f32[10] was given"},
      {"--arg inp=f64:1", "needs a shape"},
      {"--arg 'inp=f64[10]:often'", "'often' is not a fill"},
      {"--arg 'inp=f65[10]'", "'f65' is not a type"},
      {"--arg 'ipn=f64[10]'", "no parameter 'ipn': did you mean 'inp'?"},
      {"", "no --arg for inp\nns::sum<double>(const f64* inp, f64* dest, i64 size, f32x2* pairs, bool on)"},
      {"--arg inp=none.npy", "cannot read 'none.npy'"},
      {"--arg 'inp=f64[3]:1' --save size=x.npy", "only arrays can be saved"},
      {"--arg 'inp=f64[1'", "has no closing bracket"},
  };
  for (const auto& [words, message] : cases) {
    const std::string error = refusal(words);
    EXPECT_TRUE(has(error, message)) << words << "\n" << error;
  }
}

}  // namespace
}  // namespace rafter::simt::test
