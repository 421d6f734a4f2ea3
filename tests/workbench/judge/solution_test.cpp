// Solutions of FlashInfer-Trace: the source that is made of one, and the ones that are refused.
#include "workbench/trial/challenge/solution.hpp"

#include <gtest/gtest.h>

#include <functional>

#include "base/files.hpp"
#include "rafter/error.hpp"
#include "workbench/lab/expect_error.hpp"

namespace rafter::trial {

using lab::expect_error;
using nlohmann::json;

namespace {

constexpr const char* kernel = "void run(const float* x, float* y, int n) {}\n";

class Solutions : public testing::Test {
 protected:
  static Challenge scale() {
    Challenge challenge{.layout = {{"axes", {"N"}},
                                   {"constants", {{"D", 4}}},
                                   {"shapes", {{"x", {"N", "D"}}, {"y", {"N", 3}}}},
                                   {"types", {{"x", "bfloat16"}, {"y", "float32"}}}}};
    challenge.exercise.title = "scale";
    challenge.exercise.parameters = {{"const __nv_bfloat16*", "x"}, {"float", "eps"}, {"float*", "y"}, {"int", "N"}};
    return challenge;
  }
  static json document(const std::string& text) {
    return {{"definition", "scale"},
            {"spec", {{"language", "cuda"}, {"entry_point", "kernel.cu::run"}}},
            {"sources",
             {{{"path", "src/sizes.h"}, {"content", "#define N 3\n"}}, {{"path", "kernel.cu"}, {"content", text}}}}};
  }
  Solution unpack(const json& document) const {
    const std::string file = (folder_.path() / "solution.json").string();
    base::write_file(file, document.dump());
    return unpack_solution(file, scale(), folder_.path() / "unpacked");
  }
  base::ScratchFolder folder_;
};

TEST_F(Solutions, WithPointersGetInputsOutputsAndAxes) {
  const Solution solution = unpack(document(kernel));
  const std::string text = base::read_file(solution.file).value_or("");
  EXPECT_NE(text.find("#include \"kernel.cu\""), std::string::npos) << text;
  EXPECT_EQ(text.find("sizes.h"), std::string::npos) << text;
  EXPECT_NE(text.find("void rafter_solution(const __nv_bfloat16* rafter_x, float rafter_eps, float* rafter_y, "
                      "std::int64_t rafter_N)"),
            std::string::npos)
      << text;
  EXPECT_NE(text.find("::run(rafter_x, rafter_eps, rafter_y, rafter_N);"), std::string::npos) << text;
  EXPECT_EQ(base::read_file(folder_.path() / "unpacked/src/sizes.h"), "#define N 3\n");
}

TEST_F(Solutions, WithTensorsGetExtentsOfAxes) {
  const Solution solution =
      unpack(document("#include <tvm/ffi/function.h>\nTVM_FFI_DLL_EXPORT_TYPED_FUNC(run, own::run);\n"));
  const std::string text = base::read_file(solution.file).value_or("");
  EXPECT_NE(text.find("PackedTensor(rafter_x, {kDLBfloat, 16, 1}, {rafter_N, 4})"), std::string::npos) << text;
  EXPECT_NE(text.find("PackedTensor(rafter_y, {kDLFloat, 32, 1}, {rafter_N, 3})"), std::string::npos) << text;
  EXPECT_NE(text.find("__tvm_ffi_run("), std::string::npos) << text;
}

TEST_F(Solutions, ThatAreNotTakenAreRefusedWithTheReason) {
  struct Case {
    ErrorCode code;
    const char* reason;
    std::function<void(json&)> change;
  };
  const ErrorCode mistake = ErrorCode::bad_argument, refusal = ErrorCode::unsupported;
  const Case cases[] = {
      {mistake, "a solution of 'gemm', not of 'scale'", [](json& one) { one["definition"] = "gemm"; }},
      {refusal, "is written in triton", [](json& one) { one["spec"]["language"] = "triton"; }},
      {refusal, "is written in cutlass",
       [](json& one) {
         one["spec"]["languages"] = {"cuda_cpp", "cutlass"};
       }},
      {refusal, "returns its results", [](json& one) { one["spec"]["destination_passing_style"] = false; }},
      {refusal, "takes tensors of PyTorch", [](json& one) { one["spec"]["binding"] = "torch"; }},
      {refusal, "takes tensors of PyTorch", [](json& one) { one["sources"][1]["content"] = "torch::Tensor x;"; }},
      {mistake, "outside of its folder", [](json& one) { one["sources"][0]["path"] = "../../sizes.h"; }},
      {mistake, "outside of its folder", [](json& one) { one["sources"][0]["path"] = "a/../../sizes.h"; }},
      {mistake, "outside of its folder", [](json& one) { one["sources"][0]["path"] = "/tmp/sizes.h"; }},
      {mistake, "outside of its folder", [](json& one) { one["sources"][0]["path"] = "a\"\n#include \"b"; }},
      {mistake, "has two sources", [](json& one) { one["sources"][0]["path"] = "./kernel.cu"; }},
      {mistake, "a name that is taken", [](json& one) { one["sources"][0]["path"] = "rafter_solution.cu"; }},
      {mistake, "names no function", [](json& one) { one["spec"]["entry_point"] = "kernel.cu::run(); int main() {"; }},
      {mistake, "has no source 'main.cu'", [](json& one) { one["spec"]["entry_point"] = "main.cu::run"; }},
      {refusal, "only CUDA and C++", [](json& one) { one["spec"]["entry_point"] = "src/sizes.h::run"; }},
      {mistake, "does not export 'run'",
       [](json& one) { one["sources"][1]["content"] = "#include <tvm/ffi/function.h>\n"; }},
      {mistake, "is no solution", [](json& one) { one["sources"] = 3; }},
      {mistake, "is no solution", [](json& one) { one = json::array(); }},
  };
  for (const Case& one : cases) {
    json changed = document(kernel);
    one.change(changed);
    expect_error(one.code, one.reason, [&] { unpack(changed); });
  }
  EXPECT_FALSE(std::filesystem::exists(folder_.path() / "unpacked"));
}

}  // namespace
}  // namespace rafter::trial
