// Commands that are stopped while they work. Each is awaited by what it prints, not by time.
#include <signal.h>

#include <cstdio>
#include <filesystem>

#include "apps/classify/image_files.hpp"
#include "apps/classify/lenet_reference.hpp"
#include "base/files.hpp"
#include "cli.hpp"

namespace rafter {
namespace {

namespace fs = std::filesystem;

/// A command whose output is read line by line while it runs.
class Running {
 public:
  explicit Running(const std::string& command)
      : pipe_(popen(("trap - INT TERM HUP; echo $$; exec " + command + " 2>&1 </dev/null").c_str(), "r")),
        id_(std::atoi(line().c_str())) {}
  ~Running() {
    if (pipe_ == nullptr) return;
    kill(id_, SIGKILL);
    pclose(pipe_);
  }
  Running(const Running&) = delete;
  Running& operator=(const Running&) = delete;

  /// Reads up to a line with these words. Returns false at the end.
  bool await(const std::string& words) {
    for (std::string next = line(); !next.empty(); next = line()) {
      if (next.find(words) != std::string::npos) return true;
    }
    return false;
  }

  /// Sends the signal, reads to the end and returns the exit code, or 128 and the signal that ended it.
  int stop(int signal) {
    kill(id_, signal);
    while (!line().empty()) continue;
    return ended();
  }
  /// Closes the pipe that the command writes to.
  int close() { return ended(); }

  const std::string& text() const { return text_; }

 private:
  int ended() {
    const int status = pclose(pipe_);
    pipe_ = nullptr;
    return WIFEXITED(status) ? WEXITSTATUS(status) : 128 + WTERMSIG(status);
  }

  std::string line() {
    char block[4096];
    const std::string read = std::fgets(block, sizeof block, pipe_) != nullptr ? block : "";
    text_ += read;
    return read;
  }

  std::string text_{};
  std::FILE* pipe_;
  pid_t id_;
};

class StoppedCommands : public cli::Cli {
 protected:
  void SetUp() override {
    cli::Cli::SetUp();
    fs::create_directories(scratch());
    setenv("TMPDIR", scratch().c_str(), 1);
    setenv("XDG_STATE_HOME", file("state").c_str(), 1);
  }
  void TearDown() override {
    unsetenv("TMPDIR");
    unsetenv("XDG_STATE_HOME");
    cli::Cli::TearDown();
  }
  fs::path scratch() const { return file("scratch"); }
};

// The rung would be timed for an hour.
TEST_F(StoppedCommands, RunEndsWithinAMeasurement) {
  for (const int signal : {SIGTERM, SIGHUP}) {
    Running run(RAFTER_TOOL_PATH " run sum --device cpu --rungs plain --n 2^20 --seconds 3600 --json " +
                file("r.json"));
    ASSERT_TRUE(run.await("rafter on ")) << run.text();
    EXPECT_EQ(run.stop(signal), 130) << run.text();
    EXPECT_TRUE(has(run.text(), "rafter: stopping after this measurement; a second signal stops at once"))
        << run.text();
  }
}

// Not only between cases: this one takes seconds.
TEST_F(StoppedCommands, RunOnTheExecutorEndsAfterARung) {
  Running run(RAFTER_TOOL_PATH " run sum --device simt --n 300000 --json " + file("r.json"));
  ASSERT_TRUE(run.await("rafter on ")) << run.text();
  EXPECT_EQ(run.stop(SIGTERM), 130) << run.text();
  EXPECT_TRUE(has(run.text(), "stopped by a signal before a case was finished")) << run.text();
}

TEST_F(StoppedCommands, ClassifyEndsAtASignalAndAtAClosedPipe) {
  classify::write_lenet_weights(file("w"), classify::random_weights(3, -1));
  base::write_file(file("x"), classify::idx_file({1, 86, 86}, classify::bytes_of(classify::random_images(1, 4))));
  const std::string command = RAFTER_TOOL_PATH " classify --device cpu --times --weights " + file("w") + " --images " +
                              file("x") + " --json " + file("r.json");
  for (const int signal : {SIGINT, SIGTERM, SIGHUP}) {
    Running running(command);
    ASSERT_TRUE(running.await("lenet on ")) << running.text();
    EXPECT_EQ(running.stop(signal), 130) << running.text();
    EXPECT_FALSE(fs::exists(file("r.json")));
  }
  Running piped(command);
  ASSERT_TRUE(piped.await("lenet on ")) << piped.text();
  EXPECT_EQ(piped.close(), 130) << piped.text();
}

TEST_F(StoppedCommands, TuneRemovesItsFolderAndKeepsItsCache) {
  base::write_file(file("k.cu"), R"(
__global__ void plain(float* out, int n) { if (threadIdx.x < n) out[threadIdx.x] = 1; }
__global__ void endless(float* out, int n) { while (PER > 0 && ((volatile float*)out)[0] != -1) continue; }
)");
  base::write_file(file("bin/g++"), "#!/bin/sh\necho compiling >&9\nexec sleep 900\n");
  fs::permissions(file("bin/g++"), fs::perms::owner_all);
  const std::string tune = RAFTER_TOOL_PATH " tune " + file("k.cu") +
                           " --device simt --kernel endless --reference plain --param PER=1,2 --set n=4 --grid 1 "
                           "--block 32 --arg 'out=f32[n]' --cache " +
                           file("c.jsonl");
  for (const int signal : {SIGINT, SIGTERM, SIGHUP}) {
    Running compiling("env XDG_CACHE_HOME=" + file("cache") + " PATH=" + file("bin") + ":$PATH " + tune + " 9>&1");
    ASSERT_TRUE(compiling.await("compiling")) << compiling.text();
    EXPECT_EQ(compiling.stop(signal), 130) << compiling.text();
    EXPECT_TRUE(fs::is_empty(scratch())) << *fs::directory_iterator(scratch());
  }
  EXPECT_FALSE(fs::exists(file("c.jsonl")));
}

}  // namespace
}  // namespace rafter
