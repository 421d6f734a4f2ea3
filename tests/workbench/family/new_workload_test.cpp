// A new workload folder has the workload's name and is created completely or not at all.
#include "workbench/family/new_workload.hpp"

#include <gtest/gtest.h>

#include <fstream>
#include <iterator>
#include <set>
#include <sstream>

#include "../lab/temporary_folder.hpp"
#include "rafter/error.hpp"

namespace rafter::family {
namespace {

namespace fs = std::filesystem;

std::string text_of(const fs::path& file) {
  std::ostringstream text;
  text << std::ifstream(file).rdbuf();
  return text.str();
}

/// Returns the error of write_workload(), or "".
std::string refusal(const fs::path& folder, std::string_view name = "mine") {
  try {
    write_workload(folder, name, "/package");
    return "";
  } catch (const Error& error) {
    return error.what();
  }
}

TEST(NewWorkload, HasItsNameEverywhere) {
  const lab::TemporaryFolder around;
  ASSERT_EQ(refusal(around.path() / "here", "row_norm2"), "");
  int n_files = 0;
  for (const fs::directory_entry& entry : fs::recursive_directory_iterator(around.path() / "here")) {
    if (!entry.is_regular_file()) continue;
    ++n_files;
    const std::string all = entry.path().string() + text_of(entry.path());
    for (const char* left_over : {"workload_name", "WorkloadName", "WORKLOAD_NAME", "@"})
      EXPECT_EQ(all.find(left_over), std::string::npos) << entry.path() << " has " << left_over;
  }
  EXPECT_GE(n_files, 10);
  const std::string contract = text_of(around.path() / "here/row_norm2_workload.cpp");
  for (const char* word : {"namespace rafter::row_norm2_ladder", "class RowNorm2Case", "ROW_NORM2_LADDER"})
    EXPECT_NE(contract.find(word), std::string::npos) << word;
  EXPECT_NE(text_of(around.path() / "here/README.md").find("--load here"), std::string::npos);
  EXPECT_NE(fs::status(around.path() / "here").permissions() & fs::perms::others_read, fs::perms::none);
}

TEST(NewWorkload, AcceptsOnlyCxxNames) {
  for (const char* good : {"x", "row_sums", "conv2d", "a1_b2"}) EXPECT_NO_THROW(require_workload_name(good)) << good;
  const std::string too_long(41, 'a');
  for (const char* bad : {"", "Sum", "2d", "_x", "x_", "a__b", "my-sum", "my sum", "../x", "a/b", "ü", "int",
                          "register", "co_await", too_long.c_str()})
    EXPECT_THROW(require_workload_name(bad), Error) << bad;
}

TEST(NewWorkload, ChangesNothingThatExists) {
  const lab::TemporaryFolder around;
  const fs::path folder = around.path() / "mine";
  fs::create_directory(folder);
  EXPECT_NE(refusal(folder).find("already exists"), std::string::npos);
  EXPECT_TRUE(fs::is_empty(folder));
  fs::remove(folder);
  std::ofstream(folder) << "a file";
  EXPECT_NE(refusal(folder).find("already exists"), std::string::npos);
  EXPECT_EQ(text_of(folder), "a file");
  fs::remove(folder);
  fs::create_symlink("nowhere", folder);
  EXPECT_NE(refusal(folder).find("already exists"), std::string::npos);
}

TEST(NewWorkload, LeavesNothingAfterAWriteError) {
  const lab::TemporaryFolder around;
  EXPECT_NE(refusal(around.path() / "none/mine").find("there is no folder"), std::string::npos);
  EXPECT_NE(refusal("/proc/mine").find("cannot write '/proc/mine'"), std::string::npos);
  EXPECT_NE(refusal(around.path() / "mine", "Mine").find("cannot be the name"), std::string::npos);
  EXPECT_TRUE(fs::is_empty(around.path()));
}

}  // namespace
}  // namespace rafter::family
