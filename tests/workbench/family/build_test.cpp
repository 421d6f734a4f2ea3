// The output shown for a failed build.
#include "workbench/family/build.hpp"

#include <gtest/gtest.h>

#include "../lab/temporary_folder.hpp"
#include "rafter/error.hpp"

namespace rafter::family {
namespace {

TEST(Complaints, HaveDiagnosticsWithoutCommands) {
  const std::string output =
      "[1/9] Building CXX object a.o\n"
      "[2/9] Building CXX object b.o\n"
      "FAILED: b.o \n"
      "/usr/bin/c++ -O3 -o b.o -c b.cpp\n"
      "b.cpp: In instantiation of 'f(T) [with T = float]':\n"
      "library/core/rung.hpp:30:23:   required from 'constexpr Rung(F)'\n"
      "type_traits:2565:26:   [ skipping 6 instantiation contexts ]\n"
      "b.cpp:9:2:   required from here\n"
      "b.cpp:8:86: error: no member named 'A'\n"
      "    8 |   args.A\n"
      "ninja: build stopped: subcommand failed.\n";
  EXPECT_EQ(complaints_in(output),
            "b.cpp: In instantiation of 'f(T) [with T = float]':\n"
            "b.cpp:9:2:   required from here\n"
            "b.cpp:8:86: error: no member named 'A'\n"
            "    8 |   args.A\n");
}

TEST(Complaints, IncludeThoseOfCMake) {
  EXPECT_EQ(complaints_in("-- Configuring\nCMake Error at CMakeLists.txt:5 (nonsense):\n  Unknown command\n-- Done\n"),
            "CMake Error at CMakeLists.txt:5 (nonsense):\n  Unknown command\n");
}

TEST(Complaints, AreTruncated) {
  std::string output;
  for (int i = 0; i < 1000; ++i) output += "a.cpp:1:1: error: again\n";
  const std::string shown = complaints_in(output);
  EXPECT_LT(shown.size(), 60 * 30u);
  EXPECT_TRUE(shown.ends_with("... and more\n"));
}

TEST(BuildFolder, RejectsAFolderWithoutWorkloads) {
  const lab::TemporaryFolder folder;
  try {
    build_folder(folder.path(), Flavour::machine, [](const std::string&) {});
    FAIL() << "it built nothing";
  } catch (const Error& error) {
    EXPECT_NE(std::string(error.what()).find("has no CMakeLists.txt"), std::string::npos) << error.what();
  }
}

}  // namespace
}  // namespace rafter::family
