#include "executor/build/rewrite/preamble.hpp"

#include <algorithm>
#include <array>
#include <string_view>

namespace rafter::simt::build {

namespace {

template <std::size_t N>
bool starts_with_any(const std::string& text, const std::array<std::string_view, N>& beginnings) {
  return std::any_of(beginnings.begin(), beginnings.end(), [&](std::string_view b) { return text.starts_with(b); });
}

}  // namespace

std::string define_line(const std::string& define) {
  std::string text = define;
  const std::size_t equals = text.find('=');
  equals == std::string::npos ? text += " 1" : text.replace(equals, 1, " ");
  return "#define " + text + "\n";
}

bool is_for_headers(const std::string& define) {
  static constexpr std::array<std::string_view, 5> beginnings{"_", "CUDA_", "CUB_", "CCCL_", "THRUST_"};
  return starts_with_any(define, beginnings) || define.substr(0, define.find('=')) == "NDEBUG";
}

std::string make_preamble(const std::vector<std::string>& includes, const CompileOptions& options,
                          const Toolchain& toolchain) {
  static constexpr std::array<std::string_view, 6> shim_prefixes{"cub/",      "cooperative_groups", "mma.h",
                                                                 "cuda_fp16", "cuda_bf16",          "cuda_fp8"};
  std::string text = "#line 1 \"<command-line>\"\n";
  for (const std::string& name : includes) {
    std::error_code error;
    if (starts_with_any(name, shim_prefixes) && std::filesystem::exists(toolchain.shim_dir / name, error))
      text += "#include <" + name + ">\n";
  }
  const bool uses_thrust = std::any_of(includes.begin(), includes.end(),
                                       [](const std::string& name) { return name.starts_with("thrust/"); });
  // Thrust's CUDA backend includes it in every header that reports errors, its host backends in none.
  if (uses_thrust) text += "#if __has_include(<thrust/system_error.h>)\n#include <thrust/system_error.h>\n#endif\n";
  for (const std::string& define : options.defines) {
    if (!is_for_headers(define)) text += define_line(define);
  }
  for (const std::string& flag : options.flags) {
    if (flag.starts_with("-U")) text += "#undef " + flag.substr(2) + "\n";
  }
  return text;
}

}  // namespace rafter::simt::build
