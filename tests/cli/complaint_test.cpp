#include "cli/complaint.hpp"

#include <gtest/gtest.h>
#include <unistd.h>

#include <filesystem>
#include <fstream>
#include <stdexcept>
#include <system_error>
#include <vector>

#include "../workbench/lab/temporary_folder.hpp"
#include "rafter/error.hpp"

namespace rafter::cli {
namespace {

namespace fs = std::filesystem;

template <class F>
std::string said(F&& f) {
  try {
    f();
  } catch (...) {
    return cli::complaint(std::current_exception());
  }
  return "nothing was thrown";
}

TEST(Complaint, OurOwnErrorsSayItThemselves) {
  EXPECT_EQ(said([] { throw Error(ErrorCode::io, "no such thing"); }), "no such thing");
}

TEST(Complaint, FilesAreNamed) {
  EXPECT_EQ(said([] { static_cast<void>(fs::file_size("/nonexistent/x")); }),
            "cannot use '/nonexistent/x': No such file or directory");
  EXPECT_EQ(said([] { fs::copy_file("/nonexistent/x", "/y"); }),
            "cannot use '/nonexistent/x' with '/y': No such file or directory");
  EXPECT_EQ(said([] {
              std::ifstream file;
              file.exceptions(std::ios::failbit);
              file.open("/nonexistent/x");
            }),
            "a file cannot be read or written: iostream error");
}

TEST(Complaint, AFolderThatIsGoneIsSaid) {
  const fs::path before = fs::current_path();
  fs::path gone;
  {
    const lab::TemporaryFolder folder;
    gone = folder.path();
    fs::current_path(gone);
  }
  const std::string text = said([] { static_cast<void>(fs::current_path()); });
  fs::current_path(before);
  EXPECT_EQ(text, "the folder you are in is gone or closed to you: change to another one");
}

TEST(Complaint, MemoryAndThreads) {
  EXPECT_EQ(said([] { throw std::bad_alloc(); }), "out of memory: there is not enough for what was asked for");
  EXPECT_EQ(said([] { std::vector<int>().reserve(~std::size_t{0}); }),
            "out of memory: something larger than any memory was asked for");
  EXPECT_EQ(said([] { throw std::system_error(EAGAIN, std::generic_category()); }),
            "the system gives out no more threads or processes: end some, or raise the limit (ulimit -u)");
  EXPECT_EQ(said([] { throw std::system_error(EPERM, std::generic_category()); }),
            "the system refused: Operation not permitted");
}

TEST(Complaint, WhatIsLeftIsOurFault) {
  for (const std::string& text : {said([] { throw std::out_of_range("vector::at"); }),
                                  said([] { throw std::logic_error("why"); }), said([] { throw 3; })}) {
    EXPECT_NE(text.find("this is a fault of rafter, not of yours ("), std::string::npos) << text;
  }
}

}  // namespace
}  // namespace rafter::cli
