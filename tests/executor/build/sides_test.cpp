// Two compilations of a source: the values of conditions, and the assembly of both sides.
#include <gtest/gtest.h>

#include "executor/build/sides/assembly.hpp"
#include "executor/build/sides/conditions.hpp"
#include "rafter/error.hpp"

namespace rafter::simt::build {
namespace {

bool depends(const std::string& condition) {
  const std::string text = "#if " + condition + "\n";
  const Tokens tokens(text);
  return depends_on_side(tokens, 2, tokens.size());
}

TEST(SidesConditions, AreEvaluatedForHostAndDevice) {
  for (const char* condition :
       {"defined(__CUDA_ARCH__)", "!defined __CUDA_ARCH__", "__CUDA_ARCH__",
        "__CUDA_ARCH__ >= 700 && __CUDA_ARCH__ < 1000", "(__CUDA_ARCH__ > 900) || (__CUDA_ARCH__ == 0x384)",
        "__CUDA_ARCH__ / 100 * 10 % 7 - 6 == 0", "-__CUDA_ARCH__ < ~0", "defined(__CUDACC__) && defined(__CUDA_ARCH__)",
        "defined(__CUDA_ARCH__) && defined(__CUDA_ARCH_FEAT_SM90_ALL)"})
    EXPECT_TRUE(depends(condition)) << condition;
  for (const char* condition :
       {"!defined(__CUDA_ARCH__) || __CUDA_ARCH__ >= 600", "defined(__CUDA_ARCH__) && __CUDA_ARCH__ < 600",
        "!defined(__CUDA_ARCH__) || defined(__CUDA_ARCH_FEAT_SM90_ALL)", "__CUDA_ARCH__ <= 900", "1 + 2 * 3 == 7"})
    EXPECT_FALSE(depends(condition)) << condition;
}

TEST(SidesConditions, ConsiderAllValuesOfOtherMacros) {
  for (const char* condition : {"defined(X) && defined(__CUDA_ARCH__)", "defined(__CUDA_ARCH__) || defined(X)",
                                "X && !defined(__CUDA_ARCH__)", "F(1) && 0", "(1", "1 / __CUDA_ARCH__"})
    EXPECT_TRUE(depends(condition)) << condition;
  for (const char* condition :
       {"defined(X) && (!defined(__CUDA_ARCH__) || __CUDA_ARCH__ >= 900)",
        "defined(X) || !defined(X) || defined(__CUDA_ARCH__)", "X && 0 && defined(__CUDA_ARCH__)"})
    EXPECT_FALSE(depends(condition)) << condition;
}

std::string function(const std::string& name, const std::string& body, const std::string& scope = ".globl") {
  return "\t.text\n" + (scope.empty() ? "" : "\t" + scope + "\t" + name + "\n") + "\t.type\t" + name + ", @function\n" +
         name + ":\n" + body + "\tret\n\t.size\t" + name + ", .-" + name + "\n";
}

/// The compiler's mark of a kernel.
const std::string mark =
    "\t.section\t__patchable_function_entries,\"awo\",@progbits,k\n\t.align "
    "8\n\t.quad\t.LPFE1\n\t.text\n.LPFE1:\n\tnop\n";

std::string object(const std::string& name, const std::string& section, const std::string& scope = ".globl") {
  return (scope.empty() ? "" : "\t" + scope + "\t" + name + "\n") + "\t.section\t" + section + "\n\t.type\t" + name +
         ", @object\n\t.size\t" + name + ", 4\n" + name + ":\n\t.zero\t4\n";
}

class Combined : public testing::Test {
 protected:
  void combine(const std::string& host, const std::string& device) {
    sides_ = combine_sides(host, device, {device_names_, common_names_});
  }
  static bool has(const std::string& text, const std::string& part) { return text.find(part) != std::string::npos; }

  std::set<std::string> device_names_, common_names_;
  Sides sides_;
};

TEST_F(Combined, KernelsComeFromTheDevice) {
  combine(function("k", mark) + function("main", "\tcall\tk\n"), function("k", mark) + function("main", "\tcall\tk\n"));
  EXPECT_TRUE(has(sides_.host, "\nk.rafter_unused:\n") && has(sides_.host, "\tcall\tk\n")) << sides_.host;
  EXPECT_FALSE(has(sides_.host, ".globl\tk\n") || has(sides_.host, "__patchable")) << sides_.host;
  EXPECT_TRUE(has(sides_.device, "\t.globl\tk\n") && has(sides_.device, "\nk:\n")) << sides_.device;
  EXPECT_FALSE(has(sides_.device, ".globl\tmain")) << sides_.device;
  EXPECT_TRUE(sides_.shared.empty());
}

TEST_F(Combined, LocalKernelsAreSharedUnderAnotherName) {
  const std::string text = function("_ZL1kv", mark, "") + function("main", "\tcall\t_ZL1kv\n");
  combine(text, text);
  EXPECT_TRUE(has(sides_.host, "\tcall\t_ZL1kv.rafter_shared\n")) << sides_.host;
  EXPECT_TRUE(
      has(sides_.device, "\t.globl\t_ZL1kv.rafter_shared\n\t.hidden\t_ZL1kv.rafter_shared\n_ZL1kv.rafter_shared:\n"))
      << sides_.device;
  EXPECT_EQ(sides_.shared, std::set<std::string>{"_ZL1kv"});
}

TEST_F(Combined, EachSideCallsItsOwnInlineFunctions) {
  const std::string inlined =
      "\t.section\t.text._Z1fv,\"axG\",@progbits,_Z1fv,comdat\n\t.weak\t_Z1fv\n\t.type\t_Z1fv, "
      "@function\n_Z1fv:\n\tret\n";
  combine(inlined, inlined);
  EXPECT_EQ(sides_.host, inlined);
  EXPECT_EQ(sides_.device, "\t.section\t.text._Z1fv,\"ax\",@progbits\n\t.type\t_Z1fv, @function\n_Z1fv:\n\tret\n");
}

TEST_F(Combined, VariablesExistOnce) {
  const std::string text = object("n", "rafter_device,\"aw\"") + object("counter", ".bss.counter,\"aw\"") +
                           object("_ZZ1fvE1s", ".bss._ZZ1fvE1s,\"aw\"", "") + object("table", ".rodata,\"a\"");
  combine(text, text);
  EXPECT_FALSE(has(sides_.host, "\nn:")) << sides_.host;
  EXPECT_TRUE(has(sides_.device, "\nn:\n\t.zero\t4\n") && has(sides_.device, "\t.globl\tn\n")) << sides_.device;
  EXPECT_TRUE(has(sides_.host, "\ncounter:\n\t.zero\t4\n")) << sides_.host;
  EXPECT_FALSE(has(sides_.device, "\ncounter:")) << sides_.device;
  for (const char* own : {"\n_ZZ1fvE1s:", "\ntable:"})
    EXPECT_TRUE(has(sides_.host, own) && has(sides_.device, own)) << own;
  EXPECT_FALSE(has(sides_.device, ".globl\ttable")) << sides_.device;
}

TEST_F(Combined, TemplatesOfDeviceVariablesAreTheDevices) {
  device_names_ = {"generic"};
  const std::string text =
      object("_Z7genericIiE", ".data._Z7genericIiE,\"awG\",@progbits,_Z7genericIiE,comdat", ".weak");
  combine(text, text);
  EXPECT_FALSE(has(sides_.host, "_Z7genericIiE:") || has(sides_.host, "comdat")) << sides_.host;
  EXPECT_EQ(sides_.device, text);
}

TEST_F(Combined, SharedVariablesAreNotTheHosts) {
  device_names_ = {"tile"};
  const std::string used = function("_ZL1fv", "\tmovl\t_ZL4tile(%rip), %eax\n", "");
  for (const char* section : {".tbss._ZL4tile,\"awT\"", "rafter_device,\"awT\""}) {
    combine(object("_ZL4tile", ".bss._ZL4tile,\"aw\"", "") + used, object("_ZL4tile", section, "") + used);
    EXPECT_TRUE(has(sides_.host, "\n_ZL4tile:") && has(sides_.device, "\n_ZL4tile:")) << sides_.device;
    EXPECT_TRUE(sides_.shared.empty());
  }
}

TEST_F(Combined, InitialisersRunOnce) {
  const std::string text =
      function("_GLOBAL__sub_I_n", "", "") + "\t.section\t.init_array,\"aw\"\n\t.quad\t_GLOBAL__sub_I_n\n";
  combine(text, text);
  EXPECT_TRUE(has(sides_.host, ".quad"));
  EXPECT_FALSE(has(sides_.device, ".quad"));
}

TEST_F(Combined, UnreachableCodeNeedsNothing) {
  const std::string host = function("main", "\tcall\t_Z1hv\n") + function("_Z1hv", ""),
                    calls = "\tcall\t_Z9host_onlyv\n";
  combine(host, function("main", calls));
  EXPECT_TRUE(has(sides_.device, "\n_Z9host_onlyv:\n")) << sides_.device;
  combine(host, function("main", "") + function("k", mark + calls));
  EXPECT_FALSE(has(sides_.device, "\n_Z9host_onlyv:\n")) << sides_.device;
}

TEST_F(Combined, OtherSourcesFindTheDevicesVersion) {
  common_names_ = {"f", "g"};
  const std::string text = function("_Z1fv", "") + function("k", mark + "\tcall\t_Z1fv\n\tcall\t_Z1gv\n");
  combine(text, text);
  EXPECT_TRUE(has(sides_.device, "\t.set\t_Z1fv.rafter_device, _Z1fv\n")) << sides_.device;
  EXPECT_TRUE(has(sides_.device, "\tcall\t_Z1fv\n\tcall\t_Z1gv.rafter_device\n")) << sides_.device;
  EXPECT_TRUE(has(sides_.device, "\t.weak\t_Z1gv.rafter_device\n")) << sides_.device;
  EXPECT_FALSE(has(sides_.host, "rafter_device")) << sides_.host;
}

TEST_F(Combined, AliasesAreWhatTheyReferTo) {
  const std::string text =
      function("_ZL1fv", "", "") + "\t.set\t_ZL1gv,_ZL1fv\n" + function("main", "\tcall\t_ZL1gv\n");
  combine(text, text);
  EXPECT_TRUE(sides_.shared.empty());
  EXPECT_EQ(sides_.host, text);
  EXPECT_TRUE(has(sides_.device, "\t.set\t_ZL1gv,_ZL1fv\n")) << sides_.device;
  combine(text, function("k", mark + "\tcall\t_ZL1gv\n"));
  EXPECT_TRUE(
      has(sides_.host,
          "\t.globl\t_ZL1gv.rafter_shared\n\t.hidden\t_ZL1gv.rafter_shared\n\t.set\t_ZL1gv.rafter_shared,_ZL1fv\n"))
      << sides_.host;
}

TEST_F(Combined, TextIsNotASymbol) {
  const std::string text = function("_ZL1kv", mark, "") + function("main", "\tcall\t_ZL1kv\n") +
                           "\t.section\t.rodata\n.LC0:\n\t.string\t\"say \\\"_ZL1kv\\\" _ZL1kv\"\n";
  combine(text, text);
  EXPECT_TRUE(has(sides_.host, "\"say \\\"_ZL1kv\\\" _ZL1kv\"")) << sides_.host;
}

TEST_F(Combined, RefusesKernelsThatTheDeviceLacks) {
  const std::string main = function("main", "\tcall\tk\n");
  EXPECT_THROW(combine(function("k", mark) + main, main), Error);
  EXPECT_NO_THROW(combine(function("k", mark) + function("main", ""), function("main", "")));
}

}  // namespace
}  // namespace rafter::simt::build
