#include "lab/files.hpp"

#include <gtest/gtest.h>

#include "expect_error.hpp"
#include "temporary_folder.hpp"

namespace rafter::lab {
namespace {

namespace fs = std::filesystem;

TEST(Files, WrittenTextIsReadBack) {
  const TemporaryFolder folder;
  const std::string text("one\ntwo\0three", 13);
  write_file(folder.path() / "a", text);
  EXPECT_EQ(read_file(folder.path() / "a"), text);
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

TEST(Files, EmptyTextMakesAnEmptyFile) {
  const TemporaryFolder folder;
  write_file(folder.path() / "a", "");
  EXPECT_EQ(read_file(folder.path() / "a"), "");
}

TEST(Files, MissingFoldersAreMade) {
  const TemporaryFolder folder;
  write_file(folder.path() / "b" / "c" / "a", "text");
  EXPECT_EQ(read_file(folder.path() / "b" / "c" / "a"), "text");
}

TEST(Files, BareNameIsWrittenInTheCurrentFolder) {
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
  EXPECT_EQ(read_file(folder.path() / "old"), "old");  // whoever had it open still sees it whole
}

TEST(Files, FolderBelowAFileIsAnErrorThatLeavesTheFile) {
  const TemporaryFolder folder;
  write_file(folder.path() / "file", "kept");
  expect_error(ErrorCode::io, "cannot write", [&] { write_file(folder.path() / "file" / "a", "text"); });
  expect_error(ErrorCode::io, "cannot write", [&] { write_file(folder.path() / "file" / "b" / "a", "text"); });
  EXPECT_EQ(folder.n_entries(), 1);
  EXPECT_EQ(read_file(folder.path() / "file"), "kept");
}

TEST(Files, FolderThatTakesNoFilesIsAnError) {
  expect_error(ErrorCode::io, "/proc/rafter_test", [] { write_file("/proc/rafter_test", "text"); });
  expect_error(ErrorCode::io, "/proc/rafter_test", [] { require_writable("/proc/rafter_test"); });
}

TEST(Files, TooLongNameIsAnError) {
  const TemporaryFolder folder;
  const fs::path path = folder.path() / std::string(300, 'a');
  expect_error(ErrorCode::io, "File name too long", [&] { write_file(path, "text"); });
  expect_error(ErrorCode::io, "File name too long", [&] { require_writable(path); });
}

TEST(Files, FullDiskIsAnErrorWithoutATemporaryFile) {
  if (!fs::exists("/dev/full")) GTEST_SKIP() << "no /dev/full here";
  expect_error(ErrorCode::io, "No space left", [] { write_file("/dev/full", "text"); });
  for (const auto& entry : fs::directory_iterator("/dev")) {
    EXPECT_FALSE(entry.path().filename().string().starts_with("full.")) << entry.path();
  }
}

TEST(Files, SpecialFilesAreWrittenDirectly) {
  write_file("/dev/null", "text");
  EXPECT_FALSE(fs::is_regular_file("/dev/null"));
}

TEST(Files, DirectoryIsRefused) {
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

TEST(Files, RequireWritableKeepsWhatIsThere) {
  const TemporaryFolder folder;
  write_file(folder.path() / "a", "kept");
  require_writable(folder.path() / "a");
  EXPECT_EQ(read_file(folder.path() / "a"), "kept");
}

TEST(Files, RequireWritableRefusesAFolderBelowAFile) {
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

}  // namespace
}  // namespace rafter::lab
