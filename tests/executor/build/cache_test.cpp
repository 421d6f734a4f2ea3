// The program cache: it keeps the most recently used programs and those in use.
#include "executor/build/cache.hpp"

#include <gtest/gtest.h>
#include <sys/socket.h>
#include <sys/wait.h>
#include <unistd.h>

#include <fstream>
#include <string>

#include "../../workbench/lab/temporary_folder.hpp"
#include "base/files.hpp"
#include "base/new_file.hpp"
#include "executor/build/unset_locals.hpp"

namespace rafter::simt::build {
namespace {

namespace fs = std::filesystem;

class CacheTest : public testing::Test {
 protected:
  CacheTest() {
    std::ofstream(program_) << "#!/bin/sh\n";
    fs::permissions(program_, fs::perms::owner_all);
  }

  /// Keeps a program in a child process. With a socket pair, the child sends a byte when it has kept the program, and
  /// lives until the parent closes its end.
  pid_t in_child(const std::string& key, const int* sockets = nullptr) const {
    const pid_t child = fork();
    if (child != 0) return child;
    Cache().keep(key, program_);
    char byte = 'k';
    if (sockets) {
      close(sockets[1]);
      if (write(sockets[0], &byte, 1) == 1) static_cast<void>(!read(sockets[0], &byte, 1));
    }
    _exit(0);
  }
  static void wait_for(pid_t child) { waitpid(child, nullptr, 0); }
  bool is_there(const std::string& key) const { return fs::exists(Cache().folder() / key); }
  /// Adds more programs than are kept.
  void keep_many(const std::string& name) const {
    const pid_t child = fork();
    if (child == 0) {
      for (int i = 0; i < 210; ++i) Cache().keep(name + std::to_string(i), program_);
      _exit(0);
    }
    wait_for(child);
  }

  lab::TemporaryFolder folder_;
  lab::ScopedVariable cache_{"XDG_CACHE_HOME", (folder_.path() / "cache").c_str()};
  fs::path program_ = folder_.path() / "program";
};

TEST_F(CacheTest, KeepsTheMostRecentlyUsedPrograms) {
  wait_for(in_child("old"));
  EXPECT_TRUE(is_there("old"));
  keep_many("a");
  EXPECT_FALSE(is_there("old"));
  EXPECT_FALSE(Cache().find("a209").empty());
}

TEST_F(CacheTest, KeepsProgramsInUseByAProcess) {
  int sockets[2];
  ASSERT_EQ(socketpair(AF_UNIX, SOCK_STREAM, 0, sockets), 0);
  const pid_t user = in_child("used", sockets);
  close(sockets[0]);
  char byte = 0;
  ASSERT_EQ(read(sockets[1], &byte, 1), 1);
  keep_many("a");
  EXPECT_TRUE(is_there("used"));
  close(sockets[1]);
  wait_for(user);
  keep_many("b");
  EXPECT_FALSE(is_there("used"));
}

/// Another process writes its own file at the same time, under a temporary name.
TEST_F(CacheTest, KeepsUnsetLocalsAsLongAsTheirProgram) {
  Cache cache;
  const fs::path folder = cache.folder() / "unset";
  const auto keep = [&](const char* key, int line) {
    save_unset_locals(cache.folder(), key, {{"a.cu", line, 3, "x", "k"}});
  };
  cache.keep("here", program_);
  keep("here", 4);
  base::write_file(folder / (std::string("here") + base::partial_mark + "abcdef"), "half of");
  keep("gone", 5);
  cache.keep("other", program_);
  keep("other", 6);
  EXPECT_TRUE(fs::exists(folder / "here.partial-abcdef"));
  EXPECT_FALSE(fs::exists(folder / "gone")) << "it has no program";
  ASSERT_EQ(load_unset_locals(cache.folder(), "here").size(), 1U);
  EXPECT_EQ(load_unset_locals(cache.folder(), "here")[0].line, 4);
}

}  // namespace
}  // namespace rafter::simt::build
