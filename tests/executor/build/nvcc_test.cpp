// The nvcc replacement: command lines, separate compilation, dependency files, the toolkit's layout.
#include "executor/build/nvcc.hpp"

#include <gtest/gtest.h>

#include "../../workbench/lab/expect_error.hpp"
#include "../../workbench/lab/temporary_folder.hpp"
#include "toolchain.hpp"

namespace rafter::simt::build {
namespace {

namespace fs = std::filesystem;
using Words = std::vector<std::string>;

NvccCommand parse(const Words& words) { return parse_nvcc(words); }

TEST(NvccOptions, ParsesUsualCommandLines) {
  const NvccCommand command = parse({"-O3",
                                     "-arch=sm_80",
                                     "-gencode",
                                     "arch=compute_80,code=sm_80",
                                     "--generate-code=arch=compute_90,code=[sm_90]",
                                     "-std=c++14",
                                     "-Iinclude",
                                     "-I",
                                     "other",
                                     "-isystem=sys",
                                     "-DN=4",
                                     "-D",
                                     "M",
                                     "-UX",
                                     "-lineinfo",
                                     "-G",
                                     "-g",
                                     "-Xcompiler",
                                     "-Wall,-fopenmp",
                                     "-Xcompiler=-fPIC",
                                     "-Xptxas",
                                     "-v",
                                     "-Xlinker",
                                     "-rpath,/x",
                                     "-ccbin",
                                     "g++-9",
                                     "--expt-relaxed-constexpr",
                                     "--extended-lambda",
                                     "-use_fast_math",
                                     "-maxrregcount=32",
                                     "--default-stream",
                                     "per-thread",
                                     "-t",
                                     "4",
                                     "-lcublas",
                                     "-L/lib",
                                     "-lm",
                                     "-o",
                                     "prog",
                                     "a.cu",
                                     "b.cpp",
                                     "c.o"});
  EXPECT_EQ(command.action, NvccAction::link);
  EXPECT_EQ(command.inputs, (Words{"-lcublas", "-L/lib", "-lm", "a.cu", "b.cpp", "c.o"}));
  EXPECT_EQ(command.output, "prog");
  EXPECT_EQ(command.options.include_dirs, (std::vector<fs::path>{"include", "other"}));
  EXPECT_EQ(command.options.system_dirs, (std::vector<fs::path>{"sys"}));
  EXPECT_EQ(command.options.defines, (Words{"N=4", "M", "CUDA_API_PER_THREAD_DEFAULT_STREAM=1"}));
  EXPECT_EQ(command.options.flags, (Words{"-UX", "-Wall", "-fopenmp", "-fPIC"}));
  EXPECT_EQ(command.options.standard, "c++14");
  EXPECT_EQ(command.link_flags, (Words{"-fopenmp", "-Xlinker", "-rpath", "-Xlinker", "/x"}));
}

TEST(NvccOptions, ParsesTheDefaultStream) {
  EXPECT_EQ(parse({"-default-stream=per-thread", "a.cu"}).options.defines,
            (Words{"CUDA_API_PER_THREAD_DEFAULT_STREAM=1"}));
  EXPECT_TRUE(parse({"--default-stream", "legacy", "a.cu"}).options.defines.empty());
}

TEST(NvccOptions, ParsesActions) {
  EXPECT_EQ(parse({"-c", "a.cu"}).action, NvccAction::compile);
  EXPECT_TRUE(parse({"-dc", "a.cu"}).relocatable);
  EXPECT_TRUE(parse({"-rdc=true", "a.cu"}).relocatable);
  EXPECT_TRUE(parse({"--relocatable-device-code", "true", "a.cu"}).relocatable);
  EXPECT_EQ(parse({"-dlink", "a.o"}).action, NvccAction::device_link);
  EXPECT_EQ(parse({"--version"}).action, NvccAction::version);
  EXPECT_EQ(parse({"-V"}).action, NvccAction::version);
  EXPECT_EQ(parse({"-lib", "a.cu"}).action, NvccAction::archive);
  EXPECT_EQ(parse({"-E", "a.cu"}).action, NvccAction::preprocess);
  EXPECT_EQ(parse({"-MM", "a.cu"}).dependency_flags, (Words{"-MM"}));
  EXPECT_TRUE(parse({"-x", "cu", "-c", "a.cpp"}).options.all_cuda);
  EXPECT_EQ(parse({"-march=native", "-c", "a.cu"}).options.flags, (Words{"-march=native"}));
  lab::expect_error(ErrorCode::unsupported, "-ptx", [] { parse({"-ptx", "a.cu"}); });
  lab::expect_error(ErrorCode::unsupported, "--cubin", [] { parse({"--cubin", "a.cu"}); });
  lab::expect_error(ErrorCode::bad_argument, "'-o' needs a value", [] { parse({"a.cu", "-o"}); });
}

class Nvcc : public testing::Test {
 protected:
  std::string write(const std::string& name, const std::string& text) {
    base::write_file(folder_.path() / name, text);
    return (folder_.path() / name).string();
  }
  std::string at(const std::string& name) const { return (folder_.path() / name).string(); }
  int call(const Words& words) { return nvcc(words, toolchain_, Mode::plain); }

  lab::TemporaryFolder folder_;
  Toolchain toolchain_ = test::make_toolchain(folder_.path());
};

TEST_F(Nvcc, CompilesAndLinksSeparately) {
  write("k.cuh", "__device__ int twice(int x) { return 2 * x; }\n");
  const std::string a = write("a.cu",
                              "#include \"k.cuh\"\nint b();\nint sum;\n__global__ void k(int n) { sum += twice(n); }\n"
                              "#include <cstdio>\nint main() { k<<<1, 2>>>(N); std::printf(\"%d\", sum + b()); }\n");
  const std::string b = write("b.cu", "#include \"k.cuh\"\nint b() { return twice(50); }\n");
  ASSERT_EQ(call({"-c", a, "-DN=3", "-o", at("a.o"), "-MD", "-MF", at("a.d"), "-MT", "target"}), 0);
  ASSERT_EQ(call({"-c", b, "-o", at("b.o")}), 0);
  ASSERT_EQ(call({at("a.o"), at("b.o"), "-lcudart", "-lcublas", "-o", at("prog")}), 0);
  EXPECT_EQ(test::shell(at("prog")).output, "112");
  const std::string dependencies = base::read_file(at("a.d")).value();
  EXPECT_TRUE(dependencies.starts_with("target: " + a)) << dependencies;
  EXPECT_EQ(dependencies.find("/rafter-"), std::string::npos) << dependencies;
  EXPECT_NE(dependencies.find("k.cuh"), std::string::npos) << dependencies;
}

TEST_F(Nvcc, LinksLibraries) {
  const std::string lib = write("lib.cu", "int lib() { return 7; }\n");
  const std::string main_file = write("m.cpp", "int lib();\nint main() { return lib(); }\n");
  ASSERT_EQ(call({"-lib", lib, "-o", at("liblib.a")}), 0);
  ASSERT_EQ(call({main_file, "-L" + folder_.path().string(), "-llib", "-o", at("prog")}), 0);
  EXPECT_EQ(test::shell(at("prog")).status, 7);
  ASSERT_EQ(call({at("liblib.a"), main_file, "-o", at("early")}), 0);  // in any order
  EXPECT_EQ(test::shell(at("early")).status, 7);
  ASSERT_EQ(call({"-shared", "-Xcompiler", "-fPIC", lib, "-o", at("libshared.so")}), 0);
  ASSERT_EQ(call({"-dlink", at("x.o"), "-o", at("d.o")}), 1);
  ASSERT_EQ(call({"-dlink", at("liblib.a"), "-o", at("d.o")}), 0);
  EXPECT_TRUE(fs::exists(at("d.o")));
}

TEST_F(Nvcc, ReportsFailures) {
  EXPECT_EQ(call({"-c", write("bad.cu", "int x = ;\n"), "-o", at("x.o")}), 1);
  EXPECT_EQ(call({"-c", write("ptx.cu", "void f() { asm(\"bar.arrive 1;\"); }\n"), "-o", at("x.o")}), 2);
  EXPECT_EQ(call({"-ptx", at("bad.cu")}), 2);
  EXPECT_EQ(call({at("none.cu")}), 1);
}

TEST_F(Nvcc, WrapperLooksLikeAToolkit) {
  const fs::path root = folder_.path() / "tool kit";
  write_nvcc_wrapper(root, "/bin/echo", toolchain_, Mode::checked);
  write_nvcc_wrapper(root, "/bin/echo", toolchain_, Mode::checked);
  EXPECT_EQ(test::shell("'" + (root / "bin/nvcc").string() + "' -c 'a b.cu'").output,
            "nvcc --mode=checked -c a b.cu\n");
  EXPECT_TRUE(fs::exists(root / "include/cuda_runtime.h"));
  write("m.cpp", "extern \"C\" void __tsan_init();\nint main() { __tsan_init(); }\n");
  for (const char* flag : {"-lcudart", "-lcudart_static"}) {
    const test::Run run = test::shell("g++ " + at("m.cpp") + " '-L" + (root / "lib64").string() + "' -lcudadevrt " +
                                      flag + " -o " + at("prog") + " && " + at("prog"));
    EXPECT_EQ(run.status, 0) << run.output;
  }
}

}  // namespace
}  // namespace rafter::simt::build
