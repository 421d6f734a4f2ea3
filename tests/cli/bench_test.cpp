// rafter bench and tune as a user meets them, on the executor.
#include <nlohmann/json.hpp>

#include "base/files.hpp"
#include "base/npy.hpp"
#include "cli.hpp"

namespace rafter {
namespace {

using cli::Outcome;

class Bench : public cli::Cli {
 protected:
  Outcome bench(const std::string& words) const {
    return rafter("bench " RAFTER_BENCH_KERNELS " --device simt " + words);
  }

  static constexpr const char* scaling =
      " --set n=1000 --grid 'ceil(n/64)' --block 64 --arg in=f32[n]:random --arg out=f32[n] --arg factor=f32:3";
};

TEST_F(Bench, DistinguishesRightKernelsFromEveryKindOfBadOne) {
  const Outcome all = bench(
      "--kernel several --kernel strided --kernel wrong --kernel outside --kernel racy --kernel endless --kernel "
      "silent --reference "
      "naive --reference scale_on_host --time-limit 2 --json " +
      file("r.json") + scaling);
  EXPECT_EQ(all.code, 1) << all.err;
  EXPECT_TRUE(has(all.out, "several             1 verified, no errors found")) << all.out;
  EXPECT_TRUE(has(all.out, "strided             1 verified, no errors found")) << all.out;
  EXPECT_TRUE(has(all.out, "wrong               WRONG")) << all.out;
  EXPECT_TRUE(has(all.out, "1 of 1000 wrong, first at [77]")) << all.out;
  EXPECT_TRUE(has(all.out, "access out of bounds in global memory, kernel outside")) << all.out;
  EXPECT_TRUE(has(all.out, "race in shared memory, kernel racy") && has(all.out, "in __shared__ tile of 256 bytes"))
      << all.out;
  EXPECT_TRUE(has(all.out, "it did not end within 2 s and was stopped")) << all.out;
  EXPECT_TRUE(has(all.out, "silent              WRONG") && has(all.out, "1000 of 1000 wrong")) << all.out;
  EXPECT_TRUE(has(all.out, "several: its warps move no more than the bytes of its arrays")) << all.out;
  EXPECT_FALSE(has(all.out, "silent: its warps")) << "what is wrong is not counted: " << all.out;

  const nlohmann::json results = nlohmann::json::parse(text_of(file("r.json")))["results"];
  ASSERT_EQ(results.size(), 8u);
  EXPECT_EQ(results[0]["rung"], "naive");
  EXPECT_EQ(results[0]["workload"], "kernels");
  EXPECT_EQ(results[0]["params"]["n"], 1000);
  EXPECT_EQ(results[0]["bytes_read"], 4000);
  EXPECT_EQ(results[0]["bytes_written"], 4000);
  EXPECT_EQ(results[6]["status"], "FAILED");
  EXPECT_EQ(results[1]["rung"], "several");
  EXPECT_GE(results[1]["counts"]["bytes_moved"], 8000);
  EXPECT_GT(results[1]["estimate"]["ns"], 1000);
  EXPECT_FALSE(results[3].contains("counts")) << "wrong work is not counted";
  EXPECT_TRUE(has(all.out, "the estimate is the model's for an H200, no time was measured")) << all.out;
}

TEST_F(Bench, CountsEveryCaseOfASweepForCompareAndPlot) {
  const std::string words =
      "--kernel several --reference naive --set n=1000,3000 --grid 'ceil(n/64)' --block 64 --arg in=f32[n]:random "
      "--arg out=f32[n] --arg factor=f32:3 --json ";
  EXPECT_EQ(bench(words + file("r.json")).code, 0);
  const nlohmann::json results = nlohmann::json::parse(text_of(file("r.json")))["results"];
  ASSERT_EQ(results.size(), 4u);
  EXPECT_GT(results[3]["counts"]["bytes_moved"], 2 * results[1]["counts"]["bytes_moved"].get<double>());
  const Outcome compared = rafter("compare " + file("r.json") + " " + file("r.json"));
  EXPECT_EQ(compared.code, 0) << compared.err;
  EXPECT_TRUE(has(compared.out, "SAME BYTES") && has(compared.out, "no time was measured")) << compared.out;
  const Outcome page = rafter("report " + file("r.json") + " --out " + file("r.html"));
  EXPECT_EQ(page.code, 0) << page.err;
  EXPECT_TRUE(has(text_of(file("r.html")), "<th>bytes moved</th>"));
}

// On the executor the process that prints has one input set, for which this kernel is right.
TEST_F(Bench, RightValuesWithARaceAreAHazardThatCanBeAllowed) {
  base::write_file(file("flag.cu"), R"(
__global__ void plain(int* any, int n) { if (threadIdx.x == 0) *any = n; }
__global__ void all(int* any, int n) { *any = n; }
__global__ void different(int* any, int n) { *any = threadIdx.x; __syncthreads(); *any = n; }
__global__ void outside(int* any, int n) { if (threadIdx.x == 0) *any = any[1] == 12345 ? 0 : n; }
)");
  const std::string words = "bench " + file("flag.cu") +
                            " --device simt --reference plain --kernel all --kernel different --set n=7 --grid 1 "
                            "--block 64 --arg any=i32[1]:0 --json " +
                            file("r.json");
  const Outcome found = rafter(words);
  EXPECT_EQ(found.code, 1) << found.out;
  EXPECT_TRUE(has(found.out, "all                 HAZARD with n=7")) << found.out;
  EXPECT_TRUE(has(found.out, "right values, hazard found; '--allow same_value_race' accepts it")) << found.out;
  EXPECT_TRUE(has(found.out, "different           HAZARD with n=7")) << found.out;
  const Outcome allowed = rafter(words + " --allow same_value_race");
  EXPECT_EQ(allowed.code, 1) << allowed.out;
  EXPECT_TRUE(has(allowed.out, "all                 1 verified; allowed: race between writes")) << allowed.out;
  EXPECT_TRUE(has(allowed.out, "different           HAZARD")) << allowed.out;
  const nlohmann::json results = nlohmann::json::parse(text_of(file("r.json")))["results"];
  EXPECT_EQ(results[1]["allowed"], nlohmann::json::array({"same_value_race"}));
  EXPECT_TRUE(has(results[1]["detail"].get<std::string>(), "allowed: race between writes of the same value"));
  EXPECT_EQ(results[2]["status"], "HAZARD");
  const Outcome both = rafter(words + " --kernel outside --allow race");
  EXPECT_EQ(both.code, 1) << both.out;
  EXPECT_TRUE(has(both.out, "different           1 verified; allowed: race in global memory")) << both.out;
  EXPECT_TRUE(has(both.out, "outside             WRONG with n=7\naccess out of bounds")) << both.out;
  EXPECT_EQ(rafter(words + " --allow everything").code, 2);
}

TEST_F(Bench, KeepsAVerdictThatAnotherProcessReached) {
  const Outcome all = bench("--kernel remembers --kernel several --reference naive --json " + file("r.json") + scaling);
  EXPECT_EQ(all.code, 1) << all.out;
  EXPECT_TRUE(has(all.out, "remembers           WRONG")) << all.out;
  EXPECT_TRUE(has(all.out, "several             1 verified")) << all.out;
  const nlohmann::json results = nlohmann::json::parse(text_of(file("r.json")))["results"];
  ASSERT_EQ(results.size(), 3u);
  EXPECT_EQ(results[1]["rung"], "remembers");
  EXPECT_EQ(results[1]["status"], "WRONG");
}

TEST_F(Bench, ComparesKernelsWithFilesAndHostFunctions) {
  std::vector<float> in(1000), out(1000);
  for (std::size_t i = 0; i < in.size(); ++i) {
    in[i] = static_cast<float>(i);
    out[i] = 3 * in[i];
  }
  base::write_npy<float>(file("out.npy"), {1000}, out);
  const std::string words =
      "--kernel several --set n=1000 --grid 'ceil(n/64)' --block 64 --arg in=f32[n]:arange --arg out=f32[n] --arg "
      "factor=f32:3 --reference out=";
  EXPECT_EQ(bench(words + file("out.npy")).code, 0);
  out[5] += 1;
  base::write_npy<float>(file("bad.npy"), {1000}, out);
  const Outcome wrong = bench(words + file("bad.npy"));
  EXPECT_EQ(wrong.code, 1);
  EXPECT_TRUE(has(wrong.out, "first at [5]")) << wrong.out;

  const Outcome sum = bench(
      "--kernel add_up --reference add_up_on_host --set n=1000 --grid 'ceil(n/64)' --block 64 --arg "
      "in=i32[n]:random --arg sum=i32[1]:5");
  EXPECT_EQ(sum.code, 0) << sum.err;
  EXPECT_TRUE(has(sum.out, "32 lanes of a warp contend for one address of an atomic")) << sum.out;
}

TEST_F(Bench, DoesNotCompareScratchArrays) {
  const std::string words =
      "--kernel sum_with_scratch --reference sum_of_all --set n=1000 --grid 'ceil(n/64)' --block 64 --arg "
      "in=i32[n]:random "
      "--arg sum=i32[1]:5 --arg 'partial=i32[ceil(n/64)]";
  const Outcome with = bench(words + ":scratch' --json " + file("r.json"));
  EXPECT_EQ(with.code, 0) << with.out << with.err;
  EXPECT_EQ(nlohmann::json::parse(text_of(file("r.json")))["results"][0]["bytes_written"], 4);
  const Outcome without = bench(words + "'");
  EXPECT_EQ(without.code, 2) << without.out;
  EXPECT_TRUE(has(without.err, "the reference sum_of_all leaves 16 of 16 elements of 'partial' unset")) << without.err;
  EXPECT_TRUE(has(without.err, "--arg partial=i32[...]:scratch")) << without.err;
}

TEST_F(Bench, ReferencesHaveALaunchOfTheirOwn) {
  const Outcome all = bench(
      "--kernel strided --reference naive --reference-grid 'ceil(n/128)' --reference-block 128 --grid 1 --block 32 "
      "--set n=1000 --arg in=f32[n]:random --arg out=f32[n] --arg factor=f32:3");
  EXPECT_EQ(all.code, 0) << all.out << all.err;
}

TEST_F(Bench, RefusesFilesOfAnotherType) {
  base::write_npy<double>(file("f64.npy"), {1000}, std::vector<double>(1000));
  const Outcome values = bench(
      "--kernel several --set n=1000 --grid 16 --block 64 --arg in=f32[n]:arange --arg out=f32[n] "
      "--arg factor=f32:3 --reference out=" +
      file("f64.npy"));
  EXPECT_EQ(values.code, 2);
  EXPECT_TRUE(has(values.err, "expected f32[1000] for 'out'")) << values.err;
}

TEST_F(Bench, RejectsMalformedRequests) {
  const auto refused = [&](const std::string& words, const std::string& complaint) {
    const Outcome outcome = bench(words);
    EXPECT_EQ(outcome.code, 2) << words;
    EXPECT_TRUE(has(outcome.err, complaint)) << outcome.err;
  };
  refused(std::string("--kernel several --reference wrong --reference naive") + scaling,
          "the references disagree: in out");
  refused(std::string("--kernel several --reference silent") + scaling,
          "the reference silent leaves 1000 of 1000 elements");
  refused(std::string("--kernel severl --reference naive") + scaling, "did you mean 'several'?");
  refused(std::string("--kernel several --reference naive --arg more=f32[3]:0") + scaling, "unknown parameter 'more'");
  refused("--kernel several --reference naive --set n=100 --grid 1 --block 64 --arg in=f32[n]:random --arg out=f32[n]",
          "no --arg for 'factor' of");
  refused(
      "--kernel several --reference naive --set n=100 --grid 1 --block 64 --arg in=f32[n] --arg out=f32[n] --arg "
      "factor=f32:1",
      "'in' is only read and has no fill");
  refused(
      "--kernel several --reference naive --set n=100 --grid 1 --block 64 --arg in=f64[n]:random --arg out=f32[n] "
      "--arg "
      "factor=f32:1",
      "takes const f32*, but f64 was given");
  refused("--reference naive", "name them with --kernel NAME");
  refused(std::string("--kernel naive --reference naive") + scaling, "naive is its own reference");
  refused(std::string("--kernel naive --kernel naive") + scaling, "naive is its own reference");
  refused(std::string("--kernel several --reference naive --tolerance nan") + scaling, "a number above 0, got 'nan'");
  refused(std::string("--kernel several --reference naive --tolerance 0") + scaling, "a number above 0, got '0'");
  refused(std::string("--kernel several --reference naive --time-limit inf") + scaling, "a number above 0, got 'inf'");
  refused(std::string("--kernel several --reference root") + scaling, "the reference root gives NaN in");
  refused(std::string("--kernel several --reference naive --reference-grid 3") + scaling,
          "the reference naive leaves 808 of 1000 elements of 'out' unset, the first at 192");
  refused(std::string("--kernel several --reference scale_on_host --reference-grid 3") + scaling,
          "for references that are kernels");
  const Outcome none = rafter("bench nothing.cu --kernel a --reference b --grid 1 --block 1");
  EXPECT_EQ(none.code, 2);
  EXPECT_TRUE(has(none.err, "there is no file nothing.cu")) << none.err;
}

TEST_F(Bench, CountsTheKernelsOfAProgram) {
  base::write_file(file("program.cu"), R"(
#include <cstdio>
__global__ void fill(int* p) { p[threadIdx.x] = 1; }
int main() {
  int* p;
  cudaMalloc(&p, 1024);
  for (int i = 0; i < 3; ++i) fill<<<1, 256>>>(p);
  int first = 0;
  cudaMemcpy(&first, p, 4, cudaMemcpyDeviceToHost);
  cudaFree(p);
  std::printf("%d\n", first);
  return first - 1;
}
)");
  const Outcome counted = rafter("bench --device simt " + file("program.cu"));
  EXPECT_EQ(counted.code, 0) << counted.err;
  EXPECT_TRUE(has(counted.out, "nothing found in 1 kernel, 3 launches")) << counted.out;
  EXPECT_TRUE(has(counted.out, "fill: of the bytes it moves, it uses 100%.")) << counted.out;
}

TEST_F(Bench, TuningExcludesCombinationsThatAreWrongOrDoNotCompile) {
  const Outcome tuned =
      rafter(std::string("tune " RAFTER_BENCH_KERNELS " --device simt --kernel several --reference "
                         "scale_on_host --param PER=1,3,64 --grid several='ceil(n/(64*PER))'") +
             " --set n=1000 --block 64 --arg in=f32[n]:random --arg out=f32[n] --arg factor=f32:3" +
             " --where 'PER < n and not (PER == 2)' --json " + file("t.json") + " --csv " + file("t.csv"));
  EXPECT_EQ(tuned.code, 0) << tuned.err;
  const nlohmann::json trials = nlohmann::json::parse(text_of(file("t.json")))["tune"]["trials"];
  ASSERT_EQ(trials.size(), 3u);
  EXPECT_GE(trials[0]["bytes_moved"], 8000);
  EXPECT_EQ(trials[1]["status"], "hazard");
  EXPECT_EQ(trials[2]["status"], "does not compile");
  EXPECT_TRUE(
      has(text_of(file("t.csv")), "PER,status,least_ns,rounds,bytes_moved,estimate_ns,energy_j,reason\n1,verified,,0,"))
      << text_of(file("t.csv"));
  EXPECT_TRUE(has(tuned.out, "3 of 3 combinations")) << tuned.out;
  EXPECT_TRUE(has(tuned.out, "1 are right")) << tuned.out;
  EXPECT_TRUE(has(tuned.out, "1 do not compile, the first with PER=64") && has(tuned.out, "too many")) << tuned.out;
  EXPECT_TRUE(has(tuned.out, "1 hazard, the first with PER=3")) << tuned.out;
  const std::string words =
      "tune " RAFTER_BENCH_KERNELS " --device simt --kernel several --reference naive --param PER=1 ";
  for (const auto& [more, complaint] : {std::pair{"--where 'PER > 1'", "allows none of the 1 combinations"},
                                        {"--kernel wrong", "one kernel is tuned at a time"},
                                        {"--where 'PRE > 1'", "did you mean 'PER'?"},
                                        {"--set m=1,2", "for one size at a time"},
                                        {"--objective energy", "a GPU measures its energy"},
                                        {"--cache /dev/zero", "it is not a regular file"},
                                        {"--cache " RAFTER_BENCH_KERNELS, "it is not a cache of 'rafter tune'"},
                                        {"--t4 -", "expected a file"},
                                        {"--untrusted --cache c", "not for --untrusted"}}) {
    const Outcome refused = rafter(words + more + scaling);
    EXPECT_EQ(refused.code, 2);
    EXPECT_TRUE(has(refused.err, complaint)) << refused.err;
  }
}

// The first search is over 2 combinations, the second over 3: only one is new.
TEST_F(Bench, TuningGoesOnFromItsCache) {
  base::write_file(file("per.h"), "#define EXTRA 0\n");
  base::write_file(file("per.cu"), R"(
#include "per.h"
__global__ void plain(const float* in, float* out, int n) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) out[i] = in[i] + 1;
}
__global__ void several(const float* in, float* out, int n) {
  for (int k = 0; k < PER; ++k) {
    const int i = (blockIdx.x * blockDim.x + threadIdx.x) * PER + k;
    if (i < n) out[i] = in[i] + (PER == 3 ? 2 : 1) + EXTRA;
  }
}
)");
  const auto tune = [&](const std::string& words) {
    return rafter("tune " + file("per.cu") +
                  " --device simt --kernel several --reference plain --set n=300 --grid 'several=ceil(n/(64*PER))' "
                  "--grid 'plain=ceil(n/64)' --block 64 --arg in=f32[n]:random --arg out=f32[n] --cache " +
                  file("trials.jsonl") + " --json " + file("t.json") + " --t4 " + file("t4.json") + " " + words);
  };
  const Outcome first = tune("--param PER=1,3");
  EXPECT_EQ(first.code, 0) << first.err;
  EXPECT_FALSE(has(first.out, "are from")) << first.out;
  {  // a killed process leaves half a line
    const std::string whole = text_of(file("trials.jsonl"));
    base::write_file(file("trials.jsonl"), whole + whole.substr(0, 40));
  }
  const Outcome second = tune("--param PER=1,2,3");
  EXPECT_EQ(second.code, 0) << second.err;
  EXPECT_TRUE(has(second.out, "2 of them are from")) << second.out;
  EXPECT_TRUE(has(second.out, "2 are right") && has(second.out, "1 wrong, the first with PER=3")) << second.out;
  const nlohmann::json trials = nlohmann::json::parse(text_of(file("t.json")))["tune"]["trials"];
  ASSERT_EQ(trials.size(), 3u);
  const nlohmann::json t4 = nlohmann::json::parse(text_of(file("t4.json")));
  EXPECT_EQ(t4["schema_version"], "1.0.0");
  ASSERT_EQ(t4["results"].size(), 3u);
  for (const nlohmann::json& one : t4["results"]) {
    const bool is_right = one["configuration"]["PER"] != 3;
    EXPECT_EQ(one["invalidity"], is_right ? "correct" : "correctness");
    EXPECT_EQ(one["correctness"], is_right ? 1 : 0);
    EXPECT_EQ(one["objectives"][0], "estimated_time");
  }

  base::write_file(file("per.h"), "#define EXTRA 1\n");
  const Outcome changed = tune("--param PER=1,2,3");
  EXPECT_EQ(changed.code, 1) << changed.out;
  EXPECT_TRUE(!has(changed.out, "are from") && has(changed.out, "0 are right")) << changed.out;
}

TEST_F(Bench, TuningLeavesOutCombinationsWithTooMuchSharedMemory) {
  base::write_file(file("tile.cu"), R"(
__global__ void staged(const int* in, int* out, int n) {
  __shared__ int tile[KB * 256];
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  tile[threadIdx.x] = i < n ? in[i] : 0;
  if (i < n) out[i] = tile[threadIdx.x];
}
void copied(const int* in, int* out, int n) {
  for (int i = 0; i < n; ++i) out[i] = in[i];
}
)");
  const Outcome tuned = rafter("tune " + file("tile.cu") +
                               " --device simt --kernel staged --reference copied --param KB=8,64 --set n=1000 --grid "
                               "'ceil(n/64)' --block 64 --arg in=i32[n]:random --arg out=i32[n]");
  EXPECT_EQ(tuned.code, 0) << tuned.err;
  EXPECT_TRUE(has(tuned.out, "1 are right") && has(tuned.out, "1 do not compile, the first with KB=64")) << tuned.out;
  EXPECT_TRUE(has(tuned.out, "too much shared memory")) << tuned.out;
  EXPECT_TRUE(has(tuned.out, "ranked by the time that the model of 'rafter explain' estimates for an H200"))
      << tuned.out;
}

}  // namespace
}  // namespace rafter
