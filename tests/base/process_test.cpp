#include "base/process.hpp"

#include <gtest/gtest.h>
#include <sys/wait.h>
#include <unistd.h>

#include <chrono>
#include <csignal>

#include "base/files.hpp"
#include "lab/expect_error.hpp"
#include "lab/temporary_folder.hpp"

namespace rafter::base {
namespace {

using namespace std::chrono_literals;

Process shell(const std::string& script) { return {.command = {"sh", "-c", script}}; }

TEST(Process, BothOfItsStreamsAreKept) {
  EXPECT_EQ(run_process(shell("echo one; echo two >&2; echo three")).output, "one\ntwo\nthree\n");
}

TEST(Process, ReadsNothingWhenItIsCaptured) { EXPECT_EQ(run_process(shell("cat; echo end")).output, "end\n"); }

TEST(Process, ItsCodeIsKnown) {
  const Outcome outcome = run_process(shell("exit 3"));
  EXPECT_EQ(outcome.code, 3);
  EXPECT_EQ(outcome.status(), 3);
  EXPECT_FALSE(outcome.well());
  EXPECT_TRUE(run_process(shell("exit 0")).well());
}

TEST(Process, TheSignalThatEndedItIsKnown) {
  const Outcome outcome = run_process(shell("kill -SEGV $$"));
  EXPECT_EQ(outcome.signal, SIGSEGV);
  EXPECT_EQ(outcome.status(), 128 + SIGSEGV);
  EXPECT_FALSE(outcome.well());
}

TEST(Process, IsKilledWhenItsTimeIsUp) {
  Process process{.command = {"sleep", "60"}, .time_limit_s = 0.1};
  const auto start = std::chrono::steady_clock::now();
  const Outcome outcome = run_process(process);
  EXPECT_TRUE(outcome.timed_out);
  EXPECT_FALSE(outcome.well());
  EXPECT_LT(std::chrono::steady_clock::now() - start, 30s);
}

TEST(Process, WhatItSaidBeforeItsTimeWasUpIsKept) {
  Process process = shell("echo early; exec sleep 60");
  process.time_limit_s = 1;
  EXPECT_EQ(run_process(process).output, "early\n");
}

TEST(Process, EndsInItsTime) {
  Process process = shell("echo done");
  process.time_limit_s = 60;
  const Outcome outcome = run_process(process);
  EXPECT_TRUE(outcome.well());
  EXPECT_EQ(outcome.output, "done\n");
}

TEST(Process, VariablesAreSetForItAlone) {
  const lab::ScopedVariable ours("RAFTER_TEST_A", "ours");
  Process process = shell("echo $RAFTER_TEST_A $RAFTER_TEST_B $RAFTER_TEST_AB");
  process.variables = {{"RAFTER_TEST_A", "its"}, {"RAFTER_TEST_B", "b c"}};
  EXPECT_EQ(run_process(process).output, "its b c\n");
  EXPECT_STREQ(getenv("RAFTER_TEST_A"), "ours");
}

TEST(Process, WhatCannotBeStartedIsNamed) {
  lab::expect_error(ErrorCode::io, "cannot run 'rafter_no_such_program': No such file",
                    [] { run_process({.command = {"rafter_no_such_program"}}); });
  lab::expect_error(ErrorCode::io, "cannot run '/etc/passwd': Permission denied", [] { run({"/etc/passwd"}); });
}

TEST(Process, InheritsOurStreams) {
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

TEST(Process, DoesNotOutliveItsParent) {
  const lab::TemporaryFolder folder;
  const std::string id = (folder.path() / "id").string();
  const pid_t parent = fork();
  if (parent == 0) {
    run_process(shell("echo $$ > " + id + ".new; mv " + id + ".new " + id + "; exec sleep 60"));
    _exit(0);
  }
  std::optional<std::string> text;
  for (int i = 0; i < 3000 && !(text = read_file(id)); ++i) usleep(10'000);
  kill(parent, SIGKILL);
  waitpid(parent, nullptr, 0);
  ASSERT_TRUE(text);
  const pid_t child = std::stoi(*text);
  const auto is_gone = [&] {  // dead and waited for, or dead and nobody's yet
    const auto stat = read_file("/proc/" + std::to_string(child) + "/stat");
    return !stat || stat->find(") Z ") != std::string::npos;
  };
  for (int i = 0; i < 3000 && !is_gone(); ++i) usleep(10'000);
  EXPECT_TRUE(is_gone());
}

TEST(Run, SpeaksEnglish) { EXPECT_EQ(run({"sh", "-c", "echo $LC_ALL"}).output, "C\n"); }

TEST(Run, OutcomesAreInTheOrderOfTheCommands) {
  std::vector<Command> commands;
  for (int i = 0; i < 12; ++i) commands.push_back({"echo", std::to_string(i)});
  const std::vector<Outcome> outcomes = run_all(commands);
  for (int i = 0; i < 12; ++i) EXPECT_EQ(outcomes[static_cast<std::size_t>(i)].output, std::to_string(i) + "\n");
}

TEST(Run, CommandsAreSpelledAsTyped) {
  EXPECT_EQ(spelled({"g++", "-o", "a b", "it's", ""}), "g++ -o 'a b' 'it'\\''s' ''");
}

}  // namespace
}  // namespace rafter::base
