// try, check and exec, stopped by a signal or by a closed pipe: nothing remains, and the exit code is 130.
#include <fcntl.h>
#include <signal.h>
#include <unistd.h>

#include "../tool.hpp"

namespace rafter::simt::test {
namespace {

// Every call of the compiler takes long, so that a signal arrives while it runs.
constexpr const char* slow_compiler = "#!/bin/sh\necho $$ > compiling\nsleep 900\n";

class Stops : public ToolTest {
 protected:
  Stops() {
    fs::create_directory(scratch());
    file("bin/g++", slow_compiler);
    fs::permissions(folder_.path() / "bin/g++", fs::perms::owner_all);
  }

  fs::path scratch() const { return folder_.path() / "scratch"; }

  /// Starts the tool; its output is discarded.
  pid_t start(const std::vector<std::string>& words, const std::string& first_on_path) const {
    make_cache();
    const pid_t tool = fork();
    if (tool != 0) return tool;
    if (chdir(folder_.path().c_str()) != 0) _exit(127);
    setenv("TMPDIR", scratch().c_str(), 1);
    setenv("XDG_CACHE_HOME", RAFTER_TEST_CACHE, 1);
    setenv("CUDA_VISIBLE_DEVICES", "", 1);
    setenv("PATH", (first_on_path + ":" + getenv("PATH")).c_str(), 1);
    for (const int stream : {STDIN_FILENO, STDOUT_FILENO, STDERR_FILENO}) dup2(open("/dev/null", O_RDWR), stream);
    for (const int signal : {SIGINT, SIGTERM, SIGHUP}) ::signal(signal, SIG_DFL);
    std::vector<std::string> all{"rafter"};
    all.insert(all.end(), words.begin(), words.end());
    std::vector<char*> arguments;
    for (std::string& word : all) arguments.push_back(word.data());
    arguments.push_back(nullptr);
    execv(RAFTER_TOOL_PATH, arguments.data());
    _exit(127);
  }

  /// Sends the signal and returns the tool's exit status as a shell shows it.
  static int stop(pid_t tool, int signal) {
    kill(tool, signal);
    int status = 0;
    waitpid(tool, &status, 0);
    return WIFEXITED(status) ? WEXITSTATUS(status) : 128 + WTERMSIG(status);
  }
};

TEST_F(Stops, EndTheCompilerAndRemoveTheScratchFolder) {
  file("nothing.cu", "__global__ void zero(float* dest) { dest[threadIdx.x] = 0; }\nint main() {}\n");
  const fs::path compiling = folder_.path() / "compiling";
  const std::vector<std::vector<std::string>> commands{
      {"try", "zero", "nothing.cu"}, {"check", "nothing.cu"}, {"exec", "nothing.cu"}};
  for (const auto& command : commands) {
    for (const int signal : {SIGINT, SIGTERM, SIGHUP}) {
      fs::remove(compiling);
      const pid_t tool = start(command, (folder_.path() / "bin").string());
      ASSERT_TRUE(wait_until([&] { return has(text_of(compiling), "\n"); })) << command[0];
      EXPECT_EQ(stop(tool, signal), 130) << command[0] << " and signal " << signal;
      EXPECT_TRUE(fs::is_empty(scratch())) << command[0] << " left " << *fs::directory_iterator(scratch());
      const fs::path stat = "/proc/" + std::to_string(std::atoi(text_of(compiling).c_str())) + "/stat";
      EXPECT_TRUE(wait_until([&] { return !fs::exists(stat) || has(text_of(stat), ") Z "); }))
          << "the compiler runs on";
    }
  }
}

TEST_F(Stops, EndTheKernelOfAnExercise) {
  file("endless.cu",
       "__global__ void zero(float* dest) { for (;;) printf(\"%g\\n\", dest[0]); }\n"
       "static const int begun = creat(\"begun\", 0600);\n");
  write(folder_.path() / "endless.cu",
        "#include <cstdio>\n#include <fcntl.h>\n" + text_of(folder_.path() / "endless.cu"));
  const pid_t tool = start({"try", "zero", "endless.cu", "--time-limit", "600"}, "/nowhere");
  ASSERT_TRUE(wait_until([&] { return fs::exists(folder_.path() / "begun"); }));
  EXPECT_EQ(stop(tool, SIGTERM), 130);
  EXPECT_TRUE(fs::is_empty(scratch()));
}

TEST_F(Stops, TryEndsWhenItsPipeIsClosed) {
  file("zero.cu", "__global__ void zero(float* dest) { dest[threadIdx.x] = 0; }\n");
  const Outcome outcome =
      shell(folder_.path(), "export TMPDIR=" + scratch().string() +
                                "; { timeout 900 " RAFTER_TOOL_PATH " try zero zero.cu; echo $? > code; } | true");
  EXPECT_TRUE(wait_until([&] { return has(text_of(folder_.path() / "code"), "\n"); })) << outcome.all();
  EXPECT_EQ(text_of(folder_.path() / "code"), "130\n") << outcome.all();
  EXPECT_TRUE(fs::is_empty(scratch()));
}

}  // namespace
}  // namespace rafter::simt::test
