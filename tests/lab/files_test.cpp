#include "base/files.hpp"

#include <fcntl.h>
#include <gtest/gtest.h>
#include <sys/stat.h>
#include <unistd.h>

#include <fstream>

#include "expect_error.hpp"
#include "temporary_folder.hpp"

namespace rafter::lab {
namespace {

namespace fs = std::filesystem;

TEST(Files, WrittenTextIsReadBack) {
  const TemporaryFolder folder;
  const std::string text("one\ntwo\0three", 13);
  base::write_file(folder.path() / "a", text);
  EXPECT_EQ(base::read_file(folder.path() / "a"), text);
}

TEST(Files, EveryFileLiesInAFolder) {
  EXPECT_EQ(base::folder_of("a"), ".");
  EXPECT_EQ(base::folder_of("b/a"), "b");
  EXPECT_EQ(base::folder_of("/a"), "/");
}

TEST(Files, WriteReplacesTheWholeFile) {
  const TemporaryFolder folder;
  base::write_file(folder.path() / "a", "a long text that was there before");
  base::write_file(folder.path() / "a", "short");
  EXPECT_EQ(base::read_file(folder.path() / "a"), "short");
}

TEST(Files, WriteLeavesNoTemporaryFile) {
  const TemporaryFolder folder;
  base::write_file(folder.path() / "a", "1");
  base::write_file(folder.path() / "a", "2");
  EXPECT_EQ(folder.n_entries(), 1);
}

TEST(Files, EmptyTextMakesAnEmptyFile) {
  const TemporaryFolder folder;
  base::write_file(folder.path() / "a", "");
  EXPECT_EQ(base::read_file(folder.path() / "a"), "");
}

TEST(Files, PartsAreWrittenOneAfterTheOther) {
  const TemporaryFolder folder;
  const std::string_view parts[] = {"one", "", "two"};
  base::write_file(folder.path() / "a", parts);
  EXPECT_EQ(base::read_file(folder.path() / "a"), "onetwo");
}

TEST(Files, WhatOthersWriteIsReplacedWholeOrNotAtAll) {
  const TemporaryFolder folder;
  base::write_file(folder.path() / "a", "old");
  base::replace_file(folder.path() / "a", [](const fs::path& temporary) { std::ofstream(temporary) << "new"; });
  EXPECT_EQ(base::read_file(folder.path() / "a"), "new");
  const auto fails = [](const fs::path& temporary) {
    std::ofstream(temporary) << "half";
    throw Error(ErrorCode::io, "cannot go on");
  };
  expect_error(ErrorCode::io, "cannot go on", [&] { base::replace_file(folder.path() / "a", fails); });
  EXPECT_EQ(base::read_file(folder.path() / "a"), "new");
  EXPECT_EQ(folder.n_entries(), 1);
}

TEST(Files, PartialFilesOfOneNameAreRemoved) {
  const TemporaryFolder folder;
  for (const char* name : {"a", "a.partial-Ab12Cd", "a.partial-", "a.partial-notes.txt", "b.partial-Ab12Cd"}) {
    base::write_file(folder.path() / name, "text");
  }
  base::remove_partial_files(folder.path() / "a");
  EXPECT_FALSE(fs::exists(folder.path() / "a.partial-Ab12Cd"));
  EXPECT_EQ(folder.n_entries(), 4);
}

TEST(Files, MissingFoldersAreMade) {
  const TemporaryFolder folder;
  base::write_file(folder.path() / "b" / "c" / "a", "text");
  EXPECT_EQ(base::read_file(folder.path() / "b" / "c" / "a"), "text");
}

TEST(Files, BareNameIsWrittenInTheCurrentFolder) {
  const TemporaryFolder folder;
  const fs::path before = fs::current_path();
  fs::current_path(folder.path());
  EXPECT_NO_THROW(base::write_file("a", "text"));
  fs::current_path(before);
  EXPECT_EQ(base::read_file(folder.path() / "a"), "text");
}

TEST(Files, ReplacedFileIsSwappedNotRewritten) {
  const TemporaryFolder folder;
  base::write_file(folder.path() / "a", "old");
  fs::create_hard_link(folder.path() / "a", folder.path() / "old");
  base::write_file(folder.path() / "a", "new");
  EXPECT_EQ(base::read_file(folder.path() / "old"), "old");  // whoever had it open still sees it whole
}

TEST(Files, FolderBelowAFileIsAnErrorThatLeavesTheFile) {
  const TemporaryFolder folder;
  base::write_file(folder.path() / "file", "kept");
  expect_error(ErrorCode::io, "cannot write", [&] { base::write_file(folder.path() / "file" / "a", "text"); });
  expect_error(ErrorCode::io, "cannot write", [&] { base::write_file(folder.path() / "file" / "b" / "a", "text"); });
  EXPECT_EQ(folder.n_entries(), 1);
  EXPECT_EQ(base::read_file(folder.path() / "file"), "kept");
}

TEST(Files, FolderThatTakesNoFilesIsAnError) {
  expect_error(ErrorCode::io, "/proc/rafter_test", [] { base::write_file("/proc/rafter_test", "text"); });
  expect_error(ErrorCode::io, "/proc/rafter_test", [] { base::require_writable("/proc/rafter_test"); });
}

TEST(Files, TooLongNameIsAnError) {
  const TemporaryFolder folder;
  const fs::path path = folder.path() / std::string(300, 'a');
  expect_error(ErrorCode::io, "File name too long", [&] { base::write_file(path, "text"); });
  expect_error(ErrorCode::io, "File name too long", [&] { base::require_writable(path); });
}

TEST(Files, FullDiskIsAnErrorWithoutATemporaryFile) {
  if (!fs::exists("/dev/full")) GTEST_SKIP() << "no /dev/full here";
  ASSERT_FALSE(base::is_replaceable("/dev/full"));  // root could
  expect_error(ErrorCode::io, "No space left", [] { base::write_file("/dev/full", "text"); });
  for (const auto& entry : fs::directory_iterator("/dev")) {
    EXPECT_FALSE(entry.path().filename().string().starts_with("full.")) << entry.path();
  }
}

TEST(Files, SpecialFilesAreWrittenDirectly) {
  ASSERT_FALSE(base::is_replaceable("/dev/null"));  // root could
  base::write_file("/dev/null", "text");
  EXPECT_FALSE(fs::is_regular_file("/dev/null"));
}

TEST(Files, LinkStaysAndItsTargetIsWritten) {
  const TemporaryFolder folder;
  base::write_file(folder.path() / "data" / "target", "old");
  fs::create_symlink("data/target", folder.path() / "link");
  base::require_writable(folder.path() / "link");
  base::write_file(folder.path() / "link", "new");
  EXPECT_TRUE(fs::is_symlink(folder.path() / "link"));
  EXPECT_FALSE(fs::is_symlink(folder.path() / "data" / "target"));
  EXPECT_EQ(base::read_file(folder.path() / "data" / "target"), "new");
  EXPECT_EQ(folder.n_entries(), 3);  // the link, the folder and the target
}

TEST(Files, LinkToALinkStaysToo) {
  const TemporaryFolder folder;
  base::write_file(folder.path() / "target", "old");
  fs::create_symlink("target", folder.path() / "first");
  fs::create_symlink("first", folder.path() / "second");
  base::write_file(folder.path() / "second", "new");
  EXPECT_TRUE(fs::is_symlink(folder.path() / "first"));
  EXPECT_TRUE(fs::is_symlink(folder.path() / "second"));
  EXPECT_EQ(base::read_file(folder.path() / "target"), "new");
}

TEST(Files, LinkToAFileThatIsNotThereYetStaysToo) {
  const TemporaryFolder folder;
  fs::create_symlink("target", folder.path() / "link");
  base::write_file(folder.path() / "link", "new");
  EXPECT_TRUE(fs::is_symlink(folder.path() / "link"));
  EXPECT_EQ(base::read_file(folder.path() / "target"), "new");
}

/// A pipe with a name, open for reading: whoever writes to it need not wait.
class Pipe {
 public:
  explicit Pipe(const fs::path& path) : made_(mkfifo(path.c_str(), 0600) == 0) {
    if (made_) file_ = open(path.c_str(), O_RDONLY | O_NONBLOCK);
  }
  ~Pipe() {
    if (file_ >= 0) close(file_);
  }
  Pipe(const Pipe&) = delete;
  Pipe& operator=(const Pipe&) = delete;

  bool ok() const { return file_ >= 0; }
  std::string text() const {
    char text[100];
    const ssize_t n = read(file_, text, sizeof text);
    return n > 0 ? std::string(text, static_cast<std::size_t>(n)) : "";
  }

 private:
  bool made_;
  int file_ = -1;
};

TEST(Files, PipeIsWrittenDirectly) {
  const TemporaryFolder folder;
  const Pipe pipe(folder.path() / "pipe");
  ASSERT_TRUE(pipe.ok());
  base::require_writable(folder.path() / "pipe");
  EXPECT_EQ(pipe.text(), "");
  base::write_file(folder.path() / "pipe", "one");
  base::write_file(folder.path() / "pipe", "two");
  EXPECT_EQ(pipe.text(), "onetwo");
  EXPECT_TRUE(fs::is_fifo(folder.path() / "pipe"));
  EXPECT_EQ(folder.n_entries(), 1);
}

TEST(Files, PipeBehindALinkIsWrittenDirectly) {
  const TemporaryFolder folder;
  const Pipe pipe(folder.path() / "pipe");
  ASSERT_TRUE(pipe.ok());
  fs::create_symlink("pipe", folder.path() / "link");
  base::write_file(folder.path() / "link", "one");
  EXPECT_EQ(pipe.text(), "one");
  EXPECT_EQ(folder.n_entries(), 2);
}

TEST(Files, PlainAndMissingFilesAreReplaceable) {
  const TemporaryFolder folder;
  base::write_file(folder.path() / "a", "text");
  fs::create_symlink("a", folder.path() / "link");
  EXPECT_TRUE(base::is_replaceable(folder.path() / "a"));
  EXPECT_TRUE(base::is_replaceable(folder.path() / "link"));
  EXPECT_TRUE(base::is_replaceable(folder.path() / "none"));
  EXPECT_TRUE(base::is_replaceable(folder.path() / "none" / "none"));
}

TEST(Files, PipesAndDevicesAreNotReplaceable) {
  const TemporaryFolder folder;
  ASSERT_EQ(mkfifo((folder.path() / "pipe").c_str(), 0600), 0);
  fs::create_symlink("pipe", folder.path() / "link");
  EXPECT_FALSE(base::is_replaceable(folder.path() / "pipe"));
  EXPECT_FALSE(base::is_replaceable(folder.path() / "link"));
  EXPECT_FALSE(base::is_replaceable("/dev/null"));
  EXPECT_FALSE(base::is_replaceable("/dev/stdout"));  // even where it leads to a plain file
}

TEST(Files, DirectoryIsRefused) {
  const TemporaryFolder folder;
  expect_error(ErrorCode::io, "Is a directory", [&] { base::write_file(folder.path(), "text"); });
  expect_error(ErrorCode::io, "Is a directory", [&] { base::require_writable(folder.path()); });
}

TEST(Files, RequireWritableLeavesNothingBehind) {
  const TemporaryFolder folder;
  base::require_writable(folder.path() / "a");
  EXPECT_EQ(folder.n_entries(), 0);
}

TEST(Files, RequireWritableLeavesNoFoldersBehind) {
  const TemporaryFolder folder;
  base::require_writable(folder.path() / "b" / "c" / "a");
  EXPECT_EQ(folder.n_entries(), 0);
}

TEST(Files, RequireWritableKeepsWhatIsThere) {
  const TemporaryFolder folder;
  base::write_file(folder.path() / "a", "kept");
  base::require_writable(folder.path() / "a");
  EXPECT_EQ(base::read_file(folder.path() / "a"), "kept");
}

TEST(Files, RequireWritableRefusesAFolderBelowAFile) {
  const TemporaryFolder folder;
  base::write_file(folder.path() / "file", "kept");
  expect_error(ErrorCode::io, "cannot write", [&] { base::require_writable(folder.path() / "file" / "a"); });
}

TEST(Files, MissingFileReadsAsNothing) {
  const TemporaryFolder folder;
  EXPECT_EQ(base::read_file(folder.path() / "none"), std::nullopt);
}

TEST(Files, XdgVariablesSetTheFolders) {
  const ScopedVariable cache("XDG_CACHE_HOME", "/x/cache");
  const ScopedVariable state("XDG_STATE_HOME", "/x/state");
  EXPECT_EQ(base::cache_folder(), "/x/cache/rafter");
  EXPECT_EQ(base::results_folder(), "/x/state/rafter");
}

TEST(Files, FoldersAreBelowHomeWhenXdgIsUnsetOrEmpty) {
  const ScopedVariable home("HOME", "/h");
  const ScopedVariable cache("XDG_CACHE_HOME", "");
  const ScopedVariable state("XDG_STATE_HOME", nullptr);
  EXPECT_EQ(base::cache_folder(), "/h/.cache/rafter");
  EXPECT_EQ(base::results_folder(), "/h/.local/state/rafter");
}

TEST(Files, FoldersAreSomewhereWithoutAHome) {
  const ScopedVariable cache("XDG_CACHE_HOME", nullptr);
  const ScopedVariable state("XDG_STATE_HOME", nullptr);
  const ScopedVariable temporary("TMPDIR", "/nonexistent/rafter_test");
  for (const char* value : {static_cast<const char*>(nullptr), ""}) {
    const ScopedVariable home("HOME", value);
    for (const auto& folder_of : {base::cache_folder, base::results_folder}) {
      fs::path folder;
      ASSERT_NO_THROW(folder = folder_of());
      EXPECT_TRUE(folder.is_absolute()) << folder;
      EXPECT_EQ(folder.filename(), "rafter");
    }
  }
}

}  // namespace
}  // namespace rafter::lab
