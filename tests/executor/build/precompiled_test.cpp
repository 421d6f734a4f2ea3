// Precompiled headers in the cache: when they are made, that they are used, and that they change nothing.
#include "executor/build/precompiled.hpp"

#include <gtest/gtest.h>
#include <sys/wait.h>
#include <unistd.h>

#include "../../workbench/lab/temporary_folder.hpp"
#include "toolchain.hpp"

namespace rafter::simt::build {
namespace {

namespace fs = std::filesystem;

class Precompiled : public testing::Test {
 protected:
  Precompiled() { base::write_file(toolchain_.shim_dir / "cuda_runtime.h", "#pragma once\n#include <cstdio>\n"); }

  fs::path write(const std::string& name, const std::string& text) {
    base::write_file(folder_.path() / name, text);
    return folder_.path() / name;
  }
  fs::path headers() const { return folder_.path() / "cache/rafter/simt/headers"; }
  /// Returns the precompiled headers in the cache.
  std::vector<fs::path> made() const {
    std::vector<fs::path> all;
    if (!fs::exists(headers())) return all;
    for (const fs::directory_entry& entry : fs::recursive_directory_iterator(headers())) {
      if (entry.path().extension() == ".gch") all.push_back(entry.path());
    }
    return all;
  }
  /// Builds a program that was not built before, with the same flags as the others.
  Build program(const std::string& name) {
    Build build;
    build.sources = {
        write(name + ".cu", "int main() {\n  std::printf(\"" + name + " %s:%d\", __FILE__, __LINE__);\n}\n")};
    return build;
  }
  std::string output(const Build& build) {
    return test::shell(build_program(build, toolchain_).program.string()).output;
  }
  std::string expected(const std::string& name) const {
    return name + " " + (folder_.path() / name).string() + ".cu:2";
  }

  lab::TemporaryFolder folder_;
  lab::ScopedVariable cache_{"XDG_CACHE_HOME", (folder_.path() / "cache").c_str()};
  Toolchain toolchain_ = test::make_toolchain(folder_.path());
  const base::Command flags_{"g++", "-O1", "-isystem", toolchain_.shim_dir.string()};
};

TEST_F(Precompiled, HeadersAreMadeForTheThirdProgramAndChangeNothing) {
  for (const char* name : {"a", "b", "c", "d"}) {
    EXPECT_EQ(output(program(name)), expected(name));
    EXPECT_EQ(made().size(), name >= std::string("c") ? 1u : 0u) << name;
  }
}

TEST_F(Precompiled, CompilerReadsThePrecompiledHeaders) {
  EXPECT_EQ(precompiled_headers(flags_, 1, toolchain_), std::nullopt);
  const auto folder = precompiled_headers(flags_, 2, toolchain_);
  ASSERT_TRUE(folder);
  const fs::path source = write("a.cpp", "int main() { std::printf(\"\"); }\n");
  const std::string common = base::shell_quoted(flags_) + " -H -I" + folder->string() +
                             " -include rafter_simt/all.hpp -c " + source.string() + " -o " +
                             (folder_.path() / "a.o").string();
  const std::string used = "! " + folder->string() + "/rafter_simt/all.hpp.gch";
  const test::Run same = test::shell(common);
  EXPECT_EQ(same.status, 0);
  EXPECT_NE(same.output.find(used), std::string::npos) << same.output;
  const test::Run other = test::shell(common + " -fsanitize=thread");  // unusable, and ignored
  EXPECT_EQ(other.status, 0) << other.output;
  EXPECT_EQ(other.output.find(used), std::string::npos) << other.output;
}

TEST_F(Precompiled, HeadersAreSeparateForEachSetOfFlags) {
  precompiled_headers(flags_, 3, toolchain_);
  base::Command others = flags_;
  others.emplace_back("-D__X");
  EXPECT_EQ(precompiled_headers(others, 1, toolchain_), std::nullopt);
}

TEST_F(Precompiled, ChangedHeadersArePrecompiledAgain) {
  const fs::path header = toolchain_.shim_dir / "rafter_simt/all.hpp";
  const std::string text = *base::read_file(header);
  const auto build = [&](const std::string& name) {
    Build one;
    one.sources = {write(name + ".cu", "int main() { std::printf(\"%d\", __VALUE); }\n")};
    return one;
  };
  base::write_file(header, text + "#define __VALUE 1\n");
  for (const char* name : {"a", "b", "c", "d"}) EXPECT_EQ(output(build(name)), "1");
  EXPECT_EQ(made().size(), 1u);
  base::write_file(header, text + "#define __VALUE 23\n");
  for (const char* name : {"e", "f", "g", "h"}) EXPECT_EQ(output(build(name)), "23");
  EXPECT_EQ(made().size(), 2u);
}

TEST_F(Precompiled, OneOfSeveralProcessesMakesTheHeaders) {
  precompiled_headers(flags_, 2, toolchain_);
  std::vector<pid_t> children;
  for (int i = 0; i < 4; ++i) {
    const pid_t child = fork();
    if (child == 0) {
      const auto folder = precompiled_headers(flags_, 1, toolchain_);
      const auto bytes = folder ? fs::file_size(*folder / "rafter_simt/all.hpp.gch") : 1;
      _exit(bytes == 0 ? 2 : folder ? 0 : 1);
    }
    children.push_back(child);
  }
  int n_used = 0;
  for (const pid_t child : children) {
    int status = 0;
    waitpid(child, &status, 0);
    ASSERT_TRUE(WIFEXITED(status));
    EXPECT_NE(WEXITSTATUS(status), 2) << "used while it was being written";
    n_used += WEXITSTATUS(status) == 0;
  }
  EXPECT_GE(n_used, 1);
  ASSERT_EQ(made().size(), 1u);
  // no unfinished files
  EXPECT_EQ(std::distance(fs::directory_iterator(made()[0].parent_path().parent_path()), {}), 1);
}

TEST_F(Precompiled, FailedPrecompilationIsNotRepeated) {
  const fs::path log = folder_.path() / "log";
  toolchain_.compiler = write("compiler", "#!/bin/sh\ncase \"$*\" in *c++-header*) echo x >>" + log.string() +
                                              "; exit 1;; esac\nexec g++ \"$@\"\n")
                            .string();
  fs::permissions(toolchain_.compiler, fs::perms::owner_all);
  for (const char* name : {"a", "b", "c", "d"}) EXPECT_EQ(output(program(name)), expected(name));
  EXPECT_EQ(base::read_file(log), "x\n");
}

TEST_F(Precompiled, DamagedHeadersAreMadeAgain) {
  for (const char* name : {"a", "b", "c"}) output(program(name));
  ASSERT_EQ(made().size(), 1u);
  const auto n_bytes = fs::file_size(made()[0]);
  fs::resize_file(made()[0], n_bytes / 2);
  EXPECT_EQ(output(program("d")), expected("d"));
  EXPECT_GT(fs::file_size(made().at(0)), n_bytes / 2 + 1);
  fs::resize_file(made()[0], n_bytes / 2);
  fs::resize_file(made()[0], n_bytes);  // the second half is zeros
  EXPECT_EQ(output(program("e")), expected("e"));
  EXPECT_EQ(output(program("f")), expected("f"));
}

TEST_F(Precompiled, HeadersAreNotUsedWithAForcedInclude) {
  for (const char* name : {"a", "b", "c"}) {
    Build build = program(name);
    build.options.flags = {"-include", write("first.h", "#define FIRST\n").string()};
    EXPECT_EQ(output(build), expected(name));
  }
  EXPECT_TRUE(made().empty());
}

TEST_F(Precompiled, LeastRecentlyUsedHeadersAreDropped) {
  const auto now = fs::file_time_type::clock::now();
  for (int i = 0; i < 8; ++i) {
    const fs::path uses = headers() / ("key" + std::to_string(i) + ".uses");
    base::write_file(uses, "...");
    base::write_file(headers() / ("key" + std::to_string(i)) / "rafter_simt/all.hpp.gch", "as if");
    fs::last_write_time(uses, now - std::chrono::hours(i + 1));
  }
  const auto folder = precompiled_headers(flags_, 3, toolchain_);
  ASSERT_TRUE(folder);
  EXPECT_EQ(made().size(), 6u);
  EXPECT_TRUE(fs::exists(headers() / "key0.uses"));
  EXPECT_FALSE(fs::exists(headers() / "key7.uses"));
}

}  // namespace
}  // namespace rafter::simt::build
