// rafter try and judge with definitions of FlashInfer-Trace: their workloads, solutions in JSON, answers made earlier,
// and what is refused. The tests bring a package `torch` of theirs.
#include <cmath>

#include "../tool.hpp"
#include "base/sandbox/sandbox.hpp"

namespace rafter::simt::test {
namespace {

constexpr const char* kernel =
    "#define N 3  // names of axes may be macros of a solution\n"
    "#include \"threads.h\"\n"
    "__global__ void scale_kernel(const float* x, float factor, float* y, long n) {\n"
    "  long i = blockIdx.x * static_cast<long>(blockDim.x) + threadIdx.x;\n"
    "  if (i < n) y[i] = FACTOR * x[i];\n}\n";
constexpr const char* pointers =
    "void run(const float* x, float factor, float* y, int n, int half) {\n"
    "  if (half == n / 2) scale_kernel<<<BLOCKS, THREADS>>>(x, factor, y, n);\n}\n";
constexpr const char* tensors =
    "namespace own {\n"
    "void scale(tvm::ffi::TensorView x, double factor, tvm::ffi::TensorView y) {\n"
    "  TVM_FFI_ICHECK_EQ(x.ndim(), 1) << \"a vector\";\n"
    "  TVM_FFI_CHECK(x.dtype().code == kDLFloat && x.dtype().bits == 32, TypeError) << \"float32\";\n"
    "  const auto stream = static_cast<cudaStream_t>(\n"
    "      TVMFFIEnvGetStream(x.device().device_type, x.device().device_id));\n"
    "  const long n = x.size(-1);\n"
    "  scale_kernel<<<BLOCKS, THREADS, 0, stream>>>(static_cast<const float*>(x.data_ptr()), factor,\n"
    "                                               static_cast<float*>(y.data_ptr()), n);\n}\n"
    "TVM_FFI_DLL_EXPORT_TYPED_FUNC(run, scale);\n}\n";
constexpr const char* tensor_headers =
    "#include <tvm/ffi/container/tensor.h>\n#include <tvm/ffi/error.h>\n#include <tvm/ffi/function.h>\n";

class Definitions : public ToolTest {
 protected:
  void SetUp() override {
    if (shell(".", "command -v python3").code != 0) GTEST_SKIP() << "no python3";
  }

  std::string solution(const std::string& name, const std::string& text, const std::string& factor = "factor",
                       const std::string& blocks = "(n + 127) / 128") const {
    const std::string threads = "#define THREADS 128\n#define FACTOR " + factor + "\n#define BLOCKS " + blocks + "\n";
    const json document = {
        {"name", name},
        {"definition", "scale"},
        {"author", "a test"},
        {"spec", {{"language", "cuda"}, {"entry_point", "kernel.cu::run"}}},
        {"sources", {{{"path", "threads.h"}, {"content", threads}}, {{"path", "kernel.cu"}, {"content", text}}}}};
    file("solutions/" + name + ".json", document.dump());
    return (folder_.path() / "solutions" / (name + ".json")).string();
  }
  static Outcome in_challenge(const std::string& words) {
    return shell(here / "try/challenge",
                 "PYTHONDONTWRITEBYTECODE=1 PYTHONPATH=. timeout 900 " RAFTER_TOOL_PATH " " + words);
  }
};

constexpr const char* scale = "definitions/elementwise/scale.json ";

TEST_F(Definitions, AreJudgedWithSolutionsOfBothKinds) {
  solution("pointers", std::string(kernel) + pointers);
  solution("tensors", std::string(tensor_headers) + kernel + tensors);
  solution("short", std::string(kernel) + pointers, "factor", "n / 128 + (n % 128 > 8)");
  solution("other_factor", std::string(tensor_headers) + kernel + tensors, "2.F");
  solution("torch", "#include <torch/extension.h>\nvoid run(torch::Tensor x, float f, torch::Tensor y) {}\n");
  file("solutions/notes.json", "{\"spec\": 1}");
  const std::string results = (folder_.path() / "all.json").string();
  const Outcome all =
      in_challenge(std::string("judge ") + scale + (folder_.path() / "solutions").string() + " --json " + results);
  EXPECT_EQ(all.code, 1) << all.all();
  EXPECT_TRUE(has(all.out, "5 submissions: 2 right, 2 wrong, 1 could not be run")) << all.all();
  const json kept = json::parse(text_of(results), nullptr, false);
  for (const json& one : kept["submissions"]) {
    const std::string name = fs::path(one["file"].get<std::string>()).stem();
    const std::string expected = name == "torch"                             ? "could not run"
                                 : name == "short" || name == "other_factor" ? "wrong"
                                                                             : "right";
    EXPECT_EQ(one["verdict"], expected) << name << one;
    EXPECT_EQ(has(one["why"], "takes tensors of PyTorch"), name == "torch") << one["why"];
    if (name != "pointers") continue;
    const std::string tried = one["exercises"][0]["right_with"].dump();
    EXPECT_TRUE(has(tried, "factor=2.0 N=37 HALF=18")) << tried;
    EXPECT_TRUE(has(tried, "N=3 ") && has(tried, "N=33 ")) << tried;
    EXPECT_FALSE(has(tried, "N=1 ")) << "an axis would be 0: " << tried;
    EXPECT_FALSE(has(tried, "N=134217727")) << "the large workload is made smaller: " << tried;
    EXPECT_TRUE(has(tried, "factor=0.5 N=131071")) << tried;
  }
}

TEST_F(Definitions, AreTriedInASandbox) {
  if (const auto reason = base::why_no_sandbox()) GTEST_SKIP() << *reason;
  const Outcome right =
      in_challenge(std::string("try ") + scale + solution("tensors", std::string(tensor_headers) + kernel + tensors) +
                   " --untrusted");
  EXPECT_EQ(right.code, 0) << right.all();
}

// A program that brings the real DLPack gets it, and not the part of it that solutions need.
TEST_F(Definitions, LeaveHeadersOfTheProgramAlone) {
  file("own/dlpack/dlpack.h", "#pragma once\nconstexpr int own_version = 9;\n");
  file("program.cu",
       "#include <dlpack/dlpack.h>\n__global__ void none() {}\n"
       "int main() {\n  none<<<1, 1>>>();\n  return own_version;\n}\n");
  const Outcome outcome = rafter("exec program.cu -Iown");
  EXPECT_EQ(outcome.code, 9) << outcome.all();
}

/// An .npy file of float32.
std::string npy(const std::vector<float>& values) {
  std::string header = "{'descr': '<f4', 'fortran_order': False, 'shape': (" + std::to_string(values.size()) + ",), }";
  header.resize(117, ' ');
  header += '\n';
  std::string text = std::string("\x93NUMPY\x01\x00", 8) + static_cast<char>(header.size()) + '\0' + header;
  text.append(reinterpret_cast<const char*>(values.data()), values.size() * sizeof(float));
  return text;
}

// Small results: an absolute tolerance of 0.01 would accept zeros.
TEST_F(Definitions, TakeAnswersMadeEarlierWithoutPyTorch) {
  std::vector<float> x(37), y(37);
  for (std::size_t i = 0; i < x.size(); ++i) {
    x[i] = 0.001F * std::sin(static_cast<float>(i));
    y[i] = 2 * x[i];
  }
  fs::copy_file(here / "try/challenge/definitions/elementwise/scale.json", folder_.path() / "scale.json");
  fs::copy_file(here / "try/challenge/workloads/elementwise/scale.jsonl", folder_.path() / "scale.jsonl");
  file("scale.answers/small/x.npy", npy(x));
  file("scale.answers/small/y.npy", npy(y));
  for (const char* module : {"torch.py", "json.py", "cases.py"})
    file(module, "import os\nos._exit(9)\n");  // not imported
  const auto attempt = [&](const std::string& path) {
    return shell(folder_.path(), "timeout 900 " RAFTER_TOOL_PATH " try scale.json " + path);
  };
  const Outcome right = attempt(solution("pointers", std::string(kernel) + pointers));
  EXPECT_EQ(right.code, 0) << right.all();
  EXPECT_TRUE(has(right.out, "correct with test 1: factor=2.0 N=37 HALF=18\n")) << right.all();
  const Outcome zeros = attempt(solution("zeros", std::string(kernel) + pointers, "0.F"));
  EXPECT_EQ(zeros.code, 1) << zeros.all();
  file("scale.answers/small/y.npy", npy({1, 2}));
  const Outcome shape = attempt("solutions/pointers.json");
  EXPECT_EQ(shape.code, 2) << shape.all();
  EXPECT_TRUE(has(shape.err, "has shape [2] instead of [37]")) << shape.all();
}

}  // namespace
}  // namespace rafter::simt::test
