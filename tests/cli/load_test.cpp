// A workload in a folder of its own: written, built, loaded, and used as ours are; with faults in it, too.
#include <fstream>
#include <nlohmann/json.hpp>

#include "cli.hpp"

namespace rafter {
namespace {

namespace fs = std::filesystem;
using cli::Cli;
using cli::Outcome;
using nlohmann::json;

class Load : public Cli {
 protected:
  fs::path folder() const { return folder_ / "scaled"; }
  std::string loading() const { return " --load " + folder().string() + " "; }

  /// Replaces words in one of its files.
  void edit(const std::string& name, const std::string& from, const std::string& to) const {
    std::string text = text_of(folder() / name);
    const auto at = text.find(from);
    ASSERT_NE(at, std::string::npos) << name << " has no " << from;
    std::ofstream(folder() / name) << text.replace(at, from.size(), to);
  }

  /// A shared object of a line of C++.
  std::string object_of(const std::string& text) const {
    std::ofstream(folder_ / "x.cpp") << text << "\n";
    const std::string object = file("x.so");
    EXPECT_EQ(std::system(("c++ -shared -fPIC -o " + object + " " + file("x.cpp")).c_str()), 0);
    return object;
  }

  void expect_it_is_listed_shown_and_run() const;
  void expect_it_is_explained() const;
  void expect_the_executor_finds_a_race() const;
  void expect_a_wrong_rung_is_called_so() const;
  void expect_the_compilers_words() const;
};

void Load::expect_it_is_listed_shown_and_run() const {
  const Outcome listed = rafter("list" + loading());
  ASSERT_EQ(listed.code, 0) << listed.err;
  EXPECT_TRUE(has(listed.out, "plain -> threads")) << listed.out;
  EXPECT_FALSE(has(listed.out, "mul_add")) << "ours are listed, too: " << listed.out;
  const Outcome shown = rafter("show scaled one_block" + loading());
  EXPECT_TRUE(has(shown.out, (folder() / "ladder/one_block.cu").string())) << shown.out;
  EXPECT_TRUE(has(shown.out, "__global__ void scaled_one_block")) << shown.out;
  const Outcome run =
      rafter("run --device cpu --n 1000 --factor 0.5 --seconds 0.02 --json " + file("r.json") + loading());
  ASSERT_EQ(run.code, 0) << run.err << run.out;
  const json results = json::parse(text_of(file("r.json")))["results"];
  ASSERT_EQ(results.size(), 2u);
  for (const json& result : results) {
    EXPECT_EQ(result["workload"], "scaled");
    EXPECT_EQ(result["params"]["factor"], 0.5);
    EXPECT_TRUE(result["verified"].get<bool>()) << result;
    EXPECT_GT(result["median_ns"].get<double>(), 0) << result;
  }
}

void Load::expect_it_is_explained() const {
  const Outcome explained = rafter("explain scaled plain --device cpu --size 1000 --json" + loading());
  ASSERT_EQ(explained.code, 0) << explained.err;
  EXPECT_EQ(json::parse(explained.out)["rung"], "plain") << explained.out;
  const Outcome only_one = rafter("explain --device cpu --size 1000 --json" + loading());
  ASSERT_EQ(only_one.code, 0) << only_one.err;
  EXPECT_EQ(json::parse(only_one.out)["workload"], "scaled") << only_one.out;
  EXPECT_TRUE(has(rafter("explain scald" + loading()).err, "scaled"));
}

/// Races in shared memory and in a variable of a kernel in an object that was loaded at run time.
void Load::expect_the_executor_finds_a_race() const {
  edit("ladder/one_block.cu", "  for (std::int64_t i = threadIdx.x",
       "  __shared__ T first[1024];\n"
       "  /* one */ n_calls = n_calls + 1;\n"
       "  first[threadIdx.x] = a[0];\n"
       "  /* barrier */\n"
       "  factor += first[1023 - threadIdx.x] - a[0];\n"
       "  for (std::int64_t i = threadIdx.x");
  edit("ladder/one_block.cu", "template <class T>", "__device__ int n_calls = 0;\n\ntemplate <class T>");
  const Outcome raced = rafter("run --device simt --size 100" + loading());
  EXPECT_EQ(raced.code, 1) << raced.err;
  EXPECT_TRUE(has(raced.out, "many_blocks         1 verified, no errors found")) << raced.out;
  EXPECT_TRUE(has(raced.out, "race in shared memory")) << raced.out;
  EXPECT_TRUE(has(raced.out, "ladder/one_block.cu:13")) << raced.out;
  EXPECT_TRUE(has(raced.out, "race in global memory")) << raced.out;
  edit("ladder/one_block.cu", "/* barrier */", "__syncthreads();");
  edit("ladder/one_block.cu", "/* one */", "if (threadIdx.x == 0)");
  const Outcome mended = rafter("run --device simt --size 100" + loading());
  EXPECT_EQ(mended.code, 0) << mended.err << mended.out;
}

void Load::expect_a_wrong_rung_is_called_so() const {
  const Outcome right = rafter("run --check --device cpu" + loading());
  EXPECT_EQ(right.code, 0) << right.out << right.err;
  fs::copy_file(folder() / "planted/plain.cpp", folder() / "ladder/plain.cpp", fs::copy_options::overwrite_existing);
  const Outcome wrong = rafter("run --check --device cpu" + loading());
  EXPECT_EQ(wrong.code, 1) << wrong.err;
  EXPECT_TRUE(has(wrong.out, "plain               WRONG with n=1 ")) << wrong.out;
  EXPECT_TRUE(has(wrong.out, "threads             21 verified")) << wrong.out;
}

void Load::expect_the_compilers_words() const {
  edit("ladder/plain.cpp", "args.factor", "args.faktor");
  const Outcome broken = rafter("run --device cpu" + loading());
  EXPECT_EQ(broken.code, 2);
  EXPECT_TRUE(has(broken.err, "does not build")) << broken.err;
  EXPECT_TRUE(has(broken.err, "ladder/plain.cpp:")) << broken.err;
  EXPECT_TRUE(has(broken.err, "has no member named 'faktor'")) << broken.err;
  EXPECT_FALSE(has(broken.err, "-std=")) << "the compiler's command line is noise: " << broken.err;
  fs::remove(folder() / "ladder/plain.cpp");
  const Outcome missing = rafter("list" + loading());
  EXPECT_EQ(missing.code, 2);
  EXPECT_TRUE(has(missing.err, "needs rafter::scaled_ladder::cpu::plain")) << missing.err;
}

/// One test for all of it, because what is built is built once.
TEST_F(Load, UsesAFolderLikeABuiltInFamily) {
  const std::string command = "new workload scaled --folder " + folder().string();
  const Outcome written = rafter(command);
  ASSERT_EQ(written.code, 0) << written.err;
  EXPECT_TRUE(has(written.out, "rafter run --load " + folder().string())) << written.out;
  EXPECT_TRUE(has(rafter(command).err, "already exists"));
  expect_it_is_listed_shown_and_run();
  expect_it_is_explained();
  expect_the_executor_finds_a_race();
  expect_a_wrong_rung_is_called_so();
  expect_the_compilers_words();
}

TEST_F(Load, RejectsFoldersWithoutAWorkload) {
  const auto refusal = [&](const std::string& words) {
    const Outcome outcome = rafter(words);
    EXPECT_EQ(outcome.code, 2) << words;
    return outcome.err;
  };
  EXPECT_TRUE(has(refusal("run --load " + file("nowhere")), "there is no folder"));
  fs::create_directories(folder());
  EXPECT_TRUE(has(refusal("run" + loading()), "has no CMakeLists.txt"));
  std::ofstream(folder() / "CMakeLists.txt") << "cmake_minimum_required(VERSION 3.25)\nproject(x LANGUAGES NONE)\n";
  EXPECT_TRUE(has(refusal("list" + loading()), "does not call rafter_add_workload(NAME)"));
  std::ofstream(folder() / "CMakeLists.txt") << "cmake_minimum_required(VERSION 3.25)\nproject(x LANGUAGES CXX)\n"
                                                "find_package(rafter REQUIRED COMPONENTS workload)\n"
                                                "rafter_add_workload(x)\n";
  EXPECT_TRUE(has(refusal("list" + loading()), "/x_workload.cpp"));
  std::ofstream(file("text")) << "no object";
  EXPECT_TRUE(has(refusal("run --load " + file("text")), "cannot be loaded"));
  EXPECT_TRUE(has(refusal("list --load " + object_of("int x;")), "is a shared object without workloads"));
  const std::string old = object_of("extern \"C\" char rafter_family_abi_0_0_1; char* x = &rafter_family_abi_0_0_1;");
  EXPECT_TRUE(has(refusal("list --load " + old), "was built with another version of rafter"));
  const std::string late = object_of(
      "#include <stdexcept>\nextern \"C\" void rafter_loadable() { throw std::runtime_error(\"not today\"); }");
  EXPECT_TRUE(has(refusal("list --load " + late), "threw an exception while it was loaded: not today"));
  const std::string early = object_of("struct X { X() { throw 1; } } x;");
  EXPECT_TRUE(has(refusal("list --load " + early), "threw an exception while it was loaded"));
  const std::string crashing =
      object_of("extern \"C\" void rafter_loadable() { *reinterpret_cast<volatile int*>(8) = 1; }");
  EXPECT_TRUE(has(refusal("list --load " + crashing), "crashed: invalid memory access"));
  EXPECT_TRUE(has(refusal("new workload My-Kernel"), "cannot be the name of a workload"));
  EXPECT_TRUE(has(refusal("new wrkload x"), "did you mean 'workload'?"));
}

}  // namespace
}  // namespace rafter
