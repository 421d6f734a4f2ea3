// Whole programs: several files, headers, defines, errors, the cache. Uses a substitute runtime.
#include "executor/build/program.hpp"

#include <gtest/gtest.h>

#include "../../workbench/lab/expect_error.hpp"
#include "../../workbench/lab/temporary_folder.hpp"
#include "toolchain.hpp"

namespace rafter::simt::build {
namespace {

namespace fs = std::filesystem;
using lab::expect_error;

class Program : public testing::Test {
 protected:
  fs::path write(const std::string& name, const std::string& text) {
    base::write_file(folder_.path() / name, text);
    return folder_.path() / name;
  }
  test::Run run(const Build& build) { return test::shell(build_program(build, toolchain_).program.string()); }

  lab::TemporaryFolder folder_;
  lab::ScopedVariable cache_{"XDG_CACHE_HOME", (folder_.path() / "cache").c_str()};
  Toolchain toolchain_ = test::make_toolchain(folder_.path());
};

TEST_F(Program, RewritesHeadersNextToTheirSources) {
  write("include/kernels.cuh",
        "#pragma once\n#include \"detail/inner.cuh\"\ninline void go() { inner<<<1, 3>>>(VALUE); }\n");
  write("include/detail/inner.cuh",
        "#pragma once\n#include \"../plain.h\"\nint sum;\n"
        "__global__ void inner(int x) { extern __shared__ int s[]; s[0] = x; sum += s[0] + plain(); }\n");
  write("include/plain.h", "#pragma once\nconstexpr int plain() { return 1; }\n");
  Build build;
  build.sources = {write("src/main.cu",
                         "#include \"local.h\"\n#include <kernels.cuh>\n#include <cstdio>\nint main() { "
                         "go(); std::printf(\"%d %s:%d\", sum + local, __FILE__, __LINE__); }\n"),
                   write("src/other.cpp", "#include \"local.h\"\nint unused_function() { return local; }\n")};
  write("src/local.h", "static int local = 100;\n");
  build.options.include_dirs = {folder_.path() / "include"};
  build.options.defines = {"VALUE=4"};
  const test::Run result = run(build);
  EXPECT_EQ(result.output, "115 " + (folder_.path() / "src/main.cu").string() + ":4");
}

TEST_F(Program, RebuildsWhenAnInputChanges) {
  Build build;
  write("a.h", "#define N 1\n");
  build.sources = {write("a.cu", "#include \"a.h\"\n#include <cstdio>\nint main() { std::printf(\"%d\", N); }\n")};
  const Built first = build_program(build, toolchain_);
  EXPECT_FALSE(first.from_cache);
  const Built again = build_program(build, toolchain_);
  EXPECT_TRUE(again.from_cache);
  EXPECT_EQ(again.program, first.program);
  write("a.h", "#define N 2\n");
  EXPECT_EQ(run(build).output, "2");
  build.options.defines = {"X"};
  EXPECT_FALSE(build_program(build, toolchain_).from_cache);
  build.output = folder_.path() / "program";
  EXPECT_EQ(build_program(build, toolchain_).program, build.output);
  EXPECT_EQ(test::shell(build.output.string()).output, "2");
}

TEST_F(Program, RebuildsADamagedProgram) {
  Build build;
  build.sources = {write("a.cu", "#include <cstdio>\nint main() { std::printf(\"whole\"); }\n")};
  const fs::path program = build_program(build, toolchain_).program;
  const auto n_bytes = fs::file_size(program);
  const std::vector<void (*)(const fs::path&, std::uintmax_t)> damages{
      [](const fs::path& file, std::uintmax_t n) { fs::resize_file(file, n / 2); },
      [](const fs::path& file, std::uintmax_t n) {
        std::fstream(file, std::ios::in | std::ios::out).seekp(static_cast<std::streamoff>(n / 2)).put('?');
      },
      [](const fs::path& file, std::uintmax_t) { base::write_file(file, "#!/bin/sh\nexit 127\n"); },
      [](const fs::path& file, std::uintmax_t) { fs::remove(file), fs::create_directory(file); }};
  for (const auto damage : damages) {
    damage(program, n_bytes);
    const Built again = build_program(build, toolchain_);
    EXPECT_FALSE(again.from_cache);
    EXPECT_EQ(test::shell(again.program.string()).output, "whole");
    EXPECT_TRUE(build_program(build, toolchain_).from_cache);
  }
}

TEST_F(Program, MessagesNameTheUsersFiles) {
  Build build;
  const fs::path header =
      write("b.cuh", "void k();\n\n__global__ void g() { extern __shared__ int s[]; s[0] = missing; }\n");
  build.sources = {write("b.cu", "#include \"b.cuh\"\nint main() { g<<<1, 1>>>(); }\n")};
  expect_error(ErrorCode::bad_argument, header.string() + ":3: error: 'missing' was not declared",
               [&] { build_program(build, toolchain_); });
  build.sources = {write("c.cu", "int main() { return undefined(); }\nint f() { return cudaFrobnicate(); }\n")};
  expect_error(ErrorCode::unsupported, "c.cu:2: cudaFrobnicate: not implemented by the executor",
               [&] { build_program(build, toolchain_); });
  build.sources = {write("d.cu", "#include <cuda.h>\nint main() { cuCtxFrobnicate(0); }\n")};
  expect_error(ErrorCode::unsupported, "d.cu:2: cuCtxFrobnicate: most of the driver API is not implemented",
               [&] { build_program(build, toolchain_); });
  build.sources = {write("e.cu", "int main() { return height + current; }\n")};
  expect_error(ErrorCode::bad_argument, "'height' was not declared", [&] { build_program(build, toolchain_); });
  build.sources = {write("f.cu", "int main() { float2 v = make_float2(1, 2); }\n__device__ void g() { __frob(1); }\n")};
  expect_error(ErrorCode::unsupported, "f.cu:2: __frob: not implemented by the executor",
               [&] { build_program(build, toolchain_); });
  build.sources = {write("d.cu", "int helper();\nint main() { return helper(); }\n")};
  expect_error(ErrorCode::bad_argument, "undefined reference", [&] { build_program(build, toolchain_); });
  build.sources = {folder_.path() / "none.cu"};
  expect_error(ErrorCode::io, "none.cu", [&] { build_program(build, toolchain_); });
}

TEST_F(Program, RefusesOnlyCompiledCode) {
  const std::string text =
      "#ifdef USE_SPARSE\n#include <cusparse.h>\n#endif\n#ifdef USE_PTX\n"
      "__device__ int f() { int x; asm(\"mov.u32 %0, %envreg1;\" : \"=r\"(x)); return x; }\n#endif\nint main() {}\n";
  Build build;
  build.sources = {write("a.cu", text)};
  EXPECT_EQ(run(build).status, 0);
  build.options.defines = {"USE_SPARSE"};
  expect_error(ErrorCode::unsupported, "a.cu:2: cuSPARSE", [&] { build_program(build, toolchain_); });
  build.options.defines = {"USE_PTX"};
  expect_error(ErrorCode::unsupported, "a.cu:5: inline PTX (mov.u32)", [&] { build_program(build, toolchain_); });
}

TEST_F(Program, DeviceNamesAreLocalToTheirSource) {
  const std::string text = "__device__ int shift(int x) { return x + BY; }\n__device__ int counter = BY;\n";
  Build build;
  build.sources = {write("a.cu", "#define BY 1\n" + text +
                                     "int other();\n#include <cstdio>\nint main() { std::printf(\"%d %d\", "
                                     "shift(0) + counter, other()); }\n"),
                   write("b.cu", "#define BY 10\n" + text + "int other() { return shift(0) + counter; }\n")};
  EXPECT_EQ(run(build).output, "2 20");
  build.options.relocatable = true;
  expect_error(ErrorCode::bad_argument, "multiple definition", [&] { build_program(build, toolchain_); });
  build.options.relocatable = false;
  build.sources = {write("c.cu", "int twice() { return 1; }\nint main() {}\n"),
                   write("d.cu", "int twice() { return 2; }\n")};
  expect_error(ErrorCode::bad_argument, "multiple definition", [&] { build_program(build, toolchain_); });
}

TEST_F(Program, StandardsBelow17AreRaised) {
  Build build;
  build.sources = {write("a.cu", "#include <cstdio>\nint main() { std::printf(\"%ld\", __cplusplus); }\n")};
  for (const auto& [given, expected] : std::vector<std::pair<std::string, std::string>>{
           {"", "201703"}, {"c++11", "201703"}, {"gnu++14", "201703"}, {"c++20", "202002"}}) {
    build.options.standard = given;
    EXPECT_EQ(run(build).output, expected) << given;
  }
}

TEST_F(Program, CheckedBuildsPadSharedArrays) {
  Build build;
  build.options.mode = Mode::checked;
  build.sources = {
      write("a.cu",
            "template <class T> __global__ void k(int i) { __shared__ T s[4]; __shared__ char c[3]; s[i] = c[i]; }\n"
            "int main() { k<int><<<1, 4>>>(1); }\n")};
  const Built built = build_program(build, toolchain_);
  EXPECT_EQ(test::shell(built.program.string()).status, 0);
  const std::string symbols =
      test::shell("nm -S --defined-only " + built.program.string() + " | grep -E 'E1[sc]$' | sort").output;
  std::istringstream lines(symbols);
  unsigned long first = 0, first_size = 0, second = 0, size = 0;
  std::string kind;
  lines >> std::hex >> first >> first_size >> kind >> kind >> second >> size;
  EXPECT_GE(second, first + first_size + 64) << symbols;
}

}  // namespace
}  // namespace rafter::simt::build
