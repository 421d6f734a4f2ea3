#include "base/input_file.hpp"

#include <gtest/gtest.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/files.hpp"
#include "base/mapped_file.hpp"
#include "workbench/lab/expect_error.hpp"
#include "workbench/lab/temporary_folder.hpp"

namespace rafter::base {
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
  expect_error(ErrorCode::io, "it is a folder; expected a regular file", [&] { InputFile file(folder.path()); });
  expect_error(ErrorCode::io, "it is a folder", [&] { open_regular_file(folder.path()); });
  expect_error(ErrorCode::io, "cannot read '/nowhere/x': No such file", [] { open_regular_file("/nowhere/x"); });
  for (const char* start : {"\x1f\x8b\x08", "BZh9", "\xfd\x37zXZ", "(\xb5/\xfd"}) {
    base::write_file(folder.path() / "packed", start);
    expect_error(ErrorCode::bad_argument, "is compressed: unpack it", [&] {
      InputFile file(folder.path() / "packed");
      text_of(file);
    });
  }
}

TEST(InputFile, StopsWaitingForASilentPipe) {
  int ends[2];
  ASSERT_EQ(pipe(ends), 0);
  ASSERT_EQ(write(ends[1], "half", 4), 4);
  int n_asked = 0;
  {
    InputFile file("/dev/fd/" + std::to_string(ends[0]), [&] { return ++n_asked > 0; });
    EXPECT_FALSE(file.n_bytes());
    EXPECT_EQ(text_of(file), "half");
  }
  EXPECT_GT(n_asked, 0);
  close(ends[0]);
  close(ends[1]);
}

TEST(InputFile, RefusesNamedPipesAndDevicesWithoutWaiting) {
  const lab::TemporaryFolder folder;
  const std::string path = folder.path() / "pipe";
  ASSERT_EQ(mkfifo(path.c_str(), 0600), 0);
  const std::string is_pipe = "cannot read '" + path + "': it is a pipe; expected a regular file";
  const std::string is_device = "cannot read '/dev/zero': it is a device; expected a regular file";
  expect_error(ErrorCode::io, is_pipe.c_str(), [&] { InputFile file(path); });
  expect_error(ErrorCode::io, is_pipe.c_str(), [&] { open_regular_file(path); });
  expect_error(ErrorCode::io, is_pipe.c_str(), [&] { MappedFile file(path); });
  expect_error(ErrorCode::io, is_device.c_str(), [&] { InputFile file("/dev/zero"); });
  expect_error(ErrorCode::io, is_device.c_str(), [&] { open_regular_file("/dev/zero"); });
  expect_error(ErrorCode::io, is_device.c_str(), [&] { MappedFile file("/dev/zero"); });
}

TEST(InputFile, IsReadAsAStream) {
  const lab::TemporaryFolder folder;
  const std::string path = folder.path() / "x";
  const std::string text(200'000, 'x');
  write_file(path, text + "y");
  InputStream stream(path);
  EXPECT_EQ(stream.n_bytes(), 200'001);
  std::string read(text.size() + 1, ' ');
  stream.read(read.data(), std::ssize(read));
  EXPECT_EQ(read, text + "y");
  EXPECT_EQ(stream.get(), std::istream::traits_type::eof());
}

}  // namespace
}  // namespace rafter::base
