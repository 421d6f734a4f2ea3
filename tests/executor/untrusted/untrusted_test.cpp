// With --untrusted, hostile sources and programs get the right verdict and do no harm; honest ones are judged as
// without it. The attacks on the sandbox itself are in tests/base/sandbox.
#include "../tool.hpp"
#include "base/sandbox/sandbox.hpp"

namespace rafter::simt::test {
namespace {

constexpr const char* prologue = R"(
#include <fcntl.h>
#include <signal.h>
#include <sys/prctl.h>
#include <sys/socket.h>
#include <sys/syscall.h>
#include <unistd.h>

#include <cstdio>
#include <cstdlib>
#include <cstring>

__global__ void number(int* a) { a[threadIdx.x] = threadIdx.x; }

int last_number() {
  int *a, last = 0;
  cudaMalloc(&a, 32 * sizeof(int));
  number<<<1, 32>>>(a);
  cudaMemcpy(&last, a + 31, sizeof last, cudaMemcpyDeviceToHost);
  cudaFree(a);
  return last;
}
)";

class Untrusted : public ToolTest {
 protected:
  void SetUp() override {
    if (const auto reason = base::why_no_sandbox()) GTEST_SKIP() << *reason;
    write(folder_.path() / "home/secret", "the answers\n");
  }

  std::string secret() const { return (folder_.path() / "home/secret").string(); }
  /// Runs a program whose main has this body.
  Outcome main_of(const std::string& body, const std::string& command = "check") const {
    file("program.cu", prologue + std::string("int main() {\n") + body + "\n}\n");
    return rafter(command + " program.cu --untrusted");
  }
};

TEST_F(Untrusted, HonestProgramIsJudgedAsUsual) {
  const Outcome outcome = main_of("return last_number() == 31 ? 0 : 1;");
  EXPECT_EQ(outcome.code, 0) << outcome.all();
  EXPECT_TRUE(has(outcome.out, "nothing found in 1 kernel, 1 launch")) << outcome.all();
  EXPECT_EQ(rafter("profile program.cu --untrusted --csv").code, 0);
  EXPECT_EQ(main_of("return last_number();", "exec").code, 31);
}

TEST_F(Untrusted, FindingsAreReportedWithTheirLines) {
  file("race.cu",
       "__global__ void add(int* a) { *a += 1; }\n"
       "int main() { int* a; cudaMalloc(&a, 4); cudaMemset(a, 0, 4); add<<<1, 32>>>(a); cudaFree(a); }\n");
  const Outcome outcome = rafter("check race.cu --untrusted");
  EXPECT_EQ(outcome.code, 1) << outcome.all();
  for (const char* words : {"race in global memory", "race.cu:1", "*a += 1"})
    EXPECT_TRUE(has(outcome.out, words)) << words << "\n" << outcome.all();
}

TEST_F(Untrusted, CompilerCannotReadOtherFiles) {
  const std::string path = "\"" + secret() + "\"";
  const std::string attacks[] = {"#include " + path + "\nint main() {}\n", "#include \"home/secret\"\nint main() {}\n",
                                 "asm(\".incbin \\\"" + secret() + "\\\"\");\nint main() {}\n",
                                 "__global__ void add(int* a) {\n#line 1 " + path +
                                     "\n  *a += 1;\n}\nint main() { int* a; cudaMalloc(&a, 4); add<<<1, 32>>>(a); }\n"};
  for (const std::string& attack : attacks) {
    file("attack.cu", attack);
    const Outcome outcome = rafter("check attack.cu --untrusted");
    EXPECT_FALSE(has(outcome.all(), "the answers")) << attack << outcome.all();
    EXPECT_NE(outcome.code, 0) << attack << outcome.all();
  }
  file("attack.cu", attacks[3]);
  EXPECT_TRUE(has(rafter("check attack.cu").out, "the answers")) << "without a sandbox it is shown";
}

TEST_F(Untrusted, NamedFoldersAreReadable) {
  file("include/three.hpp", "constexpr int three = 3;\n");
  file("data/number", "4");
  file("uses.cu",
       "#include <three.hpp>\n#include <cstdio>\n__global__ void none() {}\nint main() {\n  none<<<1, 1>>>();\n"
       "  std::FILE* file = std::fopen(\"" +
           (folder_.path() / "data/number").string() +
           "\", \"r\");\n  return file ? three + std::fgetc(file) - '0' : 9;\n}\n");
  EXPECT_EQ(rafter("exec uses.cu -Iinclude --untrusted").code, 9);
  EXPECT_EQ(rafter("exec uses.cu -Iinclude --untrusted --readable data").code, 7);
  EXPECT_EQ(rafter("exec uses.cu --untrusted").code, 2) << "the folder was not named";
}

TEST_F(Untrusted, ProgramCannotReachTheMachine) {
  const Outcome reads = main_of("return fopen(\"" + secret() + "\", \"r\") ? 7 : last_number();", "exec");
  EXPECT_EQ(reads.code, 31) << reads.all();
  const std::string place = (folder_.path() / "home/new").string();
  EXPECT_EQ(main_of("return fopen(\"" + place + "\", \"w\") ? 7 : last_number();", "exec").code, 31);
  EXPECT_FALSE(fs::exists(place));
  EXPECT_EQ(main_of("return socket(AF_INET, SOCK_STREAM, 0) >= 0 ? 7 : last_number();", "exec").code, 31);
  EXPECT_EQ(main_of("kill(getppid(), SIGKILL); kill(-1, SIGKILL); return last_number();", "exec").code, 31);
  setenv("A_TOKEN", "secret", 1);
  EXPECT_EQ(main_of("return getenv(\"A_TOKEN\") ? 7 : last_number();", "exec").code, 31);
}

TEST_F(Untrusted, LimitsEndThePrograms) {
  const std::string fork_bomb = "last_number(); for (;;) if (fork() < 0) usleep(1000);";
  for (const auto& [body, words] : {std::pair<std::string, std::string>{fork_bomb, "processes and threads"},
                                    {"last_number(); for (;;) memset(malloc(1 << 24), 1, 1 << 24);", "of memory"}}) {
    const Outcome outcome = main_of(body);
    EXPECT_EQ(outcome.code, 2) << outcome.all();
    EXPECT_TRUE(has(outcome.out, "the program was stopped: it ") && has(outcome.out, words)) << outcome.all();
  }
  EXPECT_EQ(main_of("last_number(); for (;;) {}", "exec --time-limit 1").code, 124);
}

TEST_F(Untrusted, ReportsOfTheProgramDoNotCount) {
  const Outcome outcome = main_of(
      "int* a;\n  cudaMalloc(&a, 4);\n  number<<<1, 32>>>(a);\n  cudaDeviceSynchronize();\n"
      "  std::FILE* file = std::fopen(\"report.json\", \"w\");\n"
      "  std::fputs(\"{\\\"findings\\\": [], \\\"notes\\\": [], \\\"kernels\\\": [{\\\"name\\\": \\\"number\\\", "
      "\\\"launches\\\": 1, \\\"threads\\\": 32, \\\"accesses\\\": 32}]}\", file);\n"
      "  std::fclose(file);\n  syscall(SYS_exit_group, 0);");
  EXPECT_EQ(outcome.code, 2) << outcome.all();
  EXPECT_TRUE(has(outcome.err, "wrote a report of its own")) << outcome.all();
  const Outcome link = main_of("symlink(\"" + secret() + "\", \"report.json\"); syscall(SYS_exit_group, 0);");
  EXPECT_EQ(link.code, 2) << link.all();
  EXPECT_FALSE(has(link.all(), "answers")) << link.all();
  EXPECT_EQ(text_of(secret()), "the answers\n");
}

TEST_F(Untrusted, RejectsOptionsThatReachOut) {
  file("program.cu", prologue + std::string("int main() {}\n"));
  const Outcome saves = rafter(
      "exec program.cu --kernel number --grid 1 --block 32 --arg 'a=i32[32]' --save a=a.npy "
      "--untrusted");
  EXPECT_EQ(saves.code, 2) << saves.all();
  EXPECT_TRUE(has(saves.err, "--save is not possible with --untrusted")) << saves.all();
  EXPECT_EQ(rafter("exec program.cu --nvcc-wrapper toolkit --untrusted").code, 2);
  EXPECT_EQ(rafter("exec program.cu --readable .").code, 2);
  EXPECT_EQ(rafter("check program.cu --kernel number --grid 1 --block 32 --arg 'a=i32[32]' --untrusted").code, 0);
}

// ---- bench and tune ----

constexpr const char* twice =
    "#include <unistd.h>\n#include <cstdio>\n#include <cstdlib>\n"
    "__global__ void twice(const float* in, float* out, int n) {\n"
    "  int i = blockIdx.x * blockDim.x + threadIdx.x;\n  if (i < n) out[i] = FACTOR * in[i];\n}\n"
    "void reference(const float* in, float* out, int n) {\n  for (int i = 0; i < n; ++i) out[i] = in[i] + in[i];\n}\n";
constexpr const char* twice_options =
    " --kernel twice --reference reference --set n=1000 --grid 'ceil(n/256)' --block 256 --arg 'in=f32[n]:random' "
    "--arg 'out=f32[n]' --untrusted";

TEST_F(Untrusted, BenchVerifiesInASandbox) {
  file("twice.cu", twice);
  const Outcome right = rafter(std::string("bench twice.cu -DFACTOR=2 --json kept.json") + twice_options);
  EXPECT_EQ(right.code, 0) << right.all();
  EXPECT_TRUE(has(right.out, "1 verified")) << right.all();
  EXPECT_TRUE(has(right.err, "host code ran in the process that verified")) << right.all();
  EXPECT_FALSE(json::parse(text_of(folder_.path() / "kept.json"), nullptr, false).is_discarded());
  EXPECT_EQ(rafter(std::string("bench twice.cu -DFACTOR=3") + twice_options).code, 1);
  const Outcome tuned = rafter(std::string("tune twice.cu --param FACTOR=2,3") + twice_options);
  EXPECT_EQ(tuned.code, 0) << tuned.all();
  EXPECT_TRUE(has(tuned.out, "1 are right")) << tuned.all();
}

TEST_F(Untrusted, HostCodeOfBenchCannotReachTheMachine) {
  file("twice.cu", twice + std::string("struct Host {\n  Host() {\n    remove(\"") + secret() +
                       "\");\n    if (fopen(\"" + secret() +
                       "\", \"r\") || getenv(\"A_TOKEN\")) puts(\"it reads\");\n  }\n} host;\n");
  setenv("A_TOKEN", "secret", 1);
  const Outcome outcome = rafter(std::string("bench twice.cu -DFACTOR=2") + twice_options);
  EXPECT_EQ(outcome.code, 0) << outcome.all();
  EXPECT_FALSE(has(outcome.all(), "it reads")) << outcome.all();
  EXPECT_EQ(text_of(secret()), "the answers\n");
  file("bomb.cu", twice + std::string("struct Host { Host() { for (;;) if (fork() < 0) usleep(1000); } } host;\n"));
  const Outcome bomb = rafter(std::string("bench bomb.cu -DFACTOR=2") + twice_options);
  EXPECT_EQ(bomb.code, 2) << bomb.all();
  EXPECT_TRUE(has(bomb.err, "it was stopped: it started more than")) << bomb.all();
}

TEST_F(Untrusted, GpusAreRefused) {
  file("twice.cu", twice);
  for (const char* command : {"bench", "tune --param FACTOR=2"}) {
    const Outcome outcome = rafter(std::string(command) + " twice.cu --device cuda" + twice_options);
    EXPECT_EQ(outcome.code, 2) << outcome.all();
    EXPECT_TRUE(has(outcome.err, "--untrusted runs on the executor only")) << outcome.all();
  }
  EXPECT_EQ(rafter("tune sum --untrusted").code, 2);
}

// ---- try ----

class UntrustedTry : public Untrusted {
 protected:
  /// Tries a right kernel of the exercise `zero`, with host code that runs before main.
  Outcome zero_with(const std::string& body) const {
    file("zero.cu", prologue + std::string("__global__ void zero(float* dest) { dest[threadIdx.x] = 0; }\n") +
                        "struct Host {\n  Host() {\n    " + body + "\n  }\n} host;\n");
    return rafter("try zero zero.cu --untrusted --time-limit 2");
  }
};

TEST_F(UntrustedTry, HonestFilesAreRight) {
  for (const char* words : {"sum_atomic sums.cu", "sum_final final.cu"}) {
    const Outcome outcome = test::rafter(here / "try/right", std::string("try ") + words + " --untrusted");
    EXPECT_EQ(outcome.code, 0) << outcome.all();
    for (const char* part : {"correct with", "clean: no race", "most like those of the rung", "No times: "})
      EXPECT_TRUE(has(outcome.out, part)) << part << "\n" << outcome.all();
  }
  const Outcome race = test::rafter(here / "try/mistakes", "try sum_atomic race.cu --untrusted");
  EXPECT_EQ(race.code, 1) << race.all();
  EXPECT_TRUE(has(race.out, "race.cu:3") && has(race.out, "*dest += inp[i]")) << race.all();
}

TEST_F(UntrustedTry, HostCodeCannotReachTheMachine) {
  const Outcome outcome = zero_with("char line[20] = {};\n    if (FILE* file = fopen(\"" + secret() +
                                    "\", \"r\")) fgets(line, 20, file);\n    printf(\"%s\", line);\n"
                                    "    remove(\"" +
                                    secret() + "\");");
  EXPECT_EQ(outcome.code, 0) << outcome.all();
  EXPECT_FALSE(has(outcome.all(), "the answers")) << outcome.all();
  EXPECT_EQ(text_of(secret()), "the answers\n");
}

TEST_F(UntrustedTry, LinksInPlaceOfResultsAreNotFollowed) {
  const Outcome outcome =
      zero_with("for (const char* name : {\"plan\", \"arrays.part\", \"report.json\", \"signature\"}) " +
                std::string("symlink(\"") + secret() + "\", name);");
  EXPECT_FALSE(has(outcome.all(), "the answers")) << outcome.all();
  EXPECT_EQ(text_of(secret()), "the answers\n");
}

TEST_F(UntrustedTry, LimitsMakeFilesWrong) {
  const Outcome outcome = zero_with("for (;;) if (fork() < 0) usleep(1000);");
  EXPECT_EQ(outcome.code, 1) << outcome.all();
  EXPECT_TRUE(has(outcome.out, "the program was stopped: it started more than")) << outcome.all();
  const Outcome compiler = [&] {
    file("zero.cu", "#include \"" + secret() + "\"\n__global__ void zero(float* dest) { dest[threadIdx.x] = 0; }\n");
    return rafter("try zero zero.cu --untrusted");
  }();
  EXPECT_EQ(compiler.code, 2) << compiler.all();
  EXPECT_FALSE(has(compiler.all(), "the answers")) << compiler.all();
}

// A process that outlives its case could replace the results of the next one.
TEST_F(UntrustedTry, NoProcessOutlivesItsCase) {
  const Outcome outcome = zero_with(
      "if (fork() == 0) {\n      setsid();\n      prctl(PR_SET_NAME, \"outlives_case\");\n      for (;;) {\n        "
      "remove(\"report.json\");\n        "
      "remove(\"arrays\");\n"
      "        usleep(100);\n      }\n    }");
  EXPECT_NE(outcome.code, 124) << outcome.all();
  EXPECT_FALSE(has(shell(folder_.path(), "ps -eo comm").out, "outlives_case")) << "it is still running";
}

}  // namespace
}  // namespace rafter::simt::test
