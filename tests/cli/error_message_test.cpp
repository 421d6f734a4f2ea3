#include <gtest/gtest.h>
#include <unistd.h>

#include <filesystem>
#include <fstream>
#include <stdexcept>
#include <system_error>
#include <vector>

#include "../workbench/lab/temporary_folder.hpp"
#include "cli/tool.hpp"
#include "rafter/error.hpp"

namespace rafter::cli {
namespace {

namespace fs = std::filesystem;

template <class F>
std::string message_of(F&& f) {
  try {
    f();
  } catch (...) {
    return error_message(std::current_exception());
  }
  return "no exception";
}

TEST(ErrorMessage, IsThatOfAnError) {
  EXPECT_EQ(message_of([] { throw Error(ErrorCode::io, "no such thing"); }), "no such thing");
}

TEST(ErrorMessage, NamesFiles) {
  EXPECT_EQ(message_of([] { static_cast<void>(fs::file_size("/nonexistent/x")); }),
            "cannot use '/nonexistent/x': No such file or directory");
  EXPECT_EQ(message_of([] { fs::copy_file("/nonexistent/x", "/y"); }),
            "cannot use '/nonexistent/x' with '/y': No such file or directory");
  EXPECT_EQ(message_of([] {
              std::ifstream file;
              file.exceptions(std::ios::failbit);
              file.open("/nonexistent/x");
            }),
            "a file cannot be read or written: iostream error");
}

TEST(ErrorMessage, ReportsAMissingCurrentFolder) {
  const fs::path before = fs::current_path();
  fs::path gone;
  {
    const lab::TemporaryFolder folder;
    gone = folder.path();
    fs::current_path(gone);
  }
  const std::string text = message_of([] { static_cast<void>(fs::current_path()); });
  fs::current_path(before);
  EXPECT_EQ(text, "the current folder was removed or is not accessible: change to another one");
}

TEST(ErrorMessage, ReportsMissingMemoryAndThreads) {
  EXPECT_EQ(message_of([] { throw std::bad_alloc(); }), "out of memory");
  EXPECT_EQ(message_of([] { std::vector<int>().reserve(~std::size_t{0}); }),
            "out of memory: the size exceeds any memory");
  EXPECT_EQ(message_of([] { throw std::system_error(EAGAIN, std::generic_category()); }),
            "the system has no more threads or processes: end some, or raise the limit (ulimit -u)");
  EXPECT_EQ(message_of([] { throw std::system_error(EPERM, std::generic_category()); }),
            "the system refused: Operation not permitted");
}

TEST(ErrorMessage, CallsOtherExceptionsBugs) {
  for (const std::string& text : {message_of([] { throw std::out_of_range("vector::at"); }),
                                  message_of([] { throw std::logic_error("why"); }), message_of([] { throw 3; })}) {
    EXPECT_NE(text.find("this is a bug in rafter ("), std::string::npos) << text;
  }
}

}  // namespace
}  // namespace rafter::cli
