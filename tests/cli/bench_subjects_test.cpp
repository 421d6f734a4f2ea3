// rafter bench of launchers, of several calls, and of kernels that need more than arrays and numbers, on the executor.
#include <nlohmann/json.hpp>

#include "base/files.hpp"
#include "base/npy.hpp"
#include "cli.hpp"

namespace rafter {
namespace {

using cli::Outcome;

class BenchSubjects : public cli::Cli {
 protected:
  Outcome bench(const std::string& words) const {
    return rafter("bench " RAFTER_BENCH_SUBJECTS " --device simt " + words);
  }
  void expect_right(const std::string& words) const {
    const Outcome outcome = bench(words);
    EXPECT_EQ(outcome.code, 0) << words << "\n" << outcome.out << outcome.err;
  }
  void expect_refused(const std::string& words, const std::string& complaint) const {
    const Outcome outcome = bench(words);
    EXPECT_EQ(outcome.code, 2) << words << outcome.out;
    EXPECT_TRUE(has(outcome.err, complaint)) << outcome.err;
  }

  static constexpr const char* sum = " --reference sum_on_host --set n=1000 --arg in=f32[n]:random --arg out=f32[1]";
  static constexpr const char* map =
      " --set n=1000 --grid 'ceil(n/64)' --block 64 --arg in=f32[n]:random --arg out=f32[n]";
};

TEST_F(BenchSubjects, VerifiesLaunchers) {
  const Outcome all =
      bench("--kernel solve --kernel solve_with_first_block --kernel solve_once --json " + file("r.json") + sum);
  EXPECT_EQ(all.code, 1) << all.err;
  EXPECT_TRUE(has(all.out, "solve               1 verified, no errors found")) << all.out;
  EXPECT_TRUE(has(all.out, "solve_with_first_block WRONG") && has(all.out, "1 of 1 wrong")) << all.out;
  EXPECT_TRUE(has(all.out, "solve_once          WRONG")) << "a value kept from call to call: " << all.out;
  const nlohmann::json results = nlohmann::json::parse(text_of(file("r.json")))["results"];
  EXPECT_GE(results[0]["counts"]["bytes_moved"], 4000) << "of both launches";
  expect_refused(std::string("--kernel solve_on_host") + sum, "a host function that launches no kernel");
  expect_refused(std::string("--kernel solve --grid solve=3") + sum, "is a host function and chooses its launches");
}

TEST_F(BenchSubjects, VerifiesSequencesOfCalls) {
  const std::string scratch = std::string(sum) + " --arg 'sums=f32[ceil(n/64)]:scratch'";
  const std::string first = "--call 'two=partial_sums<<<ceil(n/64), 64>>>(in, sums, n)' ";
  expect_right(first + "--call 'two=partial_sums<<<1, dim3(64, 1)>>>(sums, out, ceil(n/64));'" + scratch);
  const Outcome wrong = bench(first + "--call 'two=partial_sums<<<1, 64>>>(sums, out, 4)'" + scratch);
  EXPECT_EQ(wrong.code, 1) << wrong.out << wrong.err;
  EXPECT_TRUE(has(wrong.out, "two                 WRONG")) << wrong.out;
  expect_right("--kernel solve --call 'base=partial_sums<<<1, 64>>>(in, out, 10)' --call 'base=solve(in + 0, out, n)'" +
               std::string(sum));
  for (const auto& [call, complaint] :
       {std::pair{"partial_sums<<<1>>>(in, out, n)", "expected <<<GRID, BLOCK>>>"},
        {"partial_sums<<<1, 64(in, out, n)", "'<<<' has no '>>>'"},
        {"partial_sum<<<1, 64>>>(in, out, n)", "did you mean 'partial_sums'?"},
        {"partial_sums<<<1, 64>>>(in, out)", "2 arguments are given for"},
        {"partial_sums<<<1, 64>>>(in + 2000, out, n)", "is not in the array of 1000 elements"},
        {"sum_on_host(in, out, n)", "nothing of it launches a kernel"},
        {"solve<<<1, 64>>>(in, out, n)", "is a host function and has no <<<...>>>"}})
    expect_refused("--call '" + std::string(call) + "'" + sum, complaint);
}

TEST_F(BenchSubjects, SetsVariablesBeforeEachCall) {
  const std::string words = std::string("--kernel weighted --reference weighted_on_host") + map;
  expect_right(words + " --symbol weights=f32[3]:arange --symbol shift=7");
  base::write_npy<float>(file("w.npy"), {3}, std::vector<float>{9, 1, 2});
  expect_right(words + " --symbol shift=7 --symbol weights=" + file("w.npy"));
  EXPECT_EQ(bench(words + " --symbol weights=f32[3]:arange").code, 1) << "shift keeps its initial value";
  expect_refused(words + " --symbol weights=f32[2]:1", "it has 12 bytes, and 8 were given");
  expect_refused(words + " --symbol weigths=f32[3]:1", "did you mean 'weights'?");
  expect_refused(words + " --symbol weights=i32[3]:1", "it has elements of type f32, but i32 was given");
}

TEST_F(BenchSubjects, PassesStructuresByValue) {
  const std::string words = std::string("--kernel by_structure --reference half_on_host") + map + " --arg p=";
  expect_right(words + "'struct{i8:1, f32:0.5, i32:n, in}'");
  expect_refused(words + "'struct{f32:0.5, in}'", "has 16 bytes, and 's' has 24");
  expect_refused(words + "'struct{i8:1, f32:0.5, i32:n, inn}'", "'inn' in struct{...} is not an array");
  expect_refused(words + "'struct{0.5, in}'", "the member '0.5' has no type");
  expect_refused(std::string("--kernel by_structure --reference half_on_host") + map + " --arg s=0.5",
                 "describe it member by member");
}

TEST_F(BenchSubjects, FindsOverloadsHeadersAndMacros) {
  const std::string halves = " --reference half_on_host --set n=1000 --grid 'ceil(n/64)' --block 64 ";
  const std::string of_half = "--arg in=f16[n]:random --arg out=f16[n]",
                    of_float = "--arg in=f32[n]:random --arg out=f32[n]";
  expect_right("--kernel 'halve(const __half*, __half*, int)'" + halves + of_half);
  EXPECT_EQ(bench("--kernel 'halve(const float*, float*, int)'" + halves + of_float).code, 1);
  const std::string whole =
      " --reference doubled_on_host --set n=1000 --grid 'ceil(n/64)' --block 64 --arg in=i32[n]:random --arg "
      "out=i32[n]";
  expect_right("--kernel 'doubled<int>' --kernel twice_int" + whole);
}

TEST_F(BenchSubjects, LaunchesCooperatively) {
  expect_right(std::string("--kernel reversed --reference reversed_on_host --arg copy=f32[n]:scratch") + map);
  expect_refused(std::string("--kernel weighted --reference weighted_on_host --cooperative reversed") + map,
                 "--cooperative");
}

TEST_F(BenchSubjects, TunesLaunchers) {
  const Outcome tuned =
      rafter(std::string("tune " RAFTER_BENCH_SUBJECTS " --device simt --kernel solve --param UNUSED=1,2") + sum);
  EXPECT_EQ(tuned.code, 0) << tuned.err << tuned.out;
  EXPECT_TRUE(has(tuned.out, "2 are right")) << tuned.out;
}

// The program around them is compiled whole, so that this file has no host code for other libraries.
TEST_F(BenchSubjects, ExplainsLaunchersAndCalls) {
  base::write_file(file("two.cu"), R"(
__constant__ int bias;
struct Scaling { int by; const int* in; };
__global__ void scaled(Scaling s, int* out, int n) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) out[i] = s.by * s.in[i];
}
__global__ void shifted(int* out, int n) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) out[i] += bias;
}
void solve(int* out, int n) {
  shifted<<<(n + 63) / 64, 64>>>(out, n);
  shifted<<<(n + 63) / 64, 64>>>(out, n);
}
)");
  const std::string words = "explain " + file("two.cu") + " --set n=1000 --arg out=i32[n]:0 ";
  const Outcome launcher = rafter(words + "--kernel solve");
  EXPECT_EQ(launcher.code, 0) << launcher.err;
  EXPECT_TRUE(has(launcher.out, "shifted") && has(launcher.out, "2 launches")) << launcher.out;
  const Outcome calls = rafter(words +
                               "--call 'scaled<<<ceil(n/64), 64>>>(p, out, n)' --call 'shifted<<<ceil(n/64), 64>>>' "
                               "--symbol bias=3 --arg in=i32[n]:random --arg 'p=struct{i32:2,in}'");
  EXPECT_EQ(calls.code, 0) << calls.err;
  EXPECT_TRUE(has(calls.out, "2 kernels, 2 launches")) << calls.out;
  EXPECT_EQ(rafter(words + "--call 'shifted<<<1, 64'").code, 2);
}

}  // namespace
}  // namespace rafter
