#include "workbench/trial/gpu_compile.hpp"

#include <dlfcn.h>
#include <fmt/format.h>
#include <unistd.h>

#include <cstdlib>
#include <sstream>
#include <vector>

#include "base/cuda_toolkit.hpp"
#include "base/files.hpp"
#include "base/process.hpp"
#include "rafter/error.hpp"

namespace rafter::trial {

namespace fs = std::filesystem;

namespace {

constexpr double compile_limit_s = 120;

// Headers that files include for a host compiler. NVRTC has their functions built in; the prelude defines the types.
constexpr const char* empty_headers[] = {"cstdint",        "stdint.h",
                                         "cstdio",         "stdio.h",
                                         "cmath",          "math.h",
                                         "cassert",        "assert.h",
                                         "cstddef",        "stddef.h",
                                         "cstring",        "string.h",
                                         "cstdlib",        "stdlib.h",
                                         "cuda_runtime.h", "cuda_runtime_api.h",
                                         "cuda.h",         "device_launch_parameters.h"};
constexpr const char* prelude = R"(typedef signed char int8_t; typedef unsigned char uint8_t; typedef short int16_t;
typedef unsigned short uint16_t; typedef int int32_t; typedef unsigned uint32_t; typedef long long int64_t;
typedef unsigned long long uint64_t;
namespace std { using ::int8_t; using ::uint8_t; using ::int16_t; using ::uint16_t; using ::int32_t; using ::uint32_t;
using ::int64_t; using ::uint64_t; using ::size_t; }
)";

/// NVRTC, loaded at run time, because a machine that only runs kernels may lack it. Its entry points are stable.
class Nvrtc {
 public:
  Nvrtc() {
    for (const char* name : {"libnvrtc.so", "libnvrtc.so.13", "libnvrtc.so.12"}) {
      if (library_ == nullptr) library_ = dlopen(name, RTLD_NOW | RTLD_LOCAL);
      if (library_ == nullptr)
        library_ = dlopen((fs::path(RAFTER_CUDA_LIBRARIES) / name).c_str(), RTLD_NOW | RTLD_LOCAL);
    }
  }
  Nvrtc(const Nvrtc&) = delete;
  Nvrtc& operator=(const Nvrtc&) = delete;
  bool present() const { return library_ != nullptr; }

  /// Compiles the text. Sets `result` to the cubin and returns true, or to the compiler's log and returns false.
  bool compile(const std::string& text, const std::string& name, const std::vector<std::string>& options,
               const std::string& instance, std::string& result) const {
    void* program = nullptr;
    const std::vector<const char*> contents(std::size(empty_headers), "");
    const auto create =
        find<int(void**, const char*, const char*, int, const char* const*, const char* const*)>("nvrtcCreateProgram");
    if (create == nullptr || create(&program, text.c_str(), name.c_str(), static_cast<int>(contents.size()),
                                    contents.data(), empty_headers) != 0)
      return false;
    if (const auto add = find<int(void*, const char*)>("nvrtcAddNameExpression"); add != nullptr && !instance.empty())
      add(program, instance.c_str());
    std::vector<const char*> words;
    for (const std::string& option : options) words.push_back(option.c_str());
    const auto build = find<int(void*, int, const char* const*)>("nvrtcCompileProgram");
    const bool good = build != nullptr && build(program, static_cast<int>(words.size()), words.data()) == 0;
    result = good ? get(program, "nvrtcGetCUBIN") : get(program, "nvrtcGetProgramLog");
    if (const auto destroy = find<int(void**)>("nvrtcDestroyProgram")) destroy(&program);
    return good && !result.empty();
  }

 private:
  template <class Function>
  Function* find(const std::string& name) const {
    return reinterpret_cast<Function*>(dlsym(library_, name.c_str()));
  }
  std::string get(void* program, const std::string& what) const {
    const auto size = find<int(void*, std::size_t*)>(what + "Size");
    const auto fill = find<int(void*, char*)>(what);
    std::size_t bytes = 0;
    if (size == nullptr || fill == nullptr || size(program, &bytes) != 0) return "";
    std::string text(bytes, '\0');
    fill(program, text.data());
    return text;
  }

  void* library_ = nullptr;
};

[[noreturn]] void fail(const std::string& output) {
  throw Error(ErrorCode::bad_argument, "it does not compile for the GPU\n" + base::first_compiler_error(output));
}

Cubin by_nvcc(const LearnerSource& source, const std::string& kernel, int capability, const fs::path& scratch,
              const fs::path& nvcc) {
  const fs::path wrapper = scratch / "for_gpu.cu", cubin = scratch / "kernel.cubin";
  std::string text = fmt::format("#include \"{}\"\n", fs::absolute(source.file).string());
  if (kernel.find('<') != std::string::npos)  // taking its address instantiates a template
    text += fmt::format("void* rafter_try_use() {{ return reinterpret_cast<void*>(&::{}); }}\n", kernel);
  base::write_file(wrapper, text);
  const base::Outcome ended =
      base::run_process({.command = {nvcc.string(), "-cubin", fmt::format("-arch=sm_{}", capability), "-std=c++17",
                                     "-lineinfo", "-w", "-o", cubin.string(), wrapper.string()},
                         .time_limit_s = compile_limit_s});
  if (!ended.succeeded()) fail(ended.output.empty() ? "nvcc gave no reason" : ended.output);
  return {base::read_file(cubin).value_or(""), "nvcc"};
}

}  // namespace

Cubin compile_cubin(const LearnerSource& source, const std::string& kernel, int capability, const fs::path& scratch) {
  const Nvrtc nvrtc;
  std::string result;
  if (nvrtc.present()) {
    const fs::path folder = fs::absolute(source.file).parent_path();
    const std::vector<std::string> options{fmt::format("--gpu-architecture=sm_{}", capability),
                                           "-std=c++17",
                                           "-lineinfo",
                                           "-w",
                                           "-I" + folder.string(),
                                           "-I" RAFTER_CUDA_HEADERS};
    const std::string text = fmt::format("{}#line 1 \"{}\"\n{}", prelude, source.file.string(), source.text);
    const std::string instance = kernel.find('<') != std::string::npos ? "&" + kernel : "";
    if (nvrtc.compile(text, source.file.string(), options, instance, result)) return {result, "NVRTC"};
  }
  if (const fs::path nvcc = base::find_cuda_program("nvcc"); !nvcc.empty())
    return by_nvcc(source, kernel, capability, scratch, nvcc);
  if (nvrtc.present()) fail(result);
  throw Error(ErrorCode::unsupported, "neither NVRTC nor nvcc is on this machine: install the CUDA toolkit");
}

}  // namespace rafter::trial
