// rafter try: a correct file for every exercise, a file for every classic mistake, and the message for each.
#include "../tool.hpp"
#include "rafter/device.hpp"

namespace rafter::simt::test {
namespace {

const fs::path tried = here / "try";

class Try : public ToolTest {
 protected:
  static Outcome right(const std::string& words) { return test::rafter(tried / "right", "try " + words); }
  static Outcome mistake(const std::string& words) { return test::rafter(tried / "mistakes", "try " + words); }
};

// ---- correct files ----

struct Right {
  const char* exercise;
  const char* file;
  const char* resembles;  ///< the most similar rung; empty if the exercise has no ladder of its size
};

class RightFiles : public testing::TestWithParam<Right> {};

TEST_P(RightFiles, AreCorrectCleanAndCounted) {
  const auto& [exercise, file, resembles] = GetParam();
  const Outcome outcome = test::rafter(tried / "right", std::string("try ") + exercise + " " + file);
  EXPECT_EQ(outcome.code, 0) << outcome.all();
  for (const char* words : {"correct with", "clean: no race", "global memory:"})
    EXPECT_TRUE(has(outcome.out, words)) << words << "\n" << outcome.all();
  if (*resembles != '\0') {
    EXPECT_TRUE(has(outcome.out, std::string("most like those of the rung ") + resembles + ":")) << outcome.all();
  }
  std::istringstream lines(outcome.out);
  for (std::string line; std::getline(lines, line);) {
    EXPECT_TRUE(line.size() <= 100 || has(line, "No times:")) << line;
  }
}

INSTANTIATE_TEST_SUITE_P(
    Try, RightFiles,
    testing::Values(Right{"zero", "first_kernels.cu", ""}, Right{"one", "first_kernels.cu", ""},
                    Right{"mul_add", "first_kernels.cu", ""}, Right{"sum_atomic", "sums.cu", "atomic"},
                    Right{"sum_1024", "sums.cu", "block_tree"}, Right{"sum_rows", "sum_rows.cu", "thread_per_row"},
                    Right{"filter_atomic", "filter_atomic.cu", ""}, Right{"index", "index.cu", ""},
                    Right{"scan", "bonuses.cu", ""}, Right{"scatter_sum", "bonuses.cu", ""},
                    Right{"transpose", "bonuses.cu", ""}, Right{"conv", "convolutions.cu", "constant_weights"},
                    Right{"conv_tiled", "convolutions.cu", ""}, Right{"winograd", "convolutions.cu", ""},
                    Right{"sum_final", "final.cu", "block_tree"}, Right{"exclusive_scan", "ordered.cu", "one_block"},
                    Right{"filter_ordered", "ordered.cu", ""}, Right{"sum_rows_half", "sum_rows.cu", "thread_per_row"},
                    Right{"reduce_by_key", "keys.cu", "warp_combined"}, Right{"reduce_by_key_gradient", "keys.cu", ""},
                    Right{"matmul", "matmul.cu", ""}, Right{"matmul_tiled", "matmul.cu", ""},
                    Right{"matmul", "styles.cu", ""}, Right{"reduce_by_key", "styles.cu", "warp_combined"},
                    Right{"sum_final", "styles.cu", "grid_stride"}),
    [](const auto& test) {
      const bool is_unusual = std::string_view(test.param.file) == "styles.cu";
      return std::string(test.param.exercise) + (is_unusual ? "_in_another_style" : "");
    });

// ---- mistakes ----

struct Mistake {
  const char* file;  ///< without .cu
  const char* exercise;
  int code;
  std::vector<std::string> phrases;
};

void PrintTo(const Mistake& mistake, std::ostream* out) { *out << mistake.file; }
void PrintTo(const Right& right, std::ostream* out) { *out << right.exercise << " of " << right.file; }

class Mistakes : public testing::TestWithParam<Mistake> {};

TEST_P(Mistakes, GetTheExpectedMessage) {
  const auto& [file, exercise, code, phrases] = GetParam();
  const Outcome outcome =
      test::rafter(tried / "mistakes", std::string("try ") + exercise + " " + file + ".cu --time-limit 1 --seed 0");
  EXPECT_EQ(outcome.code, code) << outcome.all();
  for (const std::string& phrase : phrases) EXPECT_TRUE(has(outcome.out, phrase)) << phrase << "\n" << outcome.all();
}

INSTANTIATE_TEST_SUITE_P(
    Try, Mistakes,
    testing::Values(
        Mistake{"race", "sum_atomic", 1, {"race in global memory", "race.cu:3", "*dest += inp[i]", "atomicAdd"}},
        Mistake{"no_bounds_check",
                "sum_atomic",
                1,
                {"correct with size=196608", "WRONG with size=1,", "access out of bounds", "no_bounds_check.cu:3",
                 "just past its end", "if (i < size)"}},
        Mistake{"off_by_one", "sum_atomic", 1, {"expected", "the sum without the last element", "and with size=1,"}},
        Mistake{"wrong_dtype",
                "sum_atomic",
                2,
                {"wrong_dtype.cu:1", "parameter 1, inp: expected const float*, yours is const double*", "32 bits"}},
        Mistake{"wrong_signature", "sum_atomic", 2, {"2 parameters instead of 3", "--starter"}},
        Mistake{"missing_brace",
                "sum_atomic",
                2,
                {"missing_brace.cu:5: the { of this line is never closed", "5 | if (i < size) {"}},
        Mistake{"needless_brace", "sum_atomic", 2, {"needless_brace.cu:6: this } has no {", "6 | }"}},
        Mistake{"missing_semicolon", "sum_atomic", 2, {"missing_semicolon.cu:4: error", "at the end of line 3"}},
        Mistake{"misspelt_barrier", "sum_1024", 2, {"misspelt_barrier.cu:5:", "did you mean", "'__syncthreads'?"}},
        Mistake{"returns_int", "sum_atomic", 2, {"returns_int.cu:1: sum_atomic returns int", "__global__ void"}},
        Mistake{"template_kernel", "sum_atomic", 2, {"template_kernel.cu:2", "--kernel 'sum_atomic<float>'"}},
        Mistake{"wrong_use_of_header", "sum_atomic", 2, {"wrong_use_of_header.cu:6"}},
        Mistake{"wrong_name", "sum_atomic", 2, {"did you mean 'sum_atomc'?", "--kernel sum_atomc"}},
        Mistake{"no_kernel", "sum_atomic", 2, {"no function in it is __global__"}},
        Mistake{"compile_error",
                "sum_atomic",
                2,
                {"compile_error.cu:3: error: 'input' was not declared", "3 | if (i < size) atomicAdd(dest, input[i])"}},
        Mistake{"too_many_threads", "sum_atomic", 1, {"too_many_threads.cu:8", "1025 threads", "at most 1024"}},
        Mistake{"infinite_loop", "sum_rows", 1, {"did not end within 1 s", "infinite_loop.cu:5", "r < nrows; c++"}},
        Mistake{"spinning", "sum_rows", 1, {"did not end within 1 s", "spinning.cu:4", "while (n != 0)"}},
        Mistake{"unwritten_output", "mul_add", 1, {"dest[64..127] were never written", "their initial values"}},
        Mistake{"adds_to_unwritten", "sum_rows", 1, {"uninitialised read", "adds_to_unwritten.cu:4"}},
        Mistake{"lanes_in_step", "sum_1024", 1, {"race in shared memory", "lanes_in_step.cu:12", "__syncwarp()"}},
        Mistake{"no_fence", "sum_atomic", 1, {"race in global memory", "no_fence.cu:24", "put a __threadfence()"}},
        Mistake{"throws_early", "zero", 1, {"the file's own code ended the program", "no table", "constructors"}},
        Mistake{"missing_barrier", "sum_1024", 1, {"race in shared memory", "missing_barrier.cu:7", "__syncthreads()"}},
        Mistake{
            "early_return", "sum_1024", 1, {"returned before a barrier", "early_return.cu:6", "no return before it"}},
        Mistake{"barrier_in_branch", "sum_1024", 1, {"barrier_in_branch.cu:9", "no if around it"}},
        Mistake{"shared_too_small",
                "sum_1024",
                1,
                {"out of bounds in shared memory", "shared_too_small.cu:4", "__shared__ tile of 2048 bytes"}},
        Mistake{"changes_input", "sum_1024", 1, {"inp[0] was changed", "only to outputs"}},
        Mistake{"deep_recursion", "sum_rows", 1, {"local memory overflowed", "use a loop"}},
        Mistake{"dynamic_shared", "sum_1024", 1, {"in dynamic shared memory", "__shared__ float"}},
        Mistake{"scan_in_place", "scan", 1, {"race in global memory", "read first, then __syncthreads()"}},
        Mistake{"index_without_check", "index", 1, {"some out of range", "out of bounds", "16 bytes before its start"}},
        Mistake{"index_writes_anyway", "index", 1, {"dest[3] was written, but b[3] = -4 is out of range"}},
        Mistake{"counter_without_atomic", "filter_atomic", 1, {"race in global memory", "(*counter)++", "atomicAdd"}},
        Mistake{"keeps_the_wrong_ones", "filter_atomic", 1, {"counter: expected 1021, got 1534"}},
        Mistake{"writes_everything", "zero", 1, {"dest[64] was changed from 66 to 0"}},
        Mistake{"too_much_shared", "zero", 2, {"too_much_shared.cu:2", "tile is larger than 48 KiB", "49152 bytes"}},
        Mistake{"scan_with_its_own", "exclusive_scan", 1, {"dest[0]: expected 0", "that is the inclusive scan"}},
        Mistake{"filter_loses_order", "filter_ordered", 1, {"the right elements in another order: dest[1] should be"}},
        Mistake{"matmul_by_columns", "matmul", 1, {"b read by columns"}},
        Mistake{"matmul_of_32_bits",
                "matmul",
                1,
                {"correct with m=64", "WRONG with m=16 n=268435461 k=20", "64 bits from the start"}},
        Mistake{"matmul_without_tiles",
                "matmul_tiled",
                1,
                {"clean: no race", "it loads 553 kB from global memory, where 246 kB are enough", "__shared__ memory"}},
        Mistake{"matmul_one_barrier",
                "matmul_tiled",
                1,
                {"race in shared memory", "matmul_one_barrier.cu:10", "put a __syncthreads() between"}},
        Mistake{"key_by_key",
                "reduce_by_key",
                1,
                {"clean: no race", "4096 atomic additions, where 446 are enough", "Equal keys are adjacent"}},
        Mistake{"gradient_scattered", "reduce_by_key_gradient", 1, {"uninitialised read", "with ="}},
        Mistake{"sum_of_16_bits", "sum_rows_half", 1, {"that is what a sum of 16 bits", "add in a float"}},
        Mistake{
            "two_rounds", "sum_final", 1, {"correct with size=10241", "WRONG with size=1049601", "Launch in a loop"}},
        Mistake{"sums_never_freed", "sum_final", 1, {"never freed", "sums_never_freed.cu:16", "its cudaFree"}},
        Mistake{"host_sums", "sum_final", 1, {"host code accesses device memory", "host_sums.cu:3", "launch a kernel"}},
        Mistake{"refused_launch", "sum_final", 1, {"the launch was refused: 2048 threads per block (at most 1024)"}},
        Mistake{"cut_sum", "sum_atomic", 1, {"got 7: that is the sum of", "cut to integers"}},
        Mistake{"cut_to_int", "sum_rows", 1, {"all results are whole numbers", "and with ncols=1 nrows=1,"}},
        Mistake{"unset_sum",
                "sum_rows",
                1,
                {"used before it has a value", "unset_sum.cu:4: sum is declared", "unset_sum.cu:5: sum is used",
                 "float sum = 0;"}},
        Mistake{"index_silent", "index", 1, {"b[3] = -4 is out of range, and nothing was printed", "printf"}},
        Mistake{"index_of_32_bits",
                "sum_atomic",
                1,
                {"correct with size=196608", "WRONG with size=4294967996, 4194305 blocks", "64 bits from the start"}},
        Mistake{"key_of_32_bits",
                "scatter_sum",
                1,
                {"WRONG with size=700 segments=8589934692", "dest[2147483648]: expected"}},
        Mistake{"keeps_nan", "filter_atomic", 1, {"expected 1021, got 1023; dest has a NaN"}},
        Mistake{"vector_in_kernel",
                "mul_add",
                2,
                {"vector_in_kernel.cu:4: std::vector in a kernel", "host code", "arrays of fixed size"}},
        Mistake{"host_function",
                "zero",
                2,
                {"host_function.cu:3: nothing() in a kernel", "is host code, which a GPU cannot run"}},
        Mistake{"null_pointer", "mul_add", 1, {"null_pointer.cu:3", "a null pointer"}},
        Mistake{"conv_turned_kernel", "conv", 1, {"expected -297, got 285", "kernels rotated by 180 degrees"}},
        Mistake{"conv_no_padding", "conv", 1, {"correct with inp=2x2x20x33", "pad=1,", "has the value of [y+1][x+1]"}},
        Mistake{"conv_without_tile",
                "conv_tiled",
                1,
                {"clean: no race", "it loads 922 kB from global memory, where 131 kB are enough",
                 "conv_without_tile.cu:12", "into a __shared__ tile once"}},
        Mistake{"conv_short_halo",
                "conv_tiled",
                1,
                {"uninitialised read in shared memory", "conv_short_halo.cu:17", "__shared__ tile"}},
        Mistake{"conv_missing_barrier",
                "conv_tiled",
                1,
                {"race in shared memory", "conv_missing_barrier.cu:12", "conv_missing_barrier.cu:17"}},
        Mistake{"winograd_missing_barrier",
                "winograd",
                1,
                {"race in shared memory", "winograd_missing_barrier.cu:13", "__syncthreads()"}},
        Mistake{"winograd_odd_edge", "winograd", 1, {"out of bounds", "winograd_odd_edge.cu:41", "just past its end"}},
        Mistake{"winograd_rounded_kernel",
                "winograd",
                1,
                {"correct with inp=2x4x20x37", "WRONG with inp=1x33x10x11 maps=2 pad=1 with fractions"}},
        // Files whose host code works against the check.
        Mistake{"forged", "zero", 1, {"host code in the file wrote the result", "no valid signature"}},
        Mistake{"forged_at_exit", "zero", 1, {"host code in the file wrote the result", "no valid signature"}},
        Mistake{"forged_early", "zero", 1, {"a function in .preinit_array, which runs before the checks begin"}},
        Mistake{"forged_launch",
                "zero",
                1,
                {"the file defines rafter_simt_run_exercise(), which replaces a function of the checks"}},
        Mistake{"forged_memcpy", "zero", 1, {"the file defines memcpy(), which replaces a function of the checks"}},
        Mistake{"switches_checks_off", "sum_atomic", 1, {"race in global memory", "switches_checks_off.cu:4"}},
        Mistake{"sees_the_count",
                "matmul_tiled",
                1,
                {"clean: no race", "it loads 553 kB from global memory, where 246 kB are enough"}},
        Mistake{"counts_its_runs",
                "matmul_tiled",
                1,
                {"clean: no race", "when its accesses were counted", "never written"}},
        Mistake{"host_computes", "sum_final", 1, {"no kernel was launched", "computed by a kernel"}},
        Mistake{"leaves_early", "zero", 1, {"ended the program before the check was complete"}}),
    [](const auto& test) { return std::string(test.param.file); });

TEST_F(Try, AcceptsParametersInAnyOrder) {
  const Outcome outcome = right("sum_atomic another_order.cu");
  EXPECT_EQ(outcome.code, 0) << outcome.all();
  EXPECT_TRUE(has(outcome.out, "its parameters are matched with inp, size, dest")) << outcome.all();
  file("types.cu",
       "__global__ void filter_atomic(int n, float limit, float* out, const float* in, int* count) {\n"
       "  int i = blockIdx.x * blockDim.x + threadIdx.x;\n"
       "  if (i < n && fabsf(in[i]) < limit) out[atomicAdd(count, 1)] = in[i];\n}\n");
  const Outcome by_type = rafter("try filter_atomic types.cu");
  EXPECT_EQ(by_type.code, 0) << by_type.all();
  EXPECT_TRUE(has(by_type.out, "matched with size, threshold, dest, inp, counter")) << by_type.all();
}

TEST_F(Try, SaysThatOneThreadDoesAllTheWork) {
  file("serial.cu",
       "__global__ void scan(const float* inp, float* dest, long size) {\n"
       "  if (threadIdx.x > 0) return;\n"
       "  float sum = 0;\n"
       "  for (long i = 0; i < size; ++i) dest[i] = sum += inp[i];\n}\n");
  const Outcome outcome = rafter("try scan serial.cu");
  EXPECT_EQ(outcome.code, 1) << outcome.all();
  EXPECT_TRUE(has(outcome.out, "one thread at a time does all the work")) << outcome.all();
  EXPECT_TRUE(has(outcome.out, "Give each thread elements of its own")) << outcome.all();
}

TEST_F(Try, ShowsTheNextRungNextToTheNearest) {
  const Outcome outcome = right("sum_atomic sums.cu");
  EXPECT_TRUE(has(outcome.out, "yours            atomic        block_tree")) << outcome.all();
}

TEST_F(Try, ShowsTheOutputOfTheSmallestWrongCase) {
  file("printing.cu",
       "__global__ void mul_add(float* dest, const float* a, const float* b, const float* c) {\n"
       "  for (int i = 0; i < 50; ++i) printf(\"thread %d, line %d\\n\", threadIdx.x, i);\n"
       "  dest[threadIdx.x] = a[threadIdx.x] * b[threadIdx.x];\n}\n");
  const Outcome outcome = rafter("try mul_add printing.cu");
  EXPECT_EQ(outcome.code, 1) << outcome.all();
  EXPECT_TRUE(has(outcome.out, "it printed, with n=1, 1 block of 1 thread:\n    | thread 0, line 0\n"))
      << outcome.all();
  EXPECT_TRUE(has(outcome.out, "| thread 0, line 39\n    | ... and 10 more lines")) << outcome.all();
}

TEST_F(Try, ReportsAMissingCompiler) {
  file("bin/nm", "");  // PATH is a folder without a compiler
  file("fresh.cu", "__global__ void zero(float* dest) { dest[threadIdx.x] = 0; }\n");
  const Outcome outcome = shell(folder_.path(), "PATH=bin " RAFTER_TOOL_PATH " try zero fresh.cu");
  EXPECT_EQ(outcome.code, 2) << outcome.all();
  EXPECT_TRUE(has(outcome.out, "for a reason outside of the file: cannot run 'g++'")) << outcome.all();
  EXPECT_TRUE(has(outcome.out, "install it")) << outcome.all();
}

TEST_F(Try, NotesCodeThatNvccAcceptsOnlyWithAnOption) {
  file("largest.cu",
       "#include <algorithm>\n"
       "__global__ void zero(float* dest) {\n"
       "  constexpr int none = std::min(0, 1);\n"
       "  dest[threadIdx.x] = std::max<float>(none, -1);\n}\n");
  const Outcome outcome = rafter("try zero largest.cu");
  EXPECT_EQ(outcome.code, 0) << outcome.all();
  EXPECT_TRUE(has(outcome.out, "note: largest.cu:4: std::max in a kernel")) << outcome.all();
}

TEST_F(Try, ExpectsAHostFunctionForAHostExercise) {
  const Outcome none = mistake("sum_final no_kernel.cu");
  EXPECT_EQ(none.code, 2) << none.all();
  EXPECT_TRUE(has(none.out, "no_kernel.cu has no function sum_final")) << none.all();
  file("kernel.cu", "__global__ void sum_final(const float* inp, float* dest, int size) {}\n");
  EXPECT_TRUE(has(rafter("try sum_final kernel.cu").out, "is a kernel here, but this exercise is host code"));
}

TEST_F(Try, AcceptsAnotherDivisionOfTheWork) {
  const Outcome outcome = right("sum_atomic four_each.cu");
  EXPECT_EQ(outcome.code, 0) << outcome.all();
  EXPECT_TRUE(has(outcome.out, "size=4294967996")) << outcome.all();
  file("halves.cu",
       "__global__ void sum_atomic(const float* inp, float* dest, long size) {\n"
       "  const long i = blockIdx.x * long{blockDim.x} + threadIdx.x, half = (size + 1) / 2;\n"
       "  if (i < half) atomicAdd(dest, inp[i] + (i + half < size ? inp[i + half] : 0));\n}\n");
  const Outcome halves = rafter("try sum_atomic halves.cu --seed 5");
  EXPECT_EQ(halves.code, 2) << "the huge case was not tried\n" << halves.all();
  EXPECT_TRUE(has(halves.out, "Not tried with")) << halves.all();
  EXPECT_TRUE(has(halves.out, "size=4294967996 (the first and the last block):")) << halves.all();
}

TEST_F(Try, GivesHintsInSteps) {
  const Outcome first = right("sum_atomic --hint");
  EXPECT_EQ(first.code, 0) << first.all();
  EXPECT_TRUE(has(first.out, "Hint 1 of 3") && has(first.out, "rafter try sum_atomic --hint 2")) << first.all();
  EXPECT_FALSE(has(first.out, "int64_t")) << "the last hint\n" << first.all();
  EXPECT_TRUE(has(right("sum_atomic --hint 3").out, "int64_t"));
  EXPECT_EQ(right("sum_atomic --hint 4").code, 2);
  for (const json& exercise : right("--list --json").report())
    EXPECT_EQ(right(exercise["kernel"].get<std::string>() + " --hint 2").code, 0) << exercise;
}

TEST_F(Try, KnowsTheNextExercise) {
  const auto with_new_cache = [&](const std::string& words) {
    return shell(tried / "right",
                 "XDG_CACHE_HOME=" + (folder_.path() / "cache").string() + " " RAFTER_TOOL_PATH " try " + words);
  };
  const Outcome begin = with_new_cache("--next");
  EXPECT_TRUE(has(begin.out, "0 of 22") && has(begin.out, "Next: zero")) << begin.all();
  with_new_cache("zero first_kernels.cu");
  with_new_cache("one ../mistakes/unset_sum.cu");
  const Outcome next = with_new_cache("--next");
  EXPECT_TRUE(has(next.out, "1 of 22 exercises are right: zero") && has(next.out, "Next: one")) << next.all();
  EXPECT_TRUE(has(next.out, "unset_sum.cu was could not run") || has(next.out, "tried so far: 1")) << next.all();
}

TEST_F(Try, RepeatsTheInputsOfASeed) {
  file("wrong.cu",
       "__global__ void sum_rows(float* dest, const float* inp, long ncols, long nrows) {\n"
       "  const long c = blockIdx.x * long{blockDim.x} + threadIdx.x;\n"
       "  if (c < ncols) dest[c] = inp[c * nrows];\n}\n");
  const std::string words = "try sum_rows wrong.cu --json";
  EXPECT_EQ(rafter(words + " --seed 5").out, rafter(words + " --seed 5").out);
  EXPECT_NE(rafter(words + " --seed 5").report()[0]["message"], rafter(words + " --seed 6").report()[0]["message"]);
  EXPECT_NE(rafter(words).report()[0]["seed"], rafter(words).report()[0]["seed"]);
}

TEST_F(Try, NamesWhatTheExecutorCannotRun) {
  const Outcome outcome = mistake("zero inline_ptx.cu");
  EXPECT_EQ(outcome.code, 2) << outcome.all();
  EXPECT_TRUE(has(outcome.out, "inline_ptx.cu:3: inline PTX")) << outcome.all();
}

// ---- the command ----

TEST_F(Try, ListFitsOneScreen) {
  const Outcome outcome = right("--list");
  EXPECT_EQ(outcome.code, 0);
  std::istringstream lines(outcome.out);
  int n_lines = 0;
  for (std::string line; std::getline(lines, line); ++n_lines) EXPECT_LE(line.size(), 100U) << line;
  EXPECT_LE(n_lines, 30);
  const json all = right("--list --json").report();
  EXPECT_EQ(all.size(), 22U);
  for (const json& exercise : all)
    EXPECT_TRUE(has(outcome.out, " " + exercise["kernel"].get<std::string>() + " ")) << exercise;
}

TEST_F(Try, StarterCompilesAndIsWrong) {
  for (const char* exercise : {"sum_atomic", "sum_final", "sum_rows_half"}) {
    EXPECT_EQ(rafter(std::string("try ") + exercise + " --starter > my.cu").code, 0);
    const Outcome outcome = rafter(std::string("try ") + exercise + " my.cu");
    EXPECT_EQ(outcome.code, 1) << outcome.all();
  }
  EXPECT_TRUE(has(rafter("try sum --kernel sum_1024 --starter").out, "__global__ void sum_1024("));
  const Outcome several = rafter("try sum --starter");
  EXPECT_EQ(several.code, 2);
  EXPECT_TRUE(has(several.err, "sum_atomic or sum_1024")) << several.all();
}

TEST_F(Try, WorkloadMeansAllItsKernelsInTheFile) {
  const Outcome outcome = right("sum sums.cu --json");
  EXPECT_EQ(outcome.code, 0) << outcome.all();
  const json report = outcome.report();
  ASSERT_EQ(report.size(), 2U) << outcome.all();
  EXPECT_EQ(report[0]["kernel"], "sum_atomic");
  EXPECT_EQ(report[1]["verdict"], "right");
  EXPECT_EQ(report[1]["resembles"]["rung"], "block_tree");
}

// A submission that crashes, hangs, forges or is not CUDA at all affects no other one.
TEST_F(Try, JudgesAClassAndContinues) {
  const std::string right = text_of(tried / "right/sum_rows.cu");
  file("class/good.cu", right);
  file("class/cut.cu", text_of(tried / "mistakes/cut_to_int.cu"));
  file("class/endless.cu", text_of(tried / "mistakes/infinite_loop.cu"));
  file("class/exits.cu", "#include <cstdlib>\nstatic int now = (_Exit(0), 0);\n" + right);
  file("class/garbage.cu", std::string("\x7f\x00\xff not CUDA", 12));
  const std::string words = "judge sum_rows class --time-limit 3 --junit all.xml --csv all.csv ";
  const Outcome all = rafter(words + "--jobs 2 --json all.json");
  EXPECT_EQ(all.code, 1) << all.all();
  EXPECT_TRUE(has(all.out, "5 submissions: 1 right,")) << all.all();
  const json verdicts = json::parse(text_of(folder_.path() / "all.json"))["submissions"];
  ASSERT_EQ(verdicts.size(), 5U);
  for (const json& one : verdicts) {
    const bool is_good = has(one["file"].get<std::string>(), "good.cu");
    EXPECT_EQ(one["verdict"] == "right", is_good) << one.dump(1);
    EXPECT_EQ(one["why"] == "", is_good) << one.dump(1);
  }
  EXPECT_TRUE(has(text_of(folder_.path() / "all.xml"), "tests=\"5\""));
  EXPECT_TRUE(has(text_of(folder_.path() / "all.csv"), "class/good.cu"));

  file("class/garbage.cu", right);
  const Outcome rest = rafter(words + "--continue all.json");
  EXPECT_TRUE(has(rest.out, "5 submissions: 2 right,")) << rest.all();
  const Outcome other = rafter("judge sum_final class --continue all.json");
  EXPECT_EQ(other.code, 2) << other.all();
  EXPECT_TRUE(has(other.err, "are of another exercise")) << other.all();
}

// Challenges: problems of others, read from a folder, with a Python reference. The tests bring a package `torch` of
// theirs.
class Challenges : public ToolTest {
 protected:
  static Outcome in_challenge(const std::string& words) {
    return shell(tried / "challenge",
                 "PYTHONDONTWRITEBYTECODE=1 PYTHONPATH=. timeout 900 " RAFTER_TOOL_PATH " " + words);
  }
};

TEST_F(Challenges, AreTriedLikeExercises) {
  if (shell(".", "command -v python3").code != 0) GTEST_SKIP() << "no python3";
  const Outcome right = in_challenge("try easy/scale right.cu");
  EXPECT_EQ(right.code, 0) << right.all();
  EXPECT_TRUE(has(right.out, "correct with test 1: N=4 factor=2.0; test 2: N=1 factor=0.5; test 3: N=1000"))
      << right.all();
  EXPECT_TRUE(has(right.err, "1 tests of easy/scale are too large for the executor and are not tried")) << right.all();
  const Outcome wrong = in_challenge("try easy/scale/challenge.py short_grid.cu");
  EXPECT_EQ(wrong.code, 1) << wrong.all();
  const Outcome starter = in_challenge("try easy/scale --starter");
  EXPECT_TRUE(has(starter.out, "void solve(const float* x, float* y, int* n_positive, int N, float factor)"))
      << starter.all();
}

TEST_F(Challenges, AreJudgedForAClass) {
  if (shell(".", "command -v python3").code != 0) GTEST_SKIP() << "no python3";
  const Outcome all =
      in_challenge("judge easy/scale right.cu short_grid.cu --json " + (folder_.path() / "all.json").string());
  EXPECT_EQ(all.code, 1) << all.all();
  EXPECT_TRUE(has(all.out, "2 submissions: 1 right, 1 wrong")) << all.all();
}

TEST_F(Challenges, OfTensaraAreTriedWithOtherValues) {
  if (shell(".", "command -v python3").code != 0) GTEST_SKIP() << "no python3";
  const Outcome right = in_challenge("try kernels/scale solution.cu");
  EXPECT_EQ(right.code, 0) << right.all();
  EXPECT_TRUE(has(right.out, "correct with test 1: factor=2.0 n=3; test 2: factor=2.0 n=3;")) << right.all();
  EXPECT_TRUE(has(right.out, "n=1000") && has(right.out, "n=5003")) << right.all();
  EXPECT_TRUE(has(right.err, "1 tests of kernels/scale are too large")) << right.all();
  const Outcome knows_the_sample = in_challenge("try kernels/scale/def.py sample_only.cu");
  EXPECT_EQ(knows_the_sample.code, 1) << knows_the_sample.all();
  EXPECT_TRUE(has(knows_the_sample.out, "test 2")) << knows_the_sample.all();
}

TEST_F(Challenges, ReportWhatTheyLack) {
  if (shell(".", "command -v python3").code != 0) GTEST_SKIP() << "no python3";
  if (shell(".", "python3 -c 'import torch'").code != 0) {
    const Outcome none = shell(tried / "challenge", "timeout 900 " RAFTER_TOOL_PATH " try easy/scale right.cu");
    EXPECT_EQ(none.code, 2) << none.all();
    EXPECT_TRUE(has(none.err, "needs PyTorch")) << none.all();
  }
  file("lonely/challenge.py", "import torch\n");
  fs::copy_file(tried / "challenge/torch.py", folder_.path() / "torch.py");
  const Outcome lonely = shell(folder_.path(), "PYTHONPATH=. " RAFTER_TOOL_PATH " try ./lonely x.cu");
  EXPECT_EQ(lonely.code, 2) << lonely.all();
  EXPECT_TRUE(has(lonely.err, "is it in a checkout of the challenges?")) << lonely.all();
}

TEST_F(Try, AcceptsAnotherKernelNameAndBlock) {
  file("my.cu",
       "template <class T> __global__ void add_up(const T* in, T* out, long n) {\n"
       "  long i = blockIdx.x * static_cast<long>(blockDim.x) + threadIdx.x;\n"
       "  if (i < n) atomicAdd(out, in[i]);\n}\n");
  const Outcome outcome = rafter("try sum_atomic my.cu --kernel 'add_up<float>' --block 96");
  EXPECT_EQ(outcome.code, 0) << outcome.all();
  EXPECT_TRUE(has(outcome.out, "2048 blocks of 96 threads")) << outcome.all();
}

TEST_F(Try, RejectsBadArguments) {
  const auto refused = [&](const std::string& words, const std::string& phrase) {
    const Outcome outcome = right(words);
    EXPECT_EQ(outcome.code, 2) << outcome.all();
    EXPECT_TRUE(has(outcome.err, phrase)) << phrase << "\n" << outcome.all();
  };
  refused("sum_atomic sums.cu --block 1025", "a block has at most 1024");
  refused("transpose bonuses.cu --block 64,32", "2048 threads per block");
  refused("sum_atomic sums.cu --block x", "--block takes X or X,Y");
  refused("sum_atomik sums.cu", "did you mean 'sum_atomic'");
  refused("sum_atomic nowhere.cu", "there is no file nowhere.cu");
  refused("sum_atomic .", "cannot read .");
  refused("sum_atomic", "no file was given");
  refused("sum_final final.cu --block 96", "takes no --block");
  refused("", "rafter try --list");
}

Outcome on_gpu(const fs::path& folder, const std::string& words) {
  return shell(folder, "unset CUDA_VISIBLE_DEVICES; timeout -k 5 900 " RAFTER_TOOL_PATH " try " + words);
}

TEST_F(Try, PlacesTheKernelOnTheLadder_cuda) {
  if (const auto reason = why_unavailable(Device::cuda)) GTEST_SKIP() << *reason;
  for (const char* words : {"sum sums.cu", "sum_rows sum_rows.cu", "filter_atomic filter_atomic.cu", "index index.cu",
                            "scatter_sum bonuses.cu", "transpose bonuses.cu", "mul_add first_kernels.cu",
                            "conv convolutions.cu", "conv_tiled convolutions.cu", "winograd convolutions.cu",
                            "exclusive_scan ordered.cu", "filter_ordered ordered.cu", "reduce_by_key keys.cu",
                            "sum_rows_half sum_rows.cu", "sum_atomic another_order.cu"}) {
    const Outcome outcome = on_gpu(tried / "right", words);
    EXPECT_EQ(outcome.code, 0) << outcome.all();
    EXPECT_TRUE(has(outcome.out, "correct on ")) << outcome.all();
    EXPECT_TRUE(has(outcome.out, "Yours (") || has(words, "mul_add")) << outcome.all();
  }
  EXPECT_EQ(on_gpu(tried / "mistakes", "zero inline_ptx.cu").code, 0);
}

}  // namespace
}  // namespace rafter::simt::test
