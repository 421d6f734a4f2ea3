#include "base/file_lock.hpp"

#include <gtest/gtest.h>
#include <signal.h>
#include <sys/wait.h>
#include <unistd.h>

#include <fstream>

#include "base/files.hpp"

namespace rafter::base {
namespace {

namespace fs = std::filesystem;

/// Another process that holds an object created by `make` until it is killed.
class Holder {
 public:
  template <class Make>
  explicit Holder(const Make& make) {
    std::array<int, 2> ready{};
    EXPECT_EQ(pipe(ready.data()), 0);
    id_ = fork();
    if (id_ == 0) {
      const auto held = make();
      EXPECT_EQ(write(ready[1], "x", 1), 1);
      pause();
      _exit(0);
    }
    char byte = 0;
    EXPECT_EQ(read(ready[0], &byte, 1), 1);
    close(ready[0]);
    close(ready[1]);
  }
  ~Holder() { end(); }
  Holder(const Holder&) = delete;
  Holder& operator=(const Holder&) = delete;

  void end() {
    if (id_ < 0) return;
    kill(id_, SIGKILL);
    waitpid(id_, nullptr, 0);
    id_ = -1;
  }
  pid_t id() const { return id_; }

 private:
  pid_t id_ = -1;
};

TEST(FileLock, HasOneHolderAtATime) {
  const ScratchFolder folder;
  const fs::path path = folder.path() / "new" / "lock";
  {
    const FileLock mine(path, "me");
    EXPECT_FALSE(mine.holder());
    EXPECT_EQ(read_file(path), "me");
  }
  EXPECT_FALSE(fs::exists(path));
  Holder other([&] { return FileLock(path, "another process"); });
  EXPECT_EQ(FileLock(path, "me").holder(), "another process");
  EXPECT_TRUE(fs::exists(path));  // a failed attempt removes nothing
  other.end();
  EXPECT_TRUE(fs::exists(path));
  EXPECT_FALSE(FileLock(path, "me").holder());  // the file is left over and does not block
}

TEST(FileLock, LocksNothingWhereItCannot) {
  EXPECT_FALSE(FileLock("/proc/nowhere/lock", "me").holder());
  EXPECT_FALSE(FileLock("/", "me").holder());
}

TEST(ActiveRun, FindsOtherRunningProcessesOnly) {
  const ScratchFolder folder;
  setenv("XDG_RUNTIME_DIR", folder.path().c_str(), 1);
  const ActiveRun mine("me");
  EXPECT_TRUE(mine.others().empty());
  Holder other([] { return ActiveRun("run sum"); });
  EXPECT_EQ(mine.others(), std::vector{"run sum (process " + std::to_string(other.id()) + ")"});
  std::ofstream(runtime_folder() / "at-work" / "notes.txt") << "kept";
  other.end();
  EXPECT_TRUE(mine.others().empty());
  EXPECT_EQ(std::distance(fs::directory_iterator(runtime_folder() / "at-work"), fs::directory_iterator()), 2);
  unsetenv("XDG_RUNTIME_DIR");
}

}  // namespace
}  // namespace rafter::base
