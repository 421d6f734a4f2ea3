#include "apps/forces/input_file.hpp"

#include <gtest/gtest.h>
#include <sys/stat.h>

#include <atomic>
#include <chrono>
#include <thread>

#include "base/files.hpp"
#include "workbench/lab/expect_error.hpp"
#include "workbench/lab/temporary_folder.hpp"

namespace rafter::forces {
namespace {

using lab::expect_error;

std::string text_of(InputFile& file) {
  std::string text, piece(7, '\0');
  while (const std::size_t n = file.read(piece)) text.append(piece, 0, n);
  return text;
}

TEST(InputFile, IsReadToItsEnd) {
  const lab::TemporaryFolder folder;
  const std::string path = folder.path() / "x";
  base::write_file(path, "twenty bytes of text");
  InputFile file(path);
  EXPECT_EQ(file.n_bytes(), 20);
  EXPECT_EQ(text_of(file), "twenty bytes of text");
  EXPECT_EQ(file.name(), "'" + path + "'");
}

TEST(InputFile, ReportsUnreadableFiles) {
  const lab::TemporaryFolder folder;
  expect_error(ErrorCode::io, "cannot read '/nowhere/x': No such file", [] { InputFile file("/nowhere/x"); });
  expect_error(ErrorCode::io, "Is a directory", [&] {
    InputFile file(folder.path());
    text_of(file);
  });
  for (const char* start : {"\x1f\x8b\x08", "BZh9", "\xfd\x37zXZ", "(\xb5/\xfd"}) {
    base::write_file(folder.path() / "packed", start);
    expect_error(ErrorCode::bad_argument, "is compressed; expected text", [&] {
      InputFile file(folder.path() / "packed");
      text_of(file);
    });
  }
}

TEST(InputFile, StopsWaitingForASilentPipe) {
  const lab::TemporaryFolder folder;
  const std::string path = folder.path() / "pipe";
  ASSERT_EQ(mkfifo(path.c_str(), 0600), 0);
  std::atomic<int> n_asked = 0;
  std::thread writer([&] {
    std::FILE* pipe = std::fopen(path.c_str(), "w");
    std::fputs("half", pipe);
    std::fflush(pipe);
    while (n_asked == 0) std::this_thread::sleep_for(std::chrono::milliseconds(5));
    std::fclose(pipe);
  });
  InputFile file(path, [&] { return ++n_asked > 0; });
  EXPECT_FALSE(file.n_bytes());
  EXPECT_EQ(text_of(file), "half");
  writer.join();
  EXPECT_GT(n_asked, 0);
}

}  // namespace
}  // namespace rafter::forces
