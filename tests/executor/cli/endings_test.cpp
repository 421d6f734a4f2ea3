// Programs that never end or exit abnormally: the tool ends too, and shows what it has found until then.
#include <fcntl.h>
#include <pty.h>
#include <signal.h>
#include <unistd.h>

#include "../tool.hpp"

namespace rafter::simt::test {
namespace {

// The argument selects how the program continues after its first kernel; with a final '!' it also runs a kernel with a
// race. "alarm" ends it after half a second of processor time, which the kernel spends.
constexpr const char* endings = R"(
#include <csignal>
#include <cstdio>
#include <cstdlib>
#include <string>
#include <sys/time.h>
#include <unistd.h>
__global__ void fill(int* a) { a[threadIdx.x] = threadIdx.x; }
__global__ void collide(int* a) { a[0] = threadIdx.x; }
__global__ void talk(int* a) { for (;;) printf("%d\n", a[0]); }
__global__ void work(int* a) { for (volatile int i = 0;; ++i) a[threadIdx.x] = i; }
int main(int, char** arguments) {
  std::string how = arguments[1];
  int* a;
  cudaMalloc(&a, 128);
  if (how == "early") for (;;) pause();
  itimerval half_a_second{{}, {0, 500000}};
  if (how == "alarm") setitimer(ITIMER_PROF, &half_a_second, nullptr), work<<<1, 32>>>(a);
  fill<<<1, 32>>>(a);
  if (how.back() == '!') collide<<<1, 32>>>(a), how.pop_back();
  if (how == "loop") for (volatile int i = 0;; ++i) {}
  if (how == "sleep") for (;;) pause();
  if (how == "launches") for (;;) fill<<<1, 32>>>(a);
  if (how == "child") system("sleep 900");
  if (how == "deaf") { signal(SIGTERM, SIG_IGN); system("sleep 900 & echo $! > child"); for (;;) pause(); }
  if (how == "talk") talk<<<1, 32>>>(a);
  if (how == "segv") *(volatile int*)8 = 1;
  if (how == "abort") abort();
  if (how == "exit") _exit(3);
  if (how == "pipe") { int ends[2]; pipe(ends); close(ends[0]); write(ends[1], "x", 1); }
  if (how == "kill") kill(getpid(), SIGKILL);
  if (how == "fork" && fork() == 0) exit(0);
  if (how == "read") { int n = 0; while (getchar() != EOF) ++n; printf("read %d\n", n); }
  if (how == "tty") printf("%s\n", fopen("/dev/tty", "r") ? "open" : "no terminal");
})";

class Endings : public ToolTest {
 protected:
  Endings() { file("endings.cu", endings); }
};

TEST_F(Endings, TimeLimitAppliesToHostCode) {
  for (const char* how : {"loop", "sleep", "launches", "child"}) {
    for (const std::string action : {"exec", "check", "profile"}) {
      if ((action == "check") == (how == std::string("sleep"))) continue;
      const Outcome ended = rafter(action + " --time-limit 0.3 endings.cu -- " + how);
      EXPECT_EQ(ended.code, action == "exec" ? 124 : 2) << how << action << ended.all();
      EXPECT_TRUE(has(ended.out + ended.err, "the program was stopped after its time limit of 0.3 s")) << ended.all();
      EXPECT_EQ(action == "check",
                has(ended.out, "rafter check: nothing found until the program was stopped, in 1 kernel"))
          << ended.all();
      EXPECT_EQ(action == "profile", has(ended.out, "fill: 1 launch")) << ended.all();
    }
  }
}

TEST_F(Endings, EndsAKernelThatPrintsForever) {
  for (const std::string action : {"exec", "check"}) {
    const Outcome ended = rafter(action + " --time-limit 0.5 endings.cu -- talk");
    EXPECT_EQ(ended.code, action == "exec" ? 0 : 1) << ended.err;
    EXPECT_TRUE(has(ended.out + ended.err, "[no_progress]")) << ended.err;
    EXPECT_TRUE(has(ended.out + ended.err, "endings.cu:10")) << ended.err;
  }
}

TEST_F(Endings, FindingsAndCountersSurviveAbnormalExits) {
  struct Row {
    std::string how;
    const char* program;
  };
  for (const Row& row :
       {Row{"segv", R"({"signal":11})"}, Row{"abort", R"({"signal":6})"}, Row{"pipe", R"({"signal":13})"},
        Row{"kill", R"({"signal":9})"}, Row{"exit", R"({"code":3})"}, Row{"fork", R"({"code":0})"}}) {
    const Outcome bad = rafter("check --json endings.cu -- " + row.how + "!");
    EXPECT_EQ(bad.code, 1) << row.how << bad.all();
    ASSERT_TRUE(bad.report().is_object()) << row.how << bad.all();
    EXPECT_EQ(bad.report()["program"].dump(), row.program);
    EXPECT_EQ(bad.report()["findings"].size(), 1U) << row.how << bad.all();
    EXPECT_EQ(bad.report()["kernels"].size(), 2U) << row.how << bad.all();
    const Outcome counted = rafter("profile --json endings.cu -- " + row.how);
    EXPECT_EQ(counted.report()["counts"]["fill"]["launches"], 1) << row.how << counted.all();
  }
}

TEST_F(Endings, JsonTellsWhetherTheProgramRanToItsEnd) {
  const Outcome stopped = rafter("check --json --time-limit 0.3 endings.cu -- launches");
  EXPECT_EQ(stopped.code, 2) << stopped.all();
  EXPECT_EQ(stopped.report()["complete"], false) << stopped.all();
  EXPECT_EQ(stopped.report()["findings"].size(), 0U) << stopped.all();
  EXPECT_EQ(rafter("check --json endings.cu -- segv").report()["complete"], false);
  EXPECT_EQ(rafter("check --json --time-limit 100 endings.cu -- fork").report()["complete"], true);
  const Outcome found = rafter("check --time-limit 0.3 endings.cu -- launches!");
  EXPECT_EQ(found.code, 1) << found.all();
  EXPECT_TRUE(has(found.out, "1 finding (1 race) until the program was stopped, in 2 kernels")) << found.all();
}

TEST_F(Endings, ReportsCheckedKernelsAfterACrash) {
  const Outcome crashed = rafter("check endings.cu -- segv");
  EXPECT_EQ(crashed.code, 2) << crashed.all();
  EXPECT_TRUE(has(crashed.out, "ended by signal 11")) << crashed.all();
  EXPECT_TRUE(has(crashed.out, "nothing found until the program was stopped, in 1 kernel")) << crashed.all();
  EXPECT_TRUE(has(rafter("profile endings.cu -- segv").out, "fill: 1 launch"));
}

TEST_F(Endings, ReportsTheFirstLaunchWhenASignalEndsIt) {
  const Outcome ended = rafter("check --json endings.cu -- alarm");
  EXPECT_EQ(ended.code, 2) << ended.all();
  ASSERT_TRUE(ended.report().is_object()) << ended.all();
  EXPECT_EQ(ended.report()["program"].dump(), R"({"signal":27})");
  ASSERT_EQ(ended.report()["kernels"].size(), 1U) << ended.all();
  EXPECT_EQ(ended.report()["kernels"][0]["name"], "work");
  EXPECT_GT(ended.report()["kernels"][0]["accesses"].get<int>(), 0) << ended.all();
}

TEST_F(Endings, PrintsJsonWhenNoKernelWasChecked) {
  const Outcome ended = rafter("check --json --time-limit 0.2 endings.cu -- early");
  EXPECT_EQ(ended.code, 2) << ended.all();
  EXPECT_EQ(ended.report()["program"].dump(), R"({"timed_out":true})") << ended.all();
  EXPECT_EQ(ended.report()["complete"], false) << ended.all();
}

/// Runs the tool at a terminal with the given input and returns its output.
std::string at_terminal(const fs::path& folder, const std::string& words, const std::string& typed = "") {
  int terminal = -1;
  const pid_t tool = forkpty(&terminal, nullptr, nullptr, nullptr);
  if (tool == 0) {
    if (chdir(folder.c_str()) != 0) _exit(127);
    execl("/bin/sh", "sh", "-c", ("exec timeout -k 5 900 " RAFTER_TOOL_PATH " " + words).c_str(), nullptr);
    _exit(127);
  }
  if (!typed.empty() && ::write(terminal, typed.data(), typed.size()) < 0) return "cannot type";
  std::string shown;
  std::array<char, 4096> block;
  for (ssize_t n; (n = read(terminal, block.data(), block.size())) > 0;)
    shown.append(block.data(), static_cast<std::size_t>(n));
  waitpid(tool, nullptr, 0);
  close(terminal);
  return shown;
}

TEST_F(Endings, DoesNotReadFromATerminalByDefault) {
  rafter("exec endings.cu -- fork");  // builds it
  for (const char* action : {"exec", "check"}) {
    const std::string shown = at_terminal(folder_.path(), action + std::string(" endings.cu -- read"));
    EXPECT_TRUE(has(shown, "read 0")) << shown;
  }
  EXPECT_TRUE(has(at_terminal(folder_.path(), "exec endings.cu -- tty"), "no terminal"));
  const std::string asked = at_terminal(folder_.path(), "exec --stdin endings.cu -- read", "abc\n\x04");
  EXPECT_TRUE(has(asked, "read 4")) << asked;
}

TEST_F(Endings, ReadsFromAPipe) {
  const Outcome outcome =
      shell(folder_.path(), "echo 12345 | timeout 900 " RAFTER_TOOL_PATH " exec endings.cu -- read");
  EXPECT_EQ(outcome.out, "read 6\n") << outcome.all();
}

TEST_F(Endings, EndsAllChildProcessesWithTheTool) {
  rafter("check endings.cu -- exit");  // builds it
  const pid_t tool = fork();
  if (tool == 0) {
    if (chdir(folder_.path().c_str()) != 0) _exit(127);
    dup2(open("/dev/null", O_RDWR), STDIN_FILENO);
    execl(RAFTER_TOOL_PATH, "rafter", "check", "endings.cu", "--", "deaf", nullptr);
    _exit(127);
  }
  const fs::path child = folder_.path() / "child";
  EXPECT_TRUE(wait_until([&] { return has(text_of(child), "\n"); }));
  kill(tool, SIGKILL);
  waitpid(tool, nullptr, 0);
  const int sleeper = std::atoi(text_of(child).c_str());
  ASSERT_GT(sleeper, 0);
  const fs::path stat = "/proc/" + std::to_string(sleeper) + "/stat";
  const auto is_gone = [&] { return !fs::exists(stat) || has(text_of(stat), ") Z "); };
  EXPECT_TRUE(wait_until(is_gone));
}

TEST_F(Endings, RejectsATimeLimitThatIsNotPositive) {
  for (const char* limit : {"0", "-1", "soon"}) {
    const Outcome refused = rafter(std::string("exec --time-limit ") + limit + " endings.cu -- fork");
    EXPECT_EQ(refused.code, 2) << refused.all();
    EXPECT_TRUE(has(refused.err, "--time-limit")) << refused.all();
  }
}

}  // namespace
}  // namespace rafter::simt::test
