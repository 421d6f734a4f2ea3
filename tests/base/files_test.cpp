#include "base/files.hpp"

#include <fcntl.h>
#include <gtest/gtest.h>
#include <sys/stat.h>
#include <unistd.h>

#include <fstream>

#include "base/new_file.hpp"
#include "workbench/lab/expect_error.hpp"
#include "workbench/lab/temporary_folder.hpp"

namespace rafter::base {
namespace {

namespace fs = std::filesystem;
using lab::expect_error;
using lab::ScopedVariable;
using lab::TemporaryFolder;

TEST(Files, ReadsBackWrittenText) {
  const TemporaryFolder folder;
  const std::string text("one\ntwo\0three", 13);
  write_file(folder.path() / "a", text);
  EXPECT_EQ(read_file(folder.path() / "a"), text);
}

TEST(Files, DoesNotReadNamedPipesAndDevices) {
  const TemporaryFolder folder;
  const std::string pipe = folder.path() / "pipe";
  ASSERT_EQ(mkfifo(pipe.c_str(), 0600), 0);
  EXPECT_FALSE(read_file(pipe)) << "it would wait for a writer";
  EXPECT_FALSE(read_file("/dev/zero")) << "it would never end";
  EXPECT_FALSE(read_file(folder.path()));
  int ends[2];
  ASSERT_EQ(::pipe(ends), 0);
  ASSERT_EQ(write(ends[1], "from a pipe", 11), 11);
  close(ends[1]);
  EXPECT_EQ(read_file("/dev/fd/" + std::to_string(ends[0])), "from a pipe") << "as <(command) is";
  close(ends[0]);
}

TEST(NewFile, IsLeftAloneWhileItIsWritten) {
  const TemporaryFolder folder;
  const fs::path path = folder.path() / "a";
  NewFile mine(path);
  write_file(mine.name() + "x", "of a file with another name");
  write_file(path.string() + ".partial-killed", "left by a killed process");
  remove_partial_files(path);
  EXPECT_TRUE(fs::exists(mine.name()));
  EXPECT_FALSE(fs::exists(path.string() + ".partial-killed"));
  const std::string_view text = "complete";
  mine.write({&text, 1});
  mine.commit();
  EXPECT_EQ(read_file(path), "complete");
}

TEST(NewFile, CommitsOnlyIfTheNameIsFree) {
  const TemporaryFolder folder;
  const fs::path path = folder.path() / "a";
  const auto put = [&](std::string_view text) {
    NewFile file(path);
    file.write({&text, 1});
    return file.commit_if_absent();
  };
  EXPECT_TRUE(put("first"));
  EXPECT_FALSE(put("second"));
  EXPECT_EQ(read_file(path), "first");
  EXPECT_EQ(std::distance(fs::directory_iterator(folder.path()), fs::directory_iterator()), 1)
      << "no file is left over";
}

TEST(Files, FindsTheFolderOfEveryFile) {
  EXPECT_EQ(folder_of("a"), ".");
  EXPECT_EQ(folder_of("b/a"), "b");
  EXPECT_EQ(folder_of("/a"), "/");
}

TEST(Files, WriteReplacesTheWholeFile) {
  const TemporaryFolder folder;
  write_file(folder.path() / "a", "a long text that was there before");
  write_file(folder.path() / "a", "short");
  EXPECT_EQ(read_file(folder.path() / "a"), "short");
}

TEST(Files, WriteLeavesNoTemporaryFile) {
  const TemporaryFolder folder;
  write_file(folder.path() / "a", "1");
  write_file(folder.path() / "a", "2");
  EXPECT_EQ(folder.n_entries(), 1);
}

TEST(Files, WritesAnEmptyFile) {
  const TemporaryFolder folder;
  write_file(folder.path() / "a", "");
  EXPECT_EQ(read_file(folder.path() / "a"), "");
}

TEST(Files, WritesPartsInOrder) {
  const TemporaryFolder folder;
  const std::string_view parts[] = {"one", "", "two"};
  write_file(folder.path() / "a", parts);
  EXPECT_EQ(read_file(folder.path() / "a"), "onetwo");
}

TEST(Files, ReplaceIsAtomic) {
  const TemporaryFolder folder;
  write_file(folder.path() / "a", "old");
  replace_file(folder.path() / "a", [](const fs::path& temporary) { std::ofstream(temporary) << "new"; });
  EXPECT_EQ(read_file(folder.path() / "a"), "new");
  const auto fails = [](const fs::path& temporary) {
    std::ofstream(temporary) << "half";
    throw Error(ErrorCode::io, "cannot continue");
  };
  expect_error(ErrorCode::io, "cannot continue", [&] { replace_file(folder.path() / "a", fails); });
  EXPECT_EQ(read_file(folder.path() / "a"), "new");
  EXPECT_EQ(folder.n_entries(), 1);
}

TEST(Files, RemovesPartialFilesOfOneName) {
  const TemporaryFolder folder;
  for (const char* name : {"a", "a.partial-Ab12Cd", "a.partial-", "a.partial-notes.txt", "b.partial-Ab12Cd"}) {
    write_file(folder.path() / name, "text");
  }
  remove_partial_files(folder.path() / "a");
  EXPECT_FALSE(fs::exists(folder.path() / "a.partial-Ab12Cd"));
  EXPECT_EQ(folder.n_entries(), 4);
}

TEST(Files, CreatesMissingFolders) {
  const TemporaryFolder folder;
  write_file(folder.path() / "b" / "c" / "a", "text");
  EXPECT_EQ(read_file(folder.path() / "b" / "c" / "a"), "text");
}

TEST(Files, WritesABareNameToTheCurrentFolder) {
  const TemporaryFolder folder;
  const fs::path before = fs::current_path();
  fs::current_path(folder.path());
  EXPECT_NO_THROW(write_file("a", "text"));
  fs::current_path(before);
  EXPECT_EQ(read_file(folder.path() / "a"), "text");
}

TEST(Files, ReplacedFileIsSwappedNotRewritten) {
  const TemporaryFolder folder;
  write_file(folder.path() / "a", "old");
  fs::create_hard_link(folder.path() / "a", folder.path() / "old");
  write_file(folder.path() / "a", "new");
  EXPECT_EQ(read_file(folder.path() / "old"), "old");  // a process that has it open still sees all of it
}

TEST(Files, RejectsAFolderBelowAFileAndKeepsTheFile) {
  const TemporaryFolder folder;
  write_file(folder.path() / "file", "kept");
  expect_error(ErrorCode::io, "cannot write", [&] { write_file(folder.path() / "file" / "a", "text"); });
  expect_error(ErrorCode::io, "cannot write", [&] { write_file(folder.path() / "file" / "b" / "a", "text"); });
  EXPECT_EQ(folder.n_entries(), 1);
  EXPECT_EQ(read_file(folder.path() / "file"), "kept");
}

TEST(Files, RejectsAFolderThatTakesNoFiles) {
  expect_error(ErrorCode::io, "/proc/rafter_test", [] { write_file("/proc/rafter_test", "text"); });
  expect_error(ErrorCode::io, "/proc/rafter_test", [] { require_writable("/proc/rafter_test"); });
}

TEST(Files, RejectsATooLongName) {
  const TemporaryFolder folder;
  const fs::path path = folder.path() / std::string(300, 'a');
  expect_error(ErrorCode::io, "File name too long", [&] { write_file(path, "text"); });
  expect_error(ErrorCode::io, "File name too long", [&] { require_writable(path); });
}

TEST(Files, ReportsAFullDiskAndLeavesNoTemporaryFile) {
  if (!fs::exists("/dev/full")) GTEST_SKIP() << "no /dev/full here";
  ASSERT_FALSE(is_replaceable("/dev/full"));  // root could replace it
  expect_error(ErrorCode::io, "No space left", [] { write_file("/dev/full", "text"); });
  for (const auto& entry : fs::directory_iterator("/dev")) {
    EXPECT_FALSE(entry.path().filename().string().starts_with("full.")) << entry.path();
  }
}

TEST(Files, WritesSpecialFilesDirectly) {
  ASSERT_FALSE(is_replaceable("/dev/null"));  // root could replace it
  write_file("/dev/null", "text");
  EXPECT_FALSE(fs::is_regular_file("/dev/null"));
}

TEST(Files, KeepsALinkAndWritesItsTarget) {
  const TemporaryFolder folder;
  write_file(folder.path() / "data" / "target", "old");
  fs::create_symlink("data/target", folder.path() / "link");
  require_writable(folder.path() / "link");
  write_file(folder.path() / "link", "new");
  EXPECT_TRUE(fs::is_symlink(folder.path() / "link"));
  EXPECT_FALSE(fs::is_symlink(folder.path() / "data" / "target"));
  EXPECT_EQ(read_file(folder.path() / "data" / "target"), "new");
  EXPECT_EQ(folder.n_entries(), 3);  // the link, the folder and the target
}

TEST(Files, KeepsALinkToALink) {
  const TemporaryFolder folder;
  write_file(folder.path() / "target", "old");
  fs::create_symlink("target", folder.path() / "first");
  fs::create_symlink("first", folder.path() / "second");
  write_file(folder.path() / "second", "new");
  EXPECT_TRUE(fs::is_symlink(folder.path() / "first"));
  EXPECT_TRUE(fs::is_symlink(folder.path() / "second"));
  EXPECT_EQ(read_file(folder.path() / "target"), "new");
}

TEST(Files, KeepsALinkToAMissingFile) {
  const TemporaryFolder folder;
  fs::create_symlink("target", folder.path() / "link");
  write_file(folder.path() / "link", "new");
  EXPECT_TRUE(fs::is_symlink(folder.path() / "link"));
  EXPECT_EQ(read_file(folder.path() / "target"), "new");
}

/// A named pipe, open for reading, so that writers do not block.
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

TEST(Files, WritesAPipeDirectly) {
  const TemporaryFolder folder;
  const Pipe pipe(folder.path() / "pipe");
  ASSERT_TRUE(pipe.ok());
  require_writable(folder.path() / "pipe");
  EXPECT_EQ(pipe.text(), "");
  write_file(folder.path() / "pipe", "one");
  write_file(folder.path() / "pipe", "two");
  EXPECT_EQ(pipe.text(), "onetwo");
  EXPECT_TRUE(fs::is_fifo(folder.path() / "pipe"));
  EXPECT_EQ(folder.n_entries(), 1);
}

TEST(Files, WritesAPipeBehindALinkDirectly) {
  const TemporaryFolder folder;
  const Pipe pipe(folder.path() / "pipe");
  ASSERT_TRUE(pipe.ok());
  fs::create_symlink("pipe", folder.path() / "link");
  write_file(folder.path() / "link", "one");
  EXPECT_EQ(pipe.text(), "one");
  EXPECT_EQ(folder.n_entries(), 2);
}

TEST(Files, PlainAndMissingFilesAreReplaceable) {
  const TemporaryFolder folder;
  write_file(folder.path() / "a", "text");
  fs::create_symlink("a", folder.path() / "link");
  EXPECT_TRUE(is_replaceable(folder.path() / "a"));
  EXPECT_TRUE(is_replaceable(folder.path() / "link"));
  EXPECT_TRUE(is_replaceable(folder.path() / "none"));
  EXPECT_TRUE(is_replaceable(folder.path() / "none" / "none"));
}

TEST(Files, PipesAndDevicesAreNotReplaceable) {
  const TemporaryFolder folder;
  ASSERT_EQ(mkfifo((folder.path() / "pipe").c_str(), 0600), 0);
  fs::create_symlink("pipe", folder.path() / "link");
  EXPECT_FALSE(is_replaceable(folder.path() / "pipe"));
  EXPECT_FALSE(is_replaceable(folder.path() / "link"));
  EXPECT_FALSE(is_replaceable("/dev/null"));
  EXPECT_FALSE(is_replaceable("/dev/stdout"));  // even if it is redirected to a regular file
}

TEST(Files, RejectsADirectory) {
  const TemporaryFolder folder;
  expect_error(ErrorCode::io, "Is a directory", [&] { write_file(folder.path(), "text"); });
  expect_error(ErrorCode::io, "Is a directory", [&] { require_writable(folder.path()); });
}

TEST(Files, RequireWritableLeavesNothingBehind) {
  const TemporaryFolder folder;
  require_writable(folder.path() / "a");
  EXPECT_EQ(folder.n_entries(), 0);
}

TEST(Files, RequireWritableLeavesNoFoldersBehind) {
  const TemporaryFolder folder;
  require_writable(folder.path() / "b" / "c" / "a");
  EXPECT_EQ(folder.n_entries(), 0);
}

TEST(Files, RequireWritableKeepsAnExistingFile) {
  const TemporaryFolder folder;
  write_file(folder.path() / "a", "kept");
  require_writable(folder.path() / "a");
  EXPECT_EQ(read_file(folder.path() / "a"), "kept");
}

TEST(Files, RequireWritableRejectsAFolderBelowAFile) {
  const TemporaryFolder folder;
  write_file(folder.path() / "file", "kept");
  expect_error(ErrorCode::io, "cannot write", [&] { require_writable(folder.path() / "file" / "a"); });
}

TEST(Files, MissingFileReadsAsNothing) {
  const TemporaryFolder folder;
  EXPECT_EQ(read_file(folder.path() / "none"), std::nullopt);
}

TEST(Files, XdgVariablesSetTheFolders) {
  const ScopedVariable cache("XDG_CACHE_HOME", "/x/cache");
  const ScopedVariable state("XDG_STATE_HOME", "/x/state");
  EXPECT_EQ(cache_folder(), "/x/cache/rafter");
  EXPECT_EQ(results_folder(), "/x/state/rafter");
}

TEST(Files, FoldersAreBelowHomeWhenXdgIsUnsetOrEmpty) {
  const ScopedVariable home("HOME", "/h");
  const ScopedVariable cache("XDG_CACHE_HOME", "");
  const ScopedVariable state("XDG_STATE_HOME", nullptr);
  EXPECT_EQ(cache_folder(), "/h/.cache/rafter");
  EXPECT_EQ(results_folder(), "/h/.local/state/rafter");
}

TEST(Files, FoldersExistWithoutAHome) {
  const ScopedVariable cache("XDG_CACHE_HOME", nullptr);
  const ScopedVariable state("XDG_STATE_HOME", nullptr);
  const ScopedVariable temporary("TMPDIR", "/nonexistent/rafter_test");
  for (const char* value : {static_cast<const char*>(nullptr), ""}) {
    const ScopedVariable home("HOME", value);
    for (const auto& folder_of : {cache_folder, results_folder}) {
      fs::path folder;
      ASSERT_NO_THROW(folder = folder_of());
      EXPECT_TRUE(folder.is_absolute()) << folder;
      EXPECT_EQ(folder.filename(), "rafter");
    }
  }
}

TEST(ScratchFolder, IsRemovedWithItsContents) {
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

TEST(ScratchFolder, IsCreatedInTmpdir) {
  const lab::TemporaryFolder folder;
  const lab::ScopedVariable temporary("TMPDIR", folder.path().c_str());
  EXPECT_EQ(ScratchFolder().path().parent_path(), folder.path());
}

TEST(ScratchFolder, FallsBackToTmpWhenTmpdirIsMissing) {
  const lab::ScopedVariable temporary("TMPDIR", "/nonexistent/rafter_test");
  EXPECT_EQ(ScratchFolder().path().parent_path(), "/tmp");
}

}  // namespace
}  // namespace rafter::base
