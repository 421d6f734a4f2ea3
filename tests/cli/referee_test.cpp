// rafter bench on kernels that pretend to work, on the executor: what a call reads must come from its arguments.
#include <algorithm>
#include <map>
#include <nlohmann/json.hpp>

#include "base/files.hpp"
#include "cli.hpp"

namespace rafter {
namespace {

using cli::Outcome;
using nlohmann::json;

class Referee : public cli::Cli {
 protected:
  Outcome judge(const std::string& kernels, const std::string& more = "") const {
    return judge_against("reference", "random", kernels + more);
  }
  Outcome judge_against(const std::string& reference, const std::string& fill, const std::string& more) const {
    return rafter("bench " RAFTER_BENCH_CHEATS
                  " --device simt --set n=1000 --block 128 --grid 'ceil(n/128)' --arg out=f32[n]"
                  " --reference " +
                  reference + " --arg 'in=f32[n]:" + fill + "' " + more);
  }
};

TEST_F(Referee, AcceptsHonestKernels) {
  const std::vector<std::string> kernels{"through_its_output", "with_a_ticket", "with_tables",
                                         "with_a_path_for_each_size", "with_halves_as_constants"};
  std::string words;
  for (const std::string& kernel : kernels) words += " --kernel " + kernel;
  const Outcome all = judge(words);
  EXPECT_EQ(all.code, 0) << all.out << all.err;
  for (const std::string& kernel : kernels) EXPECT_TRUE(has(all.out, kernel)) << all.out;
  EXPECT_FALSE(has(all.out, "WRONG")) << all.out;
}

struct Cheat {
  const char* kernel;
  const char* kind;
  const char* memory;  ///< what the finding names
};

TEST_F(Referee, RefusesKernelsThatDependOnEarlierContents) {
  const Cheat cheats[] = {
      {"works_on_poison", "reads_stale_output", "device memory of"},
      {"looks_at_one_element", "reads_stale_output", "device memory of"},
      {"exchanges_for_it", "reads_stale_output", "device memory of"},
      {"spares_what_is_there", "reads_stale_output", "device memory of"},
      {"recognises_values", "state_between_launches", "in variable fingerprint of 4 bytes"},
      {"recognises_an_address", "state_between_launches", "in variable last of 8 bytes"},
      {"counts_its_calls", "state_between_launches", "in variable n_calls of 4 bytes"},
      {"counts_in_bytes", "state_between_launches", "in variable steps of 16 bytes, at offset 3"},
      {"reads_another_array", "foreign_memory", "is not an argument of the call"},
  };
  std::string kernels =
      " --grid recognises_values=1 --grid recognises_an_address=1 --grid reads_another_array=1"
      " --grid 'spares_what_is_there=ceil(n/512)'";
  for (const Cheat& cheat : cheats) kernels += std::string(" --kernel ") + cheat.kernel;
  const Outcome all = judge(kernels);
  EXPECT_EQ(all.code, 1) << all.err;
  for (const Cheat& cheat : cheats) {
    const std::string found = std::string("kernel ") + cheat.kernel + " [" + cheat.kind + "]";
    EXPECT_TRUE(has(all.out, found)) << found << "\n" << all.out;
    EXPECT_TRUE(has(all.out, cheat.memory)) << all.out;
  }
  EXPECT_EQ(all.out.find("verified, no errors found"), all.out.rfind("verified, no errors found"))
      << "only the reference is verified\n"
      << all.out;
}

TEST_F(Referee, RefusesWrongAndHalfWork) {
  const std::vector<std::string> kernels{"exact_if_it_looks_tested", "in_half_precision", "zeros", "exact_up_to_512"};
  std::string words;
  for (const std::string& kernel : kernels) words += " --kernel " + kernel;
  const Outcome all = judge(words + " --json " + file("r.json"));
  EXPECT_EQ(all.code, 1) << all.out << all.err;
  const json results = json::parse(text_of(file("r.json")), nullptr, false);
  ASSERT_TRUE(results.is_object()) << all.err;
  int n_wrong = 0;
  for (const json& rung : results["results"]) {
    const bool is_cheat = std::find(kernels.begin(), kernels.end(), rung["rung"].get<std::string>()) != kernels.end();
    EXPECT_EQ(rung["status"] == "WRONG", is_cheat) << rung["rung"] << rung["status"];
    n_wrong += is_cheat ? 1 : 0;
  }
  EXPECT_EQ(n_wrong, 4) << all.out;
}

TEST_F(Referee, FindingsOfTheReferenceAreItsOwn) {
  const Outcome all =
      judge_against("reference_with_a_hazard", "random", "--kernel through_its_output --json " + file("r.json"));
  const json results = json::parse(text_of(file("r.json")), nullptr, false);
  ASSERT_TRUE(results.is_object()) << all.out << all.err;
  std::map<std::string, std::string> status;
  for (const json& rung : results["results"]) status[rung["rung"]] = rung["status"];
  EXPECT_EQ(status["reference_with_a_hazard"], "HAZARD") << all.out;
  EXPECT_EQ(status["through_its_output"], "verified") << all.out;
}

// The size that is checked first is right; each size has a verdict of its own.
TEST_F(Referee, JudgesEachSizeByItself) {
  const std::string words =
      "bench " RAFTER_BENCH_CHEATS
      " --device simt --set n=512,513 --block 128 --grid 'ceil(n/128)' --arg out=f32[n] --arg in=f32[n]:random"
      " --reference reference --kernel ";
  const Outcome cheat = rafter(words + "exact_up_to_512 --json " + file("r.json"));
  EXPECT_EQ(cheat.code, 1) << cheat.out << cheat.err;
  const Outcome honest = rafter(words + "with_a_path_for_each_size");
  EXPECT_EQ(honest.code, 0) << honest.out << honest.err;
}

TEST_F(Referee, InputsMustBeAsTheyWere) {
  const Outcome changed = judge("--kernel makes_zero_right");
  EXPECT_EQ(changed.code, 1) << changed.out << changed.err;
  EXPECT_TRUE(has(changed.out, "WRONG")) << changed.out;
  const Outcome put_back = judge("--kernel with_its_input_put_back");
  EXPECT_EQ(put_back.code, 0) << put_back.out << put_back.err;
}

// Zeros are not near results that are small, and what is no number is no answer.
TEST_F(Referee, ExpectsNumbersRelativeToTheirSize) {
  const Outcome zeros = judge_against("tiny", "random", "--kernel zeros");
  EXPECT_EQ(zeros.code, 1) << zeros.out << zeros.err;
  const Outcome none = judge_against("no_number", "random", "--kernel zeros");
  EXPECT_EQ(none.code, 2) << none.out;
  EXPECT_TRUE(has(none.err, "gives NaN")) << none.err;
}

TEST_F(Referee, AllowsDeclaredStateAndSaysSo) {
  const Outcome refused = judge("--kernel with_a_generation");
  EXPECT_EQ(refused.code, 1) << refused.out;
  EXPECT_TRUE(has(refused.out, "[state_between_launches]")) << refused.out;
  const Outcome allowed = judge("--kernel with_a_generation --may-keep generation", " --json " + file("r.json"));
  EXPECT_EQ(allowed.code, 0) << allowed.out << allowed.err;
  EXPECT_TRUE(has(text_of(file("r.json")), "may keep values of generation between calls"));
  const Outcome unknown = judge("--kernel with_a_generation --may-keep genertion");
  EXPECT_EQ(unknown.code, 2) << unknown.out;
  EXPECT_TRUE(has(unknown.err, "did you mean 'generation'?")) << unknown.err;
}

// Nothing of the large case runs for a kernel that fails the small one.
TEST_F(Referee, LooksAtASmallCaseFirst) {
  const Outcome both = rafter("bench " RAFTER_BENCH_CHEATS
                              " --device simt --set n=600000 --block 128 --grid 'ceil(n/128)' --arg out=f32[n]"
                              " --arg in=f32[n]:random --reference reference"
                              " --kernel through_its_output --kernel works_on_poison");
  EXPECT_EQ(both.code, 1) << both.err;
  EXPECT_TRUE(has(both.out, "on the executor, with n=150000: output read before it was written")) << both.out;
}

// ---- on a GPU, with kernels that behave on the executor ----

class RefereeOnAGpu : public Referee {
 protected:
  /// Benches kernels of gpu_cheats.cu and returns the statuses and the medians of the rungs.
  void bench(const std::vector<std::string>& kernels, const std::string& more = "") {
    std::string words;
    for (const std::string& kernel : kernels) words += " --kernel " + kernel;
    const Outcome all = rafter("bench " RAFTER_BENCH_GPU_CHEATS
                               " --device cuda --quick --set n=2^21 --block 256 --grid 'ceil(n/256)'"
                               " --arg out=f32[n] --arg in=f32[n]:random --reference reference --json " +
                               file("r.json") + words + more);
    text = all.out + all.err;
    rungs.clear();
    const json results = json::parse(text_of(file("r.json")), nullptr, false);
    ASSERT_TRUE(results.is_object()) << text;
    for (const json& rung : results["results"]) rungs[rung["rung"]] = rung;
  }
  void expect_wrong(const std::string& kernel) {
    EXPECT_EQ(rungs[kernel].value("status", ""), "WRONG") << kernel << text;
  }
  /// Expects results that are right in each call, and a time that honest work takes.
  void expect_no_gain(const std::string& kernel) {
    ASSERT_EQ(rungs[kernel].value("status", ""), "verified") << kernel << text;
    // Replaying takes a tenth of the honest time.
    EXPECT_GT(rungs[kernel]["median_ns"].get<double>(), 0.5 * rungs["honest"]["median_ns"].get<double>()) << kernel;
  }

  std::string text;
  std::map<std::string, json> rungs;
};

TEST_F(RefereeOnAGpu, VerifiesEachTimedCall_cuda) {
  const std::vector<std::string> wrong{"works_on_poison", "works_on_nan", "keeps_answers_in_its_input",
                                       "writes_behind_its_output"};
  bench({"honest", "works_on_poison", "works_on_nan", "keeps_answers_in_its_input", "writes_behind_its_output",
         "spares_what_is_right"});
  for (const std::string& kernel : wrong) expect_wrong(kernel);
  expect_no_gain("spares_what_is_right");
  EXPECT_EQ(rungs["honest"]["verified_samples"], rungs["honest"]["n"]) << text;
}

TEST_F(RefereeOnAGpu, RestoresVariablesBeforeEachCall_cuda) {
  const std::vector<std::string> kernels{"counts_its_calls", "recognises_values", "recognises_an_address",
                                         "computes_what_has_changed", "keeps_answers_on_the_heap"};
  bench({"honest", "counts_its_calls", "recognises_values", "recognises_an_address", "computes_what_has_changed",
         "keeps_answers_on_the_heap"});
  for (const std::string& kernel : kernels) expect_no_gain(kernel);
}

TEST_F(RefereeOnAGpu, NewInputsLeaveNothingToReplay_cuda) {
  const std::string kept =
      " --may-keep n_done --may-keep n_calls --may-keep answers --may-keep fingerprint --may-keep last"
      " --may-keep inputs --may-keep kept_on_the_heap";
  bench({"honest", "counts_its_calls", "recognises_values", "recognises_an_address", "computes_what_has_changed",
         "keeps_answers_on_the_heap"},
        kept);
  expect_wrong("counts_its_calls");
  for (const char* kernel :
       {"recognises_values", "recognises_an_address", "computes_what_has_changed", "keeps_answers_on_the_heap"})
    expect_no_gain(kernel);
  EXPECT_GT(rungs["honest"]["fresh_samples"].get<int>(), 0) << text;
}

TEST_F(Referee, RandomNumbersAreOfManyKinds) {
  const Outcome mixed = judge_against("sine", "random", "--kernel sine_of_small_numbers");
  EXPECT_EQ(mixed.code, 1) << mixed.out;
  EXPECT_TRUE(has(mixed.out, "WRONG")) << mixed.out;
  EXPECT_FALSE(has(mixed.out, "hardly depend")) << mixed.out;
  const Outcome small = judge_against("sine", "uniform(-1,1)", "--kernel sine_of_small_numbers");
  EXPECT_EQ(small.code, 0) << small.out << small.err;
}

TEST_F(Referee, WarnsOfResultsThatHardlyDependOnTheInputs) {
  const Outcome all = judge_against("nearly_one", "random", "--kernel one");
  EXPECT_EQ(all.code, 0) << all.out << all.err;
  EXPECT_TRUE(has(all.out, "warning: the expected results hardly depend on the inputs")) << all.out;
}

TEST_F(Referee, SignsResultsAndFindsChanges) {
  if (call("sh", "-c 'command -v ssh-keygen'").code != 0) GTEST_SKIP() << "no ssh-keygen";
  const std::string key = file("key"), results = file("r.json"), kernel = file("k.cu");
  ASSERT_EQ(call("ssh-keygen", "-q -t ed25519 -N '' -f " + key).code, 0);
  base::write_file(file("signers"), "ada " + text_of(key + ".pub"));
  base::write_file(kernel,
                   "__global__ void twice(const float* in, float* out, int n) {\n"
                   "  if (threadIdx.x < n) out[threadIdx.x] = 2 * in[threadIdx.x];\n}\n"
                   "void on_host(const float* in, float* out, int n) {\n"
                   "  for (int i = 0; i < n; ++i) out[i] = 2 * in[i];\n}\n");
  const std::string words = "bench " + kernel +
                            " --device simt --kernel twice --reference on_host --set n=32 --grid 1 "
                            "--block 32 --arg in=f32[n]:random --arg out=f32[n] --json " +
                            results;
  const Outcome signed_run = rafter(words + " --sign " + key);
  ASSERT_EQ(signed_run.code, 0) << signed_run.out << signed_run.err;
  const std::string verify = "verify " + results + " --identity ada --signers " + file("signers");
  const Outcome good = rafter(verify);
  EXPECT_EQ(good.code, 0) << good.out << good.err;
  EXPECT_TRUE(has(good.out, "the same as when it was measured")) << good.out;
  EXPECT_EQ(rafter("verify " + results).code, 0);

  base::write_file(file("signers"), "bob " + text_of(key + ".pub"));
  EXPECT_EQ(rafter(verify).code, 1) << "ada is not among the signers";
  base::write_file(file("signers"), "ada " + text_of(key + ".pub"));
  const std::string source = text_of(kernel), text = text_of(results);
  base::write_file(kernel, source + "// another\n");
  const Outcome other = rafter(verify);
  EXPECT_EQ(other.code, 1);
  EXPECT_TRUE(has(other.out, "CHANGED since it was measured")) << other.out;
  base::write_file(kernel, source);
  base::write_file(results, text + " ");
  const Outcome changed = rafter(verify);
  EXPECT_EQ(changed.code, 1);
  EXPECT_TRUE(has(changed.out, "BAD: ")) << changed.out;

  EXPECT_EQ(rafter(words).code, 0);
  EXPECT_EQ(rafter(words + " --sign " + file("none")).code, 2);
  EXPECT_TRUE(has(rafter("verify " + file("none.json")).err, "cannot read"));
}

}  // namespace
}  // namespace rafter
