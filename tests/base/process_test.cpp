#include "base/process.hpp"

#include <fmt/format.h>
#include <gtest/gtest.h>
#include <pthread.h>
#include <sched.h>
#include <sys/wait.h>
#include <unistd.h>

#include <atomic>
#include <chrono>
#include <csignal>
#include <filesystem>
#include <thread>
#include <vector>

#include "base/files.hpp"
#include "workbench/lab/expect_error.hpp"
#include "workbench/lab/temporary_folder.hpp"

namespace rafter::base {
namespace {

Process shell(const std::string& script) { return {.command = {"sh", "-c", script}}; }

TEST(Process, CapturesBothStreams) {
  EXPECT_EQ(run_process(shell("echo one; echo two >&2; echo three")).output, "one\ntwo\nthree\n");
}

TEST(Process, ReadsNothingWhenCaptured) { EXPECT_EQ(run_process(shell("cat; echo end")).output, "end\n"); }

TEST(Process, ReportsTheExitCode) {
  const Outcome outcome = run_process(shell("exit 3"));
  EXPECT_EQ(outcome.code, 3);
  EXPECT_EQ(outcome.status(), 3);
  EXPECT_FALSE(outcome.succeeded());
  EXPECT_TRUE(run_process(shell("exit 0")).succeeded());
}

TEST(Process, ReportsTheSignal) {
  const Outcome outcome = run_process(shell("kill -SEGV $$"));
  EXPECT_EQ(outcome.signal, SIGSEGV);
  EXPECT_EQ(outcome.status(), 128 + SIGSEGV);
  EXPECT_FALSE(outcome.succeeded());
}

TEST(Process, IsKilledWhenItsTimeIsUp) {
  Process process{.command = {"sleep", "60"}, .time_limit_s = 0.1};
  const Outcome outcome = run_process(process);
  EXPECT_TRUE(outcome.timed_out);
  EXPECT_FALSE(outcome.succeeded());
}

// A program that needs 0.3 s of processor time shares its core with spinning threads: its wall time exceeds the limit.
TEST(Process, IsNotKilledForWaitingForACore) {
  const int core = sched_getcpu();
  std::atomic<bool> is_done = false;
  const auto spin = [&] {
    cpu_set_t one;
    CPU_ZERO(&one);
    CPU_SET(static_cast<std::size_t>(core), &one);
    pthread_setaffinity_np(pthread_self(), sizeof one, &one);
    while (!is_done) continue;
  };
  std::vector<std::thread> spinning;
  for (int i = 0; i < 4; ++i) spinning.emplace_back(spin);
  // Fields 14 and 15 of stat are the processor time in hundredths of a second.
  const std::string loop =
      "while read -r a b c d e f g h i j k l m user system rest </proc/$$/stat; [ $((user + system)) -lt 30 ]; do :; "
      "done;"
      "echo counted";
  Process process{.command = {"taskset", "-c", std::to_string(core), "sh", "-c", loop}, .time_limit_s = 0.45};
  const auto start = std::chrono::steady_clock::now();
  const Outcome outcome = run_process(process);
  const std::chrono::duration<double> wall = std::chrono::steady_clock::now() - start;
  is_done = true;
  for (std::thread& one : spinning) one.join();
  EXPECT_EQ(outcome.output, "counted\n");
  EXPECT_FALSE(outcome.timed_out);
  RecordProperty("wall_s", std::to_string(wall.count()));
}

TEST(Process, IsKilledWhenItsProcessorTimeIsUp) {
  Process process = shell("while :; do :; done");
  process.time_limit_s = 0.2;
  EXPECT_TRUE(run_process(process).timed_out);
}

TEST(Process, KeepsTheOutputOfATimedOutProgram) {
  Process process = shell("echo early; exec sleep 60");
  process.time_limit_s = 1;
  EXPECT_EQ(run_process(process).output, "early\n");
}

TEST(Process, EndsInItsTime) {
  Process process = shell("echo done");
  process.time_limit_s = 60;
  const Outcome outcome = run_process(process);
  EXPECT_TRUE(outcome.succeeded());
  EXPECT_EQ(outcome.output, "done\n");
}

TEST(Process, SetsVariablesForTheProgramOnly) {
  const lab::ScopedVariable ours("RAFTER_TEST_A", "ours");
  Process process = shell("echo $RAFTER_TEST_A $RAFTER_TEST_B $RAFTER_TEST_AB");
  process.variables = {{"RAFTER_TEST_A", "its"}, {"RAFTER_TEST_B", "b c"}};
  EXPECT_EQ(run_process(process).output, "its b c\n");
  EXPECT_STREQ(getenv("RAFTER_TEST_A"), "ours");
}

TEST(Process, NamesAProgramThatCannotBeStarted) {
  lab::expect_error(ErrorCode::io, "cannot run 'rafter_no_such_program': No such file",
                    [] { run_process({.command = {"rafter_no_such_program"}}); });
  lab::expect_error(ErrorCode::io, "cannot run '/etc/passwd': Permission denied", [] { run({"/etc/passwd"}); });
}

TEST(Process, NamesThePackageOfAMissingCompiler) {
  const lab::ScopedVariable nowhere("PATH", "/nonexistent");
  for (const auto& [program, package] : {std::pair{"g++", "g++"}, {"cmake", "cmake"}, {"addr2line", "binutils"}}) {
    lab::expect_error(ErrorCode::io, std::string("install it (Debian's package: ") + package + ")",
                      [&, &program = program] { run_process({.command = {program}}); });
  }
}

TEST(Process, InheritsStreams) {
  for (const auto& [streams, out, err] :
       {std::tuple{Streams::inherited, "out\n", "err\n"}, std::tuple{Streams::inherited_stderr, "", "out\nerr\n"}}) {
    testing::internal::CaptureStdout();
    testing::internal::CaptureStderr();
    Process process = shell("echo out; echo err >&2");
    process.streams = streams;
    EXPECT_EQ(run_process(process).output, "");
    EXPECT_EQ(testing::internal::GetCapturedStdout(), out);
    EXPECT_EQ(testing::internal::GetCapturedStderr(), err);
  }
}

TEST(Process, ReadsNothingWithoutInput) {
  testing::internal::CaptureStdout();
  Process process = shell("cat; echo end");
  process.streams = Streams::inherited;
  process.input = Input::none;
  run_process(process);
  EXPECT_EQ(testing::internal::GetCapturedStdout(), "end\n");
}

TEST(Process, KillsAProgramThatIgnoresSigterm) {
  Process process = shell("trap '' TERM; echo deaf; sleep 60; sleep 60");
  process.time_limit_s = 0.3;
  const Outcome outcome = run_process(process);
  EXPECT_TRUE(outcome.timed_out);
  EXPECT_EQ(outcome.status(), 124);
}

TEST(Process, EndsWhenAStopIsWanted) {
  Process process = shell("sleep 60");
  process.stop_wanted = [] { return true; };
  for (const double limit_s : {0., 50.}) {
    process.time_limit_s = limit_s;
    const Outcome outcome = run_process(process);
    EXPECT_EQ(outcome.signal, SIGTERM);
    EXPECT_FALSE(outcome.timed_out);
  }
}

/// Returns whether the process whose id is in a file ends soon: reaped, or a zombie.
bool soon_gone(const std::filesystem::path& id) {
  const auto text = read_file(id);
  if (!text) return false;
  const std::string stat_file = "/proc/" + std::to_string(std::stoi(*text)) + "/stat";
  for (int i = 0; i < 3000; ++i) {
    const auto stat = read_file(stat_file);
    if (!stat || stat->find(") Z ") != std::string::npos) return true;
    usleep(10'000);
  }
  return false;
}

/// Returns a shell script that writes its own process id and that of a child, and then runs for long.
std::string family(const std::filesystem::path& folder) {
  return fmt::format("cd '{}'; sleep 60 & echo $! > child; echo $$ > new; mv new id; wait", folder.string());
}

TEST(Process, DescendantsEndWithTheProgram) {
  const lab::TemporaryFolder folder;
  Process process = shell(family(folder.path()));
  process.time_limit_s = 0.5;
  EXPECT_TRUE(run_process(process).timed_out);
  EXPECT_TRUE(soon_gone(folder.path() / "child"));
  process = shell("sleep 60 & echo $! > '" + (folder.path() / "left").string() + "'");
  EXPECT_TRUE(run_process(process).succeeded());
  EXPECT_TRUE(soon_gone(folder.path() / "left"));
}

/// Returns the number of child processes of `parent`.
int n_children(pid_t parent) {
  int n = 0;
  std::error_code gone;
  for (const auto& process : std::filesystem::directory_iterator("/proc", gone)) {
    const std::string stat = read_file(process.path() / "stat").value_or("");  // "ID (NAME) STATE PARENT ..."
    const std::size_t name_end = stat.rfind(')');
    if (name_end != std::string::npos && stat.substr(name_end + 4).starts_with(std::to_string(parent) + " ")) ++n;
  }
  return n;
}

TEST(Process, NoDescendantOutlivesTheParent) {
  const lab::TemporaryFolder folder;
  const pid_t parent = fork();
  if (parent == 0) {
    run_process(shell(family(folder.path())));
    _exit(0);
  }
  while (!read_file(folder.path() / "id")) usleep(1000);
  while (n_children(parent) < 2) usleep(1000);  // the program and its guard
  kill(parent, SIGKILL);
  waitpid(parent, nullptr, 0);
  EXPECT_TRUE(soon_gone(folder.path() / "id"));
  EXPECT_TRUE(soon_gone(folder.path() / "child"));
}

TEST(Run, UsesTheCLocale) { EXPECT_EQ(run({"sh", "-c", "echo $LC_ALL"}).output, "C\n"); }

TEST(Run, ReturnsOutcomesInTheOrderOfTheCommands) {
  std::vector<Command> commands;
  for (int i = 0; i < 12; ++i) commands.push_back({"echo", std::to_string(i)});
  const std::vector<Outcome> outcomes = run_all(commands);
  for (int i = 0; i < 12; ++i) EXPECT_EQ(outcomes[static_cast<std::size_t>(i)].output, std::to_string(i) + "\n");
}

TEST(Run, QuotesCommandsForAShell) {
  EXPECT_EQ(shell_quoted({"g++", "-o", "a b", "it's", ""}), "g++ -o 'a b' 'it'\\''s' ''");
}

}  // namespace
}  // namespace rafter::base
