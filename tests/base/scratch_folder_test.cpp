#include <gtest/gtest.h>

#include <fstream>

#include "base/files.hpp"
#include "workbench/lab/expect_error.hpp"
#include "workbench/lab/temporary_folder.hpp"

namespace rafter::base {
namespace {

namespace fs = std::filesystem;

TEST(ScratchFolder, IsGoneWithAllThatIsInIt) {
  fs::path path;
  {
    const ScratchFolder one, other;
    path = one.path();
    EXPECT_NE(path, other.path());
    fs::create_directories(path / "a/b");
    std::ofstream(path / "a/b/c") << "text";
  }
  EXPECT_FALSE(path.empty() || fs::exists(path)) << path;
}

TEST(ScratchFolder, LiesWhereTemporaryFilesDo) {
  const lab::TemporaryFolder folder;
  const lab::ScopedVariable temporary("TMPDIR", folder.path().c_str());
  EXPECT_EQ(ScratchFolder().path().parent_path(), folder.path());
}

TEST(ScratchFolder, IsFoundWhenThatFolderIsMissing) {
  const lab::ScopedVariable temporary("TMPDIR", "/nonexistent/rafter_test");
  EXPECT_EQ(ScratchFolder().path().parent_path(), "/tmp");
}

}  // namespace
}  // namespace rafter::base
