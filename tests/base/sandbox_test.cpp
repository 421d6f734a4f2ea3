// Programs that attack the tool or the machine from a sandbox (sandbox/hostile.cpp), and an honest one.
#include "base/sandbox/sandbox.hpp"

#include <arpa/inet.h>
#include <gtest/gtest.h>
#include <netinet/in.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include <csignal>
#include <cstdlib>

#include "base/files.hpp"
#include "base/process.hpp"
#include "workbench/lab/expect_error.hpp"
#include "workbench/lab/temporary_folder.hpp"

namespace rafter::base {
namespace {

namespace fs = std::filesystem;

const fs::path hostile = RAFTER_HOSTILE;

class SandboxTest : public testing::Test {
 protected:
  void SetUp() override {
    if (const auto reason = why_no_sandbox()) GTEST_SKIP() << *reason;
  }

  Sandbox sandbox() const {
    return {.readable = {hostile},
            .writable = folder_.path(),
            .folder = folder_.path(),
            .limits = {.memory_bytes = 300 << 20,
                       .disk_bytes = 20 << 20,
                       .file_bytes = 10 << 20,
                       .n_tasks = 60,
                       .time_limit_s = 20}};
  }
  /// Runs the hostile program, in an empty folder.
  Outcome act(const Command& words, double time_limit_s = 0) const {
    for (const fs::directory_entry& entry : fs::directory_iterator(folder_.path())) {
      if (!entry.is_symlink()) fs::remove_all(entry.path());
    }
    const Confinement confined(sandbox());
    Command command{hostile.string()};
    command.insert(command.end(), words.begin(), words.end());
    return run_process({.command = command, .time_limit_s = time_limit_s});
  }
  void expect_refused(const Command& words, const std::string& why) const {
    const Outcome outcome = act(words);
    EXPECT_EQ(outcome.output, "refused: " + why + "\n") << words.front();
    EXPECT_EQ(outcome.code, 0) << words.front();
  }

  lab::TemporaryFolder folder_;
};

TEST_F(SandboxTest, RunsAnHonestProgram) {
  const Outcome outcome = act({"honest"});
  EXPECT_EQ(outcome.output, "done\ndone\ndone\n");
  EXPECT_TRUE(outcome.succeeded());
  EXPECT_TRUE(fs::exists(folder_.path() / "file2")) << "it may write to its folder";
}

TEST_F(SandboxTest, ReportsCodesAndSignals) {
  const Confinement confined(sandbox());
  EXPECT_EQ(run_process({.command = {"sh", "-c", "exit 7"}}).code, 7);
  EXPECT_EQ(run_process({.command = {"sh", "-c", "kill -SEGV $$"}}).signal, SIGSEGV);
  lab::expect_error(ErrorCode::io, "no-such-program", [] { run({"no-such-program"}); });
}

TEST_F(SandboxTest, EndsWhatExceedsALimit) {
  EXPECT_EQ(act({"fork"}).exceeded, "tasks");
  EXPECT_EQ(act({"memory"}).exceeded, "memory");
  EXPECT_EQ(act({"memory_together"}).exceeded, "memory");
  EXPECT_EQ(act({"disk"}).exceeded, "disk");
  EXPECT_TRUE(act({"sleep"}, 0.2).timed_out);
  EXPECT_FALSE(act({"sleep"}, 0.2).succeeded());
  expect_refused({"file"}, "File too large");
}

TEST_F(SandboxTest, HasNoNetwork) {
  const int server = socket(AF_INET, SOCK_STREAM, 0);
  sockaddr_in address{};
  address.sin_family = AF_INET;
  address.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
  socklen_t size = sizeof address;
  ASSERT_EQ(bind(server, reinterpret_cast<const sockaddr*>(&address), size), 0);
  ASSERT_EQ(listen(server, 1), 0);
  ASSERT_EQ(getsockname(server, reinterpret_cast<sockaddr*>(&address), &size), 0);
  const std::string port = std::to_string(ntohs(address.sin_port));
  EXPECT_EQ(run_process({.command = {hostile.string(), "network", port}}).output, "done\n") << "outside of a sandbox";
  expect_refused({"network", port}, "Operation not permitted");
  close(server);
}

TEST_F(SandboxTest, ShowsOnlyTheFilesItIsGiven) {
  const lab::TemporaryFolder home;
  const fs::path secret = home.path() / "secret";
  write_file(secret, "the answers");
  for (const std::string& path : {secret.string(), std::string("/etc/shadow"), std::string("/etc/passwd")})
    expect_refused({"read", path}, "No such file or directory");
  for (const std::string& path : {(home.path() / "new").string(), std::string("/etc/new"), std::string("/new")})
    EXPECT_TRUE(act({"write", path}).output.starts_with("refused: ")) << path;
  expect_refused({"write", "/usr/new"}, "Read-only file system");
  EXPECT_TRUE(act({"write", hostile.string()}).output.starts_with("refused: "));
  EXPECT_FALSE(fs::exists(home.path() / "new"));
  EXPECT_EQ(act({"write", "own"}).output, "done\n");
}

TEST_F(SandboxTest, DoesNotFollowLinksOutOfItsFolder) {
  const lab::TemporaryFolder home;
  write_file(home.path() / "secret", "the answers");
  fs::create_symlink(home.path() / "secret", folder_.path() / "link");
  expect_refused({"read", "link"}, "No such file or directory");
}

TEST_F(SandboxTest, CannotTouchOtherProcesses) {
  expect_refused({"trace"}, "Operation not permitted");
  expect_refused({"read_parent"}, "Permission denied");
  EXPECT_EQ(act({"kill"}).signal, 0) << "process 1 goes on";
}

TEST_F(SandboxTest, CannotGainPrivileges) {
  for (const char* what : {"user", "mount", "memfd", "shared"}) expect_refused({what}, "Operation not permitted");
}

TEST_F(SandboxTest, EndsEveryProcessWithTheProgram) {
  EXPECT_EQ(act({"daemon", "trace"}).output, "done\n");
  fs::remove(folder_.path() / "trace");
  usleep(50'000);
  EXPECT_FALSE(fs::exists(folder_.path() / "trace")) << "a process still writes";
}

TEST_F(SandboxTest, CleansTheEnvironment) {
  setenv("A_TOKEN", "secret", 1);
  const std::string environment = act({"environment"}).output;
  EXPECT_EQ(environment.find("A_TOKEN"), std::string::npos) << environment;
  EXPECT_NE(environment.find("HOME=" + folder_.path().string()), std::string::npos) << environment;
  unsetenv("A_TOKEN");
}

TEST_F(SandboxTest, ReadableFoldersProtectAllButTheWritableOne) {
  fs::create_directories(folder_.path() / "run");
  write_file(folder_.path() / "program", "x");
  Sandbox nested = sandbox();
  nested.readable.push_back(folder_.path());
  nested.writable = nested.folder = folder_.path() / "run";
  const Confinement confined(nested);
  const auto write = [&](const fs::path& path) {
    return run_process({.command = {hostile.string(), "write", path.string()}}).output;
  };
  if (geteuid() == 0) chmod(folder_.path().c_str(), 0755);  // the program runs as another user
  EXPECT_EQ(write(folder_.path() / "program"), "refused: Read-only file system\n");
  EXPECT_EQ(write(folder_.path() / "run/new"), "done\n");
}

TEST_F(SandboxTest, MayReadFollowsTheConfinement) {
  const fs::path secret = folder_.path() / ".." / "secret";
  EXPECT_TRUE(may_read(secret));
  const Confinement confined(sandbox());
  EXPECT_FALSE(may_read(secret));
  EXPECT_FALSE(may_read("/etc/shadow"));
  EXPECT_FALSE(may_read("/usr/../etc/shadow"));
  EXPECT_TRUE(may_read("/usr/include/stdio.h"));
  EXPECT_TRUE(may_read(folder_.path() / "new"));
}

// Inside of a sandbox, as on a machine that forbids namespaces, nothing is run.
TEST_F(SandboxTest, RunsNothingWithoutNamespaces) {
  const fs::path launcher = fs::exists(hostile.parent_path() / "rafter-sandbox")
                                ? hostile.parent_path() / "rafter-sandbox"
                                : fs::path(RAFTER_SANDBOX_LAUNCHER);
  Sandbox outer = sandbox();
  outer.readable.push_back(launcher);
  const Confinement confined(outer);
  const std::string folder = folder_.path().string();
  const Command words{launcher.string(), "1",  "60",   "1000000", "1000000", "1000000", "1",
                      "65534",           "--", folder, folder,    "--"};
  Command command = words;
  command.insert(command.end(), {hostile.string(), "write", "new"});
  EXPECT_EQ(run_process({.command = command}).output, "failed cannot create namespaces: Operation not permitted\n");
  EXPECT_FALSE(fs::exists(folder_.path() / "new"));
}

// The kernel counts the tasks of a user: a fork bomb of one command must not make the programs of another fail.
TEST_F(SandboxTest, CommandsOfRootHaveUsersOfTheirOwn) {
  if (geteuid() != 0) GTEST_SKIP() << "the namespaces of ordinary users count their own tasks";
  const auto user = [&] {
    const Confinement confined(sandbox());
    return run_process({.command = {"id", "-u"}}).output;
  };
  const std::string mine = user();
  EXPECT_EQ(user(), mine) << "what one program builds, the next one reads";
  const pid_t child = fork();
  if (child == 0) _exit(user() == mine ? 1 : 0);
  int status = 0;
  waitpid(child, &status, 0);
  EXPECT_EQ(status, 0);
}

// The other tests run as root in many containers.
TEST_F(SandboxTest, WorksForAnOrdinaryUser) {
  if (geteuid() != 0) GTEST_SKIP() << "the other tests cover it";
  constexpr uid_t ordinary = 12345;
  ASSERT_EQ(chown(folder_.path().c_str(), ordinary, ordinary), 0);
  const pid_t child = fork();
  if (child == 0) {
    if (setgid(ordinary) != 0 || setuid(ordinary) != 0) _exit(10);
    _exit(act({"honest"}).succeeded() && act({"fork"}).exceeded == "tasks" &&
                  act({"read", "/etc/passwd"}).output.starts_with("refused")
              ? 0
              : 1);
  }
  int status = 0;
  waitpid(child, &status, 0);
  EXPECT_EQ(status, 0);
}

}  // namespace
}  // namespace rafter::base
