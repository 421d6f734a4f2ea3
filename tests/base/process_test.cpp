#include "base/process.hpp"

#include <fmt/format.h>
#include <gtest/gtest.h>
#include <sys/wait.h>
#include <unistd.h>

#include <chrono>
#include <csignal>

#include "base/files.hpp"
#include "workbench/lab/expect_error.hpp"
#include "workbench/lab/temporary_folder.hpp"

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

TEST(Process, ReadsNothingWhereItsInputIsNone) {
  testing::internal::CaptureStdout();
  Process process = shell("cat; echo end");
  process.streams = Streams::inherited;
  process.input = Input::none;
  run_process(process);
  EXPECT_EQ(testing::internal::GetCapturedStdout(), "end\n");
}

TEST(Process, OneThatDoesNotListenIsKilled) {
  Process process = shell("trap '' TERM; echo deaf; sleep 60; sleep 60");
  process.time_limit_s = 0.3;
  const auto start = std::chrono::steady_clock::now();
  const Outcome outcome = run_process(process);
  EXPECT_TRUE(outcome.timed_out);
  EXPECT_EQ(outcome.status(), 124);
  EXPECT_LT(std::chrono::steady_clock::now() - start, 30s);
}

TEST(Process, IsEndedWhenSomebodyWantsIt) {
  Process process = shell("sleep 60");
  process.stop_wanted = [] { return true; };
  for (const double limit_s : {0., 50.}) {
    process.time_limit_s = limit_s;
    const Outcome outcome = run_process(process);
    EXPECT_EQ(outcome.signal, SIGTERM);
    EXPECT_FALSE(outcome.timed_out);
  }
}

/// Whether the process whose number is in a file is gone soon: dead and waited for, or dead and nobody's yet.
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

/// A shell that leaves its number and that of a child of its own, and goes on for long.
std::string family(const std::filesystem::path& folder) {
  return fmt::format("cd '{}'; sleep 60 & echo $! > child; echo $$ > new; mv new id; wait", folder.string());
}

TEST(Process, WhatItStartedEndsWithIt) {
  const lab::TemporaryFolder folder;
  Process process = shell(family(folder.path()));
  process.time_limit_s = 0.5;
  EXPECT_TRUE(run_process(process).timed_out);
  EXPECT_TRUE(soon_gone(folder.path() / "child"));
  process = shell("sleep 60 & echo $! > '" + (folder.path() / "left").string() + "'");
  EXPECT_TRUE(run_process(process).well());
  EXPECT_TRUE(soon_gone(folder.path() / "left"));
}

TEST(Process, NothingOfItOutlivesItsParent) {
  const lab::TemporaryFolder folder;
  const pid_t parent = fork();
  if (parent == 0) {
    run_process(shell(family(folder.path())));
    _exit(0);
  }
  for (int i = 0; i < 3000 && !read_file(folder.path() / "id"); ++i) usleep(10'000);
  usleep(50'000);  // the guard is there
  kill(parent, SIGKILL);
  waitpid(parent, nullptr, 0);
  EXPECT_TRUE(soon_gone(folder.path() / "id"));
  EXPECT_TRUE(soon_gone(folder.path() / "child"));
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
